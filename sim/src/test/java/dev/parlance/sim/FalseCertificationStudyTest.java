package dev.parlance.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.parlance.policy.core.Bound;
import dev.parlance.policy.core.CertificationParams;
import dev.parlance.policy.core.Certifier;
import dev.parlance.policy.core.EValues;
import dev.parlance.policy.core.Tally;
import dev.parlance.sim.FalseCertificationStudy.StudyOptions;
import dev.parlance.sim.FalseCertificationStudy.StudyRow;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FalseCertificationStudyTest {
  private static final double DELTA = 0.05;

  /** A million with -Dsoak=50 and more. */
  private static final long SIMULATIONS =
      Math.min(1_000_000L, 20_000L * Integer.getInteger("soak", 5));

  private List<StudyRow> rows = List.of();

  @BeforeAll
  void simulate() {
    rows =
        FalseCertificationStudy.run(
            StudyOptions.of(SIMULATIONS, 6_101L), SimulationProgress.SILENT);
  }

  @Test
  void exact_withOneLook_staysAtOrBelowDelta_atEverySize() {
    assertThat(rows(Bound.EXACT, StudyRow.Looks.ONE))
        .hasSize(5)
        .allSatisfy(row -> assertThat(row.rate()).isLessThanOrEqualTo(DELTA + row.margin(DELTA)));
  }

  @Test
  void wilson_withOneLook_exceedsDelta_beyondChance() {
    StudyRow worst = rows(Bound.WILSON, StudyRow.Looks.ONE).getFirst();
    assertThat(worst.comparisons()).isEqualTo(52);
    assertThat(worst.rate()).isGreaterThan(DELTA + worst.margin(DELTA));
    assertThat(worst.rate()).isCloseTo(Math.pow(0.95, 52), within(worst.margin(0.0694)));
  }

  @Test
  void anytime_staysAtOrBelowDelta_howeverOftenOneLooks() {
    assertThat(rows(Bound.ANYTIME, StudyRow.Looks.ONE))
        .allSatisfy(row -> assertThat(row.rate()).isLessThanOrEqualTo(DELTA));
    assertThat(rows(Bound.ANYTIME, StudyRow.Looks.EVERY))
        .singleElement()
        .satisfies(row -> {
          assertThat(row.rate()).isLessThanOrEqualTo(DELTA + row.margin(DELTA));
          assertThat(row.rate()).isGreaterThan(0.01);
        });
  }

  @Test
  void boundsForOneLook_failWhenLookedAtAgainAndAgain() {
    assertThat(rows(Bound.EXACT, StudyRow.Looks.EVERY).getFirst().rate()).isGreaterThan(0.15);
    assertThat(rows(Bound.WILSON, StudyRow.Looks.EVERY).getFirst().rate()).isGreaterThan(0.15);
  }

  @Test
  void rates_areTheBinomialProbabilities() {
    for (StudyRow row : rows) {
      if (row.looks() == StudyRow.Looks.ONE) {
        double probability = falseCertification(row.bound(), row.comparisons());
        assertThat(row.rate())
            .as("%s at %s", row.bound(), row.comparisons())
            .isCloseTo(
                probability,
                within(4.0 * Math.sqrt(probability * (1.0 - probability) / SIMULATIONS)));
      }
    }
  }

  @Test
  void looksAfterEveryComparison_areWhatTheShortcutFinds() {
    // The shortcut against the rule itself, comparison by comparison, on the same small horizon.
    Random random = new Random(62);
    int certified = 0;
    int simulations = 4_000;
    for (int i = 0; i < simulations; i++) {
      int contradictions = 0;
      boolean isCertified = false;
      for (int k = 1; k <= 300 && !isCertified; k++) {
        contradictions += random.nextDouble() < 0.05 ? 1 : 0;
        isCertified = EValues.logCertify(contradictions, k, 0.05) >= Math.log(1.0 / DELTA);
      }
      certified += isCertified ? 1 : 0;
    }
    StudyRow shortcut =
        FalseCertificationStudy.run(
                new StudyOptions(100_000, 63, 0.05, DELTA, List.of(), 300, 2),
                SimulationProgress.SILENT)
            .stream()
            .filter(row -> row.bound() == Bound.ANYTIME)
            .findFirst()
            .orElseThrow();
    double rate = (double) certified / simulations;
    assertThat(rate)
        .isCloseTo(
            shortcut.rate(),
            within(4.0 * Math.sqrt(shortcut.rate() * (1.0 - shortcut.rate()) / simulations)));
  }

  @Test
  void numbers_dependOnTheSeedOnly_notOnThreads() {
    StudyOptions one = new StudyOptions(25_000, 7, 0.1, 0.05, List.of(40), 500, 1);
    StudyOptions three = new StudyOptions(25_000, 7, 0.1, 0.05, List.of(40), 500, 3);
    assertThat(FalseCertificationStudy.run(one, SimulationProgress.SILENT))
        .isEqualTo(FalseCertificationStudy.run(three, SimulationProgress.SILENT));
  }

  @Test
  void optionsThatCannotBeRun_areRefused() {
    assertThatThrownBy(() -> StudyOptions.of(0, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new StudyOptions(1, 1, 0.05, 0.05, List.of(0), 1, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private List<StudyRow> rows(Bound bound, StudyRow.Looks looks) {
    return rows.stream().filter(row -> row.bound() == bound && row.looks() == looks).toList();
  }

  private static double falseCertification(Bound bound, int k) {
    CertificationParams params = new CertificationParams(0.05, DELTA, 0.0, bound);
    double term = Math.pow(0.95, k);
    double sum = 0.0;
    for (int c = 0; Certifier.decide(new Tally(k, k, c), params).isCertified(); c++) {
      sum += term;
      term *= (k - c) * 0.05 / ((c + 1) * 0.95);
    }
    return sum;
  }
}
