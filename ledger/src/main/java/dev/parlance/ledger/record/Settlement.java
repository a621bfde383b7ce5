package dev.parlance.ledger.record;

import java.util.List;
import java.util.Optional;

/**
 * An audit that has ended: what follows from its tests, and what its entries say.
 *
 * @param audit the audit
 * @param seedOpens whether the seed is the one committed to; if not, nothing follows
 * @param exhausted whether the pool had too few fresh events for one of its terms
 * @param failure why it ended without decisions
 * @param due the decisions that follow, in the order of terms and pairs; none after a failure
 * @param found the decisions on the ledger, in its order
 * @param issued the core on the ledger
 * @param notDrawn indexes of tests whose events were not drawn; they count for nothing
 */
public record Settlement(
    AuditState audit,
    boolean seedOpens,
    boolean exhausted,
    Optional<String> failure,
    List<Entry.Decided> due,
    List<Indexed<Entry.Decided>> found,
    Optional<Indexed<Entry.CoreIssued>> issued,
    List<Long> notDrawn) {
  /** Copies the lists. */
  public Settlement {
    due = List.copyOf(due);
    found = List.copyOf(found);
    notDrawn = List.copyOf(notDrawn);
  }

  /**
   * An entry and where it stands.
   *
   * @param index index in the ledger
   */
  public record Indexed<T extends Entry>(long index, T entry) {}
}
