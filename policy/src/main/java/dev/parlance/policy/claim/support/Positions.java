package dev.parlance.policy.claim.support;

import java.util.Arrays;

/**
 * A set of positions that is read in order: a bit for each, and one for every 64 of those, so that
 * few positions of a long text are found fast. For one thread.
 */
final class Positions {
  private long[] bits = new long[64];
  private long[] filled = new long[1];

  /** Empties the set, in the time of how many words of it are filled. */
  void clear() {
    for (int i = 0; i < filled.length; i++) {
      for (long rest = filled[i]; rest != 0; rest &= rest - 1) {
        bits[(i << 6) + Long.numberOfTrailingZeros(rest)] = 0;
      }
      filled[i] = 0;
    }
    if (bits.length > 1 << 12) {
      bits = new long[64];
      filled = new long[1];
    }
  }

  void add(int position) {
    int word = position >> 6;
    if (word >= bits.length) {
      filled = Arrays.copyOf(filled, Math.max(2 * filled.length, (word >> 6) + 1));
      bits = Arrays.copyOf(bits, filled.length << 6);
    }
    bits[word] |= 1L << position;
    filled[word >> 6] |= 1L << word;
  }

  /** The first position from here on, or -1. */
  int next(int from) {
    int word = from >> 6;
    if (word >= bits.length) {
      return -1;
    }
    long rest = bits[word] & -1L << from;
    if (rest != 0) {
      return (word << 6) + Long.numberOfTrailingZeros(rest);
    }
    int block = ++word >> 6;
    long words = block < filled.length ? filled[block] & -1L << word : 0;
    while (words == 0 && ++block < filled.length) {
      words = filled[block];
    }
    if (words == 0) {
      return -1;
    }
    word = (block << 6) + Long.numberOfTrailingZeros(words);
    return (word << 6) + Long.numberOfTrailingZeros(bits[word]);
  }
}
