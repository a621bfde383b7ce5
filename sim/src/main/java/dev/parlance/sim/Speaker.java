package dev.parlance.sim;

import dev.parlance.policy.core.TermVerdict;
import java.util.random.RandomGenerator;

/**
 * A simulated agent: answers by its wheel, through the background noise of section 5.1, which
 * neutralises 5 % of the verdicts and flips 1 % of the rest.
 */
record Speaker(HueWheel wheel) {
  private static final double NEUTRALISED = 0.05;
  private static final double FLIPPED = 0.01;

  /** What it says of a term on a hue, this time. */
  TermVerdict verdict(int term, double hue, RandomGenerator random) {
    double noise = random.nextDouble();
    if (noise < NEUTRALISED) {
      return TermVerdict.NEUTRAL;
    }
    boolean flipped = noise < NEUTRALISED + (1.0 - NEUTRALISED) * FLIPPED;
    return wheel.covers(term, hue) != flipped ? TermVerdict.ASSENT : TermVerdict.DISSENT;
  }
}
