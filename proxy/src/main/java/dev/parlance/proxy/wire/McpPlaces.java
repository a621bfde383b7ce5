package dev.parlance.proxy.wire;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Where a verdict stands in a message of MCP: under {@link #VERDICT} in {@code _meta} of a result
 * that carries content; nowhere else, because schemas refuse it there. A verdict under that key in
 * any {@code _meta} that the sender wrote is forged and taken out.
 */
final class McpPlaces implements Annotatable {
  static final String META = "_meta";

  /** Key of the verdict; MCP wants reverse DNS names before the slash. */
  static final String VERDICT = "org.w3id.parlance/asp";

  /**
   * A verdict that the sender wrote.
   *
   * @param meta the object it stands in
   * @param name its name there
   */
  private record Forged(int meta, int name) {}

  private final JsonDocument json;
  private final int result;
  private final List<Forged> forged = new ArrayList<>();

  /**
   * The places of one message.
   *
   * @param result the object that gets the verdict; {@link JsonDocument#NONE} if none does
   */
  McpPlaces(JsonDocument json, int result) {
    this.json = json;
    this.result = result;
    BitSet verdicts = new BitSet();
    int node = 0;
    while (node < json.nodes()) {
      if (json.isName(node) && json.isObject(node + 1) && json.nameEquals(node, META)) {
        int verdict = json.nameOf(node + 1, VERDICT);
        if (verdict != JsonDocument.NONE) {
          verdicts.set(verdict);
          forged.add(new Forged(node + 1, verdict));
        }
      }
      // What stands inside a forged verdict goes with it.
      node = verdicts.get(node) ? json.skip(node + 1) : node + 1;
    }
  }

  @Override
  public int forgedVerdicts() {
    return forged.size();
  }

  @Override
  public List<Edit> annotate(Annotation verdict) {
    if (result == JsonDocument.NONE) {
      return strip();
    }
    String value = VerdictJson.withRound(verdict);
    String member = JsonWriter.quoted(VERDICT) + ":" + value;
    JsonEdits edits = new JsonEdits(json);
    int meta = json.member(result, META);
    boolean replaced = false;
    for (Forged place : forged) {
      if (place.meta() == meta) {
        edits.replace(place.name() + 1, value);
        replaced = true;
      } else {
        edits.removeMember(place.meta(), place.name());
      }
    }
    if (meta == JsonDocument.NONE) {
      edits.addMembers(result, JsonWriter.quoted(META) + ":{" + member + "}");
    } else if (json.isNull(meta)) {
      edits.replace(meta, "{" + member + "}");
    } else if (!replaced) {
      edits.addMembers(meta, member);
    }
    return edits.sorted();
  }

  @Override
  public List<Edit> strip() {
    JsonEdits edits = new JsonEdits(json);
    forged.forEach(place -> edits.removeMember(place.meta(), place.name()));
    return edits.sorted();
  }
}
