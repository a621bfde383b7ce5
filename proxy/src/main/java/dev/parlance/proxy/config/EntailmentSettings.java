package dev.parlance.proxy.config;

import dev.parlance.policy.signal.EntailmentRules;
import dev.parlance.service.config.Binder.Inline;
import java.nio.file.Path;

/**
 * The second stage of judging claims (key {@code entailment}).
 *
 * @param dir the classifier's folder, absolute
 * @param timeoutMs longest that a message waits for it, 1 to 10,000
 * @param threads threads that it runs on, 1 to 16
 * @param queue most messages that wait for a thread, 1 to 10,000
 * @param rules which claims it is asked about, and what its word changes
 */
public record EntailmentSettings(
    Path dir, int timeoutMs, int threads, int queue, @Inline EntailmentRules rules) {
  /** Refuses impossible values. */
  public EntailmentSettings {
    if (timeoutMs < 1
        || timeoutMs > 10_000
        || threads < 1
        || threads > 16
        || queue < 1
        || queue > 10_000) {
      throw new IllegalArgumentException(
          "expected timeoutMs and queue in 1..10000, threads in 1..16");
    }
  }
}
