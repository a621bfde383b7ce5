package dev.parlance.proxy.control;

import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.record.BoardDocument;
import dev.parlance.ledger.record.BoardNote;
import dev.parlance.ledger.record.BoardNote.BoardReading;
import dev.parlance.ledger.record.CoreNote.CoreFault;
import dev.parlance.proxy.gate.Lexicons.HeldBoard;
import dev.parlance.service.Result;
import java.util.List;
import java.util.Locale;

/** Reads signed boards with the keys that sign cores. */
public final class BoardNotes {
  private final List<VerifierKey> keys;

  /**
   * A reader.
   *
   * @param keys keys whose signature counts
   */
  public BoardNotes(List<VerifierKey> keys) {
    this.keys = List.copyOf(keys);
  }

  /**
   * The board that was asked for, or why what came is not to be believed.
   *
   * @param board its id
   * @param revision as it stands beside the note
   */
  public Result<HeldBoard> read(String board, long revision, byte[] note) {
    return switch (BoardNote.read(note, keys)) {
      case BoardReading.Good(BoardDocument document) ->
          document.board().equals(board) && document.revision() == revision
              ? Result.done(HeldBoard.of(document))
              : refused(CoreFault.MALFORMED, "another board than was said: " + document.board());
      case BoardReading.Refused(CoreFault fault, String detail) -> refused(fault, detail);
    };
  }

  private static Result<HeldBoard> refused(CoreFault fault, String detail) {
    return Result.refused(Result.Kind.INVALID, fault.name().toLowerCase(Locale.ROOT), detail);
  }
}
