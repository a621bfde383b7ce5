package dev.parlance.wire.a2a;

import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.bytes.Arena;
import dev.parlance.wire.bytes.TextAccumulator;
import dev.parlance.wire.bytes.Texts;
import dev.parlance.wire.json.DataNames;
import dev.parlance.wire.json.JsonDocument;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The transcript of one answer of A2A, whichever binding brought it and however it was cut into
 * events, and the one text of it that is judged: the artifacts in the order in which they were
 * first seen, the pieces of each without anything between them; the text of the status; then
 * whatever else it wrote, in the order of {@link Side}; last the texts of artifacts that were
 * replaced. Units are joined by line feeds.
 *
 * <p>Beside the answer itself, a text is left out that has been judged before, or that stands in
 * the judged text already as a unit.
 */
final class A2aTranscript {
  /** Most artifacts that are told apart in one answer. */
  static final int MAX_ARTIFACTS = 10_000;

  private static final String BEHIND = "\0\1";

  /** What an agent may say beside its answer. */
  enum Side {
    /** Earlier messages of the conversation, whoever is said to have written them. */
    HISTORY,
    /** Names and descriptions of artifacts. */
    NAME,
    /** Texts of a status that another status has followed. */
    INTERIM,
    /** Whatever else could be shown: unknown members, long metadata. */
    OTHER,
    /** What the metadata of the whole message says of terms. */
    LEXICON
  }

  private static final Map<String, TextAccumulator> NO_UNITS = Map.of();
  private static final Map<String, Utf8Span> NO_STATUSES = Map.of();
  private static final Map<String, Set<String>> NOTHING_REPLACED = Map.of();
  private static final Map<Side, Distinct> NO_SIDES = Map.of();

  private final Predicate<Utf8Span> known;
  private final boolean detached;
  private final Arena memory;

  // Most answers are one message: what only others need is made when it is needed.
  private String firstName = "";
  private Optional<TextAccumulator> first = Optional.empty();
  private Map<String, TextAccumulator> others = NO_UNITS;
  private int behind;
  private Map<String, Utf8Span> statuses = NO_STATUSES;

  private Map<Side, Distinct> sides = NO_SIDES;

  /** By artifact, what it said before it was replaced, less what its later text begins with. */
  private Map<String, Set<String>> replaced = NOTHING_REPLACED;

  private final DataNames names;
  private long sideBytes;
  private long replacedBytes;

  /** Bytes in front of the side text that came last, in its array, that are nobody's. */
  private int roomBytes;

  private int news;

  /**
   * An empty one.
   *
   * @param known texts that are no news: what was judged when it passed, what was asked
   * @param detached true if it outlives the bodies that it is read from
   * @param memory for what is put together
   */
  private A2aTranscript(
      Predicate<Utf8Span> known, boolean detached, Arena memory, DataNames names) {
    this.known = known;
    this.names = names;
    this.detached = detached;
    this.memory = memory;
  }

  /** An empty one of a body, whose memory it uses; see {@link #detached} for {@code known}. */
  static A2aTranscript of(Predicate<Utf8Span> known, JsonDocument json) {
    return new A2aTranscript(known, false, json.memory(), new DataNames());
  }

  /**
   * An empty one that outlives the bodies that it is read from.
   *
   * @param known texts that are no news: what was judged when it passed, what was asked
   */
  static A2aTranscript detached(Predicate<Utf8Span> known) {
    return new A2aTranscript(known, true, Arena.unpooled(), new DataNames());
  }

  /** One for a single message, which has no side texts. */
  A2aTranscript ofOne() {
    return new A2aTranscript(_ -> true, false, memory, names);
  }

  /** True if a text is no news. */
  boolean knows(Utf8Span text) {
    return known.test(text);
  }

  /** A member name of data. */
  void name(Utf8Span name) {
    names.add(name);
  }

  /** True if the names of its data say more than names do. */
  boolean hasWordyNames() {
    return names.exceeded();
  }

  /** True if this artifact, or message, has been begun. */
  boolean has(String artifact) {
    return found(artifact).isPresent() || found(behind(artifact)).isPresent();
  }

  /**
   * The unit of an artifact's data and files, or of a message's: they stand behind its text, which
   * clients show without them, and never cut it in two.
   */
  static String behind(String artifact) {
    return artifact + BEHIND;
  }

