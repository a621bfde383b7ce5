package dev.parlance.policy.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.policy.commit.Outcome.AbortReason;
import dev.parlance.policy.commit.RoundState.Effect;
import dev.parlance.policy.commit.RoundState.RoundEvent;
import dev.parlance.policy.commit.RoundState.RoundEvent.SealCause;
import dev.parlance.policy.commit.RoundState.RoundRefusal;
import dev.parlance.policy.commit.RoundState.Status;
import dev.parlance.policy.commit.RoundState.Step;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One test for each state and event, and the checks of a proposal in their order. */
class RoundStateTest {
  private static final RoundId ID = new RoundId("r", 2);
  private static final RoundSpec SPEC = Rounds.spec(ID, 4, 1, 2, 0.9);
  private static final RoundEvent DEADLINE = new RoundEvent.Sealed(SealCause.DEADLINE);
  private static final RoundEvent COMPLETE = new RoundEvent.Sealed(SealCause.COMPLETE);
  private static final RoundEvent DECIDED = new RoundEvent.Decided();
  private static final Effect NOTHING = new Effect.Nothing();

  // open

  @Test
  void open_proposed_isCollecting() {
    Step step = open().step(said("a00", "yes"));
    assertThat(step.effect()).isEqualTo(new Effect.Accepted());
    assertThat(step.next().status()).isEqualTo(Status.COLLECTING);
    assertThat(step.next().proposals()).containsExactly(proposal("a00", "yes"));
    assertThat(step.next().outcome()).isEmpty();
  }

  @Test
  void open_sealedAtTheDeadline_isExpired_withTheOutcomeOfNothing() {
    Step step = open().step(DEADLINE);
    Outcome outcome = Hcsc.decide(SPEC, List.of());
    assertThat(step.effect()).isEqualTo(new Effect.Ended(outcome));
    assertThat(step.next().status()).isEqualTo(Status.EXPIRED);
    assertThat(step.next().outcome()).contains(outcome);
    assertThat(outcome)
        .isEqualTo(
            new Outcome.Abort(AbortReason.INSUFFICIENT_DELIVERY, Outcome.Count.NONE, List.of()));
  }

  @Test
  void open_sealedAtTheDeadline_beyondBft_saysSo() {
    RoundState state = RoundState.open(ID, Rounds.spec(ID, 3, 1, 2, 0.9)).step(DEADLINE).next();
    assertThat(state.outcome())
        .contains(new Outcome.Abort(AbortReason.BFT_INFEASIBLE, Outcome.Count.NONE, List.of()));
  }

  @Test
  void open_sealedAsComplete_isNothing() {
    assertUnchanged(open(), COMPLETE, NOTHING);
  }

  @Test
  void open_decided_isNothing() {
    assertUnchanged(open(), DECIDED, NOTHING);
  }

  // collecting

  @Test
  void collecting_proposed_staysSo_inOrder() {
    Step step = collecting().step(said("a01", "no"));
    assertThat(step.effect()).isEqualTo(new Effect.Accepted());
    assertThat(step.next().status()).isEqualTo(Status.COLLECTING);
    assertThat(step.next().proposals())
        .containsExactly(proposal("a00", "yes"), proposal("a01", "no"));
  }

  @Test
  void collecting_sealedAtTheDeadline_isSealed() {
    Step step = collecting().step(DEADLINE);
    assertThat(step.effect()).isEqualTo(new Effect.Closed());
    assertThat(step.next().status()).isEqualTo(Status.SEALED);
    assertThat(step.next().proposals()).isEqualTo(collecting().proposals());
  }

  @Test
  void collecting_sealedAsComplete_isNothing_untilEveryMemberHasProposed() {
    RoundState state = collecting();
    for (String member : List.of("a01", "a02", "a03")) {
      assertThat(state.isComplete()).isFalse();
      assertUnchanged(state, COMPLETE, NOTHING);
      state = state.step(said(member, "yes")).next();
    }
    assertThat(state.isComplete()).isTrue();
    Step step = state.step(COMPLETE);
    assertThat(step.effect()).isEqualTo(new Effect.Closed());
    assertThat(step.next().status()).isEqualTo(Status.SEALED);
  }

