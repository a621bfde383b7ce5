package dev.parlance.policy.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class SampleSizeTest {
  @ParameterizedTest
  @CsvSource({"WILSON,52", "EXACT,59", "ANYTIME,88"})
  void cleanComparisons_atFivePercent(Bound bound, int needed) {
    assertThat(SampleSize.cleanNeeded(params(bound))).isEqualTo(needed);
  }

  @ParameterizedTest
  @CsvSource({"0.8,286", "0.9,361", "0.95,434"})
  void power_forATermOfTwoPercent(double power, int needed) {
    assertThat(SampleSize.forPower(0.02, power, params(Bound.EXACT))).isEqualTo(needed);
  }

  @Test
  void power_ofACleanTerm_takesTheCleanComparisons() {
    assertThat(SampleSize.forPower(0.0, 0.99, params(Bound.EXACT))).isEqualTo(59);
  }

  @ParameterizedTest
  @CsvSource({
    "0.03,0.8,EXACT",
    "0.01,0.95,EXACT",
    "0.025,0.9,WILSON",
    "0.02,0.8,ANYTIME",
    "0.001,0.5,EXACT"
  })
  void power_isReachedFromThereOn_andNotRightBefore(double rate, double power, Bound bound) {
    CertificationParams params = params(bound);
    int needed = SampleSize.forPower(rate, power, params);
    assertThat(power(needed - 1, rate, params)).isLessThan(power);
    for (int k = needed; k < needed + 300; k++) {
      assertThat(power(k, rate, params)).isGreaterThanOrEqualTo(power);
    }
  }

  @Test
  void power_nearTheThreshold_isFoundByBisection_andBoundedAtIt() {
    int near = SampleSize.forPower(0.045, 0.8, params(Bound.WILSON));
    int nearer = SampleSize.forPower(0.0475, 0.8, params(Bound.WILSON));
    assertThat(near).isBetween(10_000, 14_000);
    assertThat(nearer).isBetween(40_000, 56_000);
    assertThat(SampleSize.forPower(0.05, 0.8, params(Bound.WILSON))).isEqualTo(SampleSize.MAX);
    assertThat(SampleSize.forPower(1.0, 0.8, params(Bound.WILSON))).isEqualTo(SampleSize.MAX);
  }

  @ParameterizedTest
  @EnumSource(Bound.class)
  void furtherAgreements_certify_andOneLessDoesNot(Bound bound) {
    Random random = new Random(41);
    CertificationParams params = params(bound);
    for (int i = 0; i < 300; i++) {
      int k = random.nextInt(500);
      int c = Math.min(k, random.nextInt(30));
      Tally tally = new Tally(k + random.nextInt(8_000), k, c);
      int further = SampleSize.furtherNeeded(tally, params);
      assertThat(certifies(tally, further, params)).isTrue();
      if (further > 0) {
        assertThat(certifies(tally, further - 1, params)).isFalse();
      }
    }
  }

  @Test
  void whatNoAgreementCanReach_isTheMaximum() {
    CertificationParams all = new CertificationParams(0.05, 0.05, 1.0, Bound.EXACT);
    assertThat(SampleSize.furtherNeeded(new Tally(10, 9, 0), all)).isEqualTo(SampleSize.MAX);
    CertificationParams tiny = new CertificationParams(1e-9, 0.05, 0.1, Bound.EXACT);
    assertThat(SampleSize.cleanNeeded(tiny)).isEqualTo(SampleSize.MAX);
  }

  @ParameterizedTest
  @CsvSource({"NaN,0.8", "-0.1,0.8", "1.1,0.8", "0.02,NaN", "0.02,0", "0.02,1"})
  void impossibleArguments_areRefused(double trueRate, double power) {
    assertThatThrownBy(() -> SampleSize.forPower(trueRate, power, params(Bound.EXACT)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static CertificationParams params(Bound bound) {
    return new CertificationParams(0.05, 0.05, 0.10, bound);
  }

  private static boolean certifies(Tally tally, int further, CertificationParams params) {
    return Certifier.decide(tally.plus(new Tally(further, further, 0)), params).isCertified();
  }

  private static double power(int k, double rate, CertificationParams params) {
    double term = Math.pow(1.0 - rate, k);
    double sum = 0.0;
    for (int c = 0; Certifier.decide(new Tally(k, k, c), params).isCertified(); c++) {
      sum += term;
      term *= (k - c) * rate / ((c + 1) * (1.0 - rate));
    }
    return sum;
  }
}
