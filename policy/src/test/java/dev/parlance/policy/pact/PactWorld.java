package dev.parlance.policy.pact;

import dev.parlance.policy.pact.PactEvent.Body;
import dev.parlance.policy.pact.PactEvent.Position;
import dev.parlance.policy.pact.PactEvent.Response;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A small world for the machine: two parties, an arbiter, three predicates and what completes them.
 */
final class PactWorld {
  static final String NEGOTIATION = "n";
  static final String TEMPLATE = "t@1";
  static final long TIMEOUT_MS = 10;
  static final long START_MS = 12;
  static final long END_MS = 14;
  static final List<String> NEGOTIATED = List.of("scope", "action", "output");

  private PactWorld() {}

  static List<Predicate> all(String body) {
    List<Predicate> all = new ArrayList<>();
    for (PactCategory category : PactCategory.values()) {
      String code = category.code();
      all.add(new Predicate(code, code, NEGOTIATED.contains(code) ? body : "rest"));
    }
    return all;
  }

  static PactState start(int cap) {
    return PactState.start(Map.of(TEMPLATE, new PactTemplate(all("one"), OptionalInt.of(cap))));
  }

  static PactEvent.Message message(long at, String from, Body body) {
    return new PactEvent.Message(at, from, from + body.hashCode(), body);
  }

  static Body invocation() {
    return new PactEvent.Invocation(NEGOTIATION, "a", "b", TIMEOUT_MS, 60, List.of(TEMPLATE));
  }

  static Body proposal(List<Predicate> predicates) {
    return new PactEvent.Proposal(NEGOTIATION, predicates, OptionalLong.empty());
  }

  static Body template(String decision) {
    boolean isNone = decision.equals("reject_all");
    return new PactEvent.TemplateChoice(
        NEGOTIATION, isNone ? "" : TEMPLATE, decision, isNone ? "not these" : "");
  }

  static Body position(OptionalLong deadline, Response... responses) {
    return new Position(NEGOTIATION, List.of(responses), deadline);
  }

  static Response response(String id, String action, String body) {
    return new Response(id, action, id, body, action.equals("reject") ? "not this" : "");
  }

  static Body escalation() {
    return new PactEvent.Escalation(NEGOTIATION);
  }

  static Body acceptAll() {
    return new PactEvent.AcceptAll(NEGOTIATION);
  }

  static Body walkaway() {
    return new PactEvent.Walkaway(NEGOTIATION, "declined");
  }

  static Body dissolution(String reason) {
    return new PactEvent.Dissolution("p", reason, Optional.of("failure"), OptionalLong.empty());
  }

  static Body ratification(PactState state, Set<String> signers) {
    Map<String, Boolean> signatures = new HashMap<>();
    signers.forEach(one -> signatures.put(one, true));
    return new PactEvent.Ratification(
        NEGOTIATION,
        "p",
        Predicate.hash(state.agreed()),
        state.history(),
        START_MS,
        END_MS,
        signatures);
  }

  /** A position that accepts everything of the other side's. */
  static Body acceptance(PactState state, String from) {
    return position(
        OptionalLong.empty(),
        state.talks().clauses().values().stream()
            .filter(one -> one.status() == PactState.Status.PENDING && !one.owner().equals(from))
            .map(one -> response(one.predicate().id(), "accept", ""))
            .toArray(Response[]::new));
  }
}