  @Test
  void collecting_decided_isNothing() {
    assertUnchanged(collecting(), DECIDED, NOTHING);
  }

  // sealed

  @Test
  void sealed_proposed_isLate_andARepetitionIsARepetition() {
    assertUnchanged(sealed(), said("a01", "yes"), new Effect.Refused(RoundRefusal.LATE));
    assertUnchanged(sealed(), said("a00", "no"), new Effect.Refused(RoundRefusal.LATE));
    assertUnchanged(sealed(), said("a00", "yes"), new Effect.Repeated());
  }

  @ParameterizedTest
  @EnumSource
  void sealed_sealed_isNothing(SealCause cause) {
    assertUnchanged(sealed(), new RoundEvent.Sealed(cause), NOTHING);
  }

  @Test
  void sealed_decided_isDecided_withWhatHcscSays() {
    Step step = sealed().step(DECIDED);
    Outcome outcome = Hcsc.decide(SPEC, sealed().proposals());
    assertThat(step.effect()).isEqualTo(new Effect.Ended(outcome));
    assertThat(step.next().status()).isEqualTo(Status.DECIDED);
    assertThat(step.next().outcome()).contains(outcome);
  }

  // decided, expired

  @ParameterizedTest
  @EnumSource(
      value = Status.class,
      names = {"DECIDED", "EXPIRED"})
  void ended_proposed_isLate(Status status) {
    assertUnchanged(ended(status), said("a01", "yes"), new Effect.Refused(RoundRefusal.LATE));
  }

  @Test
  void decided_repeated_isARepetition() {
    assertUnchanged(ended(Status.DECIDED), said("a00", "yes"), new Effect.Repeated());
  }

  @ParameterizedTest
  @EnumSource(
      value = Status.class,
      names = {"DECIDED", "EXPIRED"})
  void ended_sealed_isNothing(Status status) {
    assertUnchanged(ended(status), DEADLINE, NOTHING);
    assertUnchanged(ended(status), COMPLETE, NOTHING);
  }

  @ParameterizedTest
  @EnumSource(
      value = Status.class,
      names = {"DECIDED", "EXPIRED"})
  void ended_decided_isNothing(Status status) {
    assertUnchanged(ended(status), DECIDED, NOTHING);
  }

  // the checks of a proposal

  @ParameterizedTest
  @EnumSource
  void proposalForAnotherEpochOrRound_isRefused_beforeAnythingElse(Status status) {
    RoundState state = in(status);
    for (RoundId other :
        List.of(new RoundId("r", 1), new RoundId("r", 3), new RoundId("other", 2))) {
      RoundEvent stranger = new RoundEvent.Proposed(other, proposal("stranger", "no name"));
      assertUnchanged(state, stranger, new Effect.Refused(RoundRefusal.WRONG_EPOCH));
      RoundEvent member = new RoundEvent.Proposed(other, proposal("a00", "yes"));
      assertUnchanged(state, member, new Effect.Refused(RoundRefusal.WRONG_EPOCH));
    }
  }

  @ParameterizedTest
  @EnumSource
  void proposalOfAStranger_isRefused(Status status) {
    assertUnchanged(
        in(status), said("stranger", "no name"), new Effect.Refused(RoundRefusal.NOT_A_MEMBER));
  }

  @Test
  void verdictThatIsNoName_isRefused() {
    for (String verdict : List.of("", "two words", "-", "\u00e9", "x".repeat(129))) {
      assertUnchanged(open(), said("a00", verdict), new Effect.Refused(RoundRefusal.BAD_VERDICT));
    }
  }

