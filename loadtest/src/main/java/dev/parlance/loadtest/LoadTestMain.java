package dev.parlance.loadtest;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code bin/loadtest}. */
@Command(
    name = "loadtest",
    mixinStandardHelpOptions = true,
    version = "Parlance loadtest 0.1.0",
    description = "Measures Parlance from outside, beside other proxies.",
    subcommands = {
      BenchCommand.class,
      CompareCommand.class,
      FootprintCommand.class,
      StartCommand.class
    })
public final class LoadTestMain {
  private LoadTestMain() {}

  /** Exit status 0 if all went well, 1 if something failed, 2 if the command line is wrong. */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  public static CommandLine commandLine() {
    return new CommandLine(new LoadTestMain())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler((exception, command, _) -> {
          PrintWriter err = command.getErr();
          String message = exception.getMessage();
          err.println("loadtest: " + (message == null ? exception.toString() : message));
          return exception instanceof IllegalArgumentException ? 2 : 1;
        });
  }

  /** How results are printed. */
  enum Format {
    TEXT,
    JSON,
    MARKDOWN
  }
}
