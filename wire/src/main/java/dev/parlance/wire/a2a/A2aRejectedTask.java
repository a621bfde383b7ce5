package dev.parlance.wire.a2a;

import dev.parlance.wire.api.Correlation;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.RoundMark;
import dev.parlance.wire.api.VerdictHeader;
import dev.parlance.wire.json.JsonWriter;
import dev.parlance.wire.metadata.VerdictJson;
import dev.parlance.wire.proto.ProtoWriter;
import java.util.Optional;

/**
 * A task that the sidecar writes in an agent's place, or the last change of one, as JSON and as
 * protobuf.
 *
 * @param taskId id of the task
 * @param contextId id of the conversation
 * @param notice why
 */
record A2aRejectedTask(String taskId, String contextId, Notice notice) {
  /** With ids to keep; where there is none, it is derived from the decision. */
  static A2aRejectedTask of(Optional<String> taskId, Optional<String> contextId, Notice notice) {
    return new A2aRejectedTask(
        taskId.orElseGet(() -> Correlation.MADE_UP + "task-" + notice.idSeed()),
        contextId.orElseGet(() -> Correlation.MADE_UP + "context-" + notice.idSeed()),
        notice);
  }

  /** As {@link #of}, where an id to keep that is none is left out: ids come from agents. */
  static A2aRejectedTask ofIds(Optional<String> taskId, Optional<String> contextId, Notice notice) {
    return of(taskId.filter(Correlation::isId), contextId.filter(Correlation::isId), notice);
  }

  private String messageId() {
    return "parlance-message-" + notice.idSeed();
  }

  /** A task that was rejected, or that failed where nothing was judged. */
  String json(A2aFormat format) {
    JsonWriter json = new JsonWriter().object();
    kind(json, format, "task");
    json.member("id", taskId).member("contextId", contextId);
    status(json, format);
    metadata(json.name("metadata"));
    return json.endObject().toString();
  }

  /** The same as the last change of a task that the client knows. */
  String jsonUpdate(A2aFormat format) {
    JsonWriter json = new JsonWriter().object();
    kind(json, format, "status-update");
    json.member("taskId", taskId).member("contextId", contextId);
    status(json, format);
    if (format.marksFinal()) {
      json.name("final").raw("true");
    }
    metadata(json.name("metadata"));
    return json.endObject().toString();
  }

  private static void kind(JsonWriter json, A2aFormat format, String kind) {
    if (format.discriminated()) {
      json.member("kind", kind);
    }
  }

  private void status(JsonWriter json, A2aFormat format) {
    boolean lower = format.discriminated();
    boolean held = notice.kind() == Notice.Kind.YIELD;
    json.name("status").object();
    json.member(
        "state",
        lower ? held ? "rejected" : "failed" : held ? "TASK_STATE_REJECTED" : "TASK_STATE_FAILED");
    json.name("message").object();
    kind(json, format, "message");
    json.member("messageId", messageId());
    json.member("contextId", contextId).member("taskId", taskId);
    json.member("role", lower ? "agent" : "ROLE_AGENT");
    json.name(format.parts().text()).array().object();
    kind(json, format, "text");
    json.member("text", notice.text()).endObject().endArray().endObject().endObject();
  }

  private JsonWriter metadata(JsonWriter json) {
    json.object();
    notice.verdict().ifPresent(verdict -> json.name(VerdictJson.URI).raw(VerdictJson.of(verdict)));
    notice
        .verdict()
        .flatMap(VerdictHeader::round)
        .ifPresent(round -> json.name(RoundMark.URI).raw(VerdictJson.round(round)));
    json.member(VerdictJson.URI + "/review", notice.reviewId());
    json.member(VerdictJson.URI + "/code", notice.code());
    return json.endObject();
  }

  /** A task that was rejected. */
  ProtoWriter proto(ProtoSchema schema) {
    return new ProtoWriter()
        .string(1, taskId)
        .string(2, contextId)
        .message(3, protoStatus())
        .bytes(schema.task().number("metadata"), protoMetadata());
  }

  /** The same as the last change of a task that the client knows. */
  ProtoWriter protoUpdate(boolean current) {
    ProtoWriter update =
        new ProtoWriter().string(1, taskId).string(2, contextId).message(3, protoStatus());
    return current
        ? update.bytes(4, protoMetadata())
        : update.number(4, 1).bytes(5, protoMetadata());
  }

  private ProtoWriter protoStatus() {
    ProtoWriter message =
        new ProtoWriter()
            .string(1, messageId())
            .string(2, contextId)
            .string(3, taskId)
            .number(4, ProtoSchema.AGENT)
            .message(5, new ProtoWriter().string(1, notice.text()));
    return new ProtoWriter().number(1, ProtoSchema.REJECTED).message(2, message);
  }

  private byte[] protoMetadata() {
    return ProtoWriter.struct(metadata(new JsonWriter()).toBytes());
  }
}
