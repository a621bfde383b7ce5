package dev.parlance.ledger.record;

import dev.parlance.ledger.note.KeyType;
import dev.parlance.ledger.note.Note;
import dev.parlance.ledger.note.NoteFault;
import dev.parlance.ledger.note.Parsed;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey;
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
    return OutcomeDocument.text(outcome);
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
    return switch (Note.parse(note, MAX_BYTES)) {
      case Parsed.Bad<Note>(NoteFault fault, String detail) ->
          new OutcomeReading.Refused(CoreNote.ofNote(fault), fault.code() + ": " + detail);
      case Parsed.Ok<Note>(Note parsed) -> verified(parsed, keys);
    };
  }

  /**
   * What a note says, whoever has signed it: to be shown to people with that remark, never to be
   * acted on.
   */
  public static OutcomeReading unverified(byte[] note) {
    return switch (Note.parse(note, MAX_BYTES)) {
      case Parsed.Bad<Note>(NoteFault fault, String detail) ->
          new OutcomeReading.Refused(CoreNote.ofNote(fault), fault.code() + ": " + detail);
      case Parsed.Ok<Note>(Note parsed) -> OutcomeDocument.read(parsed.text());
    };
  }

  private static OutcomeReading verified(Note note, List<VerifierKey> keys) {
    // A witness's key signs that it has seen a log, never what a round came to.
    List<VerifierKey> signers = keys.stream().filter(key -> key.type() == KeyType.ED25519).toList();
    return switch (note.verify(signers)) {
      case Note.Verification.Unverified(NoteFault fault, String detail) ->
          new OutcomeReading.Refused(CoreFault.FOREIGN_SIGNATURE, fault.code() + ": " + detail);
      case Note.Verification.Verified verified -> OutcomeDocument.read(verified.note().text());
    };
  }
}
