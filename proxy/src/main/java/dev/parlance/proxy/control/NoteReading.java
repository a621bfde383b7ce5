package dev.parlance.proxy.control;

import dev.parlance.policy.core.CertifiedCore;

/** What a signed note turned out to be. */
public sealed interface NoteReading {
  /**
   * A core that a configured key has signed.
   *
   * @param documentSha256 of the signed document, hex
   */
  record Good(CertifiedCore core, String documentSha256) implements NoteReading {}

  /** Not to be used. */
  record Bad(PushOutcome.PushFault fault, String detail) implements NoteReading {}

  /** Reads notes. */
  @FunctionalInterface
  interface Reader {
    /** Checks the signature first, then the document. */
    NoteReading read(byte[] note);
  }
}
