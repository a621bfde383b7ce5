package dev.parlance.cli.ledger;

import dev.parlance.cli.CommandGroup;
import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.TerminalCommand;
import dev.parlance.ledger.record.Export;
import dev.parlance.ledger.tree.CompactRange;
import dev.parlance.ledger.tree.Hashing;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Checks and reads ledgers without believing anybody. */
@Command(
    name = "ledger",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      LedgerVerifyCommand.class,
      LedgerInclusionCommand.class,
      LedgerProofsCommand.class,
      LedgerCommand.LedgerExportCommand.class
    })
public final class LedgerCommand implements CommandGroup {
  @Override
  public Map<String, Class<?>> commands() {
    return Map.of("ledger", LedgerCommand.class);
  }

  @Command(name = "export")
  static final class LedgerExportCommand extends TerminalCommand {
    @Parameters(
        paramLabel = "DIR",
        arity = "0..1",
        description = "the ledger's directory, unless it is read elsewhere")
    Optional<Path> directory = Optional.empty();

    @Option(
        names = {"-o", "--output"},
        paramLabel = "FILE",
        description = "where to write (default: standard output)")
    Optional<Path> file = Optional.empty();

    @Mixin LedgerOptions options = new LedgerOptions();

    @Override
    public Integer call() throws IOException {
      options.logKey.key("ledger export");
      try (LedgerSource ledger = options.open(directory)) {
        return file.isPresent() ? toFile(ledger, file.get()) : toStandardOutput(ledger);
      }
    }

    private int toStandardOutput(LedgerSource ledger) throws IOException {
      boolean matches = write(ledger, terminal.out());
      terminal.out().flush();
      return matches ? ExitStatus.OK : doesNotMatch("what was printed");
    }

    /** The file appears when it is complete and matches, or not at all. */
    private int toFile(LedgerSource ledger, Path target) throws IOException {
      Path folder = target.toAbsolutePath().getParent();
      Path part =
          Files.createTempFile(
              folder == null ? Path.of(".") : folder, "." + target.getFileName(), ".part");
      try {
        boolean matches;
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(part), 1 << 16)) {
          matches = write(ledger, out);
        }
        if (!matches) {
          return doesNotMatch("nothing was written: the ledger");
        }
        Files.move(part, target, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(part);
      }
      terminal.note(ledger.checkpoint().size() + " entries are in " + target);
      return ExitStatus.OK;
    }

    /** True if the entries lead to the checkpoint's root. */
    private boolean write(LedgerSource ledger, OutputStream out) throws IOException {
      var range = CompactRange.empty();
      try (var progress = new Terminal.ProgressLine(terminal)) {
        out.write(Export.header(ledger.checkpoint(), ledger.key()));
        ledger.forEach((index, entry) -> {
          range.append(Hashing.leaf(entry), (level, at, hash) -> {});
          out.write(Export.line(index, entry));
          if (progress.isDue()) {
            progress.show(
                String.format(
                    Locale.ROOT, "%,d of %,d entries", index, ledger.checkpoint().size()));
          }
        });
      }
      return range.size() == ledger.checkpoint().size()
          && range.root().equals(ledger.checkpoint().checkpoint().root());
    }

    private int doesNotMatch(String what) {
      return terminal.fail(
          "ledger export: " + what + " does not lead to the signed checkpoint's root");
    }
  }
}
