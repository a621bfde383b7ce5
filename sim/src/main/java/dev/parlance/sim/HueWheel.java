package dev.parlance.sim;

import java.util.List;

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
}
