package dev.parlance.ledger.record;

import dev.parlance.ledger.note.Note;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.record.CoreNote.CoreFault;
import java.util.List;
import java.util.Optional;

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

  private static BoardReading read(String text) {
    return CoreNote.document(
        text,
        HEADER,
        json -> RecordForm.read(BoardDocument.class, JsonMembers.ofDocument(json)),
        BoardNote::text,
        BoardReading.Good::new,
        BoardReading.Refused::new);
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
