package dev.parlance.policy.commit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.commit.Outcome.AbortReason;
import dev.parlance.policy.commit.RoundState.Effect;
import dev.parlance.policy.commit.RoundState.RoundEvent;
import dev.parlance.policy.commit.RoundState.RoundEvent.SealCause;
import dev.parlance.policy.commit.RoundState.RoundRefusal;
import dev.parlance.policy.commit.RoundState.Status;
import dev.parlance.policy.commit.RoundState.Step;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Every ledger of a small world: four members, one of them faulty. Each honest member says one
 * thing, once or more often, in time, late or never; the faulty one says whatever it likes as often
 * as it likes; proposals of another epoch are replayed; anybody seals and decides at any time, also
 * twice.
 *
 * <p>A ledger is a word over these events, and what its readers know is the state the word leads
 * to. So all states that any word leads to are visited, and every event is tried in each. Two
 * readers of one ledger have read prefixes of one word: they agree if an outcome, once there, is
 * not changed by any event.
 */
@Tag("differential")
class RoundModelTest {
  private static final RoundId ID = new RoundId("model", 2);
  private static final RoundSpec SPEC = Rounds.spec(ID, 4, 1, 2, 0.9);
  private static final String FAULTY = "a03";

  /** With {@code -Psoak} everybody has more to say, and who says what is not told apart by rank. */
  private static final boolean IS_LONG = Integer.getInteger("soak", 5) > 5;

  private static final RoundEvent SEAL_COMPLETE = new RoundEvent.Sealed(SealCause.COMPLETE);
  private static final RoundEvent SEAL_DEADLINE = new RoundEvent.Sealed(SealCause.DEADLINE);
  private static final RoundEvent DECIDE = new RoundEvent.Decided();

  @Test
  void allReadersOfEveryLedger_agree_andACommitIsTheHonestPlurality() {
    Tally tally = new Tally();
    int choices = sayings("").size();
    for (int first = 0; first < choices; first++) {
      for (int second = IS_LONG ? 0 : first; second < choices; second++) {
        for (int third = IS_LONG ? 0 : second; third < choices; third++) {
          explore(
              List.of(
                  sayings("a00").get(first), sayings("a01").get(second), sayings("a02").get(third)),
              tally);
        }
      }
    }
    assertThat(tally.kinds).containsOnlyKeys("semantic_commit", "verdict_commit", "abort");
    assertThat(tally.reasons)
        .contains(
            AbortReason.INSUFFICIENT_DELIVERY,
            AbortReason.VERDICT_TIE,
            AbortReason.NO_VERDICT_QUORUM);
    assertThat(tally.states).isGreaterThan(30_000);
  }

  private static final class Tally {
    final Map<String, Integer> kinds = new HashMap<>();
    final Set<AbortReason> reasons = new HashSet<>();
    int states;
  }

  /** What an honest member may have to say. */
  private static List<Proposal> sayings(String agent) {
    List<Proposal> sayings =
        new ArrayList<>(
            List.of(
                Rounds.proposal(agent, "yes", "near", new double[] {1, 0}),
                Rounds.proposal(agent, "yes", "far", new double[] {0, 1}),
                Rounds.proposal(agent, "no", "near", new double[] {1, 0.1})));
    if (IS_LONG) {
      sayings.add(Rounds.proposal(agent, "yes", "nearly", new double[] {1, 0.3}));
      sayings.add(Rounds.unencoded(agent, "yes", "unencoded"));
      sayings.add(Rounds.proposal(agent, "maybe", "near", new double[] {1, 0}));
    }
    return sayings;
  }

  /** What the faulty one may say in this round. */
  private static List<Proposal> lies() {
    List<Proposal> lies =
        new ArrayList<>(
            List.of(
                Rounds.proposal(FAULTY, "yes", "dragging", new double[] {1, 0.45}),
                Rounds.proposal(FAULTY, "no", "near", new double[] {1, 0}),
                Rounds.malformed(FAULTY, "yes", "malformed"),
                Rounds.unencoded(FAULTY, "no", "unencoded")));
    if (IS_LONG) {
      lies.add(Rounds.proposal(FAULTY, "yes", "near", new double[] {1, 0}));
      lies.add(Rounds.proposal(FAULTY, "yes", "far", new double[] {0, 1}));
    }
    return lies;
  }

  /** Visits every state that the honest members' sayings and the faulty one's choices lead to. */
  private static void explore(List<Proposal> honest, Tally tally) {
    List<RoundEvent> events = new ArrayList<>();
    for (Proposal saying : honest) {
      events.add(new RoundEvent.Proposed(ID, saying));
    }
    for (Proposal lie : lies()) {
      events.add(new RoundEvent.Proposed(ID, lie));
    }
    // Replays: what was said in the epoch before, and in one that is not there yet.
    events.add(new RoundEvent.Proposed(new RoundId("model", 1), honest.getFirst()));
    events.add(new RoundEvent.Proposed(new RoundId("model", 3), lies().getLast()));
    // Not even a member, and no verdict at all.
    events.add(new RoundEvent.Proposed(ID, Rounds.proposal("stranger", "no", 1, 0)));
    events.add(new RoundEvent.Proposed(ID, Rounds.proposal(FAULTY, "no name", 1, 0)));
    events.add(SEAL_COMPLETE);
    events.add(SEAL_DEADLINE);
    events.add(DECIDE);

    Map<Set<Proposal>, Outcome> outcomes = new HashMap<>();
    Set<RoundState> seen = new HashSet<>();
    Deque<RoundState> open = new ArrayDeque<>();
    open.add(RoundState.open(ID, SPEC));
    while (!open.isEmpty()) {
      RoundState state = open.remove();
      if (!seen.add(state)) {
        continue;
      }
      tally.states++;
      check(state, honest);
      state
          .outcome()
          .ifPresent(outcome -> {
            count(outcome, tally);
            // The order of arrival decides nothing.
            Outcome other =
                outcomes.computeIfAbsent(
                    new HashSet<>(state.proposals()), any -> withoutDrops(outcome));
            holds(other.equals(withoutDrops(outcome)), state);
          });
      for (RoundEvent event : events) {
        Step step = state.step(event);
        check(state, event, step);
        if (!step.next().equals(state) && !seen.contains(step.next())) {
          open.add(step.next());
        }
      }
    }
  }

