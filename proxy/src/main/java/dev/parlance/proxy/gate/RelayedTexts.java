package dev.parlance.proxy.gate;

import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.api.ResponseHead.Relayed;
import java.util.function.LongSupplier;

/**
 * A bounded memory of the texts that were judged and passed on, by the parties between whom. A
 * task's history repeats them, and what passed once is no news when it is repeated between the same
 * two parties. Kept as fingerprints, bounded in number and time; past the bounds a repeated text is
 * judged like any other.
 */
public final class RelayedTexts {
  /** Most texts kept. */
  public static final int MAX_TEXTS = 100_000;

  /** How long a text counts as known, in milliseconds. */
  public static final long TTL_MS = 3_600_000;

  private final FingerprintTable known;
  private final LongSupplier nowNs;

  /** Nothing has passed yet. */
  public RelayedTexts() {
    this(MAX_TEXTS, TTL_MS, System::nanoTime);
  }

  RelayedTexts(int max, long ttlMs, LongSupplier nowNs) {
    this.known = new FingerprintTable(max, new Lasting(ttlMs));
    this.nowNs = nowNs;
  }

  /** An entry says no more than that it is there. */
  private record Lasting(long ttlMs) implements FingerprintTable.Meaning {
    @Override
    public boolean isOver(long value, long ageMs) {
      return ageMs >= ttlMs;
    }

    @Override
    public boolean hasValues() {
      return false;
    }

    @Override
    public int rank(long value) {
      return 0;
    }
  }

  /**
   * A text was judged and goes on.
   *
   * @param parties the two it passes between
   */
  public void remember(String parties, Utf8Span text) {
    if (!text.isEmpty()) {
      long _ = known.change(of(parties, text), nowNs.getAsLong(), (_, _) -> 0);
    }
  }

  /** What has passed between two parties. */
  public Relayed between(String parties) {
    return text -> !text.isEmpty() && known.contains(of(parties, text), nowNs.getAsLong());
  }

  private static Fingerprint of(String parties, Utf8Span text) {
    return new Fingerprint().add(parties).add(text);
  }
}
