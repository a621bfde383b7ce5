package dev.parlance.proxy.config;

/**
 * How the sidecar deals with boards of coined terms (key {@code lexicon}).
 *
 * @param timeoutMs longest that a message with coinage waits for the ledger, 100 to 60,000
 * @param boards most boards held at a time, 1 or more
 * @param queue most turns that wait to be reported, 1 or more
 * @param reportMs longest that a turn waits for others to be reported with, 1 to 60,000
 */
public record BoardSettings(int timeoutMs, int boards, int queue, int reportMs) {
  /** Refuses impossible values. */
  public BoardSettings {
    if (timeoutMs < 100
        || timeoutMs > 60_000
        || boards < 1
        || queue < 1
        || reportMs < 1
        || reportMs > 60_000) {
      throw new IllegalArgumentException(
          "expected timeoutMs in 100..60000, boards and queue from 1, reportMs in 1..60000");
    }
  }
}
