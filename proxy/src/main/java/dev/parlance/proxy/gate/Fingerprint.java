package dev.parlance.proxy.gate;

import dev.parlance.policy.text.KnownTexts;
import dev.parlance.policy.text.Utf8Span;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.SecureRandom;

/**
 * A keyed 122-bit fingerprint of a list of texts, for tables in memory. The key is random and never
 * leaves the process, so nobody can look for two lists that share one; it is no signature and must
 * not be written anywhere.
 *
 * <p>Two layers of universal hashing. NH (Black, Halevi, Krawczyk, Krovetz, Rogaway: UMAC, CRYPTO
 * 1999) over 64-bit words makes two values of 128 bits out of each kilobyte; a polynomial over
 * {@code p = 2^61 - 1} (Wegman and Carter 1981), at two secret points, makes one value out of the
 * lengths, the NH values and the characters of short texts. For two different lists that together
 * give {@code n} coefficients the values are equal with a probability of about {@code (n / 2^61)^2
 * + 2^-126} over the key; {@code n} is about 5 for each kilobyte.
 *
 * <pre>
 * w0 w1 w2 w3 ... words of a block      a = sum (w[i] + k[i]) * (w[i+1] + k[i+1])      i even
 * k0 k1 k2 k3 ... the same for each     b = the same with k[i+2], k[i+3]
 *                                       low and high halves summed apart, which costs one bit
 * </pre>
 *
 * One thread, as long as something is added; {@link #first} and {@link #second} are the result so
 * far, and two with the same result are equal.
 */
final class Fingerprint implements KnownTexts.Key {
  /** 2^61 - 1. */
  static final long PRIME = (1L << 61) - 1;

  /** Words of one block: 1 KiB. */
  static final int BLOCK_WORDS = 128;

  private static final int CHARS_AT_ONCE = 3;
  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /**
   * What makes the fingerprints of one process its own.
   *
   * @param words for the blocks, two more than a block has
   * @param x one point, below {@link #PRIME}
   * @param y the other one
   */
  @SuppressWarnings("ArrayRecordComponent") // a secret: never compared, shown or copied
  record Key(long[] words, long x, long y) {
    static Key random() {
      SecureRandom random = new SecureRandom();
      return new Key(
          random.longs(BLOCK_WORDS + 2).toArray(), random.nextLong(PRIME), random.nextLong(PRIME));
    }

    @Override
    public String toString() {
      return "Key";
    }
  }

  private static final Key OF_THIS_PROCESS = Key.random();

  private final Key key;
  private long first = 1; // so that a leading zero counts
  private long second = 1;

  /** Of nothing yet, under the key of this process. */
  Fingerprint() {
    this(OF_THIS_PROCESS);
  }

  Fingerprint(Key key) {
    this.key = key;
  }

  /** Forgets what was added. */
  void clear() {
    first = 1;
    second = 1;
  }

  /** True if nothing was added. */
  boolean isOfNothing() {
    return first == 1 && second == 1;
  }

  /** The same, to be kept while this one is used on. */
  Fingerprint copy() {
    Fingerprint copy = new Fingerprint(key);
    copy.first = first;
    copy.second = second;
    return copy;
  }

  /** Adds a text; meant for short ones. */
  Fingerprint add(String text) {
    int length = text.length();
    coefficient(length);
    int at = 0;
    for (; at + CHARS_AT_ONCE <= length; at += CHARS_AT_ONCE) {
      coefficient(
          text.charAt(at)
              | ((long) text.charAt(at + 1) << 16)
              | ((long) text.charAt(at + 2) << 32));
    }
    for (; at < length; at++) {
      coefficient(text.charAt(at));
    }
    return this;
  }

  /** Adds a text, however long. */
  Fingerprint add(Utf8Span text) {
    int length = text.length();
    coefficient(length);
    int end = text.arrayOffset() + length;
    for (int at = text.arrayOffset(); at < end; at += BLOCK_WORDS * Long.BYTES) {
      block(text.array(), at, Math.min(end - at, BLOCK_WORDS * Long.BYTES));
    }
    return this;
  }

  /** A block that is not full counts as filled up with zeros; its length came before it. */
  private void block(byte[] bytes, int from, int length) {
    long[] words = key.words();
    long lowA = 0;
    long highA = 0;
    long lowB = 0;
    long highB = 0;
    int pairs = length / (2 * Long.BYTES);
    int at = from;
    for (int i = 0; i < 2 * pairs; i += 2) {
      long v = (long) WORDS.get(bytes, at);
      long w = (long) WORDS.get(bytes, at + Long.BYTES);
      at += 2 * Long.BYTES;
      long va = v + words[i];
      long wa = w + words[i + 1];
      long vb = v + words[i + 2];
      long wb = w + words[i + 3];
      lowA += va * wa;
      highA += Math.unsignedMultiplyHigh(va, wa);
      lowB += vb * wb;
      highB += Math.unsignedMultiplyHigh(vb, wb);
    }
    int rest = length - 2 * pairs * Long.BYTES;
    if (rest > 0) {
      int i = 2 * pairs;
      long v = word(bytes, at, Math.min(rest, Long.BYTES));
      long w = word(bytes, at + Long.BYTES, Math.max(0, rest - Long.BYTES));
      lowA += (v + words[i]) * (w + words[i + 1]);
      highA += Math.unsignedMultiplyHigh(v + words[i], w + words[i + 1]);
      lowB += (v + words[i + 2]) * (w + words[i + 3]);
      highB += Math.unsignedMultiplyHigh(v + words[i + 2], w + words[i + 3]);
    }
    halves(lowA, highA, lowB, highB);
  }

  private static long word(byte[] bytes, int from, int length) {
    long word = 0;
    for (int i = length - 1; i >= 0; i--) {
      word = word << Byte.SIZE | (bytes[from + i] & 0xff);
    }
    return word;
  }

  /** Four words as five coefficients, each below the prime. */
  private void halves(long lowA, long highA, long lowB, long highB) {
    coefficient(lowA & PRIME >>> 1);
    coefficient(highA & PRIME >>> 1);
    coefficient(lowB & PRIME >>> 1);
    coefficient(highB & PRIME >>> 1);
    coefficient(lowA >>> 60 | highA >>> 60 << 4 | lowB >>> 60 << 8 | highB >>> 60 << 12);
  }

  /**
   * Appends a coefficient to the polynomials.
   *
   * @param value below 2^61 - 1
   */
  private void coefficient(long value) {
    first = reduced(times(first, key.x()) + value);
    second = reduced(times(second, key.y()) + value);
  }

  /** A product of numbers up to 2^61 + 3, reduced to at most 2^61 + 3. */
  private static long times(long a, long b) {
    long low = a * b;
    long high = Math.multiplyHigh(a, b);
    return reduced((low & PRIME) + (low >>> 61 | high << 3));
  }

  private static long reduced(long value) {
    return (value & PRIME) + (value >>> 61);
  }

  private static long exact(long value) {
    return value >= PRIME ? value - PRIME : value;
  }

  /** The value at the first point, 0 up to 2^61 - 2. */
  long first() {
    return exact(first);
  }

  /** The value at the second point. */
  long second() {
    return exact(second);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Fingerprint that
        && first() == that.first()
        && second() == that.second()
        && key.equals(that.key);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(first());
  }
}
