package dev.parlance.policy.text;

import java.util.Arrays;

/** What {@link TokenTable} is compared with: the same, byte by byte. */
public final class ByteTokenTable {
  /** Where a token of the answer was met again. */
  public enum Place {
    /** In the question. */
    QUESTION((byte) 1),
    /** In at least one chunk. */
    CONTEXT((byte) 2);

    private final byte bit;

    Place(byte bit) {
      this.bit = bit;
    }
  }

  private static final byte HAS_DIGIT = 4;
  private static final int FIRST_SLOTS = 256;

  /** What is kept between messages; larger scratch is given back. */
  private static final int KEEP_TOKENS = 1 << 14;

  private static final int KEEP_BYTES = 1 << 18;

  private final TokenHash hash;
  private final long hashMask;

  /** Entry number plus one, 0 if free; a power of two long and at most half full. */
  private int[] slots = new int[FIRST_SLOTS];

  private long[] hashes = new long[FIRST_SLOTS / 2];
  private int[] ends = new int[FIRST_SLOTS / 2];
  private byte[] flags = new byte[FIRST_SLOTS / 2];
  private int size;

  /** The tokens' bytes one after the other, then those of the token being read. */
  private byte[] arena = new byte[4096];

  private int committed;
  private int tail;
  private boolean hasLetterOrNumber;
  private boolean hasDigit;

  /** A table whose hash nobody can predict who does not know {@code seed}. */
  public ByteTokenTable(long seed) {
    this(seed, -1L);
  }

  /** For tests that need every token to collide. */
  ByteTokenTable(long seed, long hashMask) {
    this.hash = new TokenHash(seed);
    this.hashMask = hashMask;
  }

  /** Forgets the answer. */
  public void clear() {
    if (slots.length > 2 * KEEP_TOKENS) {
      slots = new int[FIRST_SLOTS];
      hashes = new long[FIRST_SLOTS / 2];
      ends = new int[FIRST_SLOTS / 2];
      flags = new byte[FIRST_SLOTS / 2];
    } else {
      Arrays.fill(slots, 0);
    }
    if (arena.length > KEEP_BYTES) {
      arena = new byte[4096];
    }
    size = 0;
    committed = 0;
    dropToken();
  }

  /** Adds the answer's tokens between two indexes; a token never reaches across them. */
  public void add(NormalizedText text, int from, int to) {
    read(text.bytes(), from, to, (byte) 0);
  }

  /** Notes which of the answer's tokens occur in {@code text}. */
  public void mark(NormalizedText text, Place place) {
    if (size > 0) {
      read(text.bytes(), text.start(), text.end(), place.bit);
    }
  }

  /** Number of distinct tokens of the answer. */
  public int size() {
    return size;
  }

  /** Number of them met in {@code place}. */
  public int countIn(Place place) {
    int count = 0;
    for (int i = 0; i < size; i++) {
      if ((flags[i] & place.bit) != 0) {
        count++;
      }
    }
    return count;
  }

  /** Number of them met nowhere. */
  public int countNovel() {
    int count = 0;
    for (int i = 0; i < size; i++) {
      if ((flags[i] & ~HAS_DIGIT) == 0) {
        count++;
      }
    }
    return count;
  }

  /** Number of them met nowhere that have a decimal digit in them. */
  public int countNovelNumbers() {
    int count = 0;
    for (int i = 0; i < size; i++) {
      if (flags[i] == HAS_DIGIT) {
        count++;
      }
    }
    return count;
  }

  private void read(byte[] bytes, int from, int to, byte mark) {
    for (int i = from; i < to; ) {
      byte lead = bytes[i];
      if (lead >= 0) {
        i++;
        byte lower = Letters.ASCII_LOWER[lead];
        if (lower == 0) {
          endToken(mark);
        } else {
          if (tail == arena.length) {
            arena = Arrays.copyOf(arena, arena.length * 2);
          }
          arena[tail++] = lower;
          hasLetterOrNumber = true;
          hasDigit |= lower <= '9';
        }
      } else {
        int width = Utf8Bytes.width(lead);
        take(Utf8Bytes.get(bytes, i, width), mark);
        i += width;
      }
    }
    endToken(mark);
  }

  private void take(int codePoint, byte mark) {
    int type = Character.getType(codePoint);
    if (Letters.isOwnToken(codePoint)) {
      endToken(mark);
      put(codePoint);
      hasLetterOrNumber = true;
      endToken(mark);
    } else if (Letters.isLetterOrNumber(type)) {
      put(Character.toLowerCase(codePoint));
      hasLetterOrNumber = true;
      hasDigit |= type == Character.DECIMAL_DIGIT_NUMBER;
    } else if (Letters.isMark(type)) {
      put(Character.toLowerCase(codePoint));
    } else {
      endToken(mark);
    }
  }

  private void put(int codePoint) {
    if (arena.length - tail < Utf8Bytes.MAX_BYTES) {
      arena = Arrays.copyOf(arena, arena.length * 2);
    }
    tail = Utf8Bytes.put(codePoint, arena, tail);
  }

  private void endToken(byte mark) {
    if (hasLetterOrNumber) {
      look(mark);
    }
    dropToken();
  }

  private void dropToken() {
    tail = committed;
    hasLetterOrNumber = false;
    hasDigit = false;
  }

  private void look(byte mark) {
    int length = tail - committed;
    long tokenHash = hash.of(arena, committed, length) & hashMask;
    int mask = slots.length - 1;
    int slot = (int) tokenHash & mask;
    while (slots[slot] != 0) {
      int entry = slots[slot] - 1;
      if (hashes[entry] == tokenHash && isEntry(entry)) {
        flags[entry] |= mark;
        return;
      }
      slot = slot + 1 & mask;
    }
    if (mark == 0) {
      insert(slot, tokenHash);
    }
  }

  private boolean isEntry(int entry) {
    int from = entry == 0 ? 0 : ends[entry - 1];
    return Arrays.equals(arena, from, ends[entry], arena, committed, tail);
  }

  private void insert(int slot, long tokenHash) {
    if (size == hashes.length) {
      hashes = Arrays.copyOf(hashes, size * 2);
      ends = Arrays.copyOf(ends, size * 2);
      flags = Arrays.copyOf(flags, size * 2);
    }
    hashes[size] = tokenHash;
    ends[size] = tail;
    flags[size] = hasDigit ? HAS_DIGIT : 0;
    committed = tail;
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
