package dev.parlance.cli.pact;

import dev.parlance.cli.CommandProblem;
import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.cli.TextTable;
import dev.parlance.cli.TimeText;
import dev.parlance.cli.api.ControlClient;
import dev.parlance.cli.api.ControlPlaneCommand;
import dev.parlance.cli.api.PactInfo;
import dev.parlance.cli.api.PactServiceCalls;
import dev.parlance.ledger.note.Parsed;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.pact.PactDocument;
import dev.parlance.ledger.pact.PactNote;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows one pact of a control plane, its signatures checked. */
@Command(
    name = "show",
    description = {
      "Shows a pact: its clauses, whether it holds, what was counted under it, how it has",
      "ended, and whether both signatures hold. The keys are those of the control plane,",
      "or those that are named. Exit status 1 if a signature does not hold."
    },
    footer = {"", "Example:", "  parlance pact show p-7kq2"})
final class PactShowCommand extends ControlPlaneCommand<PactShowCommand.Shown> {
  private static final int BODY_MAX = 100;

  @Parameters(paramLabel = "PACT", description = "id of the pact")
  String id = "";

  @Option(
      names = "--key",
      paramLabel = "VKEY",
      description = "public key of a party; may stand several times")
  List<String> keys = new ArrayList<>();

  /**
   * A pact with what was checked of it.
   *
   * @param problems why what came cannot be believed; empty if nothing speaks against it
   */
  record Shown(PactInfo pact, List<String> problems) {}

  @Override
  protected void check() {
    for (String key : keys) {
      if (VerifierKey.parse(key) instanceof Parsed.Bad<VerifierKey> bad) {
        throw CommandProblem.usage("--key: " + bad.detail() + "; expected NAME+ID+KEY");
      }
    }
  }

  @Override
  protected Shown ask(ControlClient client) {
    PactInfo pact = PactServiceCalls.get(client, id);
    List<String> texts = new ArrayList<>(keys);
    if (keys.isEmpty()) {
      pact.parties().forEach(party -> texts.addAll(PactServiceCalls.keys(client, party)));
    }
    List<VerifierKey> known =
        texts.stream().flatMap(text -> VerifierKey.parse(text).value().stream()).toList();
    return new Shown(pact, problems(pact, known));
  }

  private static List<String> problems(PactInfo pact, List<VerifierKey> keys) {
    return switch (PactNote.verify(pact.note().getBytes(StandardCharsets.UTF_8), keys)) {
      case PactNote.Reading.Refused refused ->
          List.of(
              "the note: "
                  + refused.fault().code()
                  + ", "
                  + refused.detail()
                  + " (a key that was replaced since is named with --key)");
      case PactNote.Reading.Good good ->
          good.document().pact().equals(pact.pact()) && good.textSha256().equals(pact.sha256())
              ? List.of()
              : List.of("the note is that of another pact");
    };
  }

  @Override
  protected void text(Shown shown) {
    print(terminal, shown.pact());
    terminal.fact(
        "signatures", shown.problems().isEmpty() ? "of both parties hold" : "do not hold");
    shown
        .problems()
        .forEach(problem -> terminal.println(terminal.bad(TerminalEscaper.line("! " + problem))));
  }

  @Override
  protected int status(Shown shown) {
    return shown.problems().isEmpty() ? ExitStatus.OK : ExitStatus.FAILED;
  }

  static UnaryOperator<String> colour(Terminal terminal, String state) {
    return switch (state) {
      case "active" -> terminal::good;
      case "in_dispute" -> terminal::warning;
      default -> terminal::faint;
    };
  }

  /** A pact for people. */
  static void print(Terminal terminal, PactInfo pact) {
    terminal.fact("pact", pact.pact() + ", negotiated as " + pact.negotiation());
    terminal.fact("parties", String.join(" asked, agreed by ", pact.parties()));
    terminal.println(Terminal.label("state") + colour(terminal, pact.state()).apply(pact.state()));
    terminal.fact(
        "ended",
        pact.reason() == null
            ? ""
            : pact.reason()
                + (pact.responsible() == null
                    ? ""
                    : ", " + pact.responsible() + " answers for it"));
    terminal.fact("completed by", String.join(", ", pact.completing()));
    terminal.fact("holds", TimeText.time(pact.startMs()) + " to " + TimeText.time(pact.endMs()));
    terminal.fact("digest", pact.sha256());
    terminal.fact(
        "ledger",
        "entry "
            + pact.ledgerIndex()
            + (pact.endedIndex() == null ? "" : ", ended by entry " + pact.endedIndex()));
    if (PactNote.unverified(pact.note().getBytes(StandardCharsets.UTF_8))
        instanceof PactNote.Reading.Good good) {
      terminal.out().println();
      clauses(terminal, good.document());
    }
    if (!pact.observations().isEmpty()) {
      terminal.out().println();
      var table = new TextTable("  ", "messages of, counted by, >messages, violations");
      for (PactInfo.Observed seen : pact.observations()) {
        table.add(seen.party(), seen.observer(), seen.messages(), violations(seen));
      }
      table.print(terminal.out());
    }
  }

  private static String violations(PactInfo.Observed seen) {
    return seen.violations().isEmpty()
        ? "none"
        : seen.violations().entrySet().stream()
            .map(Map.Entry::toString)
            .collect(Collectors.joining(" "));
  }

  private static void clauses(Terminal terminal, PactDocument document) {
    var table = new TextTable("  ", "clause, category, body");
    for (PactDocument.Term term : document.terms()) {
      table.add(
          term.id(),
          term.category(),
          switch (term) {
            case PactDocument.Term.Open open ->
                TerminalEscaper.shortened(open.predicate().body(), BODY_MAX);
            case PactDocument.Term.Hidden hidden -> "private, SHA-256 " + hidden.hash();
          });
    }
    table.print(terminal.out());
  }
}
