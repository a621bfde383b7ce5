package dev.parlance.ledger.record;

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
