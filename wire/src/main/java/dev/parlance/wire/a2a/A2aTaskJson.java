package dev.parlance.wire.a2a;

import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.RoundMark;
import dev.parlance.wire.api.VerdictHeader;
import dev.parlance.wire.json.JsonWriter;
import dev.parlance.wire.metadata.RoundJson;
import dev.parlance.wire.metadata.VerdictJson;
import java.util.Optional;

/**
 * Tasks and changes of status that the sidecar writes in an agent's place.
 *
 * @param form how objects are written
 * @param taskId id of the task
 * @param contextId id of the conversation
 * @param notice why
 */
public record A2aTaskJson(A2aForm form, String taskId, String contextId, Notice notice) {
  private static final int MAX_ID_CHARS = 128;

  /**
   * With ids to keep; where there is none, or it is none, it is derived from the decision, so that
   * the same decision always gives the same task.
   */
  static A2aTaskJson of(
      A2aForm form, Optional<String> taskId, Optional<String> contextId, Notice notice) {
    String seed = seed(notice);
    return new A2aTaskJson(
        form,
        taskId.filter(A2aTaskJson::isId).orElse("parlance-task-" + seed),
        contextId.filter(A2aTaskJson::isId).orElse("parlance-context-" + seed),
        notice);
  }

  /** Ids come from agents; one that is a sentence is not repeated in a refusal. */
  public static boolean isId(String id) {
    return !id.isEmpty()
        && id.length() <= MAX_ID_CHARS
        && id.chars().allMatch(c -> c > ' ' && c < 0x7f);
  }

  private static String seed(Notice notice) {
    return notice
        .verdict()
        .map(VerdictHeader::decisionId)
        .or(notice::reviewId)
        .orElse(notice.code());
  }

  /** A task that was rejected, or that failed where nothing was judged. */
  String task() {
    JsonWriter json = new JsonWriter().object();
    kind(json, "task");
    json.member("id", taskId).member("contextId", contextId);
    status(json);
    metadata(json);
    return json.endObject().toString();
  }

  /** The same as the last change of a task that the client knows. */
  String statusUpdate() {
    JsonWriter json = new JsonWriter().object();
    kind(json, "status-update");
    json.member("taskId", taskId).member("contextId", contextId);
    status(json);
    if (form.marksFinal()) {
      json.name("final").raw("true");
    }
    metadata(json);
    return json.endObject().toString();
  }

  private void kind(JsonWriter json, String kind) {
    if (form.discriminated()) {
      json.member("kind", kind);
    }
  }

  private void status(JsonWriter json) {
    boolean lower = form.discriminated();
    String state = notice.kind() == Notice.Kind.YIELD ? "rejected" : "failed";
    json.name("status").object();
    json.member(
        "state", lower ? state : "TASK_STATE_" + (state.equals("failed") ? "FAILED" : "REJECTED"));
    json.name("message").object();
    kind(json, "message");
    json.member("messageId", "parlance-message-" + seed(notice));
    json.member("contextId", contextId).member("taskId", taskId);
    json.member("role", lower ? "agent" : "ROLE_AGENT");
    json.name(form.parts().text()).array().object();
    kind(json, "text");
    json.member("text", text()).endObject().endArray().endObject().endObject();
  }

  private String text() {
    return notice
        .reviewId()
        .map(id -> notice.detail() + " Review id: " + id + ".")
        .orElse(notice.detail());
  }

  private void metadata(JsonWriter json) {
    json.name("metadata").object();
    notice.verdict().ifPresent(verdict -> json.name(VerdictJson.URI).raw(VerdictJson.of(verdict)));
    notice
        .verdict()
        .flatMap(VerdictHeader::round)
        .ifPresent(round -> json.name(RoundMark.URI).raw(RoundJson.of(round)));
    json.member(VerdictJson.URI + "/review", notice.reviewId());
    json.member(VerdictJson.URI + "/code", notice.code());
    json.endObject();
  }
}
