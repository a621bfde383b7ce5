package dev.parlance.ledger.record;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Parts of plans and openings until the entry they belong to arrives. At most one half-received
 * plan and one half-received opening is kept for each name, and a part 0 begins anew.
 */
final class PartsInbox {
  private record PlanKey(String plan, long revision) {}

  private final Map<PlanKey, List<Entry.PlanPart>> plans = new HashMap<>();
  private final Map<String, List<Entry.AuditPart>> audits = new HashMap<>();

  Applied add(Entry.PlanPart part) {
    return add(plans, new PlanKey(part.plan(), part.revision()), part, part.part());
  }

  Applied add(Entry.AuditPart part) {
    return add(audits, part.audit(), part, part.part());
  }

  private static <K, P> Applied add(Map<K, List<P>> inbox, K key, P part, int number) {
    List<P> before = number == 0 ? new ArrayList<>() : inbox.getOrDefault(key, List.of());
    if (before.size() != number) {
      inbox.remove(key);
      return Applied.ignored(Applied.Cause.PARTS_MISSING);
    }
    before.add(part);
    inbox.put(key, before);
    return Applied.COUNTED;
  }

  /**
   * The plan with its parts put together; empty if they are not as many as it says.
   *
   * @throws IllegalArgumentException if that is no plan
   */
  Optional<Entry.Plan> whole(Entry.Plan plan) {
    List<Entry.PlanPart> parts = plans.remove(new PlanKey(plan.plan(), plan.revision()));
    if (plan.parts() == 0) {
      return Optional.of(plan);
    }
    if (parts == null || parts.size() != plan.parts()) {
      return Optional.empty();
    }
    List<String> terms = new ArrayList<>();
    SortedMap<String, String> alternatives = new TreeMap<>();
    List<Entry.PlanEvent> events = new ArrayList<>();
    for (Entry.PlanPart part : parts) {
      terms.addAll(part.terms());
      alternatives.putAll(part.alternatives());
      events.addAll(part.events());
    }
    terms.addAll(plan.terms());
    alternatives.putAll(plan.alternatives());
    events.addAll(plan.events());
    return Optional.of(
        new Entry.Plan(
            plan.plan(),
            plan.revision(),
            plan.core(),
            terms,
            alternatives,
            events,
            plan.params(),
            plan.multiplicity(),
            plan.eventsPerTerm(),
            0,
            plan.atMs()));
  }

  /** The terms that an opening lists; empty if its parts are not as it says or not sorted. */
  Optional<List<String>> terms(Entry.Opened opened) {
    List<Entry.AuditPart> parts = audits.remove(opened.audit());
    if (opened.parts() == 0) {
      return Optional.of(opened.terms());
    }
    if (parts == null || parts.size() != opened.parts()) {
      return Optional.empty();
    }
    List<String> terms = new ArrayList<>();
    parts.forEach(part -> terms.addAll(part.terms()));
    terms.addAll(opened.terms());
    return Checks.isAscending(terms) && !terms.isEmpty()
        ? Optional.of(List.copyOf(terms))
        : Optional.empty();
  }
}
