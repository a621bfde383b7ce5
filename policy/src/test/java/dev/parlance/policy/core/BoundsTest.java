package dev.parlance.policy.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BoundsTest {
  private static final double[] DELTAS = {0.5, 0.1, 0.05, 0.01, 1e-3, 1e-6, 1e-12};

  @Test
  void z_isTheQuantileOfTheNormalDistribution() {
    for (double delta = 0.5; delta > 1e-280; delta *= 0.7) {
      double z = Bounds.zOf(delta);
      assertThat(logNormalTail(z) - Math.log(delta))
          .as("tail at z = %s", z)
          .isCloseTo(0.0, within(1e-9 * Math.max(1.0, -Math.log(delta))));
    }
    assertThat(Bounds.zOf(0.5)).isZero();
  }

  @Test
  void withoutData_everyBoundIsOne() {
    for (double delta : DELTAS) {
      assertThat(Bounds.wilsonUpper(0, 0, delta)).isEqualTo(1.0);
      assertThat(Bounds.exactUpper(0, 0, delta)).isEqualTo(1.0);
      assertThat(EValues.upper(0, 0, delta)).isEqualTo(1.0);
    }
  }

  @Test
  void bounds_lieAboveTheObservedRate_growWithContradictions_shrinkWithComparisons() {
    Random random = new Random(11);
    for (int i = 0; i < 5_000; i++) {
      int k = 1 + random.nextInt(random.nextBoolean() ? 60 : 20_000);
      int c = random.nextInt(k + 1);
      double delta = DELTAS[random.nextInt(DELTAS.length)];
      double rate = (double) c / k;
      double wilson = Bounds.wilsonUpper(c, k, delta);
      double exact = Bounds.exactUpper(c, k, delta);
      double anytime = EValues.upper(c, k, delta);
      assertThat(wilson).isBetween(rate - 1e-15, 1.0);
      assertThat(exact).isBetween(rate, 1.0);
      assertThat(anytime).isBetween(rate, 1.0);
      assertThat(anytime).as("never shorter than one look's").isGreaterThanOrEqualTo(exact - 1e-12);
      if (c < k) {
        assertThat(Bounds.wilsonUpper(c + 1, k, delta)).isGreaterThan(wilson - 1e-15);
        assertThat(Bounds.exactUpper(c + 1, k, delta)).isGreaterThan(exact);
        assertThat(EValues.upper(c + 1, k, delta)).isGreaterThan(anytime);
        assertThat(Bounds.wilsonUpper(c, k + 1, delta)).isLessThan(wilson + 1e-15);
        assertThat(Bounds.exactUpper(c, k + 1, delta)).isLessThan(exact);
        assertThat(EValues.upper(c, k + 1, delta)).isLessThan(anytime);
      }
    }
  }

  @Test
  void exactBound_isTheRateAtWhichTheTailHasProbabilityDelta() {
    Random random = new Random(12);
    for (int i = 0; i < 300; i++) {
      int k = 1 + random.nextInt(300);
      int c = random.nextInt(k);
      double delta = DELTAS[random.nextInt(DELTAS.length)];
      double upper = Bounds.exactUpper(c, k, delta);
      double near = 1e-12 * Math.min(upper, 1.0 - upper) + 2.0 * Math.ulp(upper);
      assertThat(atMost(c, k, upper - near)).isGreaterThan(delta);
      assertThat(atMost(c, k, upper + near)).isLessThan(delta);
    }
  }

  @Test
  void exactBound_missesTheTrueRateWithProbabilityAtMostDelta_wilsonDoesNot() {
    double worstExact = 0.0;
    double worstWilson = 0.0;
    for (int k : new int[] {5, 30, 52, 59, 100, 200}) {
      for (double rate : new double[] {0.01, 0.02, 0.05, 0.1, 0.3, 0.5, 0.9}) {
        double exact = 0.0;
        double wilson = 0.0;
        for (int c = 0; c <= k; c++) {
          exact += Bounds.exactUpper(c, k, 0.05) < rate ? equals(c, k, rate) : 0.0;
          wilson += Bounds.wilsonUpper(c, k, 0.05) < rate ? equals(c, k, rate) : 0.0;
        }
        worstExact = Math.max(worstExact, exact);
        worstWilson = Math.max(worstWilson, wilson);
      }
    }
    assertThat(worstExact).isLessThanOrEqualTo(0.05).isGreaterThan(0.04);
    assertThat(worstWilson).isGreaterThan(0.0693);
  }

  @Test
  void wilsonAt52CleanComparisons_certifiesATermOfTheThresholdRateTooOften() {
    assertThat(Bounds.wilsonUpper(0, 52, 0.05)).isLessThanOrEqualTo(0.05);
    assertThat(Math.pow(0.95, 52)).isCloseTo(0.0694, within(5e-5));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.0, -0.0, -0.1, 0.5000001, 1.0, Double.NaN, Double.POSITIVE_INFINITY})
  void delta_outsideItsRange_isRefused(double delta) {
    assertThatThrownBy(() -> Bounds.zOf(delta)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Bounds.wilsonUpper(1, 10, delta))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Bounds.exactUpper(1, 10, delta))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> EValues.upper(1, 10, delta))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** P(Bin(k,p) <= c) in 60 digits. */
  private static double atMost(int c, int k, double p) {
    MathContext digits = new MathContext(60);
    BigDecimal odds = new BigDecimal(p).divide(BigDecimal.ONE.subtract(new BigDecimal(p)), digits);
    BigDecimal term = BigDecimal.ONE.subtract(new BigDecimal(p)).pow(k, digits);
    BigDecimal sum = BigDecimal.ZERO;
    for (int j = 0; j <= c; j++) {
      sum = sum.add(term, digits);
      term =
          term.multiply(odds, digits)
              .multiply(BigDecimal.valueOf(k - j))
              .divide(BigDecimal.valueOf(j + 1L), digits);
    }
    return sum.doubleValue();
  }

  private static double equals(int c, int k, double p) {
    double probability = Math.pow(1.0 - p, k);
    for (int j = 0; j < c; j++) {
      probability *= (k - j) * p / ((j + 1) * (1.0 - p));
    }
    return probability;
  }

  /** ln P(Z > z): by its power series for small z, by its continued fraction for large. */
  private static double logNormalTail(double z) {
    double density = -0.5 * z * z - 0.5 * Math.log(2.0 * Math.PI);
    if (z < 2.5) {
      double term = z;
      double sum = z;
      for (int n = 3; Math.abs(term) > 1e-18; n += 2) {
        term *= z * z / n;
        sum += term;
      }
      return Math.log(0.5 - sum * Math.exp(density));
    }
    double fraction = 0.0;
    for (int n = 400; n > 0; n--) {
      fraction = n / (z + fraction);
    }
    return density - Math.log(z + fraction);
  }
}
