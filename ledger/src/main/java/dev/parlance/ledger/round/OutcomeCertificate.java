package dev.parlance.ledger.round;

import dev.parlance.ledger.note.MemberKeys;
import dev.parlance.ledger.note.Note;
import dev.parlance.ledger.note.NoteSignature;
import dev.parlance.ledger.note.Parsed;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.record.CoreNote.CoreFault;
import dev.parlance.ledger.record.OutcomeNote;
import dev.parlance.ledger.record.OutcomeNote.OutcomeReading;
import dev.parlance.ledger.record.RoundOutcome;
import dev.parlance.policy.commit.CertificateState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A signed outcome as its certificate: the note whose text is the outcome, with the lines of the
 * members that have recomputed it. It is checked without the control plane: whoever has the
 * members' keys believes 2f+1 of them, and nobody else.
 */
public final class OutcomeCertificate {
  private OutcomeCertificate() {}

  /** What came of reading a certificate. */
  public sealed interface Reading {
    /**
     * Enough members have signed it.
     *
     * @param signers members whose line holds, in the order of the round
     */
    record Final(RoundOutcome outcome, List<String> signers) implements Reading {
      /** Copies the list. */
      public Final {
        signers = List.copyOf(signers);
      }
    }

    /**
     * Fewer have.
     *
     * @param withheld members without a line that holds, in the order of the round
     */
    record TooFew(RoundOutcome outcome, List<String> withheld) implements Reading {
      /** Copies the list. */
      public TooFew {
        withheld = List.copyOf(withheld);
      }
    }

    /** It is no outcome. */
    record Refused(CoreFault fault, String detail) implements Reading {}
  }

  /**
   * Reads a certificate; whatever the bytes, it does not throw. Two members with one public key
   * count as one.
   *
   * @param members the keys of members that the reader believes
   */
  public static Reading read(byte[] note, MemberKeys members) {
    return switch (OutcomeNote.unverified(note)) {
      case OutcomeReading.Refused(CoreFault fault, String detail) ->
          new Reading.Refused(fault, detail);
      case OutcomeReading.Good(RoundOutcome outcome, String _) ->
          Note.parse(note, OutcomeNote.MAX_BYTES) instanceof Parsed.Ok<Note>(Note parsed)
              ? read(parsed, outcome, members)
              : new Reading.Refused(CoreFault.MALFORMED, "no note");
    };
  }

  private static Reading read(Note note, RoundOutcome outcome, MemberKeys keys) {
    List<String> signers = new ArrayList<>();
    List<VerifierKey> used = new ArrayList<>();
    for (String member : outcome.members()) {
      Optional<VerifierKey> by = signer(note, member, keys.of(member));
      if (by.isPresent() && used.stream().noneMatch(by.get()::hasKeyOf)) {
        used.add(by.get());
        signers.add(member);
      }
    }
    return signers.size() >= CertificateState.quorum(Math.max(keys.faults(), outcome.faults()))
        ? new Reading.Final(outcome, signers)
        : new Reading.TooFew(
            outcome,
            outcome.members().stream().filter(member -> !signers.contains(member)).toList());
  }

  private static Optional<VerifierKey> signer(Note note, String member, List<VerifierKey> keys) {
    for (NoteSignature line : note.signatures()) {
      for (VerifierKey key : keys) {
        if (key.name().equals(member) && key.verifies(note.text(), line)) {
          return Optional.of(key);
        }
      }
    }
    return Optional.empty();
  }
}
