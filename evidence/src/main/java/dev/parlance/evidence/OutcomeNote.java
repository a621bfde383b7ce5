package dev.parlance.evidence;

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
    throw new UnsupportedOperationException(round.toString());
  }

  /** The note's text, which is what is signed. */
  public static String text(RoundOutcome outcome) {
    throw new UnsupportedOperationException(outcome.toString());
  }

  /** The signed note's bytes. */
  public static byte[] sign(RoundOutcome outcome, SignerKey key) {
    throw new UnsupportedOperationException(outcome.toString() + key);
  }

  /**
   * Reads a signed outcome; whatever the bytes, it does not throw.
   *
   * @param keys keys whose signature counts; each known key that claims to have signed must have
   */
  public static OutcomeReading read(byte[] note, List<VerifierKey> keys) {
    throw new UnsupportedOperationException(note.length + " " + keys);
  }
}
