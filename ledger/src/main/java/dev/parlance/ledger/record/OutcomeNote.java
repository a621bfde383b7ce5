package dev.parlance.ledger.record;

import dev.parlance.ledger.note.Note;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.record.CoreNote.CoreFault;
import java.util.List;
import java.util.Optional;

/**
 * An outcome as it is signed: a C2SP signed note whose text is the line {@code parlance-outcome-1}
 * and the outcome's document on one line, see {@code docs/evidence.md}. Signatures are
 * deterministic, so every replica makes the same note from the ledger.
 */
public final class OutcomeNote {
  /** Largest note taken. */
  public static final int MAX_BYTES = 16 << 10;

  private static final String HEADER = "parlance-outcome-1\n";

  private OutcomeNote() {}

  /** The outcome that follows from a round that has ended; empty if it has not. */
  public static Optional<RoundOutcome> outcome(RoundRecord round) {
    return round
        .outcome()
        .flatMap(
            outcome -> round.endedAtMs().map(at -> RoundDecision.document(round, outcome, at)));
  }

  /** The note's text, which is what is signed. */
  public static String text(RoundOutcome outcome) {
    StringBuilder out = new StringBuilder(512).append(HEADER);
    RecordForm.write(new JsonLine(out), outcome).end();
    return out.append('\n').toString();
  }

  /** Hex SHA-256 of the note's text, as the ledger names it. */
  public static String documentSha256(RoundOutcome outcome) {
    return Digest.of(text(outcome));
  }

  /** The signed note's bytes. */
  public static byte[] sign(RoundOutcome outcome, SignerKey key) {
    return Note.sign(text(outcome), key).bytes();
  }

  /**
   * Reads a signed outcome; whatever the bytes, it does not throw.
   *
   * @param keys keys whose signature counts; each known key that claims to have signed must have
   */
  public static OutcomeReading read(byte[] note, List<VerifierKey> keys) {
    return CoreNote.read(
        note, MAX_BYTES, Optional.of(keys), OutcomeNote::read, OutcomeReading.Refused::new);
  }

  /**
   * What a note says, whoever has signed it: to be shown to people with that remark, never to be
   * acted on.
   */
  public static OutcomeReading unverified(byte[] note) {
    return CoreNote.read(
        note, MAX_BYTES, Optional.empty(), OutcomeNote::read, OutcomeReading.Refused::new);
  }

  private static OutcomeReading read(String text) {
    return CoreNote.document(
        text,
        HEADER,
        json -> RecordForm.read(RoundOutcome.class, JsonMembers.of(json)),
        OutcomeNote::text,
        outcome -> new OutcomeReading.Good(outcome, Digest.of(text)),
        OutcomeReading.Refused::new);
  }

  /** What came of reading a signed outcome. */
  public sealed interface OutcomeReading {
    /**
     * An outcome whose signature holds.
     *
     * @param documentSha256 hex SHA-256 of the note's text, as the ledger names it
     */
    record Good(RoundOutcome outcome, String documentSha256) implements OutcomeReading {}

    /**
     * Do not believe it.
     *
     * @param detail for people
     */
    record Refused(CoreFault fault, String detail) implements OutcomeReading {}
  }
}
