package dev.parlance.cli.core;

import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.TextTable;
import dev.parlance.cli.api.CertificationCalls;
import dev.parlance.cli.api.ControlClient;
import dev.parlance.cli.api.ControlPlaneCommand;
import dev.parlance.cli.api.ControlReply;
import dev.parlance.cli.api.CoreName;
import dev.parlance.cli.api.ReceivedCore;
import dev.parlance.cli.api.VerifyKeyOption;
import dev.parlance.cli.offline.TableText;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.policy.core.CertifiedCore;
import dev.parlance.policy.core.CertifiedCore.GovernedTerm;
import dev.parlance.policy.core.TermStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "diff",
    description = {
      "Says what changed between two versions of a core.",
      "Terms that entered or left the vocabulary, and terms that stand elsewhere now."
    },
    footer = {"", "Example:", "  parlance core diff alice+bob/license 1 2"})
final class CoreDiffCommand extends ControlPlaneCommand<List<ReceivedCore>> {
  /** A term that does not stand where it stood; "absent" where it is not in the vocabulary. */
  record Change(String term, String from, String to) {}

  private static final String ABSENT = "absent";

  @Parameters(
      index = "0",
      paramLabel = "CORE",
      description = "its agents and its domain: alice+bob/license")
  String name = "";

  @Parameters(index = "1", paramLabel = "FROM", description = "a version")
  long from;

  @Parameters(index = "2", paramLabel = "TO", description = "a later version")
  long to;

  @Mixin VerifyKeyOption verify = new VerifyKeyOption();

  CoreDiffCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  protected Optional<String> problem() {
    Optional<String> unnamed = CoreName.problem(name);
    if (unnamed.isPresent()) {
      return unnamed;
    }
    return from < 1 || to < 1
        ? Optional.of("expected versions from 1, got " + from + " and " + to)
        : verify.problem();
  }

  @Override
  protected ControlReply<List<ReceivedCore>> ask(ControlClient client) throws IOException {
    List<VerifierKey> keys = verify.keys(control);
    return CertificationCalls.core(client, name, from, keys)
        .then(before ->
            CertificationCalls.core(client, name, to, keys).map(after -> List.of(before, after)));
  }

  @Override
  protected int print(List<ReceivedCore> cores) {
    for (ReceivedCore core : cores) {
      if (core instanceof ReceivedCore.Bad bad) {
        return terminal.complain(ExitStatus.FAILED, bad.complaint());
      }
    }
    return super.print(cores);
  }

  @Override
  protected Object json(List<ReceivedCore> cores) {
    return changes(core(cores.getFirst()), core(cores.getLast()));
  }

  private static CertifiedCore core(ReceivedCore read) {
    return ((ReceivedCore.Read) read).core();
  }

  @Override
  protected void text(List<ReceivedCore> cores) {
    CertifiedCore before = core(cores.getFirst());
    CertifiedCore after = core(cores.getLast());
    List<Change> changes = changes(before, after);
    terminal.line(
        before.id()
            + ": version "
            + before.version()
            + " certifies "
            + before.certified().size()
            + " of "
            + before.terms().size()
            + " terms, version "
            + after.version()
            + " "
            + after.certified().size()
            + " of "
            + after.terms().size());
    if (!before.params().equals(after.params())) {
      terminal.out().println("constants: " + TableText.constants(before.params()));
      terminal.out().println("      now: " + TableText.constants(after.params()));
    }
    if (changes.isEmpty()) {
      terminal.out().println("every term stands where it stood");
      return;
    }
    var colours = new AuditText(terminal);
    var table = new TextTable("  ", "term", "from", "to");
    for (Change change : changes) {
      table.add(
          change.term(),
          new TextTable.Cell(change.from(), colours.colour(change.from())),
          new TextTable.Cell(change.to(), colours.colour(change.to())));
    }
    table.print(terminal.out());
  }

  private static List<Change> changes(CertifiedCore before, CertifiedCore after) {
    var keys = new TreeSet<String>();
    before.terms().forEach(term -> keys.add(term.key()));
    after.terms().forEach(term -> keys.add(term.key()));
    List<Change> changes = new ArrayList<>();
    for (String key : keys) {
      String was = status(before, key);
      String is = status(after, key);
      if (!was.equals(is)) {
        changes.add(new Change(key, was, is));
      }
    }
    return changes;
  }

  private static String status(CertifiedCore core, String key) {
    return core.term(key).map(GovernedTerm::status).map(TermStatus::code).orElse(ABSENT);
  }
}
