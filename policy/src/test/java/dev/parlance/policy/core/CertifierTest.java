package dev.parlance.policy.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CertifierTest {
  private static final CertificationParams EXACT = CertificationParams.DEFAULT;
  private static final CertificationParams ANYTIME =
      new CertificationParams(0.05, 0.05, 0.10, Bound.ANYTIME);

  @Test
  void enoughCleanComparisons_certify() {
    assertThat(Certifier.decide(new Tally(59, 59, 0), EXACT))
        .isInstanceOf(TermDecision.Certified.class);
    assertRefused(Certifier.decide(new Tally(58, 58, 0), EXACT), RefusalReason.BOUND_ABOVE_TAU);
  }

  @Test
  void noEligibleComparison_isNoData_whateverElseIsWrong() {
    TermDecision decision = Certifier.decide(new Tally(40, 0, 0), 30, 40, EXACT);
    assertRefused(decision, RefusalReason.NO_DATA);
    assertThat(decision.upper()).isEqualTo(1.0);
  }

  @Test
  void moreThanATenthUnanswered_isIncomplete_evenWithACleanTally() {
    Tally clean = new Tally(200, 200, 0);
    assertRefused(Certifier.decide(clean, 21, 200, EXACT), RefusalReason.INCOMPLETE);
    assertThat(Certifier.decide(clean, 20, 200, EXACT).isCertified()).isTrue();
    assertRefused(Certifier.decide(new Tally(20, 20, 9), 3, 20, EXACT), RefusalReason.INCOMPLETE);
  }

  @Test
  void aTenthUnanswered_isComplete_atEverySize() {
    for (int drawn = 10; drawn < 2_000_000; drawn += 10) {
      assertThat(Certifier.isIncomplete(drawn / 10, drawn)).isFalse();
      assertThat(Certifier.isIncomplete(drawn / 10 + 1, drawn)).isTrue();
    }
  }

  @Test
  void theBound_isNamedBeforeTheCoverage() {
    assertRefused(Certifier.decide(new Tally(1_000, 20, 5), EXACT), RefusalReason.BOUND_ABOVE_TAU);
    assertRefused(
        Certifier.decide(new Tally(1_000, 99, 0), EXACT), RefusalReason.COVERAGE_BELOW_FLOOR);
    assertThat(Certifier.decide(new Tally(990, 99, 0), EXACT).isCertified()).isTrue();
  }

  @Test
  void anytime_isDecidedByTheEvidence() {
    assertThat(Certifier.decide(new Tally(88, 88, 0), ANYTIME).isCertified()).isTrue();
    assertRefused(Certifier.decide(new Tally(87, 87, 0), ANYTIME), RefusalReason.BOUND_ABOVE_TAU);
    Random random = new Random(31);
    for (int i = 0; i < 5_000; i++) {
      int k = 1 + random.nextInt(800);
      int c = Math.min(k, random.nextInt(20));
      assertThat(Certifier.decide(new Tally(k, k, c), ANYTIME).isCertified())
          .isEqualTo(EValues.logCertify(c, k, 0.05) >= Math.log(20.0));
    }
  }

  @ParameterizedTest
  @EnumSource(Bound.class)
  void oneContradictionMore_neverHelps_oneAgreementMore_neverHurts(Bound bound) {
    CertificationParams params = new CertificationParams(0.1, 0.05, 0.10, bound);
    Random random = new Random(32);
    for (int i = 0; i < 3_000; i++) {
      int k = 1 + random.nextInt(400);
      int c = Math.min(k, random.nextInt(40));
      int audited = k + random.nextInt(k);
      if (Certifier.decide(new Tally(audited, k, c), params).isCertified()) {
        assertThat(Certifier.decide(new Tally(audited + 1, k + 1, c), params).isCertified())
            .isTrue();
      } else if (c < k) {
        assertThat(Certifier.decide(new Tally(audited, k, c + 1), params).isCertified()).isFalse();
      }
    }
  }

  @Test
  void impossibleCountsOfQuestions_areRefused() {
    assertThatThrownBy(() -> Certifier.decide(Tally.NONE, -1, 4, EXACT))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Certifier.decide(Tally.NONE, 5, 4, EXACT))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void tallies_addUp_andDoNotCareWhoIsFirst() {
    Random random = new Random(33);
    TermVerdict[] all = TermVerdict.values();
    for (int i = 0; i < 200; i++) {
      List<TermVerdict> first = new ArrayList<>();
      List<TermVerdict> second = new ArrayList<>();
      int size = random.nextInt(60);
      for (int j = 0; j < size; j++) {
        first.add(all[random.nextInt(3)]);
        second.add(all[random.nextInt(3)]);
      }
      int cut = random.nextInt(size + 1);
      Tally whole = Tally.of(first, second);
      assertThat(Tally.of(second, first)).isEqualTo(whole);
      assertThat(
              Tally.of(first.subList(0, cut), second.subList(0, cut))
                  .plus(Tally.of(first.subList(cut, size), second.subList(cut, size))))
          .isEqualTo(whole);
      assertThat(whole.plus(Tally.NONE)).isEqualTo(whole);
      assertThat(whole.contrary())
          .isEqualTo(
              (int)
                  IntStream.range(0, size)
                      .filter(j -> first.get(j).isDecided() != second.get(j).isDecided())
                      .count());
    }
  }

  private static void assertRefused(TermDecision decision, RefusalReason reason) {
    assertThat(decision)
        .isInstanceOfSatisfying(
            TermDecision.Refused.class, refused -> assertThat(refused.reason()).isEqualTo(reason));
  }
}
