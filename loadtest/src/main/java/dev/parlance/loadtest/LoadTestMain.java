package dev.parlance.loadtest;

import dev.parlance.loadtest.load.Freshness;
import dev.parlance.loadtest.load.LoadPlan.Protocol;
import dev.parlance.loadtest.process.TargetKind;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.TypeConversionException;

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
      PactsCommand.class,
      PartsCommand.class,
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
        .registerConverter(
            TargetKind.class, word -> one(word, TargetKind.values(), TargetKind::code))
        .registerConverter(Freshness.class, word -> one(word, Freshness.values(), Freshness::code))
        .registerConverter(Protocol.class, word -> one(word, Protocol.values(), Protocol::code))
        .setExecutionExceptionHandler((exception, command, _) -> {
          PrintWriter err = command.getErr();
          String message = exception.getMessage();
          err.println("loadtest: " + (message == null ? exception.toString() : message));
          return exception instanceof IllegalArgumentException ? 2 : 1;
        });
  }

  private static <T> T one(String word, T[] all, Function<T, String> code) {
    return Arrays.stream(all)
        .filter(each -> code.apply(each).equals(word))
        .findFirst()
        .orElseThrow(() ->
            new TypeConversionException(
                "there is no '"
                    + word
                    + "'; there are "
                    + Arrays.stream(all).map(code).collect(Collectors.joining(", "))));
  }

  /** How results are printed. */
  enum Format {
    TEXT,
    JSON,
    MARKDOWN
  }
}
