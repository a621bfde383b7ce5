package dev.parlance.proxy.review;

/** What came of what a person did about a held message, or of the report that it was delivered. */
public sealed interface StepResult {
  /**
   * It holds, and is on disk.
   *
   * @param item the item as it stands now; without its content once it is delivered
   */
  record Done(ReviewItem item) implements StepResult {}

  /** There is no such item (any more). */
  record NotFound() implements StepResult {}

  /**
   * The item is past that, and nothing changed: somebody else decided first, or it does not wait
   * for delivery (never released, already reported, or expired meanwhile).
   *
   * @param item the item as it stands
   * @param code stable reason code: {@code already_decided}, {@code expired}, {@code not_decided},
   *     or one of {@link Deliberation}: {@code decided}, {@code claimed}, {@code already_voted},
   *     {@code not_yours}, {@code nothing_to_undo}, {@code not_due}
   */
  record Unfit(ReviewItem item, String code) implements StepResult {}

  /**
   * Nothing is on disk; a message whose delivery could not be reported may be taken once more after
   * a restart.
   *
   * @param code stable reason code: {@code queue_failed}, {@code queue_closed}, {@code
   *     who_invalid}, {@code note_too_long}
   */
  record Failed(String code) implements StepResult {}
}
