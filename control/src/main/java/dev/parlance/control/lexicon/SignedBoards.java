package dev.parlance.control.lexicon;

import dev.parlance.control.publish.SidecarLink.PublishedBoard;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.record.BoardDocument;
import dev.parlance.ledger.record.BoardNote;
import dev.parlance.ledger.record.BoardRecord;
import java.util.LinkedHashMap;
import java.util.Optional;

/**
 * Boards as they are signed: a revision is signed once for however many sidecars. For any number of
 * threads; only {@link #of} takes time.
 */
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

  /** The board as it was signed last; empty if it was not, or that is not kept. */
  synchronized Optional<PublishedBoard> last(String board) {
    return Optional.ofNullable(kept.get(board));
  }

  /** What was signed of the board is not what it is now. */
  synchronized void forget(String board) {
    PublishedBoard before = kept.remove(board);
    bytes -= before == null ? 0 : before.note().length;
  }

  private synchronized void keep(PublishedBoard board) {
    PublishedBoard present = kept.get(board.board());
    if (present != null && present.revision() > board.revision()) {
      return; // whoever signed this one was slow
    }
    forget(board.board());
    kept.put(board.board(), board);
    bytes += board.note().length;
    while (bytes > MAX_BYTES) {
      bytes -= kept.pollFirstEntry().getValue().note().length;
    }
  }
}
