package dev.parlance.ledger.log;

import dev.parlance.ledger.note.Checkpoint;
import dev.parlance.ledger.note.SignedCheckpoint;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.tree.CompactRange;
import dev.parlance.ledger.tree.Hash;
import dev.parlance.ledger.tree.Hashing;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/** The head that a writer extends: a checkpoint and the edge that leads to its root. Immutable. */
record LogHead(SignedCheckpoint checkpoint, Edge edge) {
  /** Reads the stored head, after writing the empty one where there is none; checks it whole. */
  static LogHead open(LogStorage storage, LogReader reader, SignerKey key) throws IOException {
    if (reader.checkpoint().isEmpty()) {
      SignedCheckpoint empty =
          SignedCheckpoint.sign(new Checkpoint(key.name(), 0, Hashing.EMPTY_ROOT), key);
      // On a conflict another writer has just made the log, and its head is as good.
      LogStorage.Commit made =
          storage.commit(Optional.empty(), new LinkedHashMap<>(), empty.bytes());
      if (made == LogStorage.Commit.CONFLICT && reader.checkpoint().isEmpty()) {
        throw new LedgerUnavailable(LedgerFault.CONFLICT, "no checkpoint, and none can be made");
      }
    }
    return stored(reader);
  }

  private static LogHead stored(LogReader reader) throws IOException {
    LogView view =
        reader
            .head()
            .orElseThrow(
                () -> new LedgerUnavailable(LedgerFault.FORKED, "the checkpoint has gone"));
    return new LogHead(view.checkpoint(), Edge.load(view));
  }

  /**
   * Reads the stored head and makes sure that it extends this one.
   *
   * @throws LedgerUnavailable {@link LedgerFault#FORKED} where it does not
   */
  LogHead advance(LogReader reader) throws IOException {
    LogHead next = stored(reader);
    if (next.checkpoint.size() < edge.size()) {
      throw new LedgerUnavailable(
          LedgerFault.FORKED,
          "the log had " + edge.size() + " entries and now has " + next.checkpoint.size());
    }
    Hash before = CompactRange.load(edge.size(), reader.at(next.checkpoint).nodes()).root();
    if (!before.equals(edge.root())) {
      throw new LedgerUnavailable(
          LedgerFault.FORKED,
          "the first " + edge.size() + " entries had root " + edge.root() + " and now " + before);
    }
    return next;
  }

  /** The head after these entries, with what must be stored before it. */
  Next append(List<byte[]> entries, SignerKey key) {
    Edge.Growth growth = edge.grow(entries);
    Checkpoint grown = new Checkpoint(key.name(), growth.edge().size(), growth.edge().root());
    return new Next(new LogHead(SignedCheckpoint.sign(grown, key), growth.edge()), growth);
  }

  /** A head not yet committed. */
  record Next(LogHead head, Edge.Growth growth) {}
}
