package dev.parlance.ledger.record;

import dev.parlance.policy.core.CertificationParams;
import dev.parlance.policy.core.CoreId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A revision of a plan as it stands in the ledger, its parts put together. */
public final class PlanState {
  private final Entry.Plan plan;
  private final Map<String, String> events = new LinkedHashMap<>();
  private final List<List<String>> pairs = new ArrayList<>();

  PlanState(Entry.Plan plan) {
    this.plan = plan;
    plan.events().forEach(event -> events.put(event.pei(), event.sha256()));
    List<String> agents = plan.core().agents();
    for (int i = 0; i < agents.size(); i++) {
      for (int j = i + 1; j < agents.size(); j++) {
        pairs.add(List.of(agents.get(i), agents.get(j)));
      }
    }
  }

  /** The plan, whole. */
  public Entry.Plan plan() {
    return plan;
  }

  /** What it certifies the core of. */
  public CoreId core() {
    return plan.core();
  }

  /** Its agents, sorted. */
  public List<String> agents() {
    return plan.core().agents();
  }

  /** Its pairs of agents, sorted. */
  public List<List<String>> pairs() {
    return Collections.unmodifiableList(pairs);
  }

  /** The constants that each of its terms is tested with. */
  public CertificationParams perTerm() {
    return plan.multiplicity().perTerm(plan.params(), plan.terms().size());
  }

  /** Whether the vocabulary has the term. */
  public boolean hasTerm(String term) {
    return Collections.binarySearch(plan.terms(), term) >= 0;
  }

  /** Whether the pool has the event. */
  public boolean hasEvent(String event) {
    return events.containsKey(event);
  }

  Collection<String> pool() {
    return Collections.unmodifiableSet(events.keySet());
  }

  /** Index of an agent among {@link #agents}; negative if it is none of them. */
  int agent(String agent) {
    return agents().indexOf(agent);
  }
}
