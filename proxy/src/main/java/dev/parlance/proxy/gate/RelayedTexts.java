package dev.parlance.proxy.gate;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.proxy.wire.Relayed;
import java.time.Duration;

/**
 * Which texts were judged and passed on, and between whom. A task's history repeats them, and what
 * passed once is no news when it is repeated between the same two parties. Kept as digests, bounded
 * in number and time; past the bounds a repeated text is judged like any other.
 */
public final class RelayedTexts {
  /** Most texts kept. */
  public static final int MAX_TEXTS = 100_000;

  /** How long a text counts as known, in milliseconds. */
  public static final long TTL_MS = 3_600_000;

  private final Cache<String, Boolean> known;

  /** Nothing has passed yet. */
  public RelayedTexts() {
    this(MAX_TEXTS, TTL_MS, Ticker.systemTicker());
  }

  RelayedTexts(int max, long ttlMs, Ticker ticker) {
    known =
        Caffeine.newBuilder()
            .maximumSize(max)
            .expireAfterWrite(Duration.ofMillis(ttlMs))
            .ticker(ticker)
            .build();
  }

  /**
   * A text was judged and goes on.
   *
   * @param parties the two it passes between
   */
  public void remember(String parties, Utf8Span text) {
    if (!text.isEmpty()) {
      known.put(key(parties, text), Boolean.TRUE);
    }
  }

  /** What has passed between two parties. */
  public Relayed between(String parties) {
    return text -> known.getIfPresent(key(parties, text)) != null;
  }

  private static String key(String parties, Utf8Span text) {
    return Digests.of("relayed").add(parties).add(text).hex();
  }
}
