package dev.parlance.ledger.log;

/**
 * Bounds of a log's writer.
 *
 * @param maxBatchEntries most entries of one append and of one commit, from 1
 * @param maxBatchBytes most bytes of entries of one append and of one commit, from 65,535
 * @param maxQueuedAppends appends that may wait, from 1
 * @param maxQueuedBytes bytes of entries that may wait, at least a batch
 * @param maxConflicts how often one commit is tried again after another writer was faster, from 0
 * @param closeTimeoutMs how long closing waits for what is queued, in milliseconds, above 0
 */
public record LogOptions(
    int maxBatchEntries,
    int maxBatchBytes,
    int maxQueuedAppends,
    long maxQueuedBytes,
    int maxConflicts,
    long closeTimeoutMs) {
  /** 4,096 entries or 8 MiB a batch; 4,096 appends or 64 MiB waiting; 16 tries; 10 s to close. */
  public static final LogOptions DEFAULTS =
      new LogOptions(4096, 8 << 20, 4096, 64L << 20, 16, 10_000);

  public LogOptions {
    if (maxBatchEntries < 1
        || maxBatchBytes < 0xffff
        || maxQueuedAppends < 1
        || maxQueuedBytes < maxBatchBytes
        || maxConflicts < 0
        || closeTimeoutMs <= 0) {
      throw new IllegalArgumentException("log options out of range");
    }
  }
}
