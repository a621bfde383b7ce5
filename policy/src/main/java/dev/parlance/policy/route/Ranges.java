package dev.parlance.policy.route;

/** Checks of settings; each message names the setting, its range and the value. */
final class Ranges {
  private Ranges() {}

  static void unit(String name, double value) {
    if (!(value >= 0.0 && value <= 1.0)) {
      throw new IllegalArgumentException(name + " must lie in [0,1], got " + value);
    }
  }

  static void within(String name, long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          name + " must lie in [" + min + "," + max + "], got " + value);
    }
  }
}
