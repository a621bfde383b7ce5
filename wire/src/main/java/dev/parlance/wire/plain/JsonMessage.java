package dev.parlance.wire.plain;

import dev.parlance.wire.api.MessageView;
import dev.parlance.wire.api.VerdictHeader;
import dev.parlance.wire.bytes.Edit;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonEdits;
import dev.parlance.wire.json.JsonWriter;
import dev.parlance.wire.metadata.VerdictJson;
import java.util.List;
import java.util.Optional;

/** A JSON message that takes the verdict as a member of its outermost object. */
interface JsonMessage extends MessageView {
  /** The body; empty if there is none. */
  Optional<JsonDocument> body();

  private static int name(JsonDocument json) {
    return json.nameOf(json.root(), VerdictJson.MEMBER);
  }

  @Override
  default int forgedVerdicts() {
    return body().isEmpty() || name(body().get()) == JsonDocument.NONE ? 0 : 1;
  }

  /** Puts the verdict in, or in the place of one that the sender wrote; needs an object. */
  @Override
  default List<Edit> annotate(VerdictHeader verdict) {
    if (body().isEmpty() || !body().get().isObject(body().get().root())) {
      return List.of();
    }
    JsonDocument json = body().get();
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

  @Override
  default List<Edit> strip() {
    if (body().isEmpty()) {
      return List.of();
    }
    JsonEdits edits = new JsonEdits(body().get());
    strip(body().get(), edits);
    return edits.sorted();
  }

  /** Removes a forged verdict as part of other edits. */
  static void strip(JsonDocument json, JsonEdits edits) {
    int forged = name(json);
    if (forged != JsonDocument.NONE) {
      edits.removeMember(json.root(), forged);
    }
  }
}