  @Test
  void secondDifferentProposal_isEvidence_andAThirdIsRefused() {
    Step second = collecting().step(said("a00", "no"));
    assertThat(second.effect()).isEqualTo(new Effect.Equivocated());
    assertThat(second.next().proposals())
        .containsExactly(proposal("a00", "yes"), proposal("a00", "no"));
    RoundState state = second.next();
    assertUnchanged(state, said("a00", "maybe"), new Effect.Refused(RoundRefusal.EQUIVOCATED));
    assertUnchanged(state, said("a00", "yes"), new Effect.Repeated());
    assertUnchanged(state, said("a00", "no"), new Effect.Repeated());
    assertThat(Hcsc.decide(SPEC, state.proposals()).dropped())
        .containsExactly(new Outcome.Drop("a00", Outcome.DropReason.EQUIVOCATION));
  }

  @Test
  void sameVerdictWithAnotherText_isEquivocation() {
    RoundEvent other =
        new RoundEvent.Proposed(
            ID, Rounds.proposal("a00", "yes", "another text", new double[] {1, 0}));
    assertThat(collecting().step(other).effect()).isEqualTo(new Effect.Equivocated());
  }

  @Test
  void sameVerdictAndTextWithAnotherVector_isARepetition_becauseTheVectorIsTheEncoders() {
    RoundEvent encodedAgain = new RoundEvent.Proposed(ID, Rounds.proposal("a00", "yes", 1, 1e-4));
    RoundEvent encoderGone = new RoundEvent.Proposed(ID, Rounds.unencoded("a00", "yes", "text"));
    assertUnchanged(collecting(), encodedAgain, new Effect.Repeated());
    assertUnchanged(collecting(), encoderGone, new Effect.Repeated());
  }

  @Test
  void malformedProposal_mayBeFollowedByAnother_thatCounts() {
    RoundEvent malformed = new RoundEvent.Proposed(ID, Rounds.malformed("a00", "yes", "broken"));
    RoundState state = open().step(malformed).next();
    Step step = state.step(said("a00", "yes"));
    assertThat(step.effect()).isEqualTo(new Effect.Accepted());
    assertThat(Hcsc.decide(SPEC, step.next().proposals()).dropped())
        .containsExactly(new Outcome.Drop("a00", Outcome.DropReason.MALFORMED));
    assertUnchanged(step.next(), said("a00", "no"), new Effect.Refused(RoundRefusal.EQUIVOCATED));
  }

  @Test
  void stateThatCannotBe_isRefused() {
    RoundId other = new RoundId("r", 3);
    assertThatThrownBy(() -> RoundState.open(other, SPEC))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new RoundState(ID, SPEC, Status.DECIDED, List.of(), Optional.empty()))
        .isInstanceOf(IllegalArgumentException.class);
    Optional<Outcome> outcome = Optional.of(Hcsc.decide(SPEC, List.of()));
    assertThatThrownBy(() -> new RoundState(ID, SPEC, Status.SEALED, List.of(), outcome))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static RoundState in(Status status) {
    return switch (status) {
      case OPEN -> open();
      case COLLECTING -> collecting();
      case SEALED -> sealed();
      case DECIDED, EXPIRED -> ended(status);
    };
  }

  private static RoundState open() {
    return RoundState.open(ID, SPEC);
  }

  private static RoundState collecting() {
    return open().step(said("a00", "yes")).next();
  }

  private static RoundState sealed() {
    return collecting().step(DEADLINE).next();
  }

  private static RoundState ended(Status status) {
    RoundState state =
        status == Status.EXPIRED ? open().step(DEADLINE).next() : sealed().step(DECIDED).next();
    assertThat(state.status()).isEqualTo(status);
    return state;
  }

  private static Proposal proposal(String agent, String verdict) {
    return Rounds.proposal(agent, verdict, 1, 0);
  }

  private static RoundEvent said(String agent, String verdict) {
    return new RoundEvent.Proposed(ID, proposal(agent, verdict));
  }

  private static void assertUnchanged(RoundState state, RoundEvent event, Effect effect) {
    Step step = state.step(event);
    assertThat(step.effect()).isEqualTo(effect);
    assertThat(step.next()).isEqualTo(state);
  }
}
