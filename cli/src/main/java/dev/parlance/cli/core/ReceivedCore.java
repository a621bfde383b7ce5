package dev.parlance.cli.core;

import dev.parlance.cli.CommandProblem;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.record.CoreNote;
import dev.parlance.ledger.record.CoreNote.CoreReading;
import dev.parlance.policy.core.CertifiedCore;
import dev.parlance.policy.core.CertifiedCore.GovernedTerm;
import dev.parlance.policy.core.TermStatus;
import dev.parlance.proto.v1.SignedCore;
import java.util.List;

/** A core as it came over the network, its signature checked or refused. */
sealed interface ReceivedCore {
  /** Whose word it is. */
  enum Trust {
    /** Signed by a key that was named. */
    VERIFIED,
    /** No key was named to check it with. */
    UNCHECKED
  }

  /** The name it was asked for or came with. */
  String name();

  /** Its version, as it came. */
  long version();

  /** What was read; a complaint if it cannot be or is not signed by who should. */
  default Read orFail() {
    return switch (this) {
      case Read read -> read;
      case Bad bad ->
          throw CommandProblem.failed(
              bad.name() + " version " + bad.version() + " is refused: " + bad.why());
    };
  }

  /** It can be read, and its signature holds if a key was named. */
  record Read(String name, long version, CertifiedCore core, Trust trust) implements ReceivedCore {
    /** How many of its terms have this status. */
    public long count(TermStatus status) {
      return core.terms().stream().map(GovernedTerm::status).filter(status::equals).count();
    }
  }

  /**
   * It cannot.
   *
   * @param why stable code and what is wrong
   */
  record Bad(String name, long version, String why) implements ReceivedCore {}

  /** Reads a core; with keys, one of them must have signed it. */
  static ReceivedCore of(SignedCore signed, List<VerifierKey> keys) {
    String name = CoreName.of(signed.getId()).toString();
    byte[] note = signed.getNote().toByteArray();
    CoreReading reading = keys.isEmpty() ? CoreNote.unverified(note) : CoreNote.read(note, keys);
    return switch (reading) {
      case CoreReading.Refused refused ->
          new Bad(name, signed.getVersion(), refused.fault().code() + ": " + refused.detail());
      case CoreReading.Good(CertifiedCore core, String _) ->
          core.id().toString().equals(name) && core.version() == signed.getVersion()
              ? new Read(
                  name,
                  signed.getVersion(),
                  core,
                  keys.isEmpty() ? Trust.UNCHECKED : Trust.VERIFIED)
              : new Bad(
                  name,
                  signed.getVersion(),
                  "malformed: the signed document is " + core.id() + " version " + core.version());
    };
  }
}
