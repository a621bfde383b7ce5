package dev.parlance.cli.offline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AurocTest {
  private static final double[] GROUNDED = {0.9, 0.5};
  private static final double[] UNGROUNDED = {0.5, 0.1};

  /** Of four pairs three are in order and one is a tie. */
  @Test
  void tiesCountOneHalf() {
    assertThat(Auroc.of(GROUNDED, UNGROUNDED).value()).isEqualTo(3.5 / 4);
    assertThat(Auroc.of(UNGROUNDED, GROUNDED).value()).isEqualTo(0.5 / 4);
    assertThat(Auroc.of(new double[] {0.3, 0.3}, new double[] {0.3}).value()).isEqualTo(0.5);
  }

  /**
   * The shares are 1 and .75 for either label, of variance .03125; over two answers each that is
   * .03125 together.
   */
  @Test
  void standardError_isDeLongs() {
    Auroc.Estimate auroc = Auroc.of(GROUNDED, UNGROUNDED);
    assertThat(auroc.standardError()).isCloseTo(Math.sqrt(0.03125), within(1e-12));
    assertThat(auroc.low()).isCloseTo(0.875 - 1.959964 * Math.sqrt(0.03125), within(1e-12));
    assertThat(auroc.high()).isCloseTo(0.875 + 1.959964 * Math.sqrt(0.03125), within(1e-12));
  }

  @Test
  void oneAnswerOfALabel_hasNoStandardError() {
    assertThat(Auroc.of(new double[] {0.4}, UNGROUNDED).standardError()).isNaN();
  }

  /**
   * By other scores .1 and .9 for the grounded the shares are 0, 1 and .5, .5: .5 in all. The
   * differences are 1 and -.25, of variance .78125, and .25 and .5, of variance .03125.
   */
  @Test
  void gain_isPaired() {
    Auroc.Estimate gain =
        Auroc.gain(GROUNDED, UNGROUNDED, new double[] {0.1, 0.9}, new double[] {0.5, 0.2});
    assertThat(gain.value()).isCloseTo(0.375, within(1e-12));
    assertThat(gain.standardError()).isCloseTo(Math.sqrt((0.78125 + 0.03125) / 2), within(1e-12));
    Auroc.Estimate none = Auroc.gain(GROUNDED, UNGROUNDED, GROUNDED, UNGROUNDED);
    assertThat(none.value()).isZero();
    assertThat(none.standardError()).isZero();
  }

  @Test
  void mean_addsVariances() {
    Auroc.Estimate mean =
        Auroc.mean(List.of(new Auroc.Estimate(0.6, 0.03), new Auroc.Estimate(0.8, 0.04)));
    assertThat(mean.value()).isCloseTo(0.7, within(1e-12));
    assertThat(mean.standardError()).isCloseTo(0.025, within(1e-12));
  }

  @Test
  void interval_isThatOfABootstrap() {
    Random random = new Random(17);
    double[] grounded = sample(random, 150, 0.6);
    double[] ungrounded = sample(random, 250, 0.4);
    Auroc.Estimate auroc = Auroc.of(grounded, ungrounded);
    int draws = 1000;
    double[] areas = new double[draws];
    for (int draw = 0; draw < draws; draw++) {
      areas[draw] = Auroc.of(drawn(random, grounded), drawn(random, ungrounded)).value();
    }
    java.util.Arrays.sort(areas);
    double width = auroc.high() - auroc.low();
    assertThat(areas[(int) (0.025 * draws)]).isCloseTo(auroc.low(), within(0.1 * width));
    assertThat(areas[(int) (0.975 * draws)]).isCloseTo(auroc.high(), within(0.1 * width));
  }

  /** Hundredths, so that there are ties. */
  private static double[] sample(Random random, int size, double mean) {
    return random
        .doubles(size)
        .map(_ -> Math.rint(100 * (mean + 0.2 * random.nextGaussian())) / 100)
        .toArray();
  }

  private static double[] drawn(Random random, double[] from) {
    return random.ints(from.length, 0, from.length).mapToDouble(i -> from[i]).toArray();
  }
}
