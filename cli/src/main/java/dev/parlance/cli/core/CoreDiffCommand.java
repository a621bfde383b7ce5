package dev.parlance.cli.core;

import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.Json;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.cli.TextTable;
import dev.parlance.cli.api.ControlClient;
import dev.parlance.cli.api.ControlPlaneCommand;
import dev.parlance.cli.api.ControlReply;
import dev.parlance.cli.api.CoreName;
import dev.parlance.cli.api.VerifyKeyOption;
import dev.parlance.cli.offline.TableText;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.policy.core.CertifiedCore;
import dev.parlance.policy.core.GovernedTerm;
import dev.parlance.policy.core.TermStatus;
import dev.parlance.proto.v1.SignedCore;
import io.grpc.Status;
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
final class CoreDiffCommand extends ControlPlaneCommand<List<CoreLook>> {
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
    if (CoreName.readings(name).isEmpty()) {
      return Optional.of(
          "expected the name of a core like alice+bob/license, got "
              + TerminalEscaper.shortened(name, 80));
    }
    return from < 1 || to < 1
        ? Optional.of("expected versions from 1, got " + from + " and " + to)
        : verify.problem();
  }

  @Override
  protected ControlReply<List<CoreLook>> ask(ControlClient client) throws IOException {
    List<VerifierKey> keys = verify.keys(control);
    List<CoreLook> looks = new ArrayList<>();
    for (long version : new long[] {from, to}) {
      switch (CoreName.fetch(client, name, version)) {
        case ControlReply.Failed<SignedCore>(Status.Code code, String message) -> {
          return new ControlReply.Failed<>(code, message);
        }
        case ControlReply.Answered<SignedCore>(SignedCore signed) ->
            looks.add(CoreLook.at(signed, keys));
      }
    }
    return new ControlReply.Answered<>(looks);
  }

  @Override
  protected int print(List<CoreLook> looks) {
    List<CertifiedCore> cores = new ArrayList<>();
    for (CoreLook look : looks) {
      switch (look) {
        case CoreLook.Bad bad -> {
          return terminal.complain(
              ExitStatus.FAILED,
              bad.name() + " version " + bad.version() + " is refused: " + bad.why());
        }
        case CoreLook.Read read -> cores.add(read.core());
      }
    }
    List<Change> changes = changes(cores.getFirst(), cores.getLast());
    switch (output.format) {
      case JSON -> terminal.out().println(Json.pretty(changes));
      case TEXT -> print(changes, cores.getFirst(), cores.getLast());
    }
    return ExitStatus.OK;
  }

  private void print(List<Change> changes, CertifiedCore before, CertifiedCore after) {
    terminal
        .out()
        .println(
            TerminalEscaper.line(
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
                    + after.terms().size()));
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
          TextTable.Cell.of(change.term()),
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
