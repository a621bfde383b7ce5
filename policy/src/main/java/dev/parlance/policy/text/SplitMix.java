package dev.parlance.policy.text;

/** Keys made of one seed (the finaliser of SplitMix64). */
final class SplitMix {
  private static final long STEP = 0x9e3779b97f4a7c15L;

  private SplitMix() {}

  /** The {@code n}-th key. */
  static long at(long seed, int n) {
    long z = seed + n * STEP;
    z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
    z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
    return z ^ z >>> 31;
  }
}
