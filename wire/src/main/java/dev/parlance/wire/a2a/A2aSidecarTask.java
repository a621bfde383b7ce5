package dev.parlance.wire.a2a;

import dev.parlance.wire.api.Correlation;
import dev.parlance.wire.api.HeldAnswer;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.RoundMark;
import dev.parlance.wire.api.TaskCall;
import dev.parlance.wire.api.VerdictHeader;
import dev.parlance.wire.bytes.Texts;
import dev.parlance.wire.json.JsonScanner;
import dev.parlance.wire.json.JsonWriter;
import dev.parlance.wire.metadata.VerdictJson;
import dev.parlance.wire.proto.ProtoMessage;
import dev.parlance.wire.proto.ProtoWriter;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * A task that the sidecar writes in an agent's place, or the last change of one, as JSON and as
 * protobuf.
 *
 * @param taskId id of the task
 * @param contextId id of the conversation
 * @param notice why
 */
record A2aSidecarTask(String taskId, String contextId, Notice notice) {
  static final String ARTIFACT = "parlance-released-answer";

  /** With ids to keep; where there is none, it is derived from the decision. */
  static A2aSidecarTask of(Optional<String> taskId, Optional<String> contextId, Notice notice) {
    return new A2aSidecarTask(
        taskId.orElseGet(() -> TaskCall.OF_SIDECAR + notice.reviewId().orElseGet(notice::idSeed)),
        contextId.orElseGet(
            () -> Correlation.MADE_UP + "context-" + notice.reviewId().orElseGet(notice::idSeed)),
        notice);
  }

  /** As {@link #of}, where an id to keep that is none is left out: ids come from agents. */
  static A2aSidecarTask ofIds(Optional<String> taskId, Optional<String> contextId, Notice notice) {
    return of(taskId.filter(Correlation::isId), contextId.filter(Correlation::isId), notice);
  }

  private String messageId() {
    return "parlance-message-" + notice.idSeed();
  }

  /** How it stands: the task works on what is held, and has failed where nothing was judged. */
  private State state() {
    return switch (notice.kind()) {
      case YIELD -> State.WORKING;
      case REJECTED -> State.REJECTED;
      case WITHDRAWN -> State.CANCELED;
      case RELEASED -> State.INPUT_REQUIRED;
      default -> State.FAILED;
    };
  }

  /** The task as it stands. */
  String json(A2aFormat format) {
    JsonWriter json = begun(format);
    status(json, format);
    metadata(json.name("metadata"));
    return json.endObject().toString();
  }

  private JsonWriter begun(A2aFormat format) {
    JsonWriter json = new JsonWriter().object();
    kind(json, format, "task");
    return json.member("id", taskId).member("contextId", contextId);
  }

  /** The task with the answer that it was to give. */
  String jsonDone(A2aFormat format, HeldAnswer answer, JsonScanner.Limits limits) {
    JsonWriter json = begun(format);
    Optional<A2aHeldPayload> held = A2aHeldPayload.of(format, answer, limits);
    if (held.isPresent()) {
      held.get().write(json, format);
    } else {
      json.name("status").object().member("state", State.COMPLETED.in(format)).endObject();
      json.name("artifacts").array().object().member("artifactId", ARTIFACT);
      json.name("parts").array().object();
      kind(json, format, "text");
      json.member("text", answer.text().toString()).endObject().endArray();
      json.endObject().endArray();
    }
    metadata(json.name("metadata"));
    return json.endObject().toString();
  }

  /** The task in a list: nothing in it is words that a sidecar further on would have to judge. */
  String jsonListed(A2aFormat format) {
    JsonWriter json = begun(format);
    json.name("status").object().member("state", state().in(format)).endObject();
    json.name("metadata").raw(listedMetadata());
    return json.endObject().toString();
  }

  /** The same as protobuf. */
  ProtoWriter protoListed(ProtoSchema schema) {
    return new ProtoWriter()
        .string(1, taskId)
        .string(2, contextId)
        .message(3, new ProtoWriter().number(1, state().number))
        .bytes(schema.task().number("metadata"), ProtoWriter.struct(Texts.utf8(listedMetadata())));
  }

  private String listedMetadata() {
    return new JsonWriter()
        .object()
        .member(VerdictJson.URI + "/review", notice.reviewId())
        .endObject()
        .toString();
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
    json.name("status").object().member("state", state().in(format));
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

  /** The task as it stands. */
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

  /** The task with the answer that it was to give, a message of the same protocol or its text. */
  ProtoWriter protoDone(ProtoSchema schema, Optional<ProtoMessage> event, HeldAnswer answer) {
    ProtoWriter task = new ProtoWriter().string(1, taskId).string(2, contextId);
    Optional<ProtoMessage> whole = event.flatMap(held -> held.message("task"));
    if (whole.isPresent()) {
      copy(whole.get(), "status", task, 3);
      copy(whole.get(), "artifacts", task, 4);
    } else {
      ProtoWriter artifact = new ProtoWriter().string(1, ARTIFACT);
      int parts = schema.artifact().number("parts");
      Optional<ProtoMessage> message = event.flatMap(held -> held.message("message"));
      if (message.isPresent()) {
        copy(message.get(), "parts", artifact, parts);
        copy(message.get(), "metadata", artifact, parts + 1);
      } else {
        artifact.message(parts, new ProtoWriter().string(1, answer.text().toString()));
      }
      task.message(3, new ProtoWriter().number(1, State.COMPLETED.number)).message(4, artifact);
    }
    return task.bytes(schema.task().number("metadata"), protoMetadata());
  }

  private static void copy(ProtoMessage from, String member, ProtoWriter to, int number) {
    from.all(member)
        .forEach(
            field -> to.bytes(number, Arrays.copyOfRange(from.body(), field.start(), field.end())));
  }

  /** The states of a task that a sidecar keeps, as JSON of either generation and as a number. */
  enum State {
    WORKING(2),
    COMPLETED(3),
    FAILED(4),
    CANCELED(5),
    INPUT_REQUIRED(6),
    REJECTED(7);

    private final int number;

    State(int number) {
      this.number = number;
    }

    /** The state in protobuf. */
    int number() {
      return number;
    }

    String in(A2aFormat format) {
      return format.discriminated()
          ? name().toLowerCase(Locale.ROOT).replace('_', '-')
          : "TASK_STATE_" + name();
    }
  }

  private ProtoWriter protoStatus() {
    ProtoWriter message =
        new ProtoWriter()
            .string(1, messageId())
            .string(2, contextId)
            .string(3, taskId)
            .number(4, ProtoSchema.AGENT)
            .message(5, new ProtoWriter().string(1, notice.text()));
    return new ProtoWriter().number(1, state().number).message(2, message);
  }

  private byte[] protoMetadata() {
    return ProtoWriter.struct(metadata(new JsonWriter()).toBytes());
  }
}
