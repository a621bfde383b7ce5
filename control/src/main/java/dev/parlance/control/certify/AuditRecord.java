package dev.parlance.control.certify;

import dev.parlance.ledger.record.Entry;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the ledger says in the end of one audit: read from its entries, so that it can be had again
 * at any time.
 *
 * @param decided the decisions that count, in order
 * @param issued the core
 * @param closed its end
 */
record AuditRecord(
    List<Entry.Decided> decided, Optional<Entry.CoreIssued> issued, Optional<Entry.Closed> closed) {

  /** A pair and a term. */
  private record Matter(List<String> agents, String term) {}

  /**
   * Reads the entries from the audit's opening on. Those of a replica that was taken over from
   * count for nothing, and of two that say the same the first counts.
   *
   * @throws IOException if the ledger cannot be read
   */
  static AuditRecord read(LedgerView view, String audit, long openedIndex) throws IOException {
    List<Entry> entries =
        view.entries(
            openedIndex,
            entry -> entry instanceof Entry.OfAudit part && part.audit().equals(audit));
    long epoch = 0;
    Map<Matter, Entry.Decided> decided = new LinkedHashMap<>();
    Optional<Entry.CoreIssued> issued = Optional.empty();
    Optional<Entry.Closed> closed = Optional.empty();
    for (Entry entry : entries) {
      if (!(entry instanceof Entry.OfAudit part) || part.epoch() < epoch || closed.isPresent()) {
        continue;
      }
      switch (part) {
        case Entry.Opened opened -> epoch = Math.max(epoch, opened.epoch());
        case Entry.TakenOver taken -> epoch = Math.max(epoch, taken.epoch());
        case Entry.Decided decision ->
            decided.putIfAbsent(new Matter(decision.agents(), decision.term()), decision);
        case Entry.CoreIssued core -> issued = issued.or(() -> Optional.of(core));
        case Entry.Closed end -> closed = Optional.of(end);
        case Entry.Test _, Entry.Unanswered _, Entry.Renegotiated _ -> {
          // what the decisions rest on
        }
      }
    }
    return new AuditRecord(List.copyOf(decided.values()), issued, closed);
  }
}
