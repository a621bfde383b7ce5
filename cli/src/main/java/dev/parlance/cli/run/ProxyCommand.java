package dev.parlance.cli.run;

import dev.parlance.cli.TerminalCommand;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "proxy")
final class ProxyCommand extends TerminalCommand {
  @Option(
      names = "--config",
      required = true,
      paramLabel = "FILE",
      description = "the configuration (YAML); see parlance config show-defaults")
  Path file = Path.of("");

  @Option(
      names = "--stop-on-stdin-close",
      description = "stop when standard input ends, so that it never outlives whoever started it")
  boolean stopOnStdinClose;

  @Override
  public Integer call() throws IOException {
    return new SidecarRun(terminal).run(file, stopOnStdinClose);
  }
}
