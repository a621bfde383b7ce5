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
 * @param trustFrom addresses, with or without port, of peers whose sidecars are believed that a
 *     person released a message there
 * @param share whether decisions are told the sidecar opposite through the control plane, and its
 *     are believed
 */
public record ReviewSettings(
    int capacity,
    long bytes,
    long releaseTtlMs,
    long approvedForMs,
    long keepDecidedMs,
    List<String> trustFrom,
    boolean share) {
  /** Refuses bounds below 1. */
  public ReviewSettings {
    trustFrom = List.copyOf(trustFrom);
    List<Long> bounds = List.of((long) capacity, bytes, releaseTtlMs, approvedForMs, keepDecidedMs);
    if (bounds.stream().anyMatch(bound -> bound < 1)) {
      throw new IllegalArgumentException("expected bounds of at least 1, got " + bounds);
    }
  }
}
