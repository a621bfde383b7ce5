package dev.parlance.ledger.note;

import dev.parlance.ledger.note.Note.NoteFault;
import java.util.List;

/**
 * A checkpoint whose signature by the log has been checked, with the note that carries it.
 *
 * <p>The name of a log's key is the origin of its checkpoints.
 *
 * @param checkpoint the content
 * @param note the signed note, perhaps with cosignatures
 */
public record SignedCheckpoint(Checkpoint checkpoint, Note note) {
  public SignedCheckpoint {
    if (!checkpoint.format().equals(note.text())) {
      throw new IllegalArgumentException("the note does not carry this checkpoint");
    }
  }

  /** Reads a checkpoint and checks the log's signature and origin. */
  public static Parsed<SignedCheckpoint> open(byte[] bytes, VerifierKey logKey) {
    return switch (Note.parse(bytes)) {
      case Parsed.Bad<Note>(NoteFault fault, String detail) -> Parsed.bad(fault, detail);
      case Parsed.Ok<Note>(Note note) -> open(note, logKey);
    };
  }

  private static Parsed<SignedCheckpoint> open(Note note, VerifierKey logKey) {
    return switch (note.verify(List.of(logKey))) {
      case Note.Verification.Unverified(NoteFault fault, String detail) ->
          Parsed.bad(fault, detail);
      case Note.Verification.Verified verified ->
          switch (Checkpoint.parse(note.text())) {
            case Parsed.Bad<Checkpoint>(NoteFault fault, String detail) ->
                Parsed.bad(fault, detail);
            case Parsed.Ok<Checkpoint>(Checkpoint checkpoint) ->
                checkpoint.origin().equals(logKey.name())
                    ? Parsed.ok(new SignedCheckpoint(checkpoint, note))
                    : Parsed.bad(
                        NoteFault.ORIGIN_MISMATCH,
                        checkpoint.origin() + " instead of " + logKey.name());
          };
    };
  }

  /** Signs a checkpoint; its origin is the key's name. */
  public static SignedCheckpoint sign(Checkpoint checkpoint, SignerKey key) {
    if (!checkpoint.origin().equals(key.name())) {
      throw new IllegalArgumentException(key.name() + " does not sign for " + checkpoint.origin());
    }
    return new SignedCheckpoint(checkpoint, Note.sign(checkpoint.format(), key));
  }

  /** The same checkpoint with one more signature, as of a witness. */
  public SignedCheckpoint with(NoteSignature signature) {
    return new SignedCheckpoint(checkpoint, note.with(signature));
  }

  /** Number of entries. */
  public long size() {
    return checkpoint.size();
  }

  /** The note's bytes. */
  public byte[] bytes() {
    return note.bytes();
  }
}
