package dev.parlance.control.lexicon;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Boards that have changed since sidecars were told: those whose terms have are due at once, those
 * of which only counts have at most once a second. Memory is that of the boards that change within
 * a second. For any number of threads.
 */
final class BoardChanges {
  static final long COUNTS_EVERY_NS = TimeUnit.SECONDS.toNanos(1);

  private final Map<String, Boolean> pending = new LinkedHashMap<>();

  /** When a board was last due, oldest first. */
  private final Map<String, Long> toldNs = new LinkedHashMap<>();

  /**
   * A board has changed.
   *
   * @param terms true if its terms have, false if only counts have
   */
  synchronized void note(String board, boolean terms) {
    pending.merge(board, terms, Boolean::logicalOr);
  }

  /** The boards to tell of now, in the order of their first change. */
  synchronized List<String> due(long nowNs) {
    Iterator<Long> old = toldNs.values().iterator();
    while (old.hasNext() && nowNs - old.next() >= COUNTS_EVERY_NS) {
      old.remove();
    }
    List<String> due = new ArrayList<>();
    for (Iterator<Map.Entry<String, Boolean>> all = pending.entrySet().iterator();
        all.hasNext(); ) {
      Map.Entry<String, Boolean> change = all.next();
      if (change.getValue() || !toldNs.containsKey(change.getKey())) {
        all.remove();
        due.add(change.getKey());
      }
    }
    for (String board : due) {
      toldNs.remove(board); // so that it goes to the end
      toldNs.put(board, nowNs);
    }
    return due;
  }
}
