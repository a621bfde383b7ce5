package dev.parlance.cli.offline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.parlance.cli.offline.Calibration.Keep;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class CalibrationTest {
  /** Ten grounded answers, .05 to .95, and ten ungrounded ones, each {@code lower} below. */
  private static ScoredSet set(String name, double shift, double lower) {
    ScoredSet set = new ScoredSet(name);
    for (int i = 0; i < 10; i++) {
      double grounding = Math.clamp(0.05 + i / 10.0 + shift, 0, 1);
      set.grounded().add(grounding, grounding, 0);
      double less = Math.clamp(grounding - lower, 0, 1);
      set.ungrounded().add(less, less, 0);
    }
    return set;
  }

  private static final ScoredSet PLAIN = set("plain", 0, 0.2);
  private static final ScoredSet HIGH = set("high", 0.3, 0.2);

  /** Two of ten are below .25, which itself passes. */
  @Test
  void threshold_isTheLargestThatKeepsTheRate() {
    assertThat(Calibration.threshold(List.of(PLAIN), 0.2, Keep.WORST)).hasValue(0.25);
    assertThat(Calibration.threshold(List.of(PLAIN), 0.29, Keep.WORST)).hasValue(0.25);
    assertThat(Calibration.threshold(List.of(PLAIN), 0.3, Keep.WORST)).hasValue(0.35);
    assertThat(PLAIN.at(0.25).groundedSentBack()).isEqualTo(0.2);
    assertThat(PLAIN.at(0.25).ungroundedLetThrough()).isCloseTo(0.6, within(1e-12));
  }

  @Test
  void worst_holdsInEverySet_andMean_inTheirMean() {
    List<ScoredSet> both = List.of(PLAIN, HIGH);
    assertThat(Calibration.threshold(both, 0.2, Keep.WORST)).hasValue(0.25);
    // .45: four of ten and one of ten; just above it is five and two
    assertThat(Calibration.threshold(both, 0.25, Keep.MEAN)).hasValue(0.45);
    assertThat(Calibration.threshold(both, 0.2, Keep.MEAN)).hasValue(0.35);
  }

  @Test
  void otherRules_countWhateverTheThreshold() {
    ScoredSet set = set("ruled", 0, 0.2);
    for (int i = 0; i < 5; i++) {
      set.grounded().add(0.9, ScoredSet.NEVER_PASSES, 0);
    }
    assertThat(Calibration.threshold(List.of(set), 0.3, Keep.WORST)).isEmpty();
    assertThat(Calibration.threshold(List.of(set), 0.4, Keep.WORST)).hasValue(0.15);
    assertThat(Calibration.threshold(List.of(set, PLAIN), 0.3, Keep.MEAN)).isNotEmpty();
  }

  @Test
  void whatClaimsNothing_isSentBackByNoThreshold() {
    ScoredSet set = new ScoredSet("greetings");
    set.grounded().add(0.5, ScoredSet.ALWAYS_PASSES, 0);
    set.ungrounded().add(0.5, ScoredSet.ALWAYS_PASSES, 0);
    assertThat(Calibration.threshold(List.of(set), 0.1, Keep.WORST)).hasValue(1.0);
    assertThat(set.at(1.0).ungroundedLetThrough()).isEqualTo(1.0);
  }

  @Test
  void leftOut_isMeasuredByTheOthersThreshold() {
    List<Calibration.LeftOut> left = Calibration.leaveOut(List.of(PLAIN, HIGH), 0.2, Keep.WORST);
    assertThat(left).hasSize(2);
    assertThat(left.getFirst().threshold()).isEqualTo(OptionalDouble.of(0.55));
    assertThat(left.getFirst().outcome().groundedSentBack()).isEqualTo(0.5);
    assertThat(left.getLast().threshold()).isEqualTo(OptionalDouble.of(0.25));
    assertThat(left.getLast().outcome().groundedSentBack()).isZero();
    assertThat(Calibration.leaveOut(List.of(PLAIN), 0.2, Keep.WORST)).isEmpty();
  }

  @Test
  void rareShares_needManyAnswers() {
    assertThat(Calibration.needed(0.5)).isEqualTo(20);
    assertThat(Calibration.needed(0.2)).isEqualTo(25);
    assertThat(Calibration.needed(0.01)).isEqualTo(500);
  }
}
