package dev.parlance.cli.review;

import dev.parlance.cli.AdminOptions;
import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.Terminal;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What somebody who helps needs to see. */
@Command(
    name = "diagnostics",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {DiagnosticsCommand.Bundle.class},
    description = "Collects what is needed to find out what is wrong.",
    footer = {"", "Example:", "  parlance diagnostics bundle --data-dir parlance-data"})
final class DiagnosticsCommand {
  @Command(
      name = "bundle",
      description = {
        "Writes one ZIP file about a sidecar, to be sent to somebody who helps.",
        "",
        "In it: the configuration in force, readiness, metrics, cores, the latest lines of the",
        "decision log, names and sizes of the files in the data folder, versions. Not in it: texts",
        "of messages, held messages, tokens, keys. What could not be had, for example because the",
        "sidecar does not run, is named in bundle.json, and the exit status is 1.",
        "",
        "Ids, peers, paths and names of rules are in it as they are: look before you send it."
      },
      footer = {
        "",
        "Examples:",
        "  parlance diagnostics bundle --data-dir parlance-data",
        "  parlance diagnostics bundle --lines 20000 --out why.zip"
      })
  static final class Bundle implements Callable<Integer> {
    private static final DateTimeFormatter STAMP =
        DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final int LINES_MAX = 100_000;

    @Mixin AdminOptions admin = new AdminOptions();

    @Option(
        names = "--lines",
        paramLabel = "N",
        description = "latest lines of the decision log, 0 to 100000 (default: 2000)")
    int lines = 2000;

    @Option(
        names = "--out",
        paramLabel = "FILE",
        description = "the file to write, which must not exist (default: parlance-TIME.zip)")
    Optional<Path> out = Optional.empty();

    private final Terminal terminal;

    Bundle(Terminal terminal) {
      this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
      if (lines < 0 || lines > LINES_MAX) {
        return terminal.complain(
            ExitStatus.USAGE,
            "--lines: expected a number from 0 to " + LINES_MAX + ", got " + lines);
      }
      Path folder = admin.dataDir.orElse(AdminOptions.DATA_DIR_DEFAULT);
      if (!Files.isDirectory(folder)) {
        return terminal.complain(
            ExitStatus.FAILED,
            "there is no folder " + folder + "; name the data folder of a sidecar with --data-dir");
      }
      Path file =
          out.orElseGet(
              () -> Path.of("parlance-" + STAMP.format(Clock.systemUTC().instant()) + ".zip"));
      DiagnosticsBundle bundle = new DiagnosticsBundle(folder, lines);
      try {
        bundle.write(file, admin.find());
      } catch (FileAlreadyExistsException e) {
        return terminal.complain(ExitStatus.FAILED, file + " is there already");
      }
      terminal.out().println(file);
      bundle.missing().forEach(what -> terminal.complain(ExitStatus.FAILED, "not in it: " + what));
      return bundle.missing().isEmpty() ? ExitStatus.OK : ExitStatus.FAILED;
    }
  }
}
