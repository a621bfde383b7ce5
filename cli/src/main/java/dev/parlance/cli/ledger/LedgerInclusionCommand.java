package dev.parlance.cli.ledger;

import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.OutputOption;
import dev.parlance.cli.TerminalCommand;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.tree.Hash;
import dev.parlance.ledger.tree.Hashing;
import dev.parlance.ledger.tree.InclusionProof;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(name = "inclusion")
final class LedgerInclusionCommand extends TerminalCommand {
  @Parameters(
      paramLabel = "[DIR] INDEX",
      arity = "0..2",
      description = "the ledger's directory, unless it is read elsewhere; the entry, from 0")
  List<String> arguments = new ArrayList<>();

  @Option(
      names = "--verify",
      paramLabel = "FILE",
      description = "check the proof in this file instead")
  Optional<Path> given = Optional.empty();

  @Mixin LedgerOptions options = new LedgerOptions();
  @Mixin OutputOption output = new OutputOption();
  @Spec CommandSpec command = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    options.logKey.key("ledger inclusion");
    if (given.isPresent()) {
      if (!arguments.isEmpty()) {
        throw usage("--verify needs neither a ledger nor an index");
      }
      return verify(given.get());
    }
    if (arguments.isEmpty()) {
      throw usage("an index is missing, or --verify FILE");
    }
    Optional<Path> directory =
        arguments.size() == 2 ? Optional.of(Path.of(arguments.getFirst())) : Optional.empty();
    if (!arguments.getLast().matches("[0-9]{1,18}")) {
      throw usage(
          "expected an index from 0, got " + TerminalEscaper.shortened(arguments.getLast(), 40));
    }
    return prove(directory, Long.parseLong(arguments.getLast()));
  }

  private int prove(Optional<Path> directory, long index) throws IOException {
    try (LedgerSource ledger = options.open(directory)) {
      if (index >= ledger.checkpoint().size()) {
        return terminal.fail(
            "ledger inclusion: there is no entry %s; the ledger has %s",
            index, ledger.checkpoint().size());
      }
      byte[] entry = ledger.entry(index);
      InclusionProof proof = ledger.inclusion(index);
      Hash leaf = Hashing.leaf(entry);
      Hash root = ledger.checkpoint().checkpoint().root();
      boolean holds = proof.verifies(leaf, root);
      var view = ProofView.of(ledger, proof, leaf, entry);
      output.print(terminal, view, () -> view.print(terminal.out()));
      return holds
          ? ExitStatus.OK
          : terminal.fail(
              "ledger inclusion: the proof does not lead to the checkpoint's root %s; "
                  + "the ledger is damaged (parlance ledger verify)",
              root.hex());
    }
  }

  private int verify(Path file) throws IOException {
    if (!Files.isReadable(file)) {
      return terminal.usage("ledger inclusion: cannot read " + file + "; expected a proof");
    }
    Optional<VerifierKey> key = options.key();
    ProofView.Checked checked = ProofView.check(Files.readAllBytes(file), key);
    switch (output.format) {
      case JSON -> terminal.json(checked);
      case TEXT -> {
        if (checked.holds()) {
          terminal.line("the proof holds: " + checked.detail());
          if (key.isEmpty()) {
            terminal.println(
                "note: the key is the proof's own, which proves nothing about who made it"
                    + " (--vkey)");
          }
        } else {
          return terminal.fail("the proof does not hold: " + checked.detail());
        }
      }
    }
    return checked.holds() ? ExitStatus.OK : ExitStatus.FAILED;
  }

  private CommandLine.ParameterException usage(String message) {
    return new CommandLine.ParameterException(command.commandLine(), message);
  }
}
