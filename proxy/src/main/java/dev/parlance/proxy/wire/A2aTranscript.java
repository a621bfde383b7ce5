package dev.parlance.proxy.wire;

import dev.parlance.policy.text.Utf8Span;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Everything that an agent of A2A has said in one answer, whichever binding brought it and however
 * it was cut into events, and the one text that is judged of it: the artifacts in the order in
 * which they were first seen, the pieces of each without anything between them; the text of the
 * status; then whatever else it wrote, in the order of {@link Side}; last the texts of artifacts
 * that were replaced. Units are joined by line feeds.
 *
 * <p>Beside the answer itself, a text is left out that has been judged before, or that stands in
 * the judged text already as a unit.
 */
final class A2aTranscript {
  /** Most artifacts that are told apart in one answer. */
  static final int MAX_ARTIFACTS = 10_000;

  /** What an agent may say beside its answer. */
  enum Side {
    /** Earlier messages of the conversation, whoever is said to have written them. */
    HISTORY,
    /** Names and descriptions of artifacts. */
    NAME,
    /** Texts of a status that another status has followed. */
    INTERIM,
    /** Whatever else could be shown: unknown members, long metadata. */
    OTHER
  }

  private final Predicate<Utf8Span> known;
  private final boolean detached;
  private final Map<String, SpokenText> artifacts = new LinkedHashMap<>();
  private final Map<String, Utf8Span> statuses = new LinkedHashMap<>();
  private final Map<Side, Set<String>> sides = new EnumMap<>(Side.class);

  /** By artifact, what it said before it was replaced, less what its later text begins with. */
  private final Map<String, Set<String>> replaced = new LinkedHashMap<>();

  private long sideBytes;
  private long replacedBytes;
  private int news;

  /**
   * An empty one.
   *
   * @param known texts that are no news: what was judged when it passed, what was asked
   * @param detached true if it outlives the bodies that it is read from
   */
  A2aTranscript(Predicate<Utf8Span> known, boolean detached) {
    this.known = known;
    this.detached = detached;
  }

  /** One for a single message, which has no side texts. */
  static A2aTranscript ofOne() {
    return new A2aTranscript(_ -> true, false);
  }

  /** True if a text is no news. */
  boolean knows(Utf8Span text) {
    return known.test(text);
  }

  /** True if this artifact, or message, has been begun. */
  boolean has(String artifact) {
    return artifacts.containsKey(artifact);
  }

  /** True if no further artifact can be told apart. */
  boolean isFull() {
    return artifacts.size() >= MAX_ARTIFACTS;
  }

  /**
   * Begins an artifact (or a message, which is one unit too). One that was begun before keeps its
   * place; what it said so far is replaced, and still judged, because it has been shown.
   */
  void begin(String artifact) {
    SpokenText before = artifacts.put(artifact, new SpokenText());
    if (before != null && before.length() > 0) {
      String text = before.text().toString();
      Set<String> earlier = replaced.computeIfAbsent(artifact, _ -> new LinkedHashSet<>());
      for (String old : List.copyOf(earlier)) {
        if (text.startsWith(old)) {
          earlier.remove(old);
          replacedBytes -= Utf8Span.of(old).length() + 1;
        }
      }
      earlier.add(text);
      replacedBytes += before.length() + 1;
    }
  }

  private SpokenText unit(String artifact) {
    return artifacts.computeIfAbsent(artifact, _ -> new SpokenText());
  }

  /** A piece of the running text of an artifact. */
  void run(String artifact, Utf8Span piece) {
    unit(artifact).run(own(piece));
    news++;
  }

  /** A line of an artifact or a message. */
  void line(String artifact, Utf8Span line) {
    unit(artifact).line(own(line));
    news++;
  }

  /** The text of a task's status; one that was there before becomes an interim one. */
  void status(String task, Utf8Span text) {
    Utf8Span before = statuses.put(task, own(text));
    if (before != null && !before.equals(text)) {
      side(Side.INTERIM, before);
    }
    news++;
  }

  /** A status without text has taken the place of the one that was there, which is no news. */
  void silentStatus(String task) {
    Utf8Span before = statuses.remove(task);
    if (before != null) {
      int unchanged = news;
      side(Side.INTERIM, before);
      news = unchanged;
    }
  }

  /** A text beside the answer. */
  void side(Side kind, Utf8Span text) {
    if (isBlank(text) || known.test(text)) {
      return;
    }
    if (sides.computeIfAbsent(kind, _ -> new LinkedHashSet<>()).add(text.toString())) {
      sideBytes += text.length() + 1;
      news++;
    }
  }

  private static boolean isBlank(Utf8Span text) {
    for (int i = 0; i < text.length(); i++) {
      byte b = text.byteAt(i);
      if (b != ' ' && b != '\n' && b != '\r' && b != '\t') {
        return false;
      }
    }
    return true;
  }

  private Utf8Span own(Utf8Span text) {
    return detached ? text.detached() : text;
  }

  /** Grows with every text that is taken up. */
  int news() {
    return news;
  }

  /** True if nothing was said, not even an empty text. */
  boolean isEmpty() {
    return statuses.isEmpty()
        && sides.isEmpty()
        && artifacts.values().stream().noneMatch(SpokenText::begun);
  }

  /** True if an artifact or a message has text, be it empty. */
  boolean hasArtifactText() {
    return artifacts.values().stream().anyMatch(SpokenText::begun);
  }

  /** Bytes of {@link #text()}, or a few more where it leaves out what is said twice. */
  int bytes() {
    long bytes = sideBytes + replacedBytes;
    for (SpokenText unit : artifacts.values()) {
      bytes += unit.begun() ? unit.length() + 1 : 0;
    }
    for (Utf8Span status : statuses.values()) {
      bytes += status.length() + 1;
    }
    return (int) Math.min(Integer.MAX_VALUE, bytes);
  }

  /** The text of artifacts, messages and status alone. */
  Utf8Span answer() {
    List<Utf8Span> units = units();
    return units.isEmpty() ? Utf8Span.EMPTY : Texts.join(units);
  }

  private List<Utf8Span> units() {
    List<Utf8Span> units = new ArrayList<>();
    artifacts.values().stream().filter(SpokenText::begun).map(SpokenText::text).forEach(units::add);
    units.addAll(statuses.values());
    return units;
  }

  /** The judged text. */
  Utf8Span text() {
    List<Utf8Span> units = units();
    if (!sides.isEmpty() || !replaced.isEmpty()) {
      addSides(units);
    }
    return units.isEmpty() ? Utf8Span.EMPTY : Texts.join(units);
  }

  private void addSides(List<Utf8Span> units) {
    Set<String> seen = new HashSet<>();
    units.forEach(unit -> seen.add(unit.toString()));
    for (Set<String> texts : sides.values()) {
      for (String text : texts) {
        if (seen.add(text)) {
          units.add(Utf8Span.of(text));
        }
      }
    }
    replaced.forEach((artifact, texts) -> {
      String now = unit(artifact).text().toString();
      for (String text : texts) {
        if (!now.startsWith(text) && seen.add(text)) {
          units.add(Utf8Span.of(text));
        }
      }
    });
  }

  /** Drops all text. */
  void forget() {
    artifacts.clear();
    statuses.clear();
    sides.clear();
    replaced.clear();
    sideBytes = 0;
    replacedBytes = 0;
  }
}
