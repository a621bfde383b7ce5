package dev.parlance.wire.a2a;

import dev.parlance.wire.api.Correlation;
import dev.parlance.wire.bytes.Edit;
import dev.parlance.wire.bytes.Splicer;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonEdits;
import dev.parlance.wire.json.JsonWriter;
import dev.parlance.wire.json.MemberName;
import dev.parlance.wire.proto.ProtoMessage;
import dev.parlance.wire.proto.ProtoWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The request that asks an agent again, as edits of the first one, in JSON and in protobuf: same
 * call, new message id, one more text part. A finished task cannot be continued (A2A v1.0, -32004),
 * so the message then leaves the task and names it as a reference instead.
 */
final class A2aRepair {
  private A2aRepair() {}

  /**
   * The new request message.
   *
   * @param request the first one, without forged verdicts
   * @param rejected ids of the answer that was not good enough
   * @param openTask true if that answer is a task which can be continued
   */
  static Optional<byte[]> proto(
      ProtoMessage request,
      Correlation rejected,
      boolean openTask,
      String instruction,
      String freshMessageId) {
    Optional<ProtoMessage.Field> field = request.first("message");
    if (field.isEmpty()) {
      return Optional.empty();
    }
    OfProto repair = new OfProto(field.get().message().orElseThrow());
    repair.fields(rejected, openTask, freshMessageId);
    repair.added.message(5, new ProtoWriter().string(1, instruction));
    return Optional.of(Splicer.applyToBytes(request.body(), repair.finish(field.get())));
  }

  /** The edits of a JSON body. */
  static final class OfJson {
    private final JsonDocument json;
    private final int message;
    private final int parts;
    private final A2aFormat format;
    private final JsonEdits edits;
    private final List<String> added = new ArrayList<>();

    OfJson(JsonDocument json, int message, int parts, A2aFormat format) {
      this.json = json;
      this.message = message;
      this.parts = parts;
      this.format = format;
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
      int taskId = json.nameOf(message, MemberName.TASK_ID);
      if (taskId != JsonDocument.NONE && !openTask) {
        edits.removeMember(message, taskId);
      }
      if (format.namesReferences()) {
        rejected.taskId().ifPresent(this::reference);
      }
      String kind = format.discriminated() ? "\"kind\":\"text\"," : "";
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
      int references = json.member(message, MemberName.REFERENCE_TASK_IDS);
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

  /** The edits of a protobuf message. */
  private static final class OfProto {
    private static final byte[] NOTHING = new byte[0];

    private final ProtoMessage message;
    private final List<Edit> edits = new ArrayList<>();
    private final ProtoWriter added = new ProtoWriter();
    private int growth;

    OfProto(ProtoMessage message) {
      this.message = message;
    }

    private void fields(Correlation rejected, boolean openTask, String freshMessageId) {
      for (ProtoMessage.Field field : message.fields()) {
        boolean replaced =
            switch (field.known().name()) {
              case "messageId" -> true;
              case "contextId" -> rejected.contextId().isPresent();
              case "taskId" -> !openTask;
              default -> false;
            };
        if (replaced) {
          edits.add(new Edit(field.tagStart(), field.end() - field.tagStart(), NOTHING));
          growth -= field.end() - field.tagStart();
        }
      }
      added.string(1, freshMessageId);
      rejected.contextId().ifPresent(id -> added.string(2, id));
      rejected.taskId().filter(id -> !references(id)).ifPresent(id -> added.string(8, id));
    }

    private boolean references(String taskId) {
      return message
          .all("referenceTaskIds")
          .anyMatch(field -> message.text(field).toString().equals(taskId));
    }

    private List<Edit> finish(ProtoMessage.Field field) {
      byte[] bytes = added.toBytes();
      byte[] length = ProtoWriter.varint(field.end() - field.start() + growth + bytes.length);
      List<Edit> all = new ArrayList<>();
      all.add(new Edit(field.lengthStart(), field.start() - field.lengthStart(), length));
      all.addAll(edits);
      all.add(new Edit(field.end(), 0, bytes));
      return all;
    }
  }
}
