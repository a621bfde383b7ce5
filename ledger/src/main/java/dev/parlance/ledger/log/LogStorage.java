package dev.parlance.ledger.log;

import dev.parlance.ledger.log.LedgerFault.LedgerUnavailable;
import java.io.IOException;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * Where a log's resources are kept, by their tlog-tiles path.
 *
 * <p>A commit is whole for whoever reads the checkpoint first: with the new checkpoint all
 * resources that its size names can be read. A resource below the size of the stored checkpoint
 * never changes. Commits come from one thread of this object, while other objects and processes may
 * commit to the same place.
 */
public interface LogStorage extends LogSource {
  /** What came of a commit. */
  enum Commit {
    /** Durable: it survives the loss of the process and of power. */
    COMMITTED,
    /** Nothing was written, because the stored checkpoint is not the expected one. */
    CONFLICT
  }

  /** True if nobody else can commit to the same place while this object is open. */
  default boolean isExclusive() {
    return false;
  }

  /**
   * Writes resources and then the checkpoint, if the stored checkpoint is still the expected one.
   *
   * @param expectedCheckpoint bytes that must be stored now; empty for a log that is not there yet
   * @param writes bytes by path, in the order in which they may become visible
   * @param newCheckpoint bytes of the new checkpoint
   * @throws LedgerUnavailable where this object can never commit again
   * @throws IOException where the outcome is unknown; read the checkpoint to learn it
   */
  Commit commit(
      Optional<byte[]> expectedCheckpoint,
      SequencedMap<String, byte[]> writes,
      byte[] newCheckpoint)
      throws IOException;
}
