package dev.parlance.sim.finality;

import dev.parlance.policy.commit.Outcome;
import dev.parlance.policy.commit.Proposal;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.commit.RoundState;
import dev.parlance.policy.commit.RoundState.Effect;
import dev.parlance.policy.commit.RoundState.RoundEvent;
import dev.parlance.policy.commit.RoundState.RoundEvent.SealCause;
import dev.parlance.policy.commit.RoundState.RoundRefusal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Plays the proposals of a round through the round machine, in an order that chance decides. */
final class RoundPlay {
  private RoundPlay() {}

  /**
   * How a round went.
   *
   * @param state where it ended
   * @param refused proposals that were not taken, by reason
   * @param equivocations proposals that were kept as evidence
   * @param repeated proposals that had been made already
   */
  record Played(
      RoundState state, Map<RoundRefusal, Integer> refused, int equivocations, int repeated) {
    Optional<Outcome> outcome() {
      return state.outcome();
    }
  }

  static Played play(Scene scene, Moves moves, RandomGenerator random) {
    List<RoundEvent> early = new ArrayList<>(moves.beforeSeal());
    List<RoundEvent> behind = new ArrayList<>(moves.behindSeal());
    for (Scene.Honest one : scene.honest()) {
      switch (one.arrival()) {
        case IN_TIME -> early.add(new RoundEvent.Proposed(scene.id(), one.proposal()));
        case LATE -> behind.add(new RoundEvent.Proposed(scene.id(), one.proposal()));
        case NEVER -> {} // nobody hears of it
      }
    }
    shuffle(early, random);
    behind.add(new RoundEvent.Decided());
    shuffle(behind, random);
    // Somewhere on the way a replica believes that all have proposed, and behind the deadline
    // another one seals once more.
    List<RoundEvent> all = new ArrayList<>(early);
    all.add(random.nextInt(all.size() + 1), new RoundEvent.Sealed(SealCause.COMPLETE));
    all.add(new RoundEvent.Sealed(SealCause.DEADLINE));
    all.add(new RoundEvent.Sealed(SealCause.DEADLINE));
    all.addAll(behind);
    all.add(new RoundEvent.Decided());
    return through(scene, all);
  }

  private static Played through(Scene scene, List<RoundEvent> events) {
    RoundState state = RoundState.open(scene.id(), scene.spec());
    Map<RoundRefusal, Integer> refused = new EnumMap<>(RoundRefusal.class);
    int equivocations = 0;
    int repeated = 0;
    for (RoundEvent event : events) {
      RoundState.Step step = state.step(event);
      state = step.next();
      switch (step.effect()) {
        case Effect.Refused(RoundRefusal reason) -> refused.merge(reason, 1, Integer::sum);
        case Effect.Equivocated _ -> equivocations++;
        case Effect.Repeated _ -> repeated++;
        case Effect.Accepted _, Effect.Closed _, Effect.Ended _, Effect.Nothing _ -> {}
      }
    }
    return new Played(state, refused, equivocations, repeated);
  }

  static void shuffle(List<?> list, RandomGenerator random) {
    for (int i = list.size() - 1; i > 0; i--) {
      Collections.swap(list, i, random.nextInt(i + 1));
    }
  }

  /** What the adversary sends: before the round is sealed, in any order, and behind the seal. */
  static final class Moves {
    private final RoundId round;
    private final List<RoundEvent.Proposed> beforeSeal = new ArrayList<>();
    private final List<RoundEvent.Proposed> behindSeal = new ArrayList<>();

    Moves(RoundId round) {
      this.round = round;
    }

    void inTime(Proposal proposal) {
      beforeSeal.add(new RoundEvent.Proposed(round, proposal));
    }

    void late(Proposal proposal) {
      behindSeal.add(new RoundEvent.Proposed(round, proposal));
    }

    /** Sent to another epoch of the round, in time. */
    void toEpoch(long epoch, Proposal proposal) {
      beforeSeal.add(new RoundEvent.Proposed(new RoundId(round.round(), epoch), proposal));
    }

    List<RoundEvent.Proposed> beforeSeal() {
      return List.copyOf(beforeSeal);
    }

    List<RoundEvent.Proposed> behindSeal() {
      return List.copyOf(behindSeal);
    }
  }
}
