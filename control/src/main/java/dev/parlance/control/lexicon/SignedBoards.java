package dev.parlance.control.lexicon;

import dev.parlance.control.publish.SidecarLink.PublishedBoard;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.record.BoardDocument;
import dev.parlance.ledger.record.BoardNote;
import dev.parlance.ledger.record.BoardRecord;
import java.util.LinkedHashMap;

/** Boards as they are signed: a revision is signed once for however many sidecars. */
final class SignedBoards {
  /** Most bytes of notes that are kept. */
  static final long MAX_BYTES = 8 << 20;

  private final SignerKey key;

  /** The one asked for last behind all others. */
  private final LinkedHashMap<String, PublishedBoard> kept = new LinkedHashMap<>();

  private long bytes;

  SignedBoards(SignerKey key) {
    this.key = key;
  }

  PublishedBoard of(BoardRecord board) {
    synchronized (this) {
      PublishedBoard known = kept.get(board.id());
      if (known != null && known.revision() == board.revision()) {
        kept.putLast(board.id(), known);
        return known;
      }
    }
    PublishedBoard fresh =
        new PublishedBoard(
            board.id(), board.revision(), BoardNote.sign(BoardDocument.of(board), key));
    keep(fresh);
    return fresh;
  }

  private synchronized void keep(PublishedBoard board) {
    PublishedBoard before = kept.remove(board.board());
    bytes -= before == null ? 0 : before.note().length;
    kept.put(board.board(), board);
    bytes += board.note().length;
    while (bytes > MAX_BYTES) {
      bytes -= kept.pollFirstEntry().getValue().note().length;
    }
  }
}
