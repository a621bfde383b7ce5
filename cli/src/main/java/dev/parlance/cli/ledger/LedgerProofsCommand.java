package dev.parlance.cli.ledger;

import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.OutputOption;
import dev.parlance.cli.TerminalCommand;
import dev.parlance.ledger.note.MemberKeys;
import dev.parlance.ledger.record.Applied;
import dev.parlance.ledger.record.Entry;
import dev.parlance.ledger.record.EntryCodec;
import dev.parlance.ledger.record.EntryCodec.Decoded;
import dev.parlance.ledger.record.LedgerState;
import dev.parlance.ledger.record.RoundEntry;
import dev.parlance.ledger.round.EquivocationProof;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
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

@Command(name = "proofs")
final class LedgerProofsCommand extends TerminalCommand {
  private static final int RECORD_LINES = 4;

  /** Most bytes of a file of records. */
  private static final long MAX_BYTES = 16L << 20;

  @Parameters(
      paramLabel = "DIR",
      arity = "0..1",
      description = "the ledger's directory, unless it is read elsewhere")
  Optional<Path> directory = Optional.empty();

  @Option(
      names = "--verify",
      paramLabel = "FILE",
      description = "check the records in this file instead; needs --members")
  Optional<Path> given = Optional.empty();

  @Option(
      names = "--members",
      paramLabel = "FILE",
      description = "with --verify: keys of members, one a line, from the members themselves")
  Optional<Path> members = Optional.empty();

  @Mixin LedgerOptions options = new LedgerOptions();
  @Mixin OutputOption output = new OutputOption();
  @Spec CommandSpec command = CommandSpec.create();

  /**
   * A proof as it is printed.
   *
   * @param round and epoch, where it was found on a ledger
   * @param holds whether the keys of the member say so
   */
  record ProofView(String round, String member, boolean holds, String record) {}

  @Override
  public Integer call() throws IOException {
    options.logKey.key("ledger proofs");
    if (given.isPresent() != members.isPresent() || (given.isPresent() && directory.isPresent())) {
      throw new CommandLine.ParameterException(
          command.commandLine(), "--verify FILE and --members FILE go together, without a ledger");
    }
    return given.isPresent() ? verify(given.get(), members.orElseThrow()) : find();
  }

  private int find() throws IOException {
    List<ProofView> found = new ArrayList<>();
    try (LedgerSource ledger = options.open(directory)) {
      LedgerState state = new LedgerState();
      ledger.forEach((index, bytes) -> {
        if (EntryCodec.decode(bytes) instanceof Decoded.Read(Entry entry)
            && state.apply(index, entry) instanceof Applied.Counted
            && entry instanceof RoundEntry.Proposed proposed) {
          state
              .round(proposed.id())
              .flatMap(round -> EquivocationProof.in(round, proposed.agent()))
              .map(
                  proof -> new ProofView(proposed.id().bound(), proof.member(), true, proof.text()))
              .ifPresent(found::add);
        }
      });
    }
    if (found.isEmpty()) {
      terminal.note(
          "no member has signed two proposals in one epoch of a round; "
              + "of rounds whose members do not sign there is no proof");
    }
    switch (output.format) {
      case JSON -> terminal.json(found);
      case TEXT ->
          found.forEach(proof -> {
            terminal.out().print(proof.record());
            terminal.note("%s has signed two proposals in round %s", proof.member(), proof.round());
          });
    }
    return ExitStatus.OK;
  }

  private int verify(Path file, Path keys) throws IOException {
    MemberKeys known = LedgerOptions.members("ledger proofs", keys, 0);
    String text;
    try {
      if (Files.size(file) > MAX_BYTES) {
        return noProofs(file, "has more than " + MAX_BYTES + " bytes");
      }
      text = Files.readString(file, StandardCharsets.UTF_8);
    } catch (CharacterCodingException e) {
      return noProofs(file, "is no text (UTF-8)");
    } catch (IOException e) {
      return noProofs(file, "cannot be read");
    }
    String[] lines = text.split("\n", -1);
    if (lines.length <= 1 || lines.length % RECORD_LINES != 1) {
      return terminal.fail("ledger proofs: expected records of four lines in %s", file);
    }
    List<ProofView> checked = new ArrayList<>();
    for (int at = 0; at + RECORD_LINES < lines.length; at += RECORD_LINES) {
      checked.add(checked(String.join("\n", List.of(lines).subList(at, at + RECORD_LINES)), known));
    }
    switch (output.format) {
      case JSON -> terminal.json(checked);
      case TEXT ->
          checked.forEach(proof ->
              terminal.line(
                  "%s",
                  proof.holds()
                      ? "the proof holds: " + proof.member() + " has signed both"
                      : "this proves nothing against \"" + proof.member() + "\""));
    }
    return checked.stream().allMatch(ProofView::holds) ? ExitStatus.OK : ExitStatus.FAILED;
  }

  private int noProofs(Path file, String problem) {
    return terminal.usage(
        "ledger proofs: --verify: %s %s; expected records of proof, as ledger proofs prints them"
            .formatted(file, problem));
  }

  private static ProofView checked(String lines, MemberKeys keys) {
    String record = lines + "\n";
    return EquivocationProof.parse(record)
        .map(proof ->
            new ProofView("", proof.member(), proof.holds(keys.of(proof.member())), record))
        .orElse(new ProofView("", "", false, record));
  }
}
