package dev.parlance.ledger.record;

import java.util.HashMap;
import java.util.Map;

/** How often closed audits have had an agent decided on a term, by domain, agent and term. */
final class VerdictCounts {
  private final Map<String, Map<String, Map<String, Integer>>> counts = new HashMap<>();

  void add(String domain, String agent, String term) {
    counts
        .computeIfAbsent(domain, _ -> new HashMap<>())
        .computeIfAbsent(agent, _ -> new HashMap<>())
        .merge(term, 1, Integer::sum);
  }

  int of(String domain, String agent, String term) {
    return counts
        .getOrDefault(domain, Map.of())
        .getOrDefault(agent, Map.of())
        .getOrDefault(term, 0);
  }
}
