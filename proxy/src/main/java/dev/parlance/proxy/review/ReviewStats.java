package dev.parlance.proxy.review;

import java.util.Optional;

/**
 * How the review queue stands, for metrics and health checks.
 *
 * @param depth messages that wait for a person
 * @param released released messages that wait to be collected
 * @param bytes memory in use, by {@link ReviewLimits#bytes()}
 * @param heldBytes of them, by waiting and released messages: what {@link ReviewLimits#bytes()} is
 *     held against when another one comes
 * @param oldestAgeMs age of the oldest waiting message, 0 if none waits
 * @param failure why the queue can hold nothing any more; empty while it is well
 * @param tornRecords incomplete records that were cut off the journal when it was opened (0 or 1:
 *     only the last one can be incomplete)
 * @param journalBytes size of the journal on disk
 * @param fsyncs how often the journal was forced to disk
 */
public record ReviewStats(
    int depth,
    int released,
    long bytes,
    long heldBytes,
    long oldestAgeMs,
    Optional<String> failure,
    int tornRecords,
    long journalBytes,
    long fsyncs) {
  /** True if the journal could not be written; every hold is refused until a restart. */
  public boolean failed() {
    return failure.isPresent();
  }
}
