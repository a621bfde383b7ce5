package dev.parlance.ledger.record;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The last decisions of persons that the ledger has, to know one that is told again: of each agent
 * at most {@value #MAX_ITEMS}, since a sidecar says again only what it remembers itself.
 */
final class ReviewLedger {
  /** Most items of one agent. */
  static final int MAX_ITEMS = 1_024;

  private final Map<String, Map<String, ReviewEntry>> byAgent = new HashMap<>();

  Applied apply(ReviewEntry entry) {
    Map<String, ReviewEntry> items =
        byAgent.computeIfAbsent(entry.agent(), _ -> new LinkedHashMap<>());
    if (items.containsKey(entry.item())) {
      return new Applied.Ignored(Applied.Cause.DUPLICATE);
    }
    items.put(entry.item(), entry);
    if (items.size() > MAX_ITEMS) {
      items.remove(items.keySet().iterator().next());
    }
    return new Applied.Counted();
  }

  Optional<ReviewEntry> find(String agent, String item) {
    return Optional.ofNullable(byAgent.getOrDefault(agent, Map.of()).get(item));
  }
}
