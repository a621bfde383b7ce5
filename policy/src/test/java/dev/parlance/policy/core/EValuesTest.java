package dev.parlance.policy.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EValuesTest {
  @Test
  void evidence_isTheAverageLikelihoodRatio() {
    for (int[] counts : new int[][] {{0, 1}, {1, 1}, {0, 30}, {3, 40}, {20, 40}, {40, 40}}) {
      for (double tau : new double[] {0.02, 0.05, 0.4, 0.9}) {
        int c = counts[0];
        int k = counts[1];
        assertThat(EValues.logCertify(c, k, tau))
            .isCloseTo(Math.log(average(c, k, tau, 0.0, tau)), within(1e-7));
        assertThat(EValues.logDrift(c, k, tau))
            .isCloseTo(Math.log(average(c, k, tau, tau, 1.0)), within(1e-7));
      }
    }
  }

  /** A martingale: the next comparison changes neither expectation if the rate is tau. */
  @Test
  void evidence_isFairAtTau_forEveryCountUpToAMillion() {
    Random random = new Random(21);
    for (int i = 0; i < 2_000; i++) {
      double tau = i % 2 == 0 ? 0.05 : random.nextDouble(0.001, 0.999);
      int k = random.nextInt(i % 3 == 0 ? 1_000_000 : 1_000);
      double spread = Math.sqrt(k * tau * (1.0 - tau));
      int c = (int) Math.clamp(Math.round(k * tau + 4.0 * random.nextGaussian() * spread), 0L, k);
      assertFair(
          EValues.logCertify(c, k, tau),
          EValues.logCertify(c + 1, k + 1, tau),
          EValues.logCertify(c, k + 1, tau),
          tau);
      assertFair(
          EValues.logDrift(c, k, tau),
          EValues.logDrift(c + 1, k + 1, tau),
          EValues.logDrift(c, k + 1, tau),
          tau);
    }
  }

  @Test
  void evidence_isFiniteAtTheEdgesOfAMillion() {
    for (double tau : new double[] {1e-6, 0.05, 0.5, 0.999999}) {
      for (int c : new int[] {0, 1, 49_999, 50_000, 500_000, 999_999, 1_000_000}) {
        assertThat(EValues.logCertify(c, 1_000_000, tau)).isFinite();
        assertThat(EValues.logDrift(c, 1_000_000, tau)).isFinite();
      }
    }
    // All agree: the average over q of ((1-q)/(1-tau))^k is ((1-tau)^-k - (1-tau)) / (tau (k+1)).
    assertThat(EValues.logCertify(0, 1_000_000, 0.05))
        .isCloseTo(-1_000_000 * Math.log1p(-0.05) - Math.log(0.05 * 1_000_001.0), within(1e-7));
  }

  @Test
  void upper_isTheSmallestTauThatCertifies() {
    Random random = new Random(22);
    for (int i = 0; i < 1_000; i++) {
      int k = 1 + random.nextInt(2_000);
      int c = random.nextInt(k);
      double delta = random.nextDouble(1e-9, 0.5);
      double upper = EValues.upper(c, k, delta);
      double needed = Math.log(1.0 / delta);
      assertThat(EValues.logCertify(c, k, upper * (1.0 - 1e-9))).isLessThan(needed);
      if (upper < 1.0) {
        assertThat(EValues.logCertify(c, k, Math.min(upper * (1.0 + 1e-9), Math.nextDown(1.0))))
            .isGreaterThanOrEqualTo(needed - 1e-9);
      }
    }
    assertThat(EValues.upper(7, 7, 0.05)).isEqualTo(1.0);
  }

  @Test
  void withoutData_thereIsNoEvidence() {
    assertThat(EValues.logCertify(0, 0, 0.05)).isCloseTo(0.0, within(1e-15));
    assertThat(EValues.logDrift(0, 0, 0.05)).isCloseTo(0.0, within(1e-15));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.0, 1.0, -0.05, 1.5, Double.NaN, Double.NEGATIVE_INFINITY})
  void tau_outsideItsRange_isRefused(double tau) {
    assertThatThrownBy(() -> EValues.logCertify(1, 10, tau))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> EValues.logDrift(1, 10, tau))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void impossibleCounts_areRefused() {
    assertThatThrownBy(() -> EValues.logCertify(-1, 10, 0.05))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> EValues.logDrift(11, 10, 0.05))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static void assertFair(double now, double contradicted, double agreed, double tau) {
    double expected = tau * Math.exp(contradicted - now) + (1.0 - tau) * Math.exp(agreed - now);
    assertThat(expected).isCloseTo(1.0, within(1e-7));
  }

  /** Mean of (q/tau)^c ((1-q)/(1-tau))^(k-c) over q uniform between two rates, by midpoints. */
  private static double average(int c, int k, double tau, double from, double to) {
    int steps = 400_000;
    double sum = 0.0;
    for (int i = 0; i < steps; i++) {
      double q = from + (to - from) * (i + 0.5) / steps;
      sum += Math.pow(q / tau, c) * Math.pow((1.0 - q) / (1.0 - tau), k - c);
    }
    return sum / steps;
  }
}
