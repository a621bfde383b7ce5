package dev.parlance.sim;

import dev.parlance.policy.core.TermVerdict;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * What six colour terms mean to an agent: each applies to the hues of an arc around its centre and
 * to no others. Immutable.
 */
final class HueWheel {
  /** The terms, sorted, as keys of terms are on the ledger. */
  static final List<String> TERMS = List.of("blue", "cyan", "green", "magenta", "red", "yellow");

  private static final double[] CENTRES = {240.0, 180.0, 120.0, 300.0, 0.0, 60.0};
  private static final double HALF_ARC = 101.0 / 2.0;

  /** Centres 60 degrees apart. */
  static final HueWheel REGULAR = new HueWheel(CENTRES);

  private final double[] centres;

  private HueWheel(double[] centres) {
    this.centres = centres;
  }

  /** The same with one term's centre turned, by 0 to 360 degrees. */
  HueWheel turned(int term, double degrees) {
    double[] turned = centres.clone();
    turned[term] = (turned[term] + degrees) % 360.0;
    return new HueWheel(turned);
  }

  /** The same with every centre turned, by 0 to 360 degrees. */
  HueWheel turned(double degrees) {
    HueWheel wheel = this;
    for (int term = 0; term < centres.length; term++) {
      wheel = wheel.turned(term, degrees);
    }
    return wheel;
  }

  /** The same with one term as another wheel has it. */
  HueWheel adopting(int term, HueWheel other) {
    double[] adopted = centres.clone();
    adopted[term] = other.centres[term];
    return new HueWheel(adopted);
  }

  /** Whether the term applies to a hue, in degrees from 0 below 360. */
  boolean covers(int term, double hue) {
    double distance = Math.abs(hue - centres[term]);
    return Math.min(distance, 360.0 - distance) <= HALF_ARC;
  }

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
}
