package dev.parlance.policy.pact;

import dev.parlance.policy.pact.PactEvent.Position;
import dev.parlance.policy.pact.PactEvent.Response;
import dev.parlance.policy.pact.PactPolicy.Code;
import dev.parlance.policy.pact.PactPolicy.Finding;
import dev.parlance.policy.pact.PactState.Clause;
import dev.parlance.policy.pact.PactState.Opening;
import dev.parlance.policy.pact.PactState.Status;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What a party says next that negotiates by a policy: the sidecar's part for an agent that knows
 * nothing of pacts.
 *
 * <table>
 * <caption>What is said in which phase</caption>
 * <tr><th>phase</th><th>initiator</th><th>responder</th></tr>
 * <tr><td>INVITED</td><td>proposes, if nothing is offered or all of it is rejected</td>
 *     <td>accepts a template, else starts from one, else rejects all, else leaves</td></tr>
 * <tr><td>OPEN</td><td colspan="2">accepts what the bounds allow, modifies the rest to the nearest
 *     body that they allow, rejects what has none; adds what must occur and what covers a category
 *     </td></tr>
 * <tr><td>FORCED</td><td colspan="2">accepts all that is open, else leaves</td></tr>
 * <tr><td>OPEN, FORCED</td><td colspan="2">where a rule names an arbiter, asks for it in the place
 *     of leaving, and once the other side has asked; without one, leaves then</td></tr>
 * <tr><td>ARBITRATED</td><td colspan="2">accepts all, else leaves</td></tr>
 * <tr><td>CONVERGED, RATIFYING</td><td colspan="2">signs what the bounds allow, else leaves</td>
 *     </tr>
 * </table>
 *
 * It keeps nothing: the state of the negotiation is all it knows, so both the same process and one
 * that was restarted say the same.
 */
public final class PactNegotiator {
  private static final String INCOMPATIBLE = "incompatible_pacts";

  private final PactState state;
  private final String self;
  private final PactPolicy.Rule rule;
  private final Opening opening;

  private PactNegotiator(PactState state, String self, PactPolicy.Rule rule, Opening opening) {
    this.state = state;
    this.self = self;
    this.rule = rule;
    this.opening = opening;
  }

  /** What is to be done next. */
  public sealed interface Move {
    /**
     * Says something; ask again when the machine has taken it.
     *
     * @param bodies in their order
     */
    record Say(List<PactEvent.Body> bodies) implements Move {
      /** Copies the list. */
      public Say {
        bodies = List.copyOf(bodies);
      }
    }

    /** It is the other side's turn, or nothing is left to say. */
    record Wait() implements Move {}

    /**
     * Signs.
     *
     * @param predicates what is signed
     * @param predicatesHash their hash
     * @param history of the negotiation up to here
     * @param first what the other side has signed, to be signed unchanged; empty if we are first
     */
    record Ratify(
        List<Predicate> predicates,
        String predicatesHash,
        String history,
        Optional<PactEvent.Ratification> first)
        implements Move {
      /** Copies the list. */
      public Ratify {
        predicates = List.copyOf(predicates);
      }
    }

    /**
     * Walks away.
     *
     * @param reason of the WALKAWAY
     * @param incompatibilities which bounds are in the way (paper, "incompatible pacts")
     */
    record GiveUp(String reason, List<Finding> incompatibilities) implements Move {
      /** Copies the list. */
      public GiveUp {
        incompatibilities = List.copyOf(incompatibilities);
      }
    }
  }

  /** The templates that an initiator offers: known, and such that it may sign them. */
  public static List<String> offers(PactPolicy.Rule rule, Map<String, PactTemplate> templates) {
    List<String> offers = new ArrayList<>();
    for (String reference : rule.offer()) {
      Optional<PactTemplate> template = Optional.ofNullable(templates.get(reference));
      if (template.filter(one -> rule.allows(one.predicates()).isEmpty()).isPresent()) {
        offers.add(reference);
      }
    }
    return offers;
  }

