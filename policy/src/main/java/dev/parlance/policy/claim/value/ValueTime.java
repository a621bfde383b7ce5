package dev.parlance.policy.claim.value;

/** Times of day as numbers: the second of the day in 17 bits, and the zone above, 0 for none. */
final class ValueTime {
  static final int UTC = 1;

  /** Zone of an offset of 0 minutes. */
  static final int OFFSET = 4096;

  private static final int ZONE = 17;

  private ValueTime() {}

  static long of(int second, int zone) {
    return (long) zone << ZONE | second;
  }

  static int second(long time) {
    return (int) time & (1 << ZONE) - 1;
  }

  static int zone(long time) {
    return (int) (time >> ZONE);
  }
}
