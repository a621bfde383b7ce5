package dev.parlance.ledger.record;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Cuts plans and openings that one entry has no room for. */
final class EntryParts {
  /** Room for the members that a part repeats: two ids of 128 bytes, numbers, names. */
  private static final int FRAME_BYTES = 1024;

  private static final int ROOM = EntryCodec.MAX_BYTES - FRAME_BYTES;

  private EntryParts() {}

  static List<Entry> of(Entry.Plan plan) {
    if (fits(plan)) {
      return List.of(plan);
    }
    List<Entry> parts = new ArrayList<>();
    for (List<String> terms : cut(plan.terms(), term -> termBytes(term, plan))) {
      SortedMap<String, String> alternatives = new TreeMap<>();
      for (String term : terms) {
        String alternative = plan.alternatives().get(term);
        if (alternative != null) {
          alternatives.put(term, alternative);
        }
      }
      parts.add(part(plan, parts.size(), terms, alternatives, List.of()));
    }
    for (List<Entry.PlanEvent> events : cut(plan.events(), EntryParts::eventBytes)) {
      parts.add(part(plan, parts.size(), List.of(), Collections.emptySortedMap(), events));
    }
    int count = parts.size();
    parts.add(
        new Entry.Plan(
            plan.plan(),
            plan.revision(),
            plan.core(),
            List.of(),
            Collections.emptySortedMap(),
            List.of(),
            plan.params(),
            plan.multiplicity(),
            plan.eventsPerTerm(),
            count,
            plan.atMs()));
    return List.copyOf(parts);
  }

  static List<Entry> of(Entry.Opened opened) {
    if (fits(opened)) {
      return List.of(opened);
    }
    List<Entry> parts = new ArrayList<>();
    for (List<String> terms : cut(opened.terms(), EntryParts::textBytes)) {
      parts.add(new Entry.AuditPart(opened.audit(), parts.size(), terms, opened.atMs()));
    }
    int count = parts.size();
    parts.add(
        new Entry.Opened(
            opened.audit(),
            opened.epoch(),
            opened.plan(),
            opened.revision(),
            opened.kind(),
            List.of(),
            opened.drawCommitment(),
            count,
            opened.atMs()));
    return List.copyOf(parts);
  }

  private interface Size<T> {
    int bytes(T item);
  }

  private static boolean fits(Entry entry) {
    return EntryCodec.line(entry).getBytes(StandardCharsets.UTF_8).length <= EntryCodec.MAX_BYTES;
  }

  private static Entry.PlanPart part(
      Entry.Plan plan,
      int number,
      List<String> terms,
      SortedMap<String, String> alternatives,
      List<Entry.PlanEvent> events) {
    return new Entry.PlanPart(
        plan.plan(), plan.revision(), number, terms, alternatives, events, plan.atMs());
  }

  private static <T> List<List<T>> cut(List<T> items, Size<T> size) {
    List<List<T>> pieces = new ArrayList<>();
    int begin = 0;
    int bytes = 0;
    for (int i = 0; i < items.size(); i++) {
      int more = size.bytes(items.get(i));
      if (bytes + more > ROOM) {
        pieces.add(items.subList(begin, i));
        begin = i;
        bytes = 0;
      }
      bytes += more;
    }
    if (begin < items.size()) {
      pieces.add(items.subList(begin, items.size()));
    }
    return pieces;
  }

  /** With quotes and comma. */
  private static int textBytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length + 3;
  }

  private static int termBytes(String term, Entry.Plan plan) {
    String alternative = plan.alternatives().get(term);
    return alternative == null ? textBytes(term) : 2 * textBytes(term) + textBytes(alternative);
  }

  private static int eventBytes(Entry.PlanEvent event) {
    return textBytes(event.pei()) + "{\"pei\":,\"sha256\":\"\"}".length() + event.sha256().length();
  }

  /**
   * Parts of plans and openings until the entry they belong to arrives. At most one half-received
   * plan and one half-received opening is kept for each name, and a part 0 begins anew.
   */
  static final class PartsInbox {
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
}