  /**
   * What a party says next.
   *
   * @param state after all that was said
   * @param self the party
   * @param rule what it may sign with the other one
   */
  public static Move next(PactState state, String self, PactPolicy.Rule rule) {
    return state
        .opening()
        .filter(opening -> opening.isParty(self))
        .map(opening ->
            new PactNegotiator(state, self, forCase(state, self, rule, opening), opening).move())
        .orElse(new Move.Wait());
  }

  /** What the rule is where the decision of a case is offered; as it is where none is. */
  private static PactPolicy.Rule forCase(
      PactState state, String self, PactPolicy.Rule rule, Opening opening) {
    for (String reference : opening.offered()) {
      Optional<PactCase> decided =
          Optional.ofNullable(state.templates().get(reference)).flatMap(PactTemplate::settles);
      if (decided.isPresent()) {
        return rule.settling(reference, decided.get(), self, opening.other(self))
            .orElseGet(rule::refusing);
      }
    }
    return rule;
  }

  private Move move() {
    boolean isMover = state.talks().mover().equals(self);
    return switch (state.phase()) {
      case INVITED -> self.equals(opening.responder()) ? choose() : propose();
      case OPEN -> escalated().orElseGet(() -> isMover ? escalating(answer()) : new Move.Wait());
      case FORCED -> escalated().orElseGet(() -> isMover ? escalating(resolve()) : new Move.Wait());
      case ARBITRATED -> state.talks().accepting().contains(self) ? new Move.Wait() : arbitrated();
      case CONVERGED -> sign(Optional.empty());
      case RATIFYING ->
          state
              .signed()
              .filter(signed -> !signed.signers().contains(self))
              .map(signed -> sign(Optional.of(signed.terms())))
              .orElse(new Move.Wait());
      case INIT, ESCALATED, ACTIVE, WALKED_AWAY, DISSOLVED, IN_DISPUTE -> new Move.Wait();
    };
  }

  private static Move say(PactEvent.Body body) {
    return new Move.Say(List.of(body));
  }

  // ---- templates and proposal ----

  private Move choose() {
    if (state.talks().lastSpeaker().equals(self) || opening.offered().isEmpty()) {
      return new Move.Wait();
    }
    for (String reference : opening.offered()) {
      Optional<PactTemplate> known = Optional.ofNullable(state.templates().get(reference));
      if (rule.accepts(reference) && known.filter(this::isWhole).isPresent()) {
        return choice(reference, "accept", "");
      }
    }
    for (String reference : opening.offered()) {
      Optional<PactTemplate> known = Optional.ofNullable(state.templates().get(reference));
      // What an arbiter has decided is taken whole or left.
      if (rule.startsFrom(reference) && known.filter(one -> one.settles().isEmpty()).isPresent()) {
        return choice(reference, "start", "");
      }
    }
    return rule.propose().isEmpty()
        ? new Move.GiveUp("template_mismatch", List.of())
        : choice("", "reject_all", "no offered template is one we accept or negotiate from");
  }

  private boolean isWhole(PactTemplate template) {
    Set<String> covered = new HashSet<>();
    template.predicates().forEach(one -> covered.add(one.category()));
    return covered.size() == PactCategory.values().length
        && rule.allows(template.predicates()).isEmpty();
  }

  private Move choice(String reference, String decision, String rationale) {
    return say(new PactEvent.TemplateChoice(opening.negotiation(), reference, decision, rationale));
  }

  private Move propose() {
    boolean isRejected = state.talks().lastSpeaker().equals(opening.responder());
    if (!opening.offered().isEmpty() && !isRejected) {
      return new Move.Wait();
    }
    List<Predicate> position = new ArrayList<>();
    Set<String> ids = new HashSet<>();
    for (Predicate one : rule.position()) {
      position.add(named(one, ids));
    }
    if (position.isEmpty()) {
      return new Move.GiveUp("template_mismatch", List.of());
    }
    for (String key : rule.missing(position)) {
      rule.supply(key).ifPresent(one -> position.add(named(one, ids)));
    }
    return say(new PactEvent.Proposal(opening.negotiation(), position, OptionalLong.empty()));
  }

