package dev.parlance.ledger.log;

import dev.parlance.ledger.note.SignedCheckpoint;

/** What came of an append. */
public sealed interface AppendResult {
  /**
   * The entries are in the log, durable, and the checkpoint covers them.
   *
   * @param firstIndex index of the first entry; the others follow
   * @param count number of entries, from 1
   * @param checkpoint the signed head that the commit wrote
   */
  record Appended(long firstIndex, int count, SignedCheckpoint checkpoint) implements AppendResult {
    public Appended {
      if (firstIndex < 0 || count < 1 || firstIndex > checkpoint.size() - count) {
        throw new IllegalArgumentException(
            count + " entries at " + firstIndex + " of " + checkpoint.size());
      }
    }

    /** Number of entries of the tree at that head. */
    public long treeSize() {
      return checkpoint.size();
    }
  }

  /**
   * The entries are not acknowledged. With {@link LedgerFault#UNAVAILABLE} they may be in the log
   * all the same, since the outcome of the write is unknown; with any other fault they are not.
   */
  record Refused(LedgerFault fault, String detail) implements AppendResult {}
}
