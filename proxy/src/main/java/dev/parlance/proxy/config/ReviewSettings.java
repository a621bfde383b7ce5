package dev.parlance.proxy.config;

import java.util.List;

/**
 * Bounds of the review queue.
 *
 * @param capacity most messages that wait at a time, 1 or more
 * @param bytes most bytes of messages that wait, 1 or more
 * @param releaseTtlMs how long a released message may be collected, 1 or more
 * @param approvedForMs how long a decision holds for the same text in the same conversation, 1 or
 *     more
 * @param keepDecidedMs how long a decided message can be read, 1 or more
 * @param evidenceBytes most bytes of evidence that are kept with each draft of a held message, 0 or
 *     more
 * @param trustFrom addresses, with or without port, of peers whose sidecars are believed that a
 *     person released a message there
 * @param share whether decisions are told the sidecar opposite through the control plane, and its
 *     are believed
 * @param console whether the control plane's console is told of what is held, and people decide
 *     there
 * @param undoMs how long a person can take a decision back before it counts, 0 or more
 * @param claimMs how long a claim lasts unless it is renewed, 1 or more
 * @param second share of the messages that two people decide, 0 to 1
 * @param escalate to whom a message goes that nobody decides, in the order of time
 */
public record ReviewSettings(
    int capacity,
    long bytes,
    long releaseTtlMs,
    long approvedForMs,
    long keepDecidedMs,
    int evidenceBytes,
    List<String> trustFrom,
    boolean share,
    boolean console,
    long undoMs,
    long claimMs,
    double second,
    List<Step> escalate) {
  /**
   * One link of the chain.
   *
   * @param afterMs how long after it was held
   * @param to to whom: a role, a group or a person
   * @param only whether nobody else decides from then on
   */
  public record Step(long afterMs, String to, boolean only) {}

  /** Refuses bounds below 1. */
  public ReviewSettings {
    trustFrom = List.copyOf(trustFrom);
    escalate = List.copyOf(escalate);
    List<Long> bounds =
        List.of((long) capacity, bytes, releaseTtlMs, approvedForMs, keepDecidedMs, claimMs);
    if (evidenceBytes < 0) {
      throw new IllegalArgumentException("expected evidenceBytes of 0 or more");
    }
    if (bounds.stream().anyMatch(bound -> bound < 1)) {
      throw new IllegalArgumentException("expected bounds of at least 1, got " + bounds);
    }
  }
}
