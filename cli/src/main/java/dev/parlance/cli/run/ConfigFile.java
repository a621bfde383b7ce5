package dev.parlance.cli.run;

import dev.parlance.cli.TerminalEscaper;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.config.file.ConfigLoader;
import dev.parlance.service.config.ConfigProblem;
import dev.parlance.service.config.ConfigResult;
import java.nio.file.Files;
import java.nio.file.Path;

/** A sidecar configuration named on the command line. */
public final class ConfigFile {
  /** What came of reading it. */
  public sealed interface Read {
    /**
     * It can be used.
     *
     * @param config the configuration
     */
    record Usable(SidecarConfig config) implements Read {}

    /**
     * It cannot.
     *
     * @param message one line: the first problem, and how to see all
     */
    record Unusable(String message) implements Read {}
  }

  private ConfigFile() {}

  public static Read load(Path file) {
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
      return new Read.Unusable("cannot read " + file + "; expected a sidecar configuration (YAML)");
    }
    return switch (ConfigLoader.load(file)) {
      case ConfigResult.Loaded(SidecarConfig config) -> new Read.Usable(config);
      case ConfigResult.Refused<SidecarConfig> refused ->
          new Read.Unusable(
              line(file, refused.problems().getFirst())
                  + (refused.problems().size() == 1
                      ? ""
                      : " (and %s more; parlance config validate %s prints them all)"
                          .formatted(refused.problems().size() - 1, file)));
    };
  }

  /** {@code FILE:LINE:COL: /pointer: message}. */
  static String line(Path file, ConfigProblem problem) {
    return TerminalEscaper.line(
        "%s:%s:%s: %s%s"
            .formatted(
                file,
                problem.line(),
                problem.column(),
                problem.pointer().isEmpty() ? "" : problem.pointer() + ": ",
                problem.message()));
  }
}
