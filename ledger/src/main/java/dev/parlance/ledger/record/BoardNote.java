package dev.parlance.ledger.record;

import dev.parlance.ledger.note.Note;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.record.CoreNote.CoreFault;
import dev.parlance.ledger.record.JsonMembers.BadMember;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;

/**
 * A board as it is signed: a C2SP signed note whose text is the line {@code parlance-board-v1} and
 * the board's document on one line, see {@code docs/evidence.md}. Signatures are deterministic, so
 * every replica makes the same note from the ledger.
 */
public final class BoardNote {
  /** Largest note taken: more than 1,000 terms with the longest definitions. */
  public static final int MAX_BYTES = 4 << 20;

  private static final String HEADER = "parlance-board-v1\n";
  private static final int BYTES_PER_TERM = 256;

  private BoardNote() {}

  /** The note's text, which is what is signed. */
  public static String text(BoardDocument board) {
    StringBuilder out =
        new StringBuilder(512 + board.terms().size() * BYTES_PER_TERM).append(HEADER);
    RecordForm.write(new JsonLine(out), board).end();
    return out.append('\n').toString();
  }

  /** Hex SHA-256 of the note's text, as verifiers print it. */
  public static String documentSha256(BoardDocument board) {
    return Digest.of(text(board));
  }

  /** The signed note's bytes. */
  public static byte[] sign(BoardDocument board, SignerKey key) {
    return Note.sign(text(board), key).bytes();
  }

  /**
   * Reads a signed board; whatever the bytes, it does not throw.
   *
   * @param keys keys whose signature counts; each known key that claims to have signed must have
   */
  public static BoardReading read(byte[] note, List<VerifierKey> keys) {
    return CoreNote.read(
        note, MAX_BYTES, Optional.of(keys), BoardNote::read, BoardReading.Refused::new);
  }

  /** What was read is written again and compared, so that a board has exactly one text. */
  private static BoardReading read(String text) {
    if (!text.startsWith(HEADER)) {
      return refused(CoreFault.MALFORMED, "expected the line parlance-board-v1");
    }
    try {
      BoardDocument board =
          RecordForm.read(
              BoardDocument.class, JsonMembers.ofDocument(text.substring(HEADER.length())));
      return text(board).equals(text)
          ? new BoardReading.Good(board)
          : refused(CoreFault.MALFORMED, "not in the document's one form");
    } catch (JacksonException notJson) {
      return refused(CoreFault.MALFORMED, String.valueOf(notJson.getOriginalMessage()));
    } catch (BadMember bad) {
      return refused(CoreFault.MALFORMED, String.valueOf(bad.getMessage()));
    } catch (IllegalArgumentException impossible) {
      return refused(CoreFault.IMPOSSIBLE, String.valueOf(impossible.getMessage()));
    }
  }

  private static BoardReading refused(CoreFault fault, String detail) {
    return new BoardReading.Refused(fault, detail);
  }

  /** What came of reading a signed board. */
  public sealed interface BoardReading {
    /** A board whose signature holds. */
    record Good(BoardDocument board) implements BoardReading {}

    /**
     * Do not use it.
     *
     * @param detail for people
     */
    record Refused(CoreFault fault, String detail) implements BoardReading {}
  }
}
