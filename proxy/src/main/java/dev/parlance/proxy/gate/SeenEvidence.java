package dev.parlance.proxy.gate;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.parlance.policy.text.KnownTexts;
import dev.parlance.policy.text.Utf8Span;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * What was read of evidence that came twice: context that an agent sends along with every answer is
 * read once and then only looked up. Thread-safe.
 *
 * <p>Evidence is found by a keyed hash of its bytes and believed only if all of its bytes are the
 * same, so a collision costs time and never a verdict. A text is kept from its second sight on; the
 * first leaves 32 bits of its hash in a table of fixed size, so evidence that is always new costs
 * little more than the hash. Bounded by bytes: past them what was used least goes.
 */
public final class SeenEvidence<T> implements KnownTexts<T> {
  private static final int SIGHTS = 1 << 14;
  private static final int LARGEST_SHARE = 8;
  private static final int OVERHEAD_BYTES = 256;

  /**
   * A text and what was read of it.
   *
   * @param text nobody else has this array
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared as a record
  private record Known<T>(byte[] text, Optional<T> reading, int bytes) {}

  private final Cache<Long, Known<T>> known;
  private final AtomicIntegerArray sights = new AtomicIntegerArray(SIGHTS);
  private final ContentHash hash;
  private final int smallest;
  private final long largest;
  private final ToLongFunction<T> memoryBytes;

  /**
   * An empty store.
   *
   * @param maxBytes most memory for texts and what was read of them
   * @param minText bytes of a text; shorter ones are read as fast as they are found
   * @param memoryBytes what a reading takes
   * @param seed keys the hashes, so take it from a source that the authors of evidence do not know
   */
  public SeenEvidence(long maxBytes, int minText, ToLongFunction<T> memoryBytes, long seed) {
    if (maxBytes < 1) {
      throw new IllegalArgumentException("expected a bound of at least 1 byte, got " + maxBytes);
    }
    known =
        Caffeine.newBuilder()
            .maximumWeight(maxBytes)
            .weigher((Long _, Known<T> entry) -> entry.bytes())
            .executor(Runnable::run)
            .build();
    hash = new ContentHash(seed);
    smallest = minText;
    largest = maxBytes / LARGEST_SHARE;
    this.memoryBytes = memoryBytes;
  }

  @Override
  public Optional<T> find(Utf8Span text) {
    if (text.length() < smallest || text.length() > largest) {
      return Optional.empty();
    }
    long key = hash.of(text.array(), text.arrayOffset(), text.length());
    Known<T> found = sights.getOpaque(place(key)) == (int) key ? known.getIfPresent(key) : null;
    return found != null && holds(found, text) ? found.reading() : Optional.empty();
  }

  @Override
  public void keep(Utf8Span text, Function<Utf8Span, T> reading) {
    if (text.length() < smallest || text.length() > largest) {
      return;
    }
    long key = hash.of(text.array(), text.arrayOffset(), text.length());
    if (sights.getOpaque(place(key)) != (int) key) {
      sights.setOpaque(place(key), (int) key);
      return;
    }
    byte[] copy = text.toByteArray();
    T read = reading.apply(Utf8Span.of(copy));
    long bytes = OVERHEAD_BYTES + copy.length + memoryBytes.applyAsLong(read);
    known.put(key, new Known<>(copy, Optional.of(read), (int) Math.min(bytes, Integer.MAX_VALUE)));
  }

  /** The place of the 32 bits that tell whether a text was seen lately. */
  private static int place(long key) {
    return (int) (key >>> 32) & SIGHTS - 1;
  }

  private static boolean holds(Known<?> entry, Utf8Span text) {
    int from = text.arrayOffset();
    return Arrays.equals(
        entry.text(), 0, entry.text().length, text.array(), from, from + text.length());
  }

  /** Memory that the texts kept take, once pending evictions are done. */
  long bytes() {
    known.cleanUp();
    return known.policy().eviction().orElseThrow().weightedSize().orElse(0);
  }

  /**
   * A keyed 64-bit hash of long texts at memory speed: four lanes of multiplications by secret odd
   * numbers. For finding only: whoever uses it compares the texts as well.
   */
  static final class ContentHash {
    private static final VarHandle LONG =
        MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final long key0;
    private final long key1;
    private final long key2;
    private final long key3;

    ContentHash(long seed) {
      key0 = mix(seed + 1) | 1;
      key1 = mix(seed + 2) | 1;
      key2 = mix(seed + 3) | 1;
      key3 = mix(seed + 4) | 1;
    }

    long of(byte[] bytes, int from, int length) {
      long a = length;
      long b = key1;
      long c = key2;
      long d = key3;
      int at = from;
      int end = from + length;
      for (; at + 32 <= end; at += 32) {
        a = (a ^ (long) LONG.get(bytes, at)) * key0;
        b = (b ^ (long) LONG.get(bytes, at + 8)) * key1;
        c = (c ^ (long) LONG.get(bytes, at + 16)) * key2;
        d = (d ^ (long) LONG.get(bytes, at + 24)) * key3;
        // A product's high bits know of all bits below them; the low ones have to be told.
        a ^= a >>> 32;
        b ^= b >>> 32;
        c ^= c >>> 32;
        d ^= d >>> 32;
      }
      for (; at + 8 <= end; at += 8) {
        a = mix(a ^ (long) LONG.get(bytes, at));
      }
      for (; at < end; at++) {
        b = (b ^ bytes[at]) * key0;
        b ^= b >>> 32;
      }
      return mix(mix(mix(mix(a) ^ b) ^ c) ^ d);
    }

    private static long mix(long value) {
      long z = (value ^ value >>> 30) * 0xbf58476d1ce4e5b9L;
      z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
      return z ^ z >>> 31;
    }
  }
}