  /** The predicate under an id that is free. */
  private static Predicate named(Predicate predicate, Set<String> ids) {
    String id = predicate.id();
    for (int n = 2; !ids.add(id); n++) {
      id = predicate.id() + "-" + n;
    }
    return new Predicate(id, predicate.category(), predicate.body());
  }

  // ---- positions ----

  private Move answer() {
    if (state.talks().start().isEmpty() && rule.propose().isEmpty()) {
      return new Move.GiveUp("template_mismatch", List.of());
    }
    List<Response> responses = new ArrayList<>();
    List<Predicate> after = new ArrayList<>();
    for (Clause clause : state.talks().clauses().values()) {
      Predicate predicate = clause.predicate();
      if (clause.status() == Status.LOCKED || isOwn(clause)) {
        after.add(predicate);
      } else if (clause.status() == Status.PENDING) {
        Response response = respond(predicate);
        responses.add(response);
        switch (response.action()) {
          case "accept" -> after.add(predicate);
          case "modify" ->
              after.add(new Predicate(predicate.id(), predicate.category(), response.body()));
          default -> {}
        }
      }
    }
    List<Finding> lacking = added(responses, after);
    if (!lacking.isEmpty()) {
      return new Move.GiveUp(INCOMPATIBLE, lacking);
    }
    if (responses.isEmpty()) {
      responses.add(nothingNew());
    }
    return say(new Position(opening.negotiation(), responses, OptionalLong.empty()));
  }

  private boolean isOwn(Clause clause) {
    return clause.status() == Status.PENDING && clause.owner().equals(self);
  }

  private Response respond(Predicate predicate) {
    List<Finding> findings = rule.against(predicate);
    if (findings.isEmpty()) {
      return new Response(predicate.id(), "accept", "", "", "");
    }
    Finding first = findings.getFirst();
    String why = (first.code() + " " + first.key() + " " + first.ours()).strip();
    return first
        .body()
        .map(body -> new Response(predicate.id(), "modify", "", body, why))
        .orElse(new Response(predicate.id(), "reject", "", "", why));
  }

  /** Adds what must occur and what covers a category; what cannot be added is the answer. */
  private List<Finding> added(List<Response> responses, List<Predicate> after) {
    Set<String> ids = new HashSet<>(state.talks().clauses().keySet());
    List<Finding> lacking = new ArrayList<>();
    for (PactCategory category : PactCategory.values()) {
      boolean isCovered =
          after.stream().anyMatch(one -> one.category().equals(category.code()))
              || state.talks().start().flatMap(start -> start.of(category)).isPresent();
      if (!isCovered) {
        Optional<Predicate> ours =
            rule.position().stream()
                .filter(one -> one.category().equals(category.code()))
                .filter(one -> !wasRejected(one))
                .findFirst();
        if (ours.isPresent()) {
          add(ours.get(), ids, responses, after);
        } else {
          lacking.add(
              new Finding(
                  Code.MISSING, category.code(), Optional.empty(), "", "", Optional.empty()));
        }
      }
    }
    for (String key : rule.missing(withDefaults(after))) {
      Optional<Predicate> ours = rule.supply(key).filter(one -> !wasRejected(one));
      if (ours.isPresent()) {
        add(ours.get(), ids, responses, after);
      } else {
        lacking.addAll(
            rule.allows(withDefaults(after)).stream()
                .filter(one -> one.code() == Code.MISSING && one.key().equals(key))
                .toList());
      }
    }
    return lacking;
  }

