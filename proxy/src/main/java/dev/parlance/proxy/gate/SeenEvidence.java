package dev.parlance.proxy.gate;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.parlance.policy.text.KnownTexts;
import dev.parlance.policy.text.Utf8Span;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * What was read of evidence that came twice: context that an agent sends along with every answer is
 * read once and then only looked up. Thread-safe.
 *
 * <p>Evidence is found by its {@link Fingerprint}, and that is believed: no text is kept to compare
 * it with. For two different texts of at most {@code k} kilobytes the fingerprints are equal with a
 * probability of about {@code (5k / 2^61)^2 + 2^-126} over a key that is random and never leaves
 * the process; docs/performance-parts.md says what follows. A text is kept from its second sight
 * on; the first leaves 32 bits in a table of fixed size, so evidence that is always new costs
 * little more than its fingerprint. Bounded by bytes: past them what was used least goes.
 */
public final class SeenEvidence<T> implements KnownTexts<T> {
  private static final int SIGHTS = 1 << 14;
  private static final int LARGEST_SHARE = 8;
  private static final int OVERHEAD_BYTES = 256;

  /** What was read of a text. */
  private record Known<T>(Optional<T> reading, int bytes) {}

  private final Cache<Key, Known<T>> known;
  private final AtomicIntegerArray sights = new AtomicIntegerArray(SIGHTS);
  private final int smallest;
  private final long largest;
  private final ToLongFunction<T> memoryBytes;

  /**
   * An empty store.
   *
   * @param maxBytes most memory for what was read
   * @param minText bytes of a text; shorter ones are read as fast as they are found
   * @param memoryBytes what a reading takes
   */
  public SeenEvidence(long maxBytes, int minText, ToLongFunction<T> memoryBytes) {
    if (maxBytes < 1) {
      throw new IllegalArgumentException("expected a bound of at least 1 byte, got " + maxBytes);
    }
    known =
        Caffeine.newBuilder()
            .maximumWeight(maxBytes)
            .weigher((Key _, Known<T> entry) -> entry.bytes())
            .executor(Runnable::run)
            .build();
    smallest = minText;
    largest = maxBytes / LARGEST_SHARE;
    this.memoryBytes = memoryBytes;
  }

  @Override
  public Key newKey() {
    return new Fingerprint();
  }

  @Override
  public Optional<T> find(Utf8Span text, Key key) {
    Fingerprint of = (Fingerprint) key;
    of.clear();
    if (text.length() < smallest || text.length() > largest) {
      return Optional.empty();
    }
    Known<T> found =
        sights.getOpaque(place(of.add(text))) == mark(of) ? known.getIfPresent(of) : null;
    return found != null ? found.reading() : Optional.empty();
  }

  @Override
  public void keep(Key key, Supplier<T> reading) {
    Fingerprint of = (Fingerprint) key;
    if (of.isOfNothing()) {
      return;
    }
    if (sights.getOpaque(place(of)) != mark(of)) {
      sights.setOpaque(place(of), mark(of));
      return;
    }
    T read = reading.get();
    long bytes = OVERHEAD_BYTES + memoryBytes.applyAsLong(read);
    known.put(of.copy(), new Known<>(Optional.of(read), (int) Math.min(bytes, Integer.MAX_VALUE)));
  }

  /** The place of the 32 bits that tell whether a text was seen lately. */
  private static int place(Fingerprint of) {
    return (int) of.second() & SIGHTS - 1;
  }

  private static int mark(Fingerprint of) {
    return (int) of.first();
  }

  /** Memory that is taken, once pending evictions are done. */
  long bytes() {
    known.cleanUp();
    return known.policy().eviction().orElseThrow().weightedSize().orElse(0);
  }
}
