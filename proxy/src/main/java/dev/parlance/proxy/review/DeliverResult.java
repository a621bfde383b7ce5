package dev.parlance.proxy.review;

/** What came of reporting that a released message was delivered. */
public sealed interface DeliverResult {
  /**
   * The report is on disk.
   *
   * @param item the item, without its content
   */
  record Done(ReviewItem item) implements DeliverResult {}

  /** There is no such item (any more). */
  record NotFound() implements DeliverResult {}

  /**
   * It is not waiting for delivery: never released, already reported, or expired meanwhile.
   *
   * @param item the item as it stands
   */
  record NotReleased(ReviewItem item) implements DeliverResult {}

  /**
   * The report is not on disk; after a restart the message may be taken once more.
   *
   * @param code stable reason code: {@code queue_failed}, {@code queue_closed}
   */
  record Failed(String code) implements DeliverResult {}
}
