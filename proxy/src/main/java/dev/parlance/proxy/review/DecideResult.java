package dev.parlance.proxy.review;

/** What came of a person's decision. */
public sealed interface DecideResult {
  /**
   * It holds, and is on disk.
   *
   * @param item the item as it stands now
   */
  record Done(ReviewItem item) implements DecideResult {}

  /** There is no such item (any more). */
  record NotFound() implements DecideResult {}

  /**
   * Somebody else was first; nothing changed.
   *
   * @param item the item with the decision that holds
   */
  record AlreadyDecided(ReviewItem item) implements DecideResult {}

  /**
   * Nothing was decided.
   *
   * @param code stable reason code: {@code queue_failed}, {@code queue_closed}, {@code
   *     who_invalid}, {@code note_too_long}
   */
  record Failed(String code) implements DecideResult {}
}
