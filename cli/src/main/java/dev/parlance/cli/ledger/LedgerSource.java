package dev.parlance.cli.ledger;

import dev.parlance.ledger.log.LogView;
import dev.parlance.ledger.note.SignedCheckpoint;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.tree.InclusionProof;
import java.io.IOException;

/** A ledger as one checkpoint has it, wherever it is read from. Close it after use. */
interface LedgerSource extends AutoCloseable {
  /** The checkpoint, its signature checked with {@link #key}. */
  SignedCheckpoint checkpoint();

  /** The key of the log. */
  VerifierKey key();

  /** One entry below the checkpoint's size. */
  byte[] entry(long index) throws IOException;

  /** Proof that the entry is under the checkpoint's root; to be checked by who asks. */
  InclusionProof inclusion(long index) throws IOException;

  /** Visits all entries in order. */
  void forEach(LogView.EntryVisitor visitor) throws IOException;

  @Override
  void close() throws IOException;
}
