package dev.parlance.cli.run;

import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.Terminal;
import dev.parlance.control.config.ControlConfig;
import dev.parlance.control.main.ControlMain;
import dev.parlance.service.config.ConfigResult;
import dev.parlance.service.config.Listen;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Which control plane's configuration and data folder a command is about. */
final class ControlConfigOptions {
  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "the configuration (YAML); without it the defaults")
  Optional<Path> file = Optional.empty();

  @Option(
      names = {"--data", "--data-dir"},
      paramLabel = "DIR",
      description = "data folder instead of the configured one (default: ./parlance-control)")
  Optional<Path> dataDir = Optional.empty();

  /** The configuration with what the command line changes. */
  ConfigResult<ControlConfig> load(Optional<Listen> grpc, Optional<Listen> http) {
    return ControlMain.config(new ControlMain.Options(file, dataDir, grpc, http));
  }

  /** Says everything that is wrong with a configuration: exit status 2. */
  int complain(Terminal terminal, ConfigResult.Refused<ControlConfig> refused) {
    refused
        .problems()
        .forEach(problem -> terminal.note(file.map(path -> path + ":").orElse("") + problem));
    return ExitStatus.USAGE;
  }
}
