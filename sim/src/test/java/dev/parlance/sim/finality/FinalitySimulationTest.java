package dev.parlance.sim.finality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.policy.commit.Outcome.AbortReason;
import dev.parlance.policy.commit.RoundState.RoundRefusal;
import dev.parlance.sim.SimulationProgress;
import dev.parlance.sim.finality.AdversaryRow.Attack;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FinalitySimulationTest {
  /** 2,000 in a build, 100,000 with -Dsoak=250 and more. */
  private static final long ROUNDS = Math.min(100_000L, 400L * Integer.getInteger("soak", 5));

  private final FinalitySimulation.FinalityOptions options =
      FinalitySimulation.FinalityOptions.of(
          FinalitySimulation.FinalityOptions.PAPER_EPISODES, ROUNDS, 41);

  private FinalitySimulation.FinalityResult result =
      new FinalitySimulation.FinalityResult(options, List.of(), List.of(), Map.of(), 0, List.of());

  @BeforeAll
  void simulate() {
    result = FinalitySimulation.run(options, SimulationProgress.SILENT);
  }

  @Test
  void diagnostic_commitsEveryFeasibleEpisode_nearTheClaim() {
    assertThat(result.diagnostic())
        .filteredOn(row -> row.bucket().isFeasible())
        .hasSize(8)
        .allSatisfy(row -> {
          assertThat(row.semantic()).isEqualTo(10).isEqualTo(row.episodes());
          var deviation = row.deviation().orElseThrow();
          assertThat(deviation.meanToClaim()).isBetween(0.5, 2.2);
          assertThat(deviation.maxToHonest()).isLessThan(2.0);
        });
  }

  @Test
  void diagnostic_abortsEveryEpisodeBeyondTheFaultBound() {
    assertThat(result.diagnostic())
        .filteredOn(row -> !row.bucket().isFeasible())
        .hasSize(4)
        .allSatisfy(row -> assertThat(row.aborts()).isEqualTo(10).isEqualTo(row.episodes()));
  }

  @Test
  void staticPoison_doesNotReachTheAggregate_rushingPoisonDoesWithinTheHonestSpread() {
    for (DiagnosticRow row : result.diagnostic()) {
      row.deviation()
          .ifPresent(deviation -> {
            switch (row.poison()) {
              // What is left is rounding: of 384 entries each is off by up to half a unit of 32767.
              case STATIC -> assertThat(deviation.maxToHonest()).isLessThan(0.02);
              case RUSHING -> assertThat(deviation.meanToHonest()).isBetween(1.0, 2.0);
            }
          });
    }
  }

  @Test
  void study_breaksNoPromise_underAnyAttack() {
    assertThat(result.study()).hasSize(Attack.values().length);
    for (AdversaryRow row : result.study()) {
      assertThat(row.breaches().total()).as("%s", row).isZero();
      assertThat(row.ended()).as("%s", row).isEqualTo(row.rounds());
      assertThat(row.largestOfBound()).as("%s", row).isLessThanOrEqualTo(1.0);
      assertThat(row.semantic()).as("%s", row).isPositive();
      assertThat(row.verdict()).as("%s", row).isPositive();
    }
    assertThat(result.study().stream().mapToLong(AdversaryRow::rounds).sum()).isEqualTo(ROUNDS);
    assertThat(result.breaches()).isZero();
  }

  @Test
  void study_comesByEveryReasonOfAnAbort_andEveryRefusal() {
    Set<AbortReason> reasons =
        result.study().stream()
            .flatMap(row -> row.aborts().keySet().stream())
            .collect(Collectors.toSet());
    assertThat(reasons).isEqualTo(EnumSet.allOf(AbortReason.class));
    assertThat(result.refused().keySet()).isEqualTo(EnumSet.allOf(RoundRefusal.class));
    assertThat(result.equivocations()).isPositive();
  }

  @Test
  void steering_getsNearTheBound_soThatTheBoundIsNoEmptyPromise() {
    assertThat(result.study())
        .filteredOn(row -> row.attack() == Attack.STEER)
        .singleElement()
        .satisfies(row -> assertThat(row.largestOfBound()).isGreaterThan(0.6));
  }

  @Test
  void oneFaultyAgentMore_breaksPromises_soThatTheStudyCanFindThem() {
    long wrong = result.control().stream().mapToLong(row -> row.breaches().wrongVerdict()).sum();
    long exceeded =
        result.control().stream().mapToLong(row -> row.breaches().boundExceeded()).sum();
    assertThat(wrong).isPositive();
    assertThat(exceeded).isPositive();
  }

  @Test
  void numbers_dependOnTheSeedOnly_notOnThreads() {
    FinalitySimulation.FinalityResult one =
        FinalitySimulation.run(
            new FinalitySimulation.FinalityOptions(12, 1_200, 7, 1), SimulationProgress.SILENT);
    FinalitySimulation.FinalityResult three =
        FinalitySimulation.run(
            new FinalitySimulation.FinalityOptions(12, 1_200, 7, 3), SimulationProgress.SILENT);
    assertThat(three.diagnostic()).isEqualTo(one.diagnostic());
    assertThat(three.study()).isEqualTo(one.study());
    assertThat(three.control()).isEqualTo(one.control());
    FinalitySimulation.FinalityResult other =
        FinalitySimulation.run(
            new FinalitySimulation.FinalityOptions(12, 1_200, 8, 3), SimulationProgress.SILENT);
    assertThat(other.study()).isNotEqualTo(one.study());
  }

  @Test
  void optionsThatCannotBeRun_areRefused() {
    assertThatThrownBy(() -> FinalitySimulation.FinalityOptions.of(13, 1, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> FinalitySimulation.FinalityOptions.of(12, 0, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new FinalitySimulation.FinalityOptions(12, 1, 1, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
