package dev.parlance.wire.metadata;

import dev.parlance.wire.api.VerdictHeader;
import dev.parlance.wire.bytes.Edit;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonEdits;
import dev.parlance.wire.json.JsonWriter;
import java.util.List;

/** The verdict as a member of the outermost object, where a protocol has no other place for it. */
public final class RootVerdict {
  private RootVerdict() {}

  private static int name(JsonDocument json) {
    return json.nameOf(json.root(), VerdictJson.MEMBER);
  }

  public static int forgedCount(JsonDocument json) {
    return name(json) == JsonDocument.NONE ? 0 : 1;
  }

  /** Puts the verdict in, or in the place of one that the sender wrote; needs an object. */
  public static List<Edit> annotate(JsonDocument json, VerdictHeader verdict) {
    if (!json.isObject(json.root())) {
      return List.of();
    }
    JsonEdits edits = new JsonEdits(json);
    String value = VerdictJson.withRound(verdict);
    int forged = name(json);
    if (forged == JsonDocument.NONE) {
      edits.addMembers(json.root(), JsonWriter.quoted(VerdictJson.MEMBER) + ":" + value);
    } else {
      edits.replace(forged + 1, value);
    }
    return edits.sorted();
  }

  public static List<Edit> strip(JsonDocument json) {
    JsonEdits edits = new JsonEdits(json);
    strip(json, edits);
    return edits.sorted();
  }

  /** As part of other edits. */
  public static void strip(JsonDocument json, JsonEdits edits) {
    int forged = name(json);
    if (forged != JsonDocument.NONE) {
      edits.removeMember(json.root(), forged);
    }
  }
}