  private Optional<TextAccumulator> found(String artifact) {
    return first.isPresent() && firstName.equals(artifact)
        ? first
        : Optional.ofNullable(others.get(artifact));
  }

  private void put(String artifact, TextAccumulator unit) {
    if (first.isEmpty() || firstName.equals(artifact)) {
      firstName = artifact;
      first = Optional.of(unit);
      return;
    }
    if (others.isEmpty()) {
      others = new LinkedHashMap<>();
    }
    if (others.put(artifact, unit) == null && artifact.endsWith(BEHIND)) {
      behind++;
    }
  }

  /** True if no further artifact can be told apart. */
  boolean isFull() {
    return others.size() - behind + 1 >= MAX_ARTIFACTS;
  }

  /**
   * Begins an artifact (or a message, which is one unit too). One that was begun before keeps its
   * place; what it said so far is replaced, and still judged, because it has been shown.
   */
  void begin(String artifact) {
    Optional<TextAccumulator> before = found(artifact);
    put(artifact, new TextAccumulator(memory));
    if (before.isPresent() && before.get().length() > 0) {
      replace(artifact, before.get());
    }
    if (!artifact.endsWith(BEHIND) && found(behind(artifact)).isPresent()) {
      begin(behind(artifact));
    }
  }

  private void replace(String artifact, TextAccumulator before) {
    if (replaced.isEmpty()) {
      replaced = new LinkedHashMap<>();
    }
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

  private TextAccumulator unit(String artifact) {
    Optional<TextAccumulator> found = found(artifact);
    if (found.isPresent()) {
      return found.get();
    }
    TextAccumulator unit = new TextAccumulator(memory);
    put(artifact, unit);
    return unit;
  }

  /** A piece of the running text of an artifact. */
  void run(String artifact, Utf8Span piece) {
    unit(artifact).run(own(piece));
    news++;
  }

  /** Something that is no text stands between the texts of an artifact. */
  void gap(String artifact) {
    found(artifact).ifPresent(TextAccumulator::gap);
  }

  /** A line of an artifact or a message. */
  void line(String artifact, Utf8Span line) {
    unit(artifact).line(own(line));
    news++;
  }

  /** The text of a task's status; one that was there before becomes an interim one. */
  void status(String task, Utf8Span text) {
    if (statuses.isEmpty()) {
      statuses = new LinkedHashMap<>();
    }
    Utf8Span before = statuses.put(task, own(text));
    if (before != null && !before.equals(text)) {
      side(Side.INTERIM, before);
    }
    news++;
  }

  /** A status without text has taken the place of the one that was there, which is no news. */
  void silentStatus(String task) {
    Utf8Span before = statuses.get(task);
    if (before != null) {
      statuses.remove(task);
      int unchanged = news;
      side(Side.INTERIM, before);
      news = unchanged;
    }
  }

  /** A text beside the answer. */
  void side(Side kind, Utf8Span text) {
    side(kind, text, 0);
  }

  /**
   * Bytes that are worth leaving free in front of a text that is decoded to stand beside the
   * answer: what stands before it in the judged text then needs no third array.
   */
  int room() {
    return detached || !sides.isEmpty() ? 0 : bytes();
  }

  /**
   * A text beside the answer.
   *
   * @param room bytes in front of it in its array that are nobody's
   */
  void side(Side kind, Utf8Span text, int room) {
    if (isBlank(text) || known.test(text)) {
      return;
    }
    if (sides.isEmpty()) {
      sides = new EnumMap<>(Side.class);
    }
    Distinct same = sides.computeIfAbsent(kind, _ -> new Distinct());
    if (!same.contains(text)) {
      same.add(own(text));
      roomBytes = room;
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
    return statuses.isEmpty() && sides.isEmpty() && !hasArtifactText();
  }

  /** True if an artifact or a message has text, be it empty. */
  boolean hasArtifactText() {
    if (first.isPresent() && first.get().begun()) {
      return true;
    }
    for (TextAccumulator unit : others.values()) {
      if (unit.begun()) {
        return true;
      }
    }
    return false;
  }

  /** Bytes of {@link #text()}, or a few more where it leaves out what is said twice. */
  int bytes() {
    long bytes = sideBytes + replacedBytes;
    if (first.isPresent() && first.get().begun()) {
      bytes += first.get().length() + 1;
    }
    for (TextAccumulator unit : others.values()) {
      bytes += unit.begun() ? unit.length() + 1 : 0;
    }
    for (Utf8Span status : statuses.values()) {
      bytes += status.length() + 1;
    }
    return (int) Math.min(Integer.MAX_VALUE, bytes);
  }

  /** True if nothing is answered: no artifact, message or status has more than blanks. */
  boolean isSilent() {
    return isBlank(answer());
  }

  /** The text of artifacts, messages and status alone. */
  Utf8Span answer() {
    return joined(units());
  }

  private Utf8Span joined(List<Utf8Span> units) {
    return units.isEmpty() ? Utf8Span.EMPTY : Texts.join(units, memory);
  }

  private List<Utf8Span> units() {
    boolean spoke = first.isPresent() && first.get().begun();
    if (others.isEmpty() && statuses.isEmpty()) {
      return spoke ? List.of(first.get().text()) : List.of();
    }
    List<Utf8Span> units = new ArrayList<>();
    if (spoke) {
      units.add(first.get().text());
    }
    for (TextAccumulator unit : others.values()) {
      if (unit.begun()) {
        units.add(unit.text());
      }
    }
    units.addAll(statuses.values());
    return units;
  }

  /** The judged text. */
  Utf8Span text() {
    List<Utf8Span> units = units();
    if (sides.isEmpty() && replaced.isEmpty()) {
      return joined(units);
    }
    List<Utf8Span> all = withSides(units, sides.values());
    boolean room = all.size() == 2 && replaced.isEmpty() && all.getFirst().length() < roomBytes;
    return room && units.size() == 1 ? joinedInRoom(all.getFirst(), all.getLast()) : joined(all);
  }

  /** The judged text without what the metadata says of terms. */
  Utf8Span textBesideLexicon() {
    Map<Side, Distinct> others = new EnumMap<>(Side.class);
    others.putAll(sides);
    others.remove(Side.LEXICON);
    return joined(withSides(units(), others.values()));
  }

  /** Puts the answer in front of the only other text, where room was left for it. */
  private static Utf8Span joinedInRoom(Utf8Span answer, Utf8Span side) {
    int at = side.arrayOffset() - answer.length() - 1;
    System.arraycopy(answer.array(), answer.arrayOffset(), side.array(), at, answer.length());
    side.array()[side.arrayOffset() - 1] = '\n';
    return Utf8Span.of(side.array(), at, answer.length() + 1 + side.length());
  }

  private List<Utf8Span> withSides(List<Utf8Span> units, Collection<Distinct> beside) {
    Distinct seen = new Distinct();
    units.forEach(seen::add);
    List<Utf8Span> all = new ArrayList<>(units);
    for (Distinct texts : beside) {
      for (Utf8Span text : texts.inOrder()) {
        if (seen.add(text)) {
          all.add(text);
        }
      }
    }
    replaced.forEach((artifact, texts) -> {
      String now = unit(artifact).text().toString();
      for (String text : texts) {
        if (!now.startsWith(text) && seen.add(Utf8Span.of(text))) {
          all.add(Utf8Span.of(text));
        }
      }
    });
    return all;
  }

  /** Drops all text. */
  void forget() {
    first = Optional.empty();
    others = NO_UNITS;
    behind = 0;
    statuses = NO_STATUSES;
    sides = NO_SIDES;
    replaced = NOTHING_REPLACED;
    sideBytes = 0;
    replacedBytes = 0;
  }

  /** Texts, each once, in the order in which they came. */
  private static final class Distinct {
    /** As many texts are compared one by one. */
    private static final int FEW = 8;

    private final List<Utf8Span> texts = new ArrayList<>(1);

    // Spans can be ordered, so the table stays fast among colliding hashes.
    private Set<Utf8Span> index = Set.of();

    /** True if this text has been added. */
    boolean contains(Utf8Span text) {
      return index.isEmpty() ? texts.contains(text) : index.contains(text);
    }

    /** Adds a text; false, and no change, if it is there already. */
    boolean add(Utf8Span text) {
      if (contains(text)) {
        return false;
      }
      texts.add(text);
      if (!index.isEmpty()) {
        index.add(text);
      } else if (texts.size() > FEW) {
        index = new HashSet<>(texts);
      }
      return true;
    }

    /** All of them. */
    List<Utf8Span> inOrder() {
      return texts;
    }
  }
}
