package dev.parlance.ledger.record;

/**
 * An entry that is not what follows from the entries before it, or that has no place where it is.
 *
 * @param index index of the entry in the ledger
 * @param code stable code: unreadable_entry, one of {@link Applied.Cause}, seed_mismatch,
 *     not_drawn, events_exhausted, entrenchment_differs, decision_differs, decision_missing,
 *     decision_not_due, core_differs, core_missing, core_not_due, core_version_differs,
 *     ledger_size_differs, round_decision_differs
 * @param stands what is on the ledger
 * @param follows what should be
 */
public record Disagreement(long index, String code, String stands, String follows) {
  /** One line for people. */
  public String format() {
    return "entry " + index + " " + code + ": stands " + stands + "; follows " + follows;
  }
}
