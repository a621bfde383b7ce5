package dev.parlance.ledger.record;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
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
    return EntryWriter.line(entry).getBytes(StandardCharsets.UTF_8).length <= EntryCodec.MAX_BYTES;
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
}
