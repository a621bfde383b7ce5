package dev.parlance.cli.ledger;

import dev.parlance.cli.api.LedgerSource;
import dev.parlance.ledger.log.LogReader;
import dev.parlance.ledger.log.LogSource;
import dev.parlance.ledger.log.LogView;
import dev.parlance.ledger.note.SignedCheckpoint;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.tree.InclusionProof;
import java.io.IOException;

/** A ledger in the layout of tlog-tiles: a directory, or one served over HTTP. */
final class TiledLedger implements LedgerSource {
  private final LogView view;
  private final VerifierKey key;
  private final AutoCloseable storage;

  private TiledLedger(LogView view, VerifierKey key, AutoCloseable storage) {
    this.view = view;
    this.key = key;
    this.storage = storage;
  }

  /**
   * The ledger as its stored checkpoint has it.
   *
   * @param close what is to be let go of in the end
   */
  static LedgerSource open(LogSource storage, VerifierKey key, AutoCloseable close)
      throws IOException {
    LogView view =
        new LogReader(storage, key)
            .head()
            .orElseThrow(() -> new IOException("there is no checkpoint, so there is no ledger"));
    return new TiledLedger(view, key, close);
  }

  @Override
  public SignedCheckpoint checkpoint() {
    return view.checkpoint();
  }

  @Override
  public VerifierKey key() {
    return key;
  }

  @Override
  public byte[] entry(long index) throws IOException {
    return view.entry(index);
  }

  @Override
  public InclusionProof inclusion(long index) throws IOException {
    return view.inclusion(index);
  }

  @Override
  public void forEach(LogView.EntryVisitor visitor) throws IOException {
    view.forEach(0, view.size(), visitor);
  }

  @Override
  public void close() throws IOException {
    try {
      storage.close();
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException("cannot let go of the ledger", e);
    }
  }
}
