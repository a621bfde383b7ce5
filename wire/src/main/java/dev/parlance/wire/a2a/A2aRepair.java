package dev.parlance.wire.a2a;

import dev.parlance.wire.api.Correlation;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonEdits;
import dev.parlance.wire.json.JsonWriter;
import dev.parlance.wire.json.Member;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The request that asks an agent again, as edits of the first one: same call, new message id, one
 * more text part. A finished task cannot be continued (A2A v1.0, -32004), so the message then
 * leaves the task and names it as a reference instead.
 */
final class A2aRepair {
  private final JsonDocument json;
  private final int message;
  private final int parts;
  private final A2aForm form;
  private final JsonEdits edits;
  private final List<String> added = new ArrayList<>();

  A2aRepair(JsonDocument json, int message, int parts, A2aForm form) {
    this.json = json;
    this.message = message;
    this.parts = parts;
    this.form = form;
    this.edits = new JsonEdits(json);
  }

  /** For further edits of the same body. */
  JsonEdits edits() {
    return edits;
  }

  /**
   * The new body.
   *
   * @param rejected ids of the answer that was not good enough
   * @param openTask true if that answer is a task which can be continued
   */
  byte[] body(Correlation rejected, boolean openTask, String instruction, String freshMessageId) {
    set("messageId", freshMessageId);
    rejected.contextId().ifPresent(contextId -> set("contextId", contextId));
    int taskId = json.nameOf(message, Member.TASK_ID);
    if (taskId != JsonDocument.NONE && !openTask) {
      edits.removeMember(message, taskId);
    }
    if (form.namesReferences()) {
      rejected.taskId().ifPresent(this::reference);
    }
    String kind = form.discriminated() ? "\"kind\":\"text\"," : "";
    String part = "{" + kind + "\"text\":" + JsonWriter.quoted(instruction) + "}";
    edits.addElements(parts, part);
    if (!added.isEmpty()) {
      edits.addMembers(message, String.join(",", added));
    }
    return json.edited(edits.sorted());
  }

  private void set(String name, String value) {
    int node = json.member(message, name);
    if (node == JsonDocument.NONE) {
      added.add(JsonWriter.quoted(name) + ":" + JsonWriter.quoted(value));
    } else {
      edits.replace(node, JsonWriter.quoted(value));
    }
  }

  private void reference(String taskId) {
    String quoted = JsonWriter.quoted(taskId);
    int references = json.member(message, Member.REFERENCE_TASK_IDS);
    if (references == JsonDocument.NONE) {
      added.add("\"referenceTaskIds\":[" + quoted + "]");
    } else if (json.isNull(references)) {
      edits.replace(references, "[" + quoted + "]");
    } else if (!contains(references, taskId)) {
      edits.addElements(references, quoted);
    }
  }

  private boolean contains(int references, String taskId) {
    int at = json.first(references);
    while (at != JsonDocument.NONE) {
      if (json.optionalString(at).equals(Optional.of(taskId))) {
        return true;
      }
      at = json.nextElement(references, at);
    }
    return false;
  }
}
