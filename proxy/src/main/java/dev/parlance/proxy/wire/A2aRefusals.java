package dev.parlance.proxy.wire;

import java.util.Locale;
import java.util.Optional;

/**
 * Refusals as A2A clients really show them: a rejected task for what is held, a JSON-RPC error for
 * the rest. Both come with HTTP status 200, because JSON-RPC clients of A2A take any other status
 * for a failed transport and drop the body with its reason; only what could not be read as JSON-RPC
 * at all gets a status of its own.
 *
 * <table>
 * <caption>JSON-RPC codes</caption>
 * <tr><td>-32700</td><td>malformed bytes</td></tr>
 * <tr><td>-32600</td><td>JSON, but no request</td></tr>
 * <tr><td>-32080</td><td>a better message may be sent</td></tr>
 * <tr><td>-32081</td><td>unjudged</td></tr>
 * <tr><td>-32082</td><td>the review queue takes no more</td></tr>
 * <tr><td>-32083</td><td>the agent could not be reached</td></tr>
 * <tr><td>-32084</td><td>the sidecar takes no more</td></tr>
 * <tr><td>-32085</td><td>held, where the method's answer is no task</td></tr>
 * </table>
 */
final class A2aRefusals {
  private static final String CONTENT_TYPE = "application/json";
  private static final String DOMAIN = "parlance.dev";

  private A2aRefusals() {}

  static int code(Notice notice) {
    return switch (notice.kind()) {
      case REGENERATE -> -32080;
      case YIELD -> -32085;
      case UNJUDGED -> -32081;
      case MALFORMED -> notice.code().equals(WireFault.BAD_MESSAGE.code()) ? -32600 : -32700;
      case QUEUE_REFUSED -> -32082;
      case UPSTREAM -> -32083;
      case UNAVAILABLE -> -32084;
    };
  }

  /**
   * A JSON-RPC error. Its data is an array of typed details as A2A v1.0 has it, which v0.3 clients
   * take as any other value: what machines need to know as strings, then the whole verdict.
   *
   * @param rawId the request's id as it was sent, or {@code null}
   */
  static Refusal error(String rawId, int httpStatus, Notice notice) {
    JsonWriter json = new JsonWriter().object().member("jsonrpc", "2.0").name("id").raw(rawId);
    json.name("error").object();
    json.member("code", code(notice)).member("message", notice.detail());
    json.name("data").array();
    json.object().member("@type", "type.googleapis.com/google.rpc.ErrorInfo");
    json.member("reason", reason(notice)).member("domain", DOMAIN).name("metadata").object();
    json.member("code", notice.code());
    json.member("reviewId", notice.reviewId());
    notice
        .verdict()
        .ifPresent(verdict ->
            json.member("route", verdict.route())
                .member("header", verdict.header())
                .member("attempt", Integer.toString(verdict.attempt()))
                .member("remaining", Integer.toString(remaining(verdict)))
                .member("decisionId", verdict.decisionId()));
    json.endObject().endObject();
    notice.verdict().ifPresent(verdict -> verdictDetail(json, verdict, notice.repair()));
    json.endArray().endObject().endObject();
    return new Refusal(httpStatus, CONTENT_TYPE, json.toBytes());
  }

  private static void verdictDetail(JsonWriter json, Annotation verdict, Optional<String> repair) {
    json.object().member("@type", "type.googleapis.com/google.protobuf.Struct");
    json.name("value").object().name("verdict").raw(VerdictJson.of(verdict));
    json.member("repair", repair);
    json.member("attempt", verdict.attempt()).member("remaining", remaining(verdict));
    json.endObject().endObject();
  }

  private static int remaining(Annotation verdict) {
    return Math.max(0, verdict.errorMax() - verdict.errors());
  }

  private static String reason(Notice notice) {
    return notice.code().toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
  }

  /**
   * A task in state rejected, in the place where the method's answer stands.
   *
   * @param rawId the request's id as it was sent, or {@code null}
   * @param taskId id to keep; derived from the decision where there is none
   * @param contextId likewise
   */
  static Refusal rejectedTask(
      A2aMethod method,
      String rawId,
      Optional<String> taskId,
      Optional<String> contextId,
      Notice notice) {
    String seed =
        notice.verdict().map(Annotation::decisionId).or(notice::reviewId).orElse(notice.code());
    String task = taskId.orElse("parlance-task-" + seed);
    String context = contextId.orElse("parlance-context-" + seed);
    boolean current =
        switch (method.version()) {
          case V1_0 -> true;
          case V0_3 -> false;
        };
    boolean wrapped = current && method.shape() == A2aMethod.Shape.SEND;
    JsonWriter json = new JsonWriter().object().member("jsonrpc", "2.0").name("id").raw(rawId);
    json.name("result");
    if (wrapped) {
      json.object().name("task");
    }
    json.object();
    if (!current) {
      json.member("kind", "task");
    }
    json.member("id", task).member("contextId", context).name("status").object();
    json.member("state", current ? "TASK_STATE_REJECTED" : "rejected").name("message").object();
    if (!current) {
      json.member("kind", "message");
    }
    json.member("messageId", "parlance-message-" + seed);
    json.member("contextId", context).member("taskId", task);
    json.member("role", current ? "ROLE_AGENT" : "agent").name("parts").array().object();
    if (!current) {
      json.member("kind", "text");
    }
    json.member("text", text(notice)).endObject().endArray().endObject().endObject();
    metadata(json, notice);
    json.endObject().endObject();
    if (wrapped) {
      json.endObject();
    }
    return new Refusal(200, CONTENT_TYPE, json.toBytes());
  }

  private static String text(Notice notice) {
    return notice
        .reviewId()
        .map(id -> notice.detail() + " Review id: " + id + ".")
        .orElse(notice.detail());
  }

  private static void metadata(JsonWriter json, Notice notice) {
    json.name("metadata").object();
    notice.verdict().ifPresent(verdict -> json.name(VerdictJson.URI).raw(VerdictJson.of(verdict)));
    json.member(VerdictJson.URI + "/review", notice.reviewId());
    json.member(VerdictJson.URI + "/code", notice.code());
    json.endObject();
  }
}
