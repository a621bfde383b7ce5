package dev.parlance.wire.metadata;

import dev.parlance.wire.api.Annotatable;
import dev.parlance.wire.api.VerdictHeader;
import dev.parlance.wire.bytes.Edit;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonEdits;
import dev.parlance.wire.json.JsonWriter;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The sites of verdicts in a JSON message that has the verdict as one member of one object. What
 * the sender wrote under that name, and statements on rounds that nobody checks, is taken out.
 */
public final class MemberSites implements Annotatable {
  private final JsonDocument json;
  private final int holder;
  private final String wrapper;
  private final String key;

  /** The names that may not stay, by the object they stand in; made with the first. */
  private Map<Integer, Set<Integer>> cut = Map.of();

  private int verdicts;
  private int rounds;

  /**
   * The sites of a message, in which nothing was found yet.
   *
   * @param holder the object that gets the verdict; {@link JsonDocument#NONE} if none does
   * @param wrapper name of the member of {@code holder} whose object takes it; empty if that does
   * @param key name of the verdict
   */
  public MemberSites(JsonDocument json, int holder, String wrapper, String key) {
    this.json = json;
    this.holder = holder;
    this.wrapper = wrapper;
    this.key = key;
  }

  /** The sites of a message that has the verdict in its outermost object and nowhere else. */
  public static MemberSites ofRoot(JsonDocument json) {
    int root = json.isObject(json.root()) ? json.root() : JsonDocument.NONE;
    MemberSites sites = new MemberSites(json, root, "", VerdictJson.MEMBER);
    sites.verdictIn(root);
    return sites;
  }

  @Override
  public JsonDocument document() {
    return json;
  }

  /** Looks for a verdict that the sender wrote into an object, which may be missing. */
  public void verdictIn(int object) {
    verdicts += take(object, key);
  }

  /** Looks for a statement on a round in an object, which may be missing. */
  public void roundIn(int object, String name) {
    rounds += take(object, name);
  }

  private int take(int object, String name) {
    int found = json.nameOf(object, name);
    if (found == JsonDocument.NONE) {
      return 0;
    }
    if (cut.isEmpty()) {
      cut = new LinkedHashMap<>();
    }
    cut.computeIfAbsent(object, _ -> new LinkedHashSet<>()).add(found);
    return 1;
  }

  /** True for a name that is taken out with what stands in it. */
  public boolean isCut(int name) {
    for (Set<Integer> names : cut.values()) {
      if (names.contains(name)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public int forgedVerdicts() {
    return verdicts;
  }

  @Override
  public int cutRounds() {
    return rounds;
  }

  @Override
  public List<Edit> annotate(VerdictHeader verdict) {
    if (holder == JsonDocument.NONE) {
      return strip();
    }
    JsonEdits edits = new JsonEdits(json);
    String value = VerdictJson.withRound(verdict);
    String member = JsonWriter.quoted(key) + ":" + value;
    int object = wrapper.isEmpty() ? holder : json.member(holder, wrapper);
    int own = json.nameOf(object, key);
    boolean adds = own == JsonDocument.NONE;
    if (!adds) {
      edits.replace(own + 1, value);
    }
    cut.forEach((place, names) -> {
      Set<Integer> removed = new LinkedHashSet<>(names);
      removed.remove(own);
      edits.changeMembers(place, removed, adds && place == object ? member : "");
    });
    if (object == JsonDocument.NONE) {
      edits.addMembers(holder, JsonWriter.quoted(wrapper) + ":{" + member + "}");
    } else if (json.isNull(object)) {
      edits.replace(object, "{" + member + "}");
    } else if (!cut.containsKey(object)) {
      edits.addMembers(object, member);
    }
    return edits.sorted();
  }

  @Override
  public List<Edit> strip() {
    JsonEdits edits = new JsonEdits(json);
    strip(edits);
    return edits.sorted();
  }

  /** Removes what may not stay, as part of other edits. */
  public void strip(JsonEdits edits) {
    cut.forEach((object, names) -> edits.changeMembers(object, names, ""));
  }
}
