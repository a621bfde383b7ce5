package dev.parlance.proxy.review;

/** What came of holding a message. */
public sealed interface HoldResult {
  /**
   * It is on disk and survives a crash.
   *
   * @param id the id under which a person finds it
   */
  record Held(String id) implements HoldResult {}

  /**
   * It is not held; the caller still has it and must refuse it.
   *
   * @param code stable reason code: {@code queue_full}, {@code queue_failed}, {@code queue_closed},
   *     {@code item_too_large}
   */
  record Refused(String code) implements HoldResult {}
}
