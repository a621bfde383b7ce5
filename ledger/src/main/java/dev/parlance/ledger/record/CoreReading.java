package dev.parlance.ledger.record;

import dev.parlance.policy.core.CertifiedCore;

/** What came of reading a signed core. */
public sealed interface CoreReading {
  /**
   * A core whose signature holds.
   *
   * @param documentSha256 hex SHA-256 of the note's text, as the ledger names it
   */
  record Good(CertifiedCore core, String documentSha256) implements CoreReading {}

  /**
   * Do not use it.
   *
   * @param detail for people
   */
  record Refused(CoreFault fault, String detail) implements CoreReading {}
}