  private static void add(
      Predicate ours, Set<String> ids, List<Response> responses, List<Predicate> after) {
    Predicate named = named(ours, ids);
    after.add(named);
    responses.add(
        new Response(named.id(), "add", named.category(), named.body(), "our policy asks for it"));
  }

  private boolean wasRejected(Predicate ours) {
    return state.talks().clauses().values().stream()
        .anyMatch(clause ->
            clause.status() == Status.REJECTED
                && clause.owner().equals(self)
                && clause.predicate().category().equals(ours.category())
                && clause.predicate().body().equals(ours.body()));
  }

  /** With the template's own predicates for the categories that have none. */
  private List<Predicate> withDefaults(List<Predicate> predicates) {
    List<Predicate> all = new ArrayList<>(predicates);
    for (PactCategory category : PactCategory.values()) {
      if (predicates.stream().noneMatch(one -> one.category().equals(category.code()))) {
        state.talks().start().flatMap(start -> start.of(category)).ifPresent(all::add);
      }
    }
    return all;
  }

  /** A position that changes nothing, while only our own predicates are open. */
  private Response nothingNew() {
    for (Clause clause : state.talks().clauses().values()) {
      if (clause.status() == Status.LOCKED) {
        return new Response(clause.predicate().id(), "accept", "", "", "");
      }
    }
    Predicate own =
        state.talks().clauses().values().stream()
            .filter(this::isOwn)
            .map(Clause::predicate)
            .findFirst()
            .orElseThrow();
    return new Response(own.id(), "modify", "", own.body(), "it stands as it is");
  }

  // ---- the arbiter ----

  /** What is said once somebody has asked for the arbiter. */
  private Optional<Move> escalated() {
    Set<String> asking = state.talks().escalating();
    if (asking.contains(self)) {
      return Optional.of(new Move.Wait());
    }
    return asking.isEmpty()
        ? Optional.empty()
        : Optional.of(escalating(new Move.GiveUp("escalation_rejected", List.of())));
  }

  /** Asks for the arbiter, if there is one, in the place of giving up. */
  private Move escalating(Move move) {
    boolean isThere = rule.arbiter().filter(one -> !opening.isParty(one.name())).isPresent();
    return move instanceof Move.GiveUp && isThere
        ? say(new PactEvent.Escalation(opening.negotiation()))
        : move;
  }

  // ---- the last word ----

  private Move resolve() {
    List<Response> responses = new ArrayList<>();
    List<Finding> conflicts = new ArrayList<>();
    for (Clause clause : state.talks().clauses().values()) {
      if (clause.status() == Status.PENDING && !isOwn(clause)) {
        conflicts.addAll(rule.against(clause.predicate()));
        responses.add(new Response(clause.predicate().id(), "accept", "", "", ""));
      }
    }
    return conflicts.isEmpty()
        ? say(new Position(opening.negotiation(), responses, OptionalLong.empty()))
        : new Move.GiveUp(INCOMPATIBLE, conflicts);
  }

  private Move arbitrated() {
    List<Predicate> decided =
        state.talks().clauses().values().stream()
            .filter(clause -> clause.status() != Status.REJECTED)
            .map(Clause::predicate)
            .toList();
    List<Finding> conflicts = rule.allows(withDefaults(decided));
    return conflicts.isEmpty()
        ? say(new PactEvent.AcceptAll(opening.negotiation()))
        : new Move.GiveUp("escalation_rejected", conflicts);
  }

  private Move sign(Optional<PactEvent.Ratification> first) {
    List<Predicate> agreed = state.agreed();
    List<Finding> conflicts = new ArrayList<>(rule.allows(agreed));
    for (PactCategory category : state.missing()) {
      conflicts.add(
          new Finding(Code.MISSING, category.code(), Optional.empty(), "", "", Optional.empty()));
    }
    return conflicts.isEmpty()
        ? new Move.Ratify(agreed, Predicate.hash(agreed), state.history(), first)
        : new Move.GiveUp(INCOMPATIBLE, conflicts);
  }
}
