package dev.parlance.control.lexicon;

import dev.parlance.control.certify.LedgerView;
import dev.parlance.ledger.record.BoardRecord;
import dev.parlance.ledger.record.LedgerState;
import dev.parlance.policy.lexicon.BoardEntry;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** How many coined terms there are, counted anew at most every few seconds. */
final class TermCounts {
  private static final long FRESH_NS = TimeUnit.SECONDS.toNanos(5);
  private static final String PUBLIC = "public";
  private static final String FACTION = "faction";

  private final LedgerView view;
  private Map<String, Integer> counts = Map.of();
  private long countedNs = System.nanoTime() - FRESH_NS;

  TermCounts(LedgerView view) {
    this.view = view;
  }

  /** Terms of all boards. */
  synchronized int of(String visibility, String status) {
    long now = System.nanoTime();
    if (now - countedNs >= FRESH_NS) {
      counts = view.read(TermCounts::count);
      countedNs = now;
    }
    return counts.getOrDefault(visibility + " " + status, 0);
  }

  private static Map<String, Integer> count(LedgerState state) {
    Map<String, Integer> counts = new HashMap<>();
    for (BoardRecord board : state.boards(Integer.MAX_VALUE)) {
      for (BoardEntry entry : board.board().entries()) {
        String visibility = entry.visibility().isPublic() ? PUBLIC : FACTION;
        counts.merge(visibility + " " + board.status(entry).code(), 1, Integer::sum);
      }
    }
    return counts;
  }
}
