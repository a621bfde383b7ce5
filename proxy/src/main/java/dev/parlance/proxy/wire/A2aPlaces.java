package dev.parlance.proxy.wire;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The objects of an A2A body that carry verdicts: those that get ours, and those where one that the
 * sender wrote is looked for and taken out.
 */
final class A2aPlaces implements Annotatable {
  private static final String METADATA = "metadata";
  private static final String EXTENSIONS = "extensions";
  private static final String ENTRY = JsonWriter.quoted(VerdictJson.URI);

  /** What becomes of an object when a verdict is written. */
  private enum Treatment {
    /** The verdict goes into {@code metadata}, its URI into {@code extensions}. */
    METADATA_AND_EXTENSIONS,
    /** The verdict goes into {@code metadata}; the schema has no {@code extensions} (Task). */
    METADATA_ONLY,
    /** Nothing is written; a verdict that stands there is forged. */
    STRIPPED
  }

  private final JsonDocument json;
  private final Map<Integer, Treatment> places = new LinkedHashMap<>();
  private Optional<String> fault = Optional.empty();

  A2aPlaces(JsonDocument json) {
    this.json = json;
  }

  /** A message or artifact that gets the verdict, whatever was said of it before. */
  void annotated(int object) {
    put(object, Treatment.METADATA_AND_EXTENSIONS);
  }

  /** A task, or an event of one, that gets the verdict. */
  void annotatedTask(int object) {
    put(object, Treatment.METADATA_ONLY);
  }

  /** An object that gets none. */
  void stripped(int object) {
    put(object, Treatment.STRIPPED);
  }

  private void put(int object, Treatment treatment) {
    boolean untouched =
        treatment == Treatment.STRIPPED
            && (json.member(object, METADATA) == JsonDocument.NONE || places.containsKey(object));
    if (!json.isObject(object) || untouched) {
      return;
    }
    int metadata = json.present(object, METADATA);
    int extensions = json.present(object, EXTENSIONS);
    if (metadata != JsonDocument.NONE && !json.isObject(metadata)) {
      fault = Optional.of("metadata is not an object");
    } else if (extensions != JsonDocument.NONE && !json.isArray(extensions)) {
      fault = Optional.of("extensions is not an array");
    }
    places.put(object, treatment);
  }

  /** What makes one of the objects unfit. */
  Optional<String> fault() {
    return fault;
  }

  private int forged(int object) {
    return json.nameOf(json.member(object, METADATA), VerdictJson.URI);
  }

  @Override
  public int forgedVerdicts() {
    int count = 0;
    for (int object : places.keySet()) {
      count += forged(object) == JsonDocument.NONE ? 0 : 1;
    }
    return count;
  }

  @Override
  public List<Edit> annotate(Annotation verdict) {
    String value = VerdictJson.of(verdict);
    JsonEdits edits = new JsonEdits(json);
    places.forEach((object, treatment) -> {
      switch (treatment) {
        case METADATA_AND_EXTENSIONS -> write(edits, object, value, true);
        case METADATA_ONLY -> write(edits, object, value, false);
        case STRIPPED -> strip(edits, object);
      }
    });
    return edits.sorted();
  }

  private void write(JsonEdits edits, int object, String value, boolean extended) {
    String member = ENTRY + ":" + value;
    StringBuilder added = new StringBuilder();
    int metadata = json.member(object, METADATA);
    int forged = forged(object);
    if (metadata == JsonDocument.NONE) {
      added.append("\"metadata\":{").append(member).append('}');
    } else if (json.isNull(metadata)) {
      edits.replace(metadata, "{" + member + "}");
    } else if (forged == JsonDocument.NONE) {
      edits.addMembers(metadata, member);
    } else {
      edits.replace(forged + 1, value);
    }
    if (extended) {
      int extensions = json.member(object, EXTENSIONS);
      if (extensions == JsonDocument.NONE) {
        added.append(added.isEmpty() ? "" : ",").append("\"extensions\":[").append(ENTRY);
        added.append(']');
      } else if (json.isNull(extensions)) {
        edits.replace(extensions, "[" + ENTRY + "]");
      } else if (entry(extensions) == JsonDocument.NONE) {
        edits.addElements(extensions, ENTRY);
      }
    }
    if (!added.isEmpty()) {
      edits.addMembers(object, added.toString());
    }
  }

  /** The entry of our URI in an {@code extensions} array. */
  private int entry(int extensions) {
    int at = json.isArray(extensions) ? json.first(extensions) : JsonDocument.NONE;
    while (at != JsonDocument.NONE) {
      if (json.isString(at) && json.string(at).equals(VerdictJson.URI)) {
        return at;
      }
      at = json.nextElement(extensions, at);
    }
    return JsonDocument.NONE;
  }

  @Override
  public List<Edit> strip() {
    JsonEdits edits = new JsonEdits(json);
    places.keySet().forEach(object -> strip(edits, object));
    return edits.sorted();
  }

  /** Removes the verdicts that the sender wrote, as part of other edits. */
  void strip(JsonEdits edits) {
    places.keySet().forEach(object -> strip(edits, object));
  }

  private void strip(JsonEdits edits, int object) {
    int forged = forged(object);
    if (forged == JsonDocument.NONE) {
      return;
    }
    edits.removeMember(json.member(object, METADATA), forged);
    int extensions = json.member(object, EXTENSIONS);
    int entry = entry(extensions);
    if (entry != JsonDocument.NONE) {
      edits.removeElement(extensions, entry);
    }
  }
}
