package dev.parlance.policy.pact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.pact.PactEvent.Body;
import dev.parlance.policy.pact.PactEvent.Response;
import dev.parlance.policy.pact.PactState.Clause;
import dev.parlance.policy.pact.PactState.Phase;
import dev.parlance.policy.pact.PactState.Status;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Every path of a small world: each message of either party and of the arbiter, legal or not, in
 * each state at each moment, again and again; time passes between any two.
 *
 * <p>Visited states are told apart by all but the history, which every message changes and no rule
 * but the comparison with a ratification reads; ratifications are made of the state they come to.
 */
@Tag("differential")
class PactModelTest {
  private static final boolean IS_LONG = Integer.getInteger("soak", 5) > 5;

  /** Positions until what is open is forced. */
  private static final int CAP = IS_LONG ? 3 : 2;

  /** Before a deadline, at it, past it, at the limit, past it, at the end of the validity. */
  private static final long[] TIMES =
      IS_LONG ? new long[] {1, 5, 6, 10, 11, 14} : new long[] {1, 10, 11, 14};

  private final Deque<Node> open = new ArrayDeque<>();
  private final Set<String> visited = new HashSet<>();
  private final Set<Phase> phases = EnumSet.noneOf(Phase.class);
  private final Set<PactFault> faults = EnumSet.noneOf(PactFault.class);
  private final Set<String> endings = new TreeSet<>();
  private long steps;

  private record Node(PactState state, int time) {}

  /**
   * What somebody says, again and again.
   *
   * @param canonical stands for its bytes
   */
  private record Said(String from, Body body, String canonical) {
    Said(String from, Body body) {
      this(from, body, PactWorld.message(0, from, body).canonical());
    }

    PactEvent.Message at(long atMs) {
      return new PactEvent.Message(atMs, from, canonical, body);
    }
  }

  @Test
  void everyPath_keepsWhatIsLocked_signsTwice_andEnds() {
    List<Said> sayings = sayings();
    visit(PactWorld.start(CAP), 0);
    for (Node node = open.poll(); node != null; node = open.poll()) {
      PactState state = node.state();
      endsByTime(state);
      for (Said said : sayings) {
        take(node, said);
      }
      if (state.phase() == Phase.CONVERGED || state.phase() == Phase.RATIFYING) {
        for (Said said : ratifications(state)) {
          take(node, said);
        }
      }
      pass(node);
    }
    assertThat(steps).isGreaterThan(100_000);
    assertThat(phases).containsExactlyInAnyOrder(Phase.values());
    assertThat(endings)
        .contains("declined", "timeout", "unresponsive", "protocol_violation", "forced_resolution")
        .contains("work_completed", "work_failed", "party_withdrew", "dispute_escalated")
        .contains("validity_expired");
    assertThat(faults)
        .contains(PactFault.UNACCEPT, PactFault.ACCEPT_OWN, PactFault.OUT_OF_TURN)
        .contains(PactFault.ARBITER_UNLOCKS, PactFault.RATIFICATION_MISMATCH, PactFault.CLOSED)
        .contains(PactFault.BAD_SIGNATURE, PactFault.HISTORY_MISMATCH, PactFault.LATE);
  }

  private void visit(PactState state, int time) {
    if (visited.add(form(state, time))) {
      phases.add(state.phase());
      state.end().ifPresent(end -> endings.add(end.reason()));
      if (state.phase() == Phase.RATIFYING) {
        assertThat(state.signed().orElseThrow().signers()).hasSize(1);
      }
      if (state.phase() == Phase.ACTIVE) {
        assertThat(state.signed().orElseThrow().signers()).containsExactlyInAnyOrder("a", "b");
        assertThat(state.missing()).isEmpty();
      }
      open.add(new Node(state, time));
    }
  }

  private static String form(PactState state, int time) {
    PactState.Talks talks = state.talks();
    StringBuilder form = new StringBuilder();
    form.append(time).append(state.phase()).append(talks.mover()).append(talks.lastSpeaker());
    form.append(talks.counters()).append(talks.deadlineMs().orElse(0)).append(talks.cap());
    form.append(talks.start().isPresent()).append('e').append(new TreeSet<>(talks.escalating()));
    form.append('x').append(new TreeSet<>(talks.accepting()));
    form.append('c').append(new TreeSet<>(talks.completing()));
    state.signed().ifPresent(one -> form.append('s').append(new TreeSet<>(one.signers())));
    state.end().ifPresent(form::append);
    for (Clause one : talks.clauses().values()) {
      form.append('|').append(one.predicate().id()).append(one.predicate().body());
      form.append(one.owner()).append(one.status());
    }
    return form.toString();
  }

  /** From everywhere time alone leads to an end. */
  private void endsByTime(PactState state) {
    if (state.phase() != Phase.INIT) {
      PactState late = PactMachine.step(state, new PactEvent.Clock(1_000, Optional.empty())).next();
      assertThat(late.phase().isClosed()).isTrue();
    }
  }

  private void pass(Node node) {
    if (node.time() + 1 < TIMES.length) {
      long at = TIMES[node.time() + 1];
      PactEvent.Message late = PactWorld.message(at, "a", PactWorld.walkaway());
      PactMachine.Step step = PactMachine.step(node.state(), late);
      if (step.fault().equals(Optional.of(PactFault.LATE))) {
        faults.add(PactFault.LATE);
        PactEvent.Clock clock = new PactEvent.Clock(at, Optional.empty());
        assertThat(step.next()).isEqualTo(PactMachine.step(node.state(), clock).next());
      }
      for (Optional<String> gone : List.of(Optional.<String>empty(), Optional.of("b"))) {
        PactState next = PactMachine.step(node.state(), new PactEvent.Clock(at, gone)).next();
        keepsLocked(node.state(), next);
        assertThat(next.history()).isEqualTo(node.state().history());
        visit(next, node.time() + 1);
      }
    }
  }

