package dev.parlance.proxy.wire;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The objects of an A2A body that carry verdicts and statements on rounds: those that get ours, and
 * those where one that the sender wrote is looked for and taken out.
 *
 * <p>A statement on a round stays where it is read and checked: in the objects that speak for the
 * whole message, if anybody asks for them at all ({@link #believeRounds}). At all other places
 * nobody checks it, so it is cut, for whoever receives the message may believe it.
 */
final class A2aPlaces implements Annotatable {
  private static final String METADATA = "metadata";
  private static final String EXTENSIONS = "extensions";

  /** What becomes of an object when a verdict is written. */
  private enum Treatment {
    /** The verdict goes into {@code metadata}, its URI into {@code extensions}. */
    METADATA_AND_EXTENSIONS,
    /** The verdict goes into {@code metadata}; the schema has no {@code extensions} (Task). */
    METADATA_ONLY,
    /** Nothing is written; a verdict that stands there is forged. */
    STRIPPED,
    /** Nothing is written; a verdict that stands there was written by a sidecar. */
    ECHOED
  }

  private final JsonDocument json;
  private final Map<Integer, Treatment> places = new LinkedHashMap<>();
  private final Set<Integer> speakers = new HashSet<>();
  private boolean roundsBelieved;
  private Optional<String> fault = Optional.empty();

  A2aPlaces(JsonDocument json) {
    this.json = json;
  }

  /** A message or artifact that gets the verdict, whatever was said of it before. */
  void annotated(int object) {
    annotated(object, Treatment.METADATA_AND_EXTENSIONS);
  }

  /** A task, or an event of one, that gets the verdict. */
  void annotatedTask(int object) {
    annotated(object, Treatment.METADATA_ONLY);
  }

  private void annotated(int object, Treatment treatment) {
    if (json.isObject(object)) {
      check(object);
      places.put(object, treatment);
    }
  }

  /** An object that gets none. */
  void stripped(int object) {
    if (json.member(object, METADATA) != JsonDocument.NONE) {
      check(object);
      noticed(object);
    }
  }

  /** An object that has metadata, wherever it stands; what else is said of it counts. */
  void noticed(int object) {
    places.putIfAbsent(object, Treatment.STRIPPED);
  }

  /** An object that comes back as it passed here before. */
  void echoed(int object) {
    if (json.member(object, METADATA) != JsonDocument.NONE) {
      places.put(object, Treatment.ECHOED);
    }
  }

  /** An object whose statement on a round is one of the whole message. */
  void speaks(int object) {
    speakers.add(object);
  }

  /** Statements on rounds are read from now on, where they stand in objects that speak. */
  void believeRounds() {
    roundsBelieved = true;
  }

  private void check(int object) {
    int metadata = json.present(object, METADATA);
    int extensions = json.present(object, EXTENSIONS);
    if (metadata != JsonDocument.NONE && !json.isObject(metadata)) {
      fault = Optional.of("metadata is not an object");
    } else if (extensions != JsonDocument.NONE && !json.isArray(extensions)) {
      fault = Optional.of("extensions is not an array");
    }
  }

  /** What makes one of the objects unfit. */
  Optional<String> fault() {
    return fault;
  }

  // ---- what the sender wrote ----

  private int named(int object, String name) {
    return json.nameOf(json.member(object, METADATA), name);
  }

  private int forged(int object) {
    return places.get(object) == Treatment.ECHOED
        ? JsonDocument.NONE
        : named(object, VerdictJson.URI);
  }

  @Override
  public int forgedVerdicts() {
    int count = 0;
    for (int object : places.keySet()) {
      count += forged(object) == JsonDocument.NONE ? 0 : 1;
    }
    return count;
  }

  /**
   * What the message says of a round; nothing if nobody asked for it. Several objects that speak
   * have to say the same.
   */
  RoundMark round() {
    RoundMark found = RoundMark.NONE;
    for (int object : roundsBelieved ? List.copyOf(places.keySet()) : List.<Integer>of()) {
      int name = speakers.contains(object) ? named(object, RoundMark.URI) : JsonDocument.NONE;
      RoundMark mark =
          name == JsonDocument.NONE ? RoundMark.NONE : RoundReader.read(json, name + 1);
      if (found.equals(RoundMark.NONE)) {
        found = mark;
      } else if (!mark.equals(RoundMark.NONE) && !mark.equals(found)) {
        return new RoundMark.Unreadable("several statements on rounds in one message");
      }
    }
    return found;
  }

  /** The name of a statement on a round that nobody checks. */
  private int unchecked(int object) {
    int name = named(object, RoundMark.URI);
    if (name == JsonDocument.NONE) {
      return name;
    }
    return staysIn(object, name + 1) ? JsonDocument.NONE : name;
  }

  /** True if a statement on a round that stands in the metadata of this object is not cut. */
  boolean staysIn(int object, int statement) {
    return roundsBelieved
        && speakers.contains(object)
        && !json.isNull(statement)
        && RoundReader.shape(json, statement) != RoundReader.Shape.STATUS;
  }

  /** What comes back as it passed before is no news, and is cut without being counted. */
  @Override
  public int cutRounds() {
    int count = 0;
    for (Map.Entry<Integer, Treatment> place : places.entrySet()) {
      boolean news = place.getValue() != Treatment.ECHOED;
      count += news && unchecked(place.getKey()) != JsonDocument.NONE ? 1 : 0;
    }
    return count;
  }

  // ---- edits ----

  @Override
  public List<Edit> annotate(Annotation verdict) {
    String value = VerdictJson.of(verdict);
    Optional<String> status = verdict.round().map(RoundJson::of);
    JsonEdits edits = new JsonEdits(json);
    boolean told = false;
    for (Map.Entry<Integer, Treatment> place : places.entrySet()) {
      Map<String, String> written = new LinkedHashMap<>();
      boolean annotated =
          switch (place.getValue()) {
            case METADATA_AND_EXTENSIONS, METADATA_ONLY -> true;
            case STRIPPED, ECHOED -> false;
          };
      if (annotated) {
        written.put(VerdictJson.URI, value);
        if (!told) {
          // Once is enough: the signed outcome in it is long.
          status.ifPresent(json -> written.put(RoundMark.URI, json));
          told = true;
        }
      }
      boolean contradicted = status.isPresent() && speakers.contains(place.getKey());
      write(edits, place.getKey(), written, contradicted);
    }
    return edits.sorted();
  }

  @Override
  public List<Edit> strip() {
    JsonEdits edits = new JsonEdits(json);
    strip(edits);
    return edits.sorted();
  }

  /** Removes what the sender wrote and nobody checks, as part of other edits. */
  void strip(JsonEdits edits) {
    places.keySet().forEach(object -> write(edits, object, Map.of(), false));
  }

  /**
   * Writes the entries of one object, and takes those away that may not stay.
   *
   * @param entries by URI
   * @param contradicted true if a statement on a round gives way to ours elsewhere
   */
  private void write(
      JsonEdits edits, int object, Map<String, String> entries, boolean contradicted) {
    Set<Integer> removed = new HashSet<>();
    Set<String> forgottenUris = new HashSet<>();
    Map<String, String> left = new LinkedHashMap<>(entries);
    int verdict = forged(object);
    if (verdict != JsonDocument.NONE) {
      putOrRemove(edits, verdict, VerdictJson.URI, left, removed, forgottenUris);
    }
    boolean told = entries.containsKey(RoundMark.URI) || contradicted;
    int round = told ? named(object, RoundMark.URI) : unchecked(object);
    if (round != JsonDocument.NONE) {
      putOrRemove(edits, round, RoundMark.URI, left, removed, forgottenUris);
    }
    String members =
        String.join(
            ",",
            left.entrySet().stream()
                .map(entry -> JsonWriter.quoted(entry.getKey()) + ":" + entry.getValue())
                .toList());
    StringBuilder added = new StringBuilder();
    int metadata = json.member(object, METADATA);
    if (json.isObject(metadata)) {
      edits.changeMembers(metadata, removed, members);
    } else if (json.isNull(metadata) && !members.isEmpty()) {
      edits.replace(metadata, "{" + members + "}");
    } else if (!members.isEmpty()) {
      added.append("\"metadata\":{").append(members).append('}');
    }
    extensions(edits, object, entries.keySet(), forgottenUris, added);
    if (!added.isEmpty()) {
      edits.addMembers(object, added.toString());
    }
  }

  private static void putOrRemove(
      JsonEdits edits,
      int name,
      String uri,
      Map<String, String> left,
      Set<Integer> removed,
      Set<String> forgottenUris) {
    String value = left.remove(uri);
    if (value == null) {
      removed.add(name);
      forgottenUris.add(uri);
    } else {
      edits.replace(name + 1, value);
    }
  }

  private void extensions(
      JsonEdits edits,
      int object,
      Set<String> written,
      Set<String> forgotten,
      StringBuilder added) {
    boolean extended = places.get(object) == Treatment.METADATA_AND_EXTENSIONS;
    int extensions = json.member(object, EXTENSIONS);
    Set<String> listed = new HashSet<>();
    Set<Integer> removed = new HashSet<>();
    int at = json.isArray(extensions) ? json.first(extensions) : JsonDocument.NONE;
    while (at != JsonDocument.NONE) {
      String uri = json.optionalString(at).orElse("");
      if (forgotten.contains(uri) && !listed.contains(uri)) {
        removed.add(at);
      }
      listed.add(uri);
      at = json.nextElement(extensions, at);
    }
    List<String> missing = new ArrayList<>();
    if (extended) {
      written.stream().filter(uri -> !listed.contains(uri)).forEach(missing::add);
    }
    String elements = String.join(",", missing.stream().map(JsonWriter::quoted).toList());
    if (json.isArray(extensions)) {
      edits.changeElements(extensions, removed, elements);
    } else if (!elements.isEmpty() && json.isNull(extensions)) {
      edits.replace(extensions, "[" + elements + "]");
    } else if (!elements.isEmpty()) {
      added.append(added.isEmpty() ? "" : ",").append("\"extensions\":[").append(elements);
      added.append(']');
    }
  }
}
