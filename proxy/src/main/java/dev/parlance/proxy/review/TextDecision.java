package dev.parlance.proxy.review;

/**
 * A person's decision on a text, which holds for the same text in the same conversation.
 *
 * @param id the item that it was made on
 * @param approved true if the text passes, false if it is refused
 * @param note why; may be empty
 * @param atMs when, in milliseconds since the epoch
 */
public record TextDecision(String id, boolean approved, String note, long atMs) {}
