package dev.parlance.wire.a2a;

import dev.parlance.wire.proto.ProtoType;
import dev.parlance.wire.proto.ProtoType.Kind;
import java.util.List;

/**
 * The message types of one generation of A2A over gRPC. Fields are named as in the JSON of v1.0,
 * also those of v0.3, so that whatever reads that JSON reads both (sources: {@code
 * specification/a2a.proto} of A2A v1.0.1 and {@code specification/grpc/a2a.proto} of v0.3.0).
 *
 * @param sendRequest request of SendMessage and SendStreamingMessage
 * @param taskRequest request about one task: its id, or its name {@code tasks/ID}
 * @param cancelRequest request of CancelTask
 * @param listRequest request of ListTasks
 * @param event what SendMessage answers, and each event of a stream
 * @param task a task
 * @param list a list of tasks
 * @param message a message
 * @param part a part of a message or an artifact
 * @param artifact what a task has made
 */
public record ProtoSchema(
    ProtoType sendRequest,
    ProtoType taskRequest,
    ProtoType cancelRequest,
    ProtoType listRequest,
    ProtoType event,
    ProtoType task,
    ProtoType list,
    ProtoType message,
    ProtoType part,
    ProtoType artifact) {
  /** Name of a nested message whose members stand in the JSON object around it. */
  static final String INLINE = "";

  /** Data of which only the outer shape is checked. */
  static final ProtoType OPAQUE = ProtoType.opaque("control data");

  static final ProtoType STRUCT = ProtoType.of("Struct");
  static final ProtoType VALUE = ProtoType.of("Value");
  static final ProtoType LIST = ProtoType.of("ListValue");

  /** One member of a Struct. */
  static final ProtoType ENTRY = ProtoType.of("Struct entry");

  static {
    ENTRY.string(1, "key").message(2, "value", VALUE);
    STRUCT.messages(1, "fields", ENTRY);
    LIST.messages(1, "values", VALUE);
    VALUE
        .choice(1, "null", Kind.INT32)
        .choice(2, "number", Kind.DOUBLE)
        .choice(3, "string", Kind.STRING)
        .choice(4, "bool", Kind.BOOL)
        .choice(5, "struct", STRUCT)
        .choice(6, "list", LIST);
  }

  private static final List<String> ROLES = List.of("ROLE_UNSPECIFIED", "ROLE_USER", "ROLE_AGENT");

  private static final List<String> STATES =
      List.of(
          "TASK_STATE_UNSPECIFIED",
          "TASK_STATE_SUBMITTED",
          "TASK_STATE_WORKING",
          "TASK_STATE_COMPLETED",
          "TASK_STATE_FAILED",
          "TASK_STATE_CANCELED",
          "TASK_STATE_INPUT_REQUIRED",
          "TASK_STATE_REJECTED",
          "TASK_STATE_AUTH_REQUIRED");

  /** Number of the role of whoever answers. */
  static final int AGENT = 2;

  public static final ProtoSchema V1_0 = current();
  static final ProtoSchema V0_3 = old();

  private static ProtoSchema current() {
    ProtoType part =
        ProtoType.of("Part")
            .choice(1, "text", Kind.STRING)
            .choice(2, "raw", Kind.BYTES)
            .choice(3, "url", Kind.STRING)
            .choice(4, "data", VALUE)
            .message(5, "metadata", STRUCT)
            .string(6, "filename")
            .string(7, "mediaType");
    ProtoType artifact =
        ProtoType.of("Artifact")
            .string(1, "artifactId")
            .string(2, "name")
            .string(3, "description")
            .messages(4, "parts", part)
            .message(5, "metadata", STRUCT)
            .strings(6, "extensions");
    ProtoType statusUpdate =
        ProtoType.of("TaskStatusUpdateEvent")
            .string(1, "taskId")
            .string(2, "contextId")
            .message(4, "metadata", STRUCT);
    ProtoType message = message(part);
    return schema(
        ProtoType.of("SendMessageRequest")
            .string(1, "tenant")
            .message(2, "message", message)
            .message(3, "configuration", OPAQUE)
            .message(4, "metadata", STRUCT),
        ProtoType.of("task request").string(1, "tenant").string(2, "id"),
        ProtoType.of("CancelTaskRequest")
            .string(1, "tenant")
            .string(2, "id")
            .message(3, "metadata", STRUCT),
        message,
        part,
        artifact,
        statusUpdate);
  }

  private static ProtoSchema old() {
    ProtoType file =
        ProtoType.of("FilePart")
            .choice(1, "url", Kind.STRING)
            .choice(2, "raw", Kind.BYTES)
            .string(3, "mediaType")
            .string(4, "filename");
    ProtoType part =
        ProtoType.of("Part")
            .choice(1, "text", Kind.STRING)
            .choice(2, INLINE, file)
            .choice(3, INLINE, ProtoType.of("DataPart").message(1, "data", STRUCT))
            .message(4, "metadata", STRUCT);
    ProtoType artifact =
        ProtoType.of("Artifact")
            .string(1, "artifactId")
            .string(3, "name")
            .string(4, "description")
            .messages(5, "parts", part)
            .message(6, "metadata", STRUCT)
            .strings(7, "extensions");
    ProtoType statusUpdate =
        ProtoType.of("TaskStatusUpdateEvent")
            .string(1, "taskId")
            .string(2, "contextId")
            .scalar(4, "final", Kind.BOOL)
            .message(5, "metadata", STRUCT);
    ProtoType message = message(part);
    return schema(
        ProtoType.of("SendMessageRequest")
            .message(1, "message", message)
            .message(2, "configuration", OPAQUE)
            .message(3, "metadata", STRUCT),
        ProtoType.of("task request").string(1, "id"),
        ProtoType.of("CancelTaskRequest").string(1, "id"),
        message,
        part,
        artifact,
        statusUpdate);
  }

  /** The message is the same in both, but for its parts. */
  private static ProtoType message(ProtoType part) {
    return ProtoType.of("Message")
        .string(1, "messageId")
        .string(2, "contextId")
        .string(3, "taskId")
        .enumeration(4, "role", ROLES)
        .messages(5, "parts", part)
        .message(6, "metadata", STRUCT)
        .strings(7, "extensions")
        .strings(8, "referenceTaskIds");
  }

  private static ProtoSchema schema(
      ProtoType sendRequest,
      ProtoType taskRequest,
      ProtoType cancelRequest,
      ProtoType message,
      ProtoType part,
      ProtoType artifact,
      ProtoType statusUpdate) {
    ProtoType status =
        ProtoType.of("TaskStatus")
            .enumeration(1, "state", STATES)
            .message(2, "message", message)
            .message(3, "timestamp", OPAQUE);
    ProtoType task =
        ProtoType.of("Task")
            .string(1, "id")
            .string(2, "contextId")
            .message(3, "status", status)
            .messages(4, "artifacts", artifact)
            .messages(5, "history", message)
            .message(6, "metadata", STRUCT);
    ProtoType artifactUpdate =
        ProtoType.of("TaskArtifactUpdateEvent")
            .string(1, "taskId")
            .string(2, "contextId")
            .message(3, "artifact", artifact)
            .scalar(4, "append", Kind.BOOL)
            .scalar(5, "lastChunk", Kind.BOOL)
            .message(6, "metadata", STRUCT);
    return new ProtoSchema(
        sendRequest,
        taskRequest,
        cancelRequest,
        ProtoType.of("ListTasksRequest")
            .string(2, "contextId")
            .scalar(3, "status", Kind.INT32)
            .scalar(4, "pageSize", Kind.INT32)
            .string(5, "pageToken")
            .message(7, "after", ProtoType.of("Timestamp").scalar(1, "seconds", Kind.INT64)),
        ProtoType.of("StreamResponse")
            .choice(1, "task", task)
            .choice(2, "message", message)
            .choice(3, "statusUpdate", statusUpdate.message(3, "status", status))
            .choice(4, "artifactUpdate", artifactUpdate),
        task,
        ProtoType.of("ListTasksResponse")
            .messages(1, "tasks", task)
            .string(2, "nextPageToken")
            .scalar(3, "pageSize", Kind.INT32)
            .scalar(4, "totalSize", Kind.INT32),
        message,
        part,
        artifact);
  }
}
