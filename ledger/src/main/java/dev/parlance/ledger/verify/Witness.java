package dev.parlance.ledger.verify;

import dev.parlance.ledger.note.Cosignature;
import dev.parlance.ledger.note.Note.NoteFault;
import dev.parlance.ledger.note.NoteSignature;
import dev.parlance.ledger.note.Parsed;
import dev.parlance.ledger.note.SignedCheckpoint;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.tree.ConsistencyProof;
import dev.parlance.ledger.tree.Hash;
import dev.parlance.ledger.tree.Hashing;
import java.util.List;
import java.util.Optional;

/**
 * The decision of a witness, after C2SP tlog-witness: cosign a checkpoint only if it extends the
 * last one cosigned. Who calls this keeps, per log, the last checkpoint cosigned; stores the new
 * one durably before the cosignature leaves; and lets no two decisions about a log run at once.
 */
public final class Witness {
  private final VerifierKey logKey;
  private final SignerKey witnessKey;

  /**
   * A witness of one log.
   *
   * @param logKey key of the log
   * @param witnessKey the witness's own key, of type COSIGNATURE
   */
  public Witness(VerifierKey logKey, SignerKey witnessKey) {
    this.logKey = logKey;
    this.witnessKey = witnessKey;
  }

  /** What a witness answers. */
  public sealed interface Answer {
    /**
     * The checkpoint extends the one held.
     *
     * @param checkpoint what to hold from now on
     * @param cosignature the line to add to it
     */
    record Cosigned(SignedCheckpoint checkpoint, NoteSignature cosignature) implements Answer {}

    /** The checkpoint is not cosigned. */
    record Refused(Refusal refusal, String detail) implements Answer {}
  }

  /** Why a witness refuses. */
  public enum Refusal {
    /** Not a checkpoint that the log signed. */
    NOT_SIGNED,
    /** Fewer entries than the checkpoint held. */
    SMALLER,
    /** As many entries as the checkpoint held, with another root. */
    SAME_SIZE_OTHER_ROOT,
    /** The proof does not lead from the checkpoint held to this one. */
    NOT_CONSISTENT
  }

  /**
   * Decides about a checkpoint.
   *
   * @param held the last checkpoint cosigned, if there is one
   * @param submitted bytes of the new checkpoint
   * @param proof path of the consistency proof from the one held; empty where none is held, or one
   *     of no entries
   * @param nowSeconds time for the cosignature in seconds since 1970
   */
  public Answer decide(
      Optional<SignedCheckpoint> held, byte[] submitted, List<Hash> proof, long nowSeconds) {
    return switch (SignedCheckpoint.open(submitted, logKey)) {
      case Parsed.Bad<SignedCheckpoint>(NoteFault fault, String detail) ->
          new Answer.Refused(Refusal.NOT_SIGNED, fault.code() + ", " + detail);
      case Parsed.Ok<SignedCheckpoint>(SignedCheckpoint next) ->
          refusal(held, next, proof)
              .<Answer>map(
                  refusal -> new Answer.Refused(refusal, next.size() + " entries submitted"))
              .orElseGet(() ->
                  new Answer.Cosigned(
                      next, Cosignature.sign(witnessKey, next.checkpoint(), nowSeconds)));
    };
  }

  private static Optional<Refusal> refusal(
      Optional<SignedCheckpoint> held, SignedCheckpoint next, List<Hash> proof) {
    long heldSize = held.map(SignedCheckpoint::size).orElse(0L);
    Hash heldRoot = held.map(signed -> signed.checkpoint().root()).orElse(Hashing.EMPTY_ROOT);
    Hash nextRoot = next.checkpoint().root();
    if (next.size() < heldSize) {
      return Optional.of(Refusal.SMALLER);
    }
    if (next.size() == heldSize && !nextRoot.equals(heldRoot)) {
      return Optional.of(Refusal.SAME_SIZE_OTHER_ROOT);
    }
    // Every log extends the empty one, so there is nothing to prove and nothing may be sent.
    boolean consistent =
        heldSize == 0
            ? proof.isEmpty()
            : new ConsistencyProof(heldSize, next.size(), proof).verifies(heldRoot, nextRoot);
    return consistent ? Optional.empty() : Optional.of(Refusal.NOT_CONSISTENT);
  }
}