  private void take(Node node, Said said) {
    steps++;
    PactState state = node.state();
    PactEvent.Message message = said.at(TIMES[node.time()]);
    PactMachine.Step step = PactMachine.step(state, message);
    PactState next = step.next();
    step.fault().ifPresent(faults::add);
    if (state.phase().isClosed()) {
      assertThat(step.fault()).contains(PactFault.CLOSED);
    }
    if (step.fault().isPresent() && next.end().equals(state.end())) {
      if (!next.equals(state)) {
        assertThat(next).isEqualTo(state);
      }
      return;
    }
    if (step.fault().isPresent()) {
      assertThat(next.phase().isClosed()).isTrue();
    }
    keepsLocked(state, next);
    boolean isBound =
        step.fault().isEmpty()
            && !(said.body() instanceof PactEvent.Ratification)
            && !(said.body() instanceof PactEvent.Dissolution);
    if (next.history().equals(state.history()) == isBound) {
      throw new AssertionError(said + " in " + state + ": the history says otherwise");
    }
    PactState opposite = PactMachine.step(state, message).next();
    if (!opposite.equals(next)) {
      assertThat(opposite).isEqualTo(next);
    }
    visit(next, node.time());
  }

  private static void keepsLocked(PactState before, PactState after) {
    for (Clause clause : before.talks().clauses().values()) {
      if (clause.status() == Status.LOCKED
          && !clause.equals(after.talks().clauses().get(clause.predicate().id()))) {
        throw new AssertionError(clause + " was unlocked in " + after);
      }
    }
  }

  // ---- what can be said ----

  private static List<Said> sayings() {
    List<Body> bodies = new ArrayList<>();
    bodies.add(PactWorld.invocation());
    bodies.add(PactWorld.proposal(PactWorld.all("one")));
    bodies.add(PactWorld.proposal(PactWorld.all("two")));
    bodies.add(PactWorld.proposal(List.of(new Predicate("scope", "scope", "one"))));
    bodies.add(PactWorld.proposal(List.of()));
    for (String decision : List.of("accept", "start", "reject_all", "none")) {
      bodies.add(PactWorld.template(decision));
    }
    bodies.addAll(positions(OptionalLong.empty()));
    if (IS_LONG) {
      bodies.addAll(positions(OptionalLong.of(5)));
    }
    bodies.add(PactWorld.position(OptionalLong.empty()));
    bodies.add(
        PactWorld.position(OptionalLong.empty(), new Response("scope", "reject", "", "", "")));
    bodies.add(PactWorld.position(OptionalLong.empty(), PactWorld.response("scope", "add", "one")));
    bodies.add(
        PactWorld.position(OptionalLong.empty(), PactWorld.response("nobody", "accept", "")));
    bodies.add(PactWorld.escalation());
    bodies.add(PactWorld.acceptAll());
    bodies.add(PactWorld.walkaway());
    bodies.add(new PactEvent.Walkaway(PactWorld.NEGOTIATION, "bored"));
    bodies.add(new PactEvent.Walkaway("another", "declined"));
    for (String reason :
        List.of(
            "work_completed",
            "work_failed",
            "party_withdrew",
            "dispute_escalated",
            "validity_expired",
            "timeout",
            "bored")) {
      bodies.add(PactWorld.dissolution(reason));
    }
    bodies.add(new PactEvent.Unknown("HELLO"));
    List<Said> sayings = new ArrayList<>();
    for (Body body : bodies) {
      sayings.add(new Said("a", body));
      sayings.add(new Said("b", body));
      if (body instanceof PactEvent.Proposal) {
        sayings.add(new Said(PactMachine.ARBITER, body));
      }
    }
    sayings.add(new Said("stranger", PactWorld.walkaway()));
    return sayings;
  }

  /** Each way to answer three predicates, with and without acceptance of the others. */
  private static List<Body> positions(OptionalLong deadline) {
    List<Body> positions = new ArrayList<>();
    List<String> actions = List.of("", "accept", "reject", "modify");
    for (String scope : actions) {
      for (String action : actions) {
        for (String output : IS_LONG ? actions : List.of("", "accept")) {
          for (boolean others : IS_LONG ? new boolean[] {false, true} : new boolean[] {true}) {
            List<Response> responses = new ArrayList<>();
            for (PactCategory category : PactCategory.values()) {
              String said =
                  switch (category) {
                    case SCOPE -> scope;
                    case ACTION -> action;
                    case OUTPUT -> output;
                    default -> others ? "accept" : "";
                  };
              if (!said.isEmpty()) {
                responses.add(PactWorld.response(category.code(), said, "two"));
              }
            }
            if (!responses.isEmpty()) {
              positions.add(PactWorld.position(deadline, responses.toArray(Response[]::new)));
            }
          }
        }
      }
    }
    return positions;
  }

  private static List<Said> ratifications(PactState state) {
    Body mine = PactWorld.ratification(state, Set.of("a"));
    PactEvent.Ratification good = (PactEvent.Ratification) mine;
    List<Said> said = new ArrayList<>();
    said.add(new Said("a", mine));
    said.add(new Said("b", mine));
    said.add(new Said("b", PactWorld.ratification(state, Set.of("b"))));
    said.add(new Said("b", PactWorld.ratification(state, Set.of("a", "b"))));
    said.add(new Said("a", PactWorld.ratification(state, Set.of("a", "stranger"))));
    said.add(
        new Said(
            "a",
            new PactEvent.Ratification(
                good.negotiation(),
                good.pact(),
                good.predicatesHash(),
                "another",
                good.startMs(),
                good.endMs(),
                good.signatures())));
    return said;
  }
}
