package dev.parlance.cli.pact;

import dev.parlance.cli.CommandProblem;
import dev.parlance.cli.ControlPlaneCommand;
import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.cli.TextTable;
import dev.parlance.cli.TimeText;
import dev.parlance.client.ControlClient;
import dev.parlance.ledger.note.Parsed;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.pact.PactDocument;
import dev.parlance.ledger.pact.PactNote;
import dev.parlance.policy.pact.PactTerms;
import dev.parlance.policy.pact.Predicate;
import dev.parlance.proto.v1.GetPactRequest;
import dev.parlance.proto.v1.Observation;
import dev.parlance.proto.v1.Pact;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows one pact of a control plane, its signatures checked. */
@Command(name = "show")
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
  record Shown(Pact pact, List<String> problems) {}

  @Override
  protected void check() {
    for (String key : keys) {
      if (VerifierKey.parse(key) instanceof Parsed.Bad<VerifierKey> bad) {
        throw CommandProblem.usage("--key: " + bad.detail() + "; expected NAME+ID+KEY");
      }
    }
  }

  @Override
  protected Shown ask(ControlClient client) throws IOException {
    var request = GetPactRequest.newBuilder().setPact(id).build();
    Pact pact = client.pacts().ask(stub -> stub.getPact(request));
    List<String> texts = new ArrayList<>(keys);
    if (keys.isEmpty()) {
      for (String party : pact.getPartiesList()) {
        texts.addAll(PactTemplateCommand.keys(client, party));
      }
    }
    List<VerifierKey> known =
        texts.stream().flatMap(text -> VerifierKey.parse(text).value().stream()).toList();
    return new Shown(pact, problems(pact, known));
  }

  private static List<String> problems(Pact pact, List<VerifierKey> keys) {
    return switch (PactNote.verify(pact.getNote().toByteArray(), keys)) {
      case PactNote.Reading.Refused refused ->
          List.of(
              "the note: "
                  + refused.fault().code()
                  + ", "
                  + refused.detail()
                  + " (a key that was replaced since is named with --key)");
      case PactNote.Reading.Good good ->
          good.document().pact().equals(pact.getPact())
                  && good.textSha256().equals(pact.getSha256())
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
  static void print(Terminal terminal, Pact pact) {
    terminal.fact("pact", pact.getPact() + ", negotiated as " + pact.getNegotiation());
    terminal.fact("parties", String.join(" asked, agreed by ", pact.getPartiesList()));
    terminal.println(
        Terminal.label("state") + colour(terminal, pact.getState()).apply(pact.getState()));
    terminal.fact(
        "ended",
        pact.getReason()
            + (pact.hasResponsible() ? ", " + pact.getResponsible() + " answers for it" : ""));
    terminal.fact("completed by", String.join(", ", pact.getCompletingList()));
    terminal.fact(
        "holds", TimeText.time(pact.getStartMs()) + " to " + TimeText.time(pact.getEndMs()));
    terminal.fact("digest", pact.getSha256());
    terminal.fact(
        "ledger",
        "entry "
            + pact.getLedgerIndex()
            + (pact.hasEndedIndex() ? ", ended by entry " + pact.getEndedIndex() : ""));
    if (PactNote.unverified(pact.getNote().toByteArray()) instanceof PactNote.Reading.Good good) {
      terminal.fact("replaces", good.document().replaces().orElse(""));
      terminal.out().println();
      clauses(terminal, good.document());
    }
    if (!pact.getObservationsList().isEmpty()) {
      terminal.out().println();
      var table = new TextTable("  ", "messages of, counted by, >messages, violations");
      for (Observation seen : pact.getObservationsList()) {
        table.add(seen.getParty(), seen.getObserver(), seen.getMessages(), violations(seen));
      }
      table.print(terminal.out());
    }
  }

  private static String violations(Observation seen) {
    return seen.getViolationsMap().isEmpty()
        ? "none"
        : new TreeMap<>(seen.getViolationsMap())
            .entrySet().stream().map(Map.Entry::toString).collect(Collectors.joining(" "));
  }

  private static void clauses(Terminal terminal, PactDocument document) {
    var table = new TextTable("  ", "clause, category, body, only declared");
    for (PactDocument.Term term : document.terms()) {
      table.add(
          term.id(),
          term.category(),
          switch (term) {
            case PactDocument.Term.Open open ->
                TerminalEscaper.shortened(open.predicate().body(), BODY_MAX);
            case PactDocument.Term.Hidden hidden -> "private, SHA-256 " + hidden.hash();
          },
          term instanceof PactDocument.Term.Open(Predicate open) ? declared(open) : "");
    }
    table.print(terminal.out());
  }

  /** The keys of a clause that nothing is held to. */
  private static String declared(Predicate open) {
    return PactTerms.read(open.category(), open.body())
            instanceof PactTerms.Reading.Good(PactTerms terms)
        ? terms.items().stream()
            .filter(PactTerms.Item::isDeclared)
            .map(PactTerms.Item::key)
            .map(key -> TerminalEscaper.shortened(key, BODY_MAX))
            .collect(Collectors.joining(" "))
        : "unreadable";
  }
}
