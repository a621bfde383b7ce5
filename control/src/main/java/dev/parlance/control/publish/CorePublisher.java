package dev.parlance.control.publish;

import dev.parlance.control.publish.SidecarLink.PublishedCore;
import dev.parlance.control.store.Store;
import dev.parlance.control.store.Store.CoreRow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The newest version of every core, as this replica has read it: new ones by their sequence number
 * at each poll, and all of them once in a while, should one ever be missed.
 */
final class CorePublisher {
  private static final int PAGES_PER_POLL = 16;

  private final Store store;
  private final Map<String, PublishedCore> newest = new HashMap<>();
  private final Map<String, List<String>> keysByAgent = new HashMap<>();
  private long sequence;

  CorePublisher(Store store) {
    this.store = store;
  }

  /** Reads all cores; those that were not known. */
  List<PublishedCore> load(long nowNs) {
    return take(store.cores(), nowNs);
  }

  /** Reads what was published since; those that were not known, in order. */
  List<PublishedCore> poll(long nowNs) {
    List<PublishedCore> fresh = new ArrayList<>();
    for (int page = 0; page < PAGES_PER_POLL; page++) {
      long after;
      synchronized (this) {
        after = sequence;
      }
      List<CoreRow> rows = store.coresSince(after);
      if (rows.isEmpty()) {
        break;
      }
      fresh.addAll(take(rows, nowNs));
    }
    return fresh;
  }

  private synchronized List<PublishedCore> take(List<CoreRow> rows, long nowNs) {
    Map<String, PublishedCore> fresh = new HashMap<>();
    for (CoreRow row : rows) {
      sequence = Math.max(sequence, row.sequence());
      PublishedCore known = newest.get(row.coreKey());
      if (known == null || known.version() < row.version()) {
        PublishedCore core = new PublishedCore(row, nowNs);
        newest.put(row.coreKey(), core);
        fresh.put(row.coreKey(), core);
        if (known == null) {
          row.agents()
              .forEach(agent ->
                  keysByAgent.computeIfAbsent(agent, _ -> new ArrayList<>()).add(row.coreKey()));
        }
      }
    }
    return fresh.values().stream()
        .sorted((a, b) -> Long.compare(a.row().sequence(), b.row().sequence()))
        .toList();
  }

  /** The newest cores of an agent, in the order of their publication. */
  synchronized List<PublishedCore> of(String agent) {
    return keysByAgent.getOrDefault(agent, List.of()).stream()
        .map(newest::get)
        .sorted((a, b) -> Long.compare(a.row().sequence(), b.row().sequence()))
        .toList();
  }
}
