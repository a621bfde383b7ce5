package dev.parlance.proxy.control;

import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.record.CoreFault;
import dev.parlance.ledger.record.CoreNote;
import dev.parlance.ledger.record.CoreNote.CoreReading;
import dev.parlance.policy.core.CertifiedCore;
import java.util.List;

/** Reads signed cores with the configured keys. */
final class SignedNotes implements NoteReading.Reader {
  /**
   * Largest note that a sidecar takes, in bytes. Less than a note may have, because it is in memory
   * several times while it is read; 200,000 terms of ordinary length fit.
   */
  static final int MAX_BYTES = 16 << 20;

  private final List<VerifierKey> keys;

  SignedNotes(List<VerifierKey> keys) {
    this.keys = List.copyOf(keys);
  }

  @Override
  public NoteReading read(byte[] note) {
    return switch (CoreNote.read(note, keys)) {
      case CoreReading.Good(CertifiedCore core, String sha256) ->
          new NoteReading.Good(core, sha256);
      case CoreReading.Refused(CoreFault fault, String detail) ->
          new NoteReading.Bad(
              switch (fault) {
                case UNSIGNED -> PushFault.UNSIGNED;
                case FOREIGN_SIGNATURE -> PushFault.FOREIGN_SIGNATURE;
                case MALFORMED -> PushFault.MALFORMED;
                case IMPOSSIBLE -> PushFault.IMPOSSIBLE;
                case TOO_LARGE -> PushFault.TOO_LARGE;
              },
              detail);
    };
  }
}
