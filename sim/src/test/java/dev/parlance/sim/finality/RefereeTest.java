package dev.parlance.sim.finality;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.commit.Encoding;
import dev.parlance.policy.commit.Outcome;
import dev.parlance.policy.commit.Outcome.AbortReason;
import dev.parlance.policy.commit.Outcome.Count;
import dev.parlance.policy.commit.Proposal;
import dev.parlance.policy.commit.QuantVector;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.commit.RoundSpec;
import dev.parlance.policy.commit.RoundState;
import dev.parlance.sim.finality.Referee.Ruling;
import dev.parlance.sim.finality.Referee.Ruling.Breach;
import dev.parlance.sim.finality.RoundPlay.Moves;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Outcomes that the algorithm does not give: the referee has to object to each. */
class RefereeTest {
  private static final RoundId ID = new RoundId("made-up", 1);
  private static final int DIM = 8;
  private final SplittableRandom random = new SplittableRandom(5);
  private final double[] claim = Sphere.any(random, DIM);

  private Scene scene(int faults, String... verdicts) {
    List<String> members = new ArrayList<>();
    List<Scene.Honest> honest = new ArrayList<>();
    for (int i = 0; i < verdicts.length; i++) {
      members.add("h" + i);
      honest.add(
          new Scene.Honest(
              "h" + i,
              verdicts[i],
              "text",
              Optional.of(Sphere.tilted(claim, 0.05, random)),
              Scene.Arrival.IN_TIME));
    }
    members.add("faulty");
    RoundSpec spec =
        new RoundSpec(ID.bound(), faults, members, new Encoding("x", DIM, 0.9), 0, true);
    return new Scene(ID, spec, honest, List.of("faulty"));
  }

  private Ruling rule(Scene scene, Outcome outcome, Proposal... faulty) {
    List<Proposal> proposals =
        new ArrayList<>(scene.inTime().stream().map(Scene.Honest::proposal).toList());
    proposals.addAll(List.of(faulty));
    RoundState state =
        new RoundState(
            ID, scene.spec(), RoundState.Status.DECIDED, proposals, Optional.of(outcome));
    return Referee.rule(scene, new RoundPlay.Played(state, Map.of(), 0, 0), random);
  }

  private static Outcome verdictCommit(String verdict) {
    return new Outcome.VerdictCommit(verdict, new Count(4, 3, 1), List.of("h0"), "00", List.of());
  }

  private static Outcome semantic(List<String> core, double[] aggregate) {
    return new Outcome.SemanticCommit(
        "yes",
        new Count(4, 4, 0),
        core,
        0.9,
        QuantVector.of(aggregate, DIM).orElseThrow(),
        "00",
        List.of());
  }

  @Test
  void anotherVerdictThanTheHonestPlurality_isABreach() {
    assertThat(rule(scene(1, "yes", "yes", "no"), verdictCommit("no")).breaches())
        .contains(Breach.WRONG_VERDICT);
    assertThat(rule(scene(1, "yes", "yes", "no"), verdictCommit("yes")).breaches())
        .doesNotContain(Breach.WRONG_VERDICT);
    assertThat(rule(scene(1, "yes", "no", "unclear"), verdictCommit("yes")).breaches())
        .as("no plurality at all")
        .contains(Breach.WRONG_VERDICT);
  }

  @Test
  void aCommitOfARoundThatIsTooSmall_isABreach() {
    assertThat(rule(scene(2, "yes", "yes", "yes"), verdictCommit("yes")).breaches())
        .contains(Breach.INFEASIBLE_COMMIT);
  }

  @Test
  void anAbortThatNothingCalledFor_isABreach() {
    Outcome abort =
        new Outcome.Abort(AbortReason.WEAK_VERDICT_MARGIN, new Count(4, 3, 1), List.of());
    assertThat(rule(scene(1, "yes", "yes", "yes"), abort).breaches()).contains(Breach.DENIED);
    assertThat(rule(scene(1, "yes", "yes", "no"), abort).breaches()).doesNotContain(Breach.DENIED);
  }

  @Test
  void aVerdictAlone_whereTheHonestMeanTheSame_isABreach() {
    // All within .1 of each other, cosMin is .9.
    assertThat(rule(scene(1, "yes", "yes", "yes"), verdictCommit("yes")).breaches())
        .contains(Breach.DENIED);
    assertThat(rule(scene(1, "yes", "yes", "no"), verdictCommit("yes")).breaches())
        .doesNotContain(Breach.DENIED);
  }

  @Test
  void anOutcomeThatTheProposalsDoNotGive_isABreach() {
    Scene scene = scene(1, "yes", "yes", "yes");
    assertThat(rule(scene, verdictCommit("yes")).breaches()).contains(Breach.ORDER_MATTERS);
    RoundPlay.Played right = RoundPlay.play(scene, new Moves(ID), random);
    assertThat(Referee.rule(scene, right, random).breaches()).isEmpty();
  }

  @Test
  void aCoreThatIsTurnedTooFar_isABreach_andOneThatIsNot_isNone() {
    Scene scene = scene(1, "yes", "yes", "yes");
    double[] far = Sphere.tilted(claim, 2.0, random);
    Proposal poison = Scene.proposal("faulty", "yes", "poison", Optional.of(far));
    List<double[]> turned =
        List.of(Referee.honestOf(scene, "yes").get(0), Referee.honestOf(scene, "yes").get(1), far);
    Ruling bad = rule(scene, semantic(List.of("h0", "h1", "faulty"), Sphere.mean(turned)), poison);
    assertThat(bad.breaches()).contains(Breach.BOUND_EXCEEDED);
    assertThat(bad.ofBound().orElseThrow()).isGreaterThan(1.0);
    Ruling good =
        rule(
            scene,
            semantic(List.of("h0", "h1", "h2"), Sphere.mean(Referee.honestOf(scene, "yes"))),
            poison);
    assertThat(good.breaches()).doesNotContain(Breach.BOUND_EXCEEDED);
    assertThat(good.ofBound().orElseThrow()).isLessThan(1e-6);
  }

  @Test
  void anAggregateThatIsNotTheCoresMean_isABreach() {
    assertThat(
            rule(
                    scene(1, "yes", "yes", "yes"),
                    semantic(List.of("h0", "h1", "h2"), Sphere.tilted(claim, 0.3, random)))
                .breaches())
        .contains(Breach.BOUND_EXCEEDED);
  }

  @Test
  void aRoundWithoutEnd_isABreach() {
    Scene scene = scene(1, "yes", "yes", "yes");
    RoundState open = RoundState.open(ID, scene.spec());
    assertThat(Referee.rule(scene, new RoundPlay.Played(open, Map.of(), 0, 0), random).breaches())
        .containsExactly(Breach.NO_OUTCOME);
  }
}
