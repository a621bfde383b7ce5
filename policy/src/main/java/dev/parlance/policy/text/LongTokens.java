package dev.parlance.policy.text;

import java.util.Arrays;

/**
 * A set of tokens longer than {@link TokenReader#PACKED_BYTES}, each with flags. Open addressing
 * over a keyed hash; a hit needs equal hash <em>and</em> equal bytes.
 */
final class LongTokens {
  private static final int FIRST_SLOTS = 32;

  /** What is kept between texts; more is given back. */
  private static final int KEEP_TOKENS = 1 << 12;

  private static final int KEEP_BYTES = 1 << 18;

  private final TokenHash hash;
  private final long hashMask;

  /** Entry number plus one, 0 if free; a power of two long and at most half full. */
  private int[] slots = new int[FIRST_SLOTS];

  private long[] hashes = new long[FIRST_SLOTS / 2];
  private int[] ends = new int[FIRST_SLOTS / 2];
  private byte[] flags = new byte[FIRST_SLOTS / 2];
  private int size;

  /** The tokens' bytes one after the other. */
  private byte[] arena = new byte[256];

  LongTokens(long seed, long hashMask) {
    this.hash = new TokenHash(seed);
    this.hashMask = hashMask;
  }

  void clear() {
    if (size == 0) {
      return;
    }
    if (slots.length > 2 * KEEP_TOKENS) {
      slots = new int[FIRST_SLOTS];
      hashes = new long[FIRST_SLOTS / 2];
      ends = new int[FIRST_SLOTS / 2];
      flags = new byte[FIRST_SLOTS / 2];
    } else {
      Arrays.fill(slots, 0);
    }
    if (arena.length > KEEP_BYTES) {
      arena = new byte[256];
    }
    size = 0;
  }

  int size() {
    return size;
  }

  byte[] bytes() {
    return arena;
  }

  int start(int entry) {
    return entry == 0 ? 0 : ends[entry - 1];
  }

  int end(int entry) {
    return ends[entry];
  }

  int flags(int entry) {
    return flags[entry];
  }

  /** A copy of the tokens' bytes, one after the other. */
  byte[] copyOfBytes() {
    return Arrays.copyOf(arena, size == 0 ? 0 : ends[size - 1]);
  }

  /** A copy of where in those bytes each token ends. */
  int[] copyOfEnds() {
    return Arrays.copyOf(ends, size);
  }

  /** Adds a token if it is not there. */
  void add(byte[] bytes, int from, int to) {
    long tokenHash = hash.of(bytes, from, to - from) & hashMask;
    int slot = slot(tokenHash, bytes, from, to);
    if (slots[slot] == 0) {
      insert(slot, tokenHash, bytes, from, to - from);
    }
  }

  /** Which token this is, counted from 0 in the order in which they were added; -1 if none. */
  int find(byte[] bytes, int from, int to) {
    return size == 0
        ? -1
        : slots[slot(hash.of(bytes, from, to - from) & hashMask, bytes, from, to)] - 1;
  }

  /** Sets a flag on a token if it is here. */
  void mark(byte[] bytes, int from, int to, byte flag) {
    int entry = find(bytes, from, to);
    if (entry >= 0) {
      flags[entry] |= flag;
    }
  }

  /** Memory of the arrays. */
  long memoryBytes() {
    return (long) slots.length * Integer.BYTES
        + (long) hashes.length * (Long.BYTES + Integer.BYTES + 1)
        + arena.length;
  }

  /** The slot that holds the token, or the free one where it belongs. */
  private int slot(long tokenHash, byte[] bytes, int from, int to) {
    int mask = slots.length - 1;
    int slot = (int) tokenHash & mask;
    while (slots[slot] != 0) {
      int entry = slots[slot] - 1;
      if (hashes[entry] == tokenHash
          && Arrays.equals(arena, start(entry), ends[entry], bytes, from, to)) {
        break;
      }
      slot = slot + 1 & mask;
    }
    return slot;
  }

  private void insert(int slot, long tokenHash, byte[] bytes, int from, int length) {
    if (size == hashes.length) {
      hashes = Arrays.copyOf(hashes, size * 2);
      ends = Arrays.copyOf(ends, size * 2);
      flags = Arrays.copyOf(flags, size * 2);
    }
    int at = size == 0 ? 0 : ends[size - 1];
    if (arena.length - at < length) {
      arena = Arrays.copyOf(arena, Math.max(at + length, 2 * arena.length));
    }
    System.arraycopy(bytes, from, arena, at, length);
    hashes[size] = tokenHash;
    ends[size] = at + length;
    flags[size] = 0;
    slots[slot] = ++size;
    if (size * 2 > slots.length) {
      rehash();
    }
  }

  private void rehash() {
    slots = new int[slots.length * 2];
    int mask = slots.length - 1;
    for (int entry = 0; entry < size; entry++) {
      int slot = (int) hashes[entry] & mask;
      while (slots[slot] != 0) {
        slot = slot + 1 & mask;
      }
      slots[slot] = entry + 1;
    }
  }
}
