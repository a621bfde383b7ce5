package dev.parlance.policy.text;

/**
 * A keyed hash of tokens that are read as two numbers, for tables whose hits compare the numbers
 * themselves.
 *
 * <p>The sum of each number with a secret one, multiplied to 128 bits, is the universal family NH
 * (Black, Halevi, Krawczyk, Krovetz and Rogaway, "UMAC", 1999): for two different tokens chosen
 * without knowing the secrets the products are equal with probability 2^-64. Folding and a last
 * multiplication bring all bits to bear on the highest ones.
 */
final class TokenMix {
  private static final long KEY_STEP = 0x9e3779b97f4a7c15L;

  /** Added to the first number. */
  final long first;

  /** Added to the second. */
  final long second;

  /** What the folded product is multiplied by; odd. */
  final long last;

  TokenMix(long seed) {
    this(seed, -1L);
  }

  /** For tests that need all tokens to collide. */
  TokenMix(long seed, long hashMask) {
    first = key(seed, 4);
    second = key(seed, 5);
    last = (key(seed, 6) | 1) & hashMask;
  }

  /** A hash whose highest bits are the best. */
  long of(long token0, long token1) {
    return of(token0 + first, token1 + second, last);
  }

  /** The same for loops that keep the secrets in registers: of the two sums. */
  static long of(long sum0, long sum1, long last) {
    return (sum0 * sum1 ^ Math.unsignedMultiplyHigh(sum0, sum1)) * last;
  }

  /** The {@code n}-th key made of a seed (the finaliser of SplitMix64). */
  static long key(long seed, int n) {
    long z = seed + n * KEY_STEP;
    z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
    z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
    return z ^ z >>> 31;
  }
}
