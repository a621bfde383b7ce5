package dev.parlance.wire.mcp;

import dev.parlance.wire.api.Annotatable;
import dev.parlance.wire.api.RoundMark;
import dev.parlance.wire.api.VerdictHeader;
import dev.parlance.wire.bytes.Edit;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonEdits;
import dev.parlance.wire.json.JsonWriter;
import dev.parlance.wire.metadata.VerdictJson;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The sites of verdicts in a message of MCP: under {@link #VERDICT} in {@code _meta} of a result
 * that carries content; nowhere else, because schemas refuse it there. A verdict under that key in
 * any {@code _meta} that the sender wrote is forged and taken out, and so is what it says there of
 * a round, which nobody checks.
 */
public final class McpTextSites implements Annotatable {
  static final String META = "_meta";

  /** Key of the verdict; MCP wants reverse DNS names before the slash. */
  public static final String VERDICT = "org.w3id.parlance/asp";

  /** Keys of statements on rounds: as A2A has it, and as MCP would. */
  private static final List<String> ROUNDS = List.of(RoundMark.URI, "org.w3id.parlance/round");

  private final JsonDocument json;
  private final int result;

  /** The names that may not stay, by the object they stand in. */
  private final Map<Integer, Set<Integer>> forged = new LinkedHashMap<>();

  private int verdicts;
  private int rounds;

  /**
   * The sites of one message.
   *
   * @param result the object that gets the verdict; {@link JsonDocument#NONE} if none does
   */
  McpTextSites(JsonDocument json, int result) {
    this.json = json;
    this.result = result;
    BitSet cut = new BitSet();
    int node = 0;
    while (node < json.nodes()) {
      if (json.isName(node) && json.isObject(node + 1) && json.nameEquals(node, META)) {
        look(node + 1, cut);
      }
      // What stands inside something that is cut goes with it.
      node = cut.get(node) ? json.skip(node + 1) : node + 1;
    }
  }

  private void look(int meta, BitSet cut) {
    int verdict = json.nameOf(meta, VERDICT);
    if (verdict != JsonDocument.NONE) {
      verdicts++;
      take(meta, verdict, cut);
    }
    for (String key : ROUNDS) {
      int round = json.nameOf(meta, key);
      if (round != JsonDocument.NONE) {
        rounds++;
        take(meta, round, cut);
      }
    }
  }

  private void take(int meta, int name, BitSet cut) {
    cut.set(name);
    forged.computeIfAbsent(meta, _ -> new LinkedHashSet<>()).add(name);
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
    if (result == JsonDocument.NONE) {
      return strip();
    }
    String value = VerdictJson.withRound(verdict);
    String member = JsonWriter.quoted(VERDICT) + ":" + value;
    JsonEdits edits = new JsonEdits(json);
    int meta = json.member(result, META);
    int replaced = json.nameOf(meta, VERDICT);
    forged.forEach((object, names) -> {
      Set<Integer> removed = new LinkedHashSet<>(names);
      boolean own = object == meta;
      if (own && replaced != JsonDocument.NONE) {
        removed.remove(replaced);
        edits.replace(replaced + 1, value);
      }
      edits.changeMembers(object, removed, own && replaced == JsonDocument.NONE ? member : "");
    });
    if (meta == JsonDocument.NONE) {
      edits.addMembers(result, JsonWriter.quoted(META) + ":{" + member + "}");
    } else if (json.isNull(meta)) {
      edits.replace(meta, "{" + member + "}");
    } else if (!forged.containsKey(meta)) {
      edits.addMembers(meta, member);
    }
    return edits.sorted();
  }

  @Override
  public List<Edit> strip() {
    JsonEdits edits = new JsonEdits(json);
    forged.forEach((object, names) -> edits.changeMembers(object, names, ""));
    return edits.sorted();
  }
}
