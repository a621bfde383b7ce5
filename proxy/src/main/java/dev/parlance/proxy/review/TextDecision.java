package dev.parlance.proxy.review;

import dev.parlance.proxy.review.ReviewEvent.Verdict;

/**
 * A person's decision on a text, which holds for the same text in the same conversation.
 *
 * @param id the item that it was made on
 * @param verdict what was decided
 * @param note why; may be empty
 * @param atMs when, in milliseconds since the epoch
 */
public record TextDecision(String id, Verdict verdict, String note, long atMs) {
  /** True if the text passes, false if it is refused. */
  public boolean approved() {
    return verdict == Verdict.RELEASE;
  }
}
