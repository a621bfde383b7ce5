package dev.parlance.policy.claim;

/**
 * A keyed 64-bit fingerprint of folded text, made code point by code point.
 *
 * <p>Bytes are gathered eight at a time and mixed by a multiplication to 128 bits with a secret, so
 * that who writes the text cannot choose words that collide. ASCII is one byte, anything else three
 * with the highest bit set. Jamo are composed to syllables on the way.
 */
public final class WordKey {
  private static final long STEP = 0x9e3779b97f4a7c15L;
  private static final int HANGUL = 0xAC00;
  private static final int LEADS = 0x1100;
  private static final int VOWELS = 0x1161;
  private static final int TAILS = 0x11A7;

  /** What a fingerprint begins with, and what its length is mixed with. */
  public final long first;

  public final long last;

  private long hash;
  private long block;
  private int length;

  /** A syllable or leading jamo that a further jamo may belong to, or 0. */
  private int open;

  private int lastCodePoint;

  public WordKey(long seed) {
    first = secret(seed + STEP);
    last = secret(seed + STEP + STEP);
  }

  public void reset() {
    hash = first;
    block = 0;
    length = 0;
    open = 0;
    lastCodePoint = 0;
  }

  /** Goes on behind an ASCII word of {@code length} bytes that was read elsewhere. */
  public void resume(long hashSoFar, long blockSoFar, int lengthSoFar, int lastByte) {
    hash = hashSoFar;
    block = blockSoFar;
    length = lengthSoFar;
    open = 0;
    lastCodePoint = lastByte;
  }

  /** Bytes so far. */
  int length() {
    return length;
  }

  /** All bytes so far of a word of at most seven. */
  long block() {
    return block;
  }

  /** The code point added last, or 0. */
  public int lastCodePoint() {
    return lastCodePoint;
  }

  public void add(int codePoint) {
    lastCodePoint = codePoint;
    if (codePoint < 0x80) {
      flush();
      put(codePoint);
    } else if (codePoint >= LEADS && codePoint < 0x1200) {
      addJamo(codePoint);
    } else {
      flush();
      if (codePoint >= HANGUL && codePoint < HANGUL + 11172) {
        open = codePoint;
      } else {
        putWide(codePoint);
      }
    }
  }

  private void addJamo(int jamo) {
    if (jamo >= VOWELS && jamo < VOWELS + 21 && open >= LEADS && open < LEADS + 19) {
      open = HANGUL + ((open - LEADS) * 21 + jamo - VOWELS) * 28;
    } else if (jamo > TAILS && jamo < TAILS + 28 && open >= HANGUL && (open - HANGUL) % 28 == 0) {
      open += jamo - TAILS;
    } else {
      flush();
      open = jamo;
    }
  }

  private void flush() {
    if (open != 0) {
      putWide(open);
      open = 0;
    }
  }

  private void putWide(int codePoint) {
    put(0x80 | codePoint >> 14);
    put(0x80 | (codePoint >> 7 & 0x7F));
    put(0x80 | (codePoint & 0x7F));
  }

  private void put(int unsignedByte) {
    block |= (long) unsignedByte << (length << 3);
    if ((++length & 7) == 0) {
      hash = mix(hash ^ block, last);
      block = 0;
    }
  }

  /** The fingerprint. */
  public long end() {
    flush();
    return end(hash, block, length, last);
  }

  public static long end(long hash, long block, int length, long last) {
    return mix(hash ^ block, last + length * STEP);
  }

  /** The fingerprint of two things in this order. */
  public long pair(long left, long right) {
    return mix(mix(left ^ first, last) ^ right, first + STEP);
  }

  public static long mix(long left, long right) {
    return left * right ^ Math.unsignedMultiplyHigh(left, right);
  }

  private static long secret(long seed) {
    long z = (seed ^ seed >>> 30) * 0xbf58476d1ce4e5b9L;
    z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
    return (z ^ z >>> 31) | 1;
  }
}
