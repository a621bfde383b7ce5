package dev.parlance.ledger.record;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What the revisions of one plan have in common: which events are used up for which term. */
final class PlanHistory {
  private final Map<String, Integer> numbers = new HashMap<>();
  private final List<String> events = new ArrayList<>();
  private final Map<String, BitSet> used = new HashMap<>();
  private Optional<PlanState> latest = Optional.empty();

  Optional<PlanState> latest() {
    return latest;
  }

  void revise(PlanState plan) {
    latest = Optional.of(plan);
  }

  void use(String term, String event) {
    Integer number = numbers.get(event);
    if (number == null) {
      number = events.size();
      numbers.put(event, number);
      events.add(event);
    }
    used.computeIfAbsent(term, _ -> new BitSet()).set(number);
  }

  /** The events that closed audits of the plan have asked about with this term. */
  Set<String> used(String term) {
    BitSet bits = used.get(term);
    if (bits == null) {
      return Set.of();
    }
    Set<String> names = HashSet.newHashSet(bits.cardinality());
    bits.stream().forEach(number -> names.add(events.get(number)));
    return names;
  }

  /** Whether the pool has too few fresh events for one of the terms. */
  boolean exhausted(PlanState plan, List<String> terms) {
    int enough = plan.plan().eventsPerTerm();
    for (String term : terms) {
      Set<String> gone = used(term);
      // Events of older revisions may be gone from the pool, so that only counting tells.
      long fresh =
          plan.pool().stream().filter(event -> !gone.contains(event)).limit(enough).count();
      if (fresh < enough) {
        return true;
      }
    }
    return false;
  }
}