  /** What holds in every state. */
  private static void check(RoundState state, List<Proposal> honest) {
    for (String member : SPEC.members()) {
      List<Proposal> own = state.proposals().stream().filter(by(member)).toList();
      holds(own.size() <= (member.equals(FAULTY) ? 2 : 1), state);
    }
    // Whoever is not heard for ever does not block the others: two entries end every round.
    RoundState end = state.step(SEAL_DEADLINE).next().step(DECIDE).next();
    Outcome outcome = end.outcome().orElseThrow();
    Optional<String> verdict =
        switch (outcome) {
          case Outcome.SemanticCommit commit -> Optional.of(commit.verdict());
          case Outcome.VerdictCommit commit -> Optional.of(commit.verdict());
          case Outcome.Abort abort -> Optional.empty();
        };
    verdict.ifPresent(said -> {
      long own = honest.stream().filter(one -> one.verdict().equals(said)).count();
      for (Proposal other : honest) {
        if (!other.verdict().equals(said)) {
          long others =
              honest.stream().filter(one -> one.verdict().equals(other.verdict())).count();
          assertThat(others).as(honest + " commit " + outcome).isLessThan(own);
        }
      }
    });
    if (outcome instanceof Outcome.SemanticCommit commit) {
      holds(commit.core().stream().filter(one -> !one.equals(FAULTY)).count() >= 2, state);
      holds(commit.minCos() >= 0.9, state);
    }
    boolean allHeard = state.proposals().containsAll(honest);
    boolean unanimous = honest.stream().map(Proposal::verdict).distinct().count() == 1;
    if (allHeard && unanimous) {
      holds(verdict.equals(Optional.of(honest.getFirst().verdict())), state);
    }
  }

  /** What an event may do to a state. */
  private static void check(RoundState state, RoundEvent event, Step step) {
    RoundState next = step.next();
    boolean isSame = next.equals(state);
    List<Proposal> heard = state.proposals();
    switch (state.status()) {
      // What was heard stays heard.
      case OPEN, COLLECTING ->
          holds(next.proposals().subList(0, heard.size()).equals(heard), state, event);
      // Nothing but the decision changes anything, and there is one decision only.
      case SEALED -> {
        holds(isSame != event.equals(DECIDE), state, event);
        holds(isSame || next.status() == Status.DECIDED, state, event);
        holds(isSame || next.outcome().equals(Optional.of(Hcsc.decide(SPEC, heard))), state);
        holds(next.proposals().equals(heard), state, event);
      }
      case DECIDED, EXPIRED -> holds(isSame, state, event);
    }
    if (event instanceof RoundEvent.Proposed(RoundId to, Proposal any) && !to.equals(ID)) {
      holds(step.effect().equals(new Effect.Refused(RoundRefusal.WRONG_EPOCH)), state, event);
    }
    switch (step.effect()) {
      case Effect.Accepted accepted -> holds(!isSame, state, event);
      case Effect.Equivocated equivocated ->
          holds(
              Hcsc.decide(SPEC, next.proposals())
                  .dropped()
                  .contains(new Outcome.Drop(FAULTY, Outcome.DropReason.EQUIVOCATION)),
              state,
              event);
      case Effect.Repeated repeated -> holds(isSame, state, event);
      case Effect.Refused refused -> holds(isSame, state, event);
      case Effect.Nothing nothing -> holds(isSame, state, event);
      case Effect.Closed closed -> holds(next.status() == Status.SEALED, state, event);
      case Effect.Ended(Outcome outcome) ->
          holds(next.outcome().equals(Optional.of(outcome)), state, event);
    }
  }

  /** An assertion that costs nothing while it holds; there are millions. */
  private static void holds(boolean condition, Object... what) {
    if (!condition) {
      throw new AssertionError(List.of(what).toString());
    }
  }

  private static java.util.function.Predicate<Proposal> by(String agent) {
    return one -> one.agent().equals(agent);
  }

  private static void count(Outcome outcome, Tally tally) {
    tally.kinds.merge(outcome.kind(), 1, Integer::sum);
    if (outcome instanceof Outcome.Abort abort) {
      tally.reasons.add(abort.reason());
    }
  }

  private static Outcome withoutDrops(Outcome outcome) {
    return switch (outcome) {
      case Outcome.SemanticCommit c ->
          new Outcome.SemanticCommit(
              c.verdict(), c.count(), c.core(), c.minCos(), c.aggregate(), c.digest(), List.of());
      case Outcome.VerdictCommit c ->
          new Outcome.VerdictCommit(c.verdict(), c.count(), c.core(), c.digest(), List.of());
      case Outcome.Abort a -> new Outcome.Abort(a.reason(), a.count(), List.of());
    };
  }
}
