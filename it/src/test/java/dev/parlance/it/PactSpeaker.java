package dev.parlance.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.ledger.pact.PactMessages;
import dev.parlance.ledger.pact.PactMessages.Incoming;
import dev.parlance.ledger.pact.PactMessages.Reading;
import dev.parlance.policy.pact.PactEvent;
import dev.parlance.policy.pact.PactEvent.Ratification;
import dev.parlance.policy.pact.PactFault;
import dev.parlance.policy.pact.PactMachine;
import dev.parlance.policy.pact.PactState;
import dev.parlance.policy.pact.Predicate;
import dev.parlance.wire.api.PactMark;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** An agent that negotiates itself: its own machine, and no key. */
final class PactSpeaker {
  static final List<Predicate> TERMS =
      List.of(
          new Predicate("scope", "scope", "fields=name,company"),
          new Predicate("action", "action", "tools=lookup"),
          new Predicate("output", "output", "max_kb=64"),
          new Predicate("success", "success", "useful"),
          new Predicate("failure", "failure", "report=within_60s"),
          new Predicate("dispute", "dispute", "arbiter=board-1"),
          new Predicate("audit", "audit", "retain_days=30"),
          new Predicate("termination", "termination", "notice_ms=0"));

  private final String party;
  private final String negotiation;
  private PactState state = PactState.start(Map.of());

  PactSpeaker(String party, String negotiation) {
    this.party = party;
    this.negotiation = negotiation;
  }

  PactState state() {
    return state;
  }

  /** What it says, which its own machine has taken. */
  String says(PactEvent.Body body) {
    PactEvent.Message message = PactMessages.write(System.currentTimeMillis(), party, body);
    PactEvent.Message taken =
        body instanceof Ratification signed ? holding(message.atMs(), party, signed) : message;
    assertThat(step(taken)).isEmpty();
    return message.canonical();
  }

  private static PactEvent.Message holding(long atMs, String from, Ratification body) {
    return PactMessages.write(atMs, from, body, Map.of(from, ""));
  }

  private Optional<PactFault> step(PactEvent event) {
    PactMachine.Step step = PactMachine.step(state, event);
    state = step.next();
    return step.fault();
  }

  /** The other one's word. */
  void hears(String json) {
    Incoming said = ((Reading.Good<Incoming>) PactMessages.message(json.getBytes(UTF_8))).get();
    PactEvent.Message message = said.message();
    assertThat(
            step(
                message.body() instanceof Ratification body
                    ? holding(message.atMs(), message.from(), body)
                    : message))
        .isEmpty();
  }

  String invites(String target) {
    return says(new PactEvent.Invocation(negotiation, party, target, 60_000, 600_000, List.of()));
  }

  String proposes(List<Predicate> predicates) {
    return says(new PactEvent.Proposal(negotiation, predicates, OptionalLong.empty()));
  }

  /** Accepts all that is the other one's, but for one clause which it changes. */
  String counters(String changed, String body) {
    List<PactEvent.Response> responses =
        state.talks().clauses().values().stream()
            .filter(clause -> clause.status() == PactState.Status.PENDING)
            .filter(clause -> !clause.owner().equals(party))
            .map(clause -> clause.predicate().id())
            .map(id ->
                id.equals(changed)
                    ? new PactEvent.Response(id, "modify", "", body, "less is enough")
                    : new PactEvent.Response(id, "accept", "", "", ""))
            .toList();
    return says(new PactEvent.Position(negotiation, responses, OptionalLong.empty()));
  }

  /** Asks for the arbiter. */
  String escalates() {
    return says(new PactEvent.Escalation(negotiation));
  }

  /** Ratifies what is agreed, or what the other one has ratified. */
  String ratifies(String pact) {
    long atMs = System.currentTimeMillis();
    Ratification terms =
        state
            .signed()
            .map(PactState.Signed::terms)
            .orElseGet(() ->
                new Ratification(
                    negotiation,
                    pact,
                    Predicate.hash(state.agreed()),
                    state.history(),
                    atMs + 100,
                    atMs + 100_000,
                    Map.of()));
    return says(
        new Ratification(
            negotiation,
            terms.pact(),
            terms.predicatesHash(),
            terms.history(),
            terms.startMs(),
            terms.endMs(),
            Map.of()));
  }

  /** The metadata of a message that says this. */
  static String metadata(String message) {
    return "\"metadata\":{\"" + PactMark.URI + "\":{\"message\":" + message + "}}";
  }

  /** The message in the metadata of this JSON, wherever it stands; empty without one. */
  static String saidIn(String body) {
    var found = A2a.JSON.readTree(body).findValue(PactMark.URI);
    return found == null ? "" : found.path("message").toString();
  }
}
