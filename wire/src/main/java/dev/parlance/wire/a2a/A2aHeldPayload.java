package dev.parlance.wire.a2a;

import dev.parlance.wire.api.HeldAnswer;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonScanner;
import dev.parlance.wire.json.JsonWriter;
import dev.parlance.wire.json.MemberName;
import java.util.Optional;

/**
 * The message or task of a held answer, whole and in the JSON of the generation that asks for it:
 * what it says goes on byte for byte.
 */
record A2aHeldPayload(JsonDocument json, A2aPayload payload) {
  private static final String ARTIFACTS = "artifacts";

  static Optional<A2aHeldPayload> of(
      A2aFormat format, HeldAnswer answer, JsonScanner.Limits limits) {
    if (!answer.protocol().equals(format.protocol().name())
        || !(JsonScanner.scan(answer.body(), limits)
            instanceof JsonScanner.Scanned(JsonDocument json))) {
      return Optional.empty();
    }
    int rpc = json.present(json.root(), MemberName.RESULT);
    int result = rpc == JsonDocument.NONE ? json.root() : rpc;
    return A2aPayload.read(json, result, format)
                instanceof Reading.Readable<A2aPayload>(A2aPayload payload)
            && (payload.kind() == A2aPayload.Kind.MESSAGE || payload.kind() == A2aPayload.Kind.TASK)
        ? Optional.of(new A2aHeldPayload(json, payload))
        : Optional.empty();
  }

  /** Its status and artifacts, as members of a task; a message is the artifact of one. */
  void write(JsonWriter task, A2aFormat format) {
    int node = payload.node();
    if (payload.kind() == A2aPayload.Kind.TASK) {
      copy(task, node, "status");
      copy(task, node, ARTIFACTS);
      return;
    }
    task.name("status").object().member("state", A2aSidecarTask.State.COMPLETED.in(format));
    task.endObject().name(ARTIFACTS).array().object();
    task.member("artifactId", A2aSidecarTask.ARTIFACT);
    int parts = json.member(node, format.parts());
    if (parts != JsonDocument.NONE) {
      task.name("parts").raw(json.raw(parts));
    }
    copy(task, node, "metadata");
    task.endObject().endArray();
  }

  private void copy(JsonWriter task, int object, String member) {
    int value = json.present(object, member);
    if (value != JsonDocument.NONE) {
      task.name(member).raw(json.raw(value));
    }
  }
}
