package dev.parlance.proxy.gate;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.parlance.policy.signal.Estimator.EvidenceTokens;
import dev.parlance.policy.text.TokenSet;
import dev.parlance.policy.text.TokenSet.TokenSets;
import dev.parlance.policy.text.Utf8Span;
import io.netty.util.concurrent.FastThreadLocal;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * The tokens of evidence that came twice: context that an agent sends along with every answer is
 * read once and then only looked up. Thread-safe.
 *
 * <p>Evidence is found by a keyed hash of its bytes and believed only if all of its bytes are the
 * same, so a collision costs time and never a verdict. A text is kept from its second sight on; the
 * first leaves 32 bits of its hash in a table of fixed size, so evidence that is always new costs
 * little more than the hash. Bounded by bytes: past them what was used least goes.
 */
public final class SeenEvidence implements EvidenceTokens {
  /** Shorter texts are read as fast as they are found. */
  static final int MIN_BYTES = 128;

  private static final int SIGHTS = 1 << 14;
  private static final int LARGEST_SHARE = 8;
  private static final int OVERHEAD_BYTES = 256;

  /**
   * A text and its tokens.
   *
   * @param text nobody else has this array
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared as a record
  private record Known(byte[] text, Optional<TokenSet> tokens, int bytes) {}

  private final Cache<Long, Known> known;
  private final AtomicIntegerArray sights = new AtomicIntegerArray(SIGHTS);
  private final ContentHash hash;
  private final long largest;
  private final FastThreadLocal<TokenSets> makers;

  /**
   * An empty store.
   *
   * @param maxBytes most memory for texts and tokens
   * @param seed keys the hashes, so take it from a source that the authors of evidence do not know
   */
  public SeenEvidence(long maxBytes, long seed) {
    if (maxBytes < 1) {
      throw new IllegalArgumentException("expected a bound of at least 1 byte, got " + maxBytes);
    }
    known =
        Caffeine.newBuilder()
            .maximumWeight(maxBytes)
            .weigher((Long _, Known entry) -> entry.bytes())
            .executor(Runnable::run)
            .build();
    hash = new ContentHash(seed);
    largest = maxBytes / LARGEST_SHARE;
    makers =
        new FastThreadLocal<>() {
          @Override
          protected TokenSets initialValue() {
            return new TokenSets(seed);
          }
        };
  }

  @Override
  public Optional<TokenSet> of(Utf8Span text) {
    if (text.length() < MIN_BYTES || text.length() > largest) {
      return Optional.empty();
    }
    long key = hash.of(text.array(), text.arrayOffset(), text.length());
    if (!isSecondSight(key)) {
      return Optional.empty();
    }
    Known found = known.getIfPresent(key);
    if (found == null) {
      found = read(text);
      known.put(key, found);
      return found.tokens();
    }
    return holds(found, text) ? found.tokens() : Optional.empty();
  }

  private static boolean holds(Known entry, Utf8Span text) {
    int from = text.arrayOffset();
    return Arrays.equals(
        entry.text(), 0, entry.text().length, text.array(), from, from + text.length());
  }

  private Known read(Utf8Span text) {
    TokenSet tokens = makers.get().of(text);
    return new Known(
        text.toByteArray(),
        Optional.of(tokens),
        (int) (OVERHEAD_BYTES + text.length() + tokens.memoryBytes()));
  }

  /** True if this text was seen lately, as far as 32 bits tell; notes that it was. */
  private boolean isSecondSight(long key) {
    int place = (int) (key >>> 32) & SIGHTS - 1;
    int tag = (int) key;
    if (sights.getOpaque(place) == tag) {
      return true;
    }
    sights.setOpaque(place, tag);
    return false;
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
