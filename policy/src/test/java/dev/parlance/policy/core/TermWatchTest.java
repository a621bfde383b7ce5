package dev.parlance.policy.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.parlance.policy.core.TermWatch.Event;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TermWatchTest {
  private static final CertificationParams PARAMS =
      new CertificationParams(0.05, 0.05, 0.10, Bound.ANYTIME);
  private static final Event AGREED = new Event.Compared(TermVerdict.ASSENT, TermVerdict.ASSENT);
  private static final Event CONTRADICTED =
      new Event.Compared(TermVerdict.ASSENT, TermVerdict.DISSENT);
  private static final Event CONTRARY =
      new Event.Compared(TermVerdict.NEUTRAL, TermVerdict.DISSENT);
  private static final Event ENDED = new Event.AuditEnded(0, 60);
  private static final double UP = Math.log(2.4);
  private static final double DOWN = Math.log(0.88 / 0.95);

  @Test
  void collecting_comparison_isCounted_andTheCusumRests() {
    TermWatch watch = after(TermWatch.NEW, AGREED, CONTRADICTED, CONTRARY);
    assertThat(watch).isEqualTo(new TermWatch(false, new Tally(3, 2, 1), 0.0, 0.0));
  }

  @Test
  void collecting_auditEndsWithEnoughEvidence_certifies() {
    TermWatch watch = after(agreed(TermWatch.NEW, 88), ENDED);
    assertThat(watch).isEqualTo(new TermWatch(true, new Tally(88, 88, 0), 0.0, 0.0));
  }

  @Test
  void collecting_auditEndsWithTooLittle_collectsOn() {
    TermWatch watch = agreed(TermWatch.NEW, 87);
    assertThat(after(watch, ENDED)).isEqualTo(watch);
    assertThat(after(agreed(after(watch, ENDED), 1), ENDED).certified()).isTrue();
  }

  @Test
  void collecting_incompleteAudit_doesNotCertify_andKeepsTheEvidence() {
    TermWatch watch = agreed(TermWatch.NEW, 88);
    assertThat(after(watch, new Event.AuditEnded(7, 60))).isEqualTo(watch);
    assertThat(after(watch, new Event.AuditEnded(6, 60)).certified()).isTrue();
  }

  @Test
  void collecting_reset_isNew() {
    assertThat(after(agreed(TermWatch.NEW, 88), new Event.Reset())).isEqualTo(TermWatch.NEW);
  }

  @Test
  void certified_comparison_movesTheCusum_whichNeverGoesBelowZero() {
    TermWatch watch = after(certified(), CONTRADICTED, CONTRADICTED, AGREED);
    assertThat(watch.cusum()).isCloseTo(2.0 * UP + DOWN, within(1e-12));
    assertThat(watch.peak()).isCloseTo(2.0 * UP, within(1e-12));
    assertThat(agreed(watch, 100).cusum()).isZero();
  }

  @Test
  void certified_eventThatIsNotEligible_movesOnlyTheTally() {
    TermWatch watch = after(certified(), CONTRADICTED);
    assertThat(after(watch, CONTRARY))
        .isEqualTo(new TermWatch(true, new Tally(90, 89, 1), watch.cusum(), watch.peak()));
  }

  @Test
  void certified_auditEnds_keeps_andForgetsTheMaximum() {
    TermWatch watch = after(certified(), CONTRADICTED, AGREED, ENDED);
    assertThat(watch.certified()).isTrue();
    assertThat(watch.cusum()).isCloseTo(UP + DOWN, within(1e-12));
    assertThat(watch.peak()).isEqualTo(watch.cusum());
  }

  @Test
  void certified_maximumAtTheAlarm_isRevoked_thoughTheCusumHasFallenAgain() {
    TermWatch watch = certified();
    for (int i = 0; i < 9; i++) {
      watch = after(watch, CONTRADICTED);
    }
    watch = agreed(watch, 200);
    assertThat(watch.cusum()).isLessThan(TermWatch.ALARM);
    assertThat(watch.peak()).isGreaterThanOrEqualTo(TermWatch.ALARM);
    assertThat(watch.decide(0, 60, PARAMS))
        .isInstanceOfSatisfying(
            TermDecision.Refused.class,
            refused -> assertThat(refused.reason()).isEqualTo(RefusalReason.DRIFT_DETECTED));
    assertThat(after(watch, ENDED)).isEqualTo(TermWatch.NEW);
  }

  @Test
  void certified_maximumBelowTheAlarm_isKept() {
    TermWatch watch = certified();
    for (int i = 0; i < 8; i++) {
      watch = after(watch, CONTRADICTED);
    }
    assertThat(watch.peak()).isBetween(TermWatch.ALARM - 1.0, TermWatch.ALARM);
    assertThat(after(watch, ENDED).certified()).isTrue();
  }

  @Test
  void certified_incompleteAudit_isRevoked() {
    TermWatch watch = after(certified(), AGREED);
    assertThat(watch.decide(7, 60, PARAMS))
        .isInstanceOfSatisfying(
            TermDecision.Refused.class,
            refused -> assertThat(refused.reason()).isEqualTo(RefusalReason.INCOMPLETE));
    assertThat(after(watch, new Event.AuditEnded(7, 60))).isEqualTo(TermWatch.NEW);
  }

  @Test
  void certified_coverageBelowTheFloor_isRevoked() {
    TermWatch watch = certified();
    for (int i = 0; i < 793; i++) {
      watch = after(watch, CONTRARY);
    }
    assertThat(watch.decide(0, 793, PARAMS))
        .isInstanceOfSatisfying(
            TermDecision.Refused.class,
            refused -> assertThat(refused.reason()).isEqualTo(RefusalReason.COVERAGE_BELOW_FLOOR));
    assertThat(after(watch, new Event.AuditEnded(0, 793))).isEqualTo(TermWatch.NEW);
  }

  @Test
  void certified_reset_isNew() {
    assertThat(after(certified(), new Event.Reset())).isEqualTo(TermWatch.NEW);
  }

  @Test
  void driftedTerm_isRevokedWithinTwoAudits_goodOneAlmostNever() {
    Random random = new Random(51);
    int lateRevocations = 0;
    int falseRevocations = 0;
    for (int run = 0; run < 500; run++) {
      TermWatch good = audits(certified(), 40, 0.02, random);
      falseRevocations += good.certified() ? 0 : 1;
      lateRevocations += audits(certified(), 2, 0.33, random).certified() ? 1 : 0;
    }
    assertThat(falseRevocations).isZero();
    assertThat(lateRevocations).isLessThanOrEqualTo(5);
  }

  @ParameterizedTest
  @CsvSource({"0.05,0.12", "0.2,0.48", "0.3,0.5", "0.5,0.75", "0.9,0.95"})
  void driftRate_liesAboveTau(double tau, double rate) {
    assertThat(TermWatch.driftRate(tau)).isCloseTo(rate, within(1e-12)).isGreaterThan(tau);
  }

  @Test
  void impossibleStates_areRefused() {
    assertThatThrownBy(() -> new TermWatch(true, Tally.NONE, 2.0, 1.0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new TermWatch(true, Tally.NONE, Double.NaN, 1.0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new TermWatch(true, Tally.NONE, 0.0, Double.POSITIVE_INFINITY))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new TermWatch(false, Tally.NONE, 0.0, 1.0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Event.AuditEnded(3, 2))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static TermWatch audits(TermWatch watch, int audits, double rate, Random random) {
    TermWatch now = watch;
    for (int audit = 0; audit < audits && now.certified(); audit++) {
      for (int i = 0; i < 60; i++) {
        now = after(now, random.nextDouble() < rate ? CONTRADICTED : AGREED);
      }
      now = after(now, ENDED);
    }
    return now;
  }

  private static TermWatch certified() {
    return after(agreed(TermWatch.NEW, 88), ENDED);
  }

  private static TermWatch agreed(TermWatch watch, int times) {
    TermWatch now = watch;
    for (int i = 0; i < times; i++) {
      now = after(now, AGREED);
    }
    return now;
  }

  private static TermWatch after(TermWatch watch, Event... events) {
    TermWatch now = watch;
    for (Event event : events) {
      now = now.step(event, PARAMS);
    }
    return now;
  }
}
