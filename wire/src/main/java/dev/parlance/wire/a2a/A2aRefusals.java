package dev.parlance.wire.a2a;

import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.Refusal;
import dev.parlance.wire.api.VerdictHeader;
import dev.parlance.wire.bytes.Texts;
import dev.parlance.wire.json.JsonWriter;
import dev.parlance.wire.metadata.VerdictJson;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Refusals as A2A clients really show them: a task that works for what is held ({@link
 * A2aSidecarTask}), an error for the rest. Over JSON-RPC both come with HTTP status 200, because
 * JSON-RPC clients of A2A take any other status for a failed transport and drop the body with its
 * reason; only what could not be read as JSON-RPC at all gets a status of its own.
 */
final class A2aRefusals {
  private static final String CONTENT_TYPE = "application/json";

  /** JSON-RPC 2.0: the JSON is no valid request. */
  static final int INVALID_REQUEST = -32600;

  /** JSON-RPC 2.0: there is no such method. */
  static final int METHOD_NOT_FOUND = -32601;

  /** JSON-RPC 2.0: a request, but not with the parameters of its method. */
  static final int INVALID_PARAMS = -32602;

  static final String RETRY_INFO = "type.googleapis.com/google.rpc.RetryInfo";

  /** Domain of typed details. */
  private static final String DOMAIN = "parlance.dev";

  private static final String A2A_DOMAIN = "a2a-protocol.org";

  private A2aRefusals() {}

  /**
   * A JSON-RPC error.
   *
   * @param rawId the request's id as it was sent, or {@code null}
   */
  static Refusal error(String rawId, int httpStatus, Notice notice) {
    return error(rawId, httpStatus, notice.jsonRpcCode(), notice);
  }

  /** As above, with an error code of the caller's choice. */
  static Refusal error(String rawId, int httpStatus, int code, Notice notice) {
    return new Refusal(httpStatus, CONTENT_TYPE, Texts.utf8(errorJson(rawId, code, notice)));
  }

  /**
   * A JSON-RPC response with an error. Its data is an array of typed details as A2A v1.0 has it,
   * which v0.3 clients take as any other value.
   */
  static String errorJson(String rawId, int code, Notice notice) {
    JsonWriter json = new JsonWriter().object().member("jsonrpc", "2.0").name("id").raw(rawId);
    json.name("error").object();
    json.member("code", code).member("message", notice.detail());
    json.name("data");
    details(json, notice);
    return json.endObject().endObject().toString();
  }

  /**
   * An error body of the HTTP+JSON binding: of v1.0 as AIP-193 has it, of v0.3 as its servers write
   * it.
   */
  static String restErrorJson(A2aFormat format, Notice notice) {
    JsonWriter json = new JsonWriter().object();
    if (format != A2aFormat.CURRENT) {
      json.member("code", notice.jsonRpcCode()).member("message", notice.detail()).name("data");
      details(json, notice);
      return json.endObject().toString();
    }
    json.name("error").object().member("code", notice.httpStatus());
    json.member("status", canonicalStatus(notice)).member("message", notice.detail());
    json.name("details");
    details(json, notice);
    return json.endObject().endObject().toString();
  }

  /** The canonical code (google.rpc.Code) that fits a refusal. */
  private static String canonicalStatus(Notice notice) {
    return switch (notice.kind()) {
      case REGENERATE, ROUND_REFUSED, PACT_REFUSED -> "FAILED_PRECONDITION";
      case YIELD, REJECTED -> "PERMISSION_DENIED";
      case WITHDRAWN, RELEASED -> "FAILED_PRECONDITION";
      case TASK_REFUSED ->
          notice.code().equals(Notice.TASK_NOT_CANCELABLE)
              ? "FAILED_PRECONDITION"
              : "UNIMPLEMENTED";
      case UNJUDGED, MALFORMED -> "INVALID_ARGUMENT";
      case QUEUE_REFUSED, UPSTREAM, UNAVAILABLE -> "UNAVAILABLE";
      case AGENT_ERROR -> {
        String name = notice.agentError().code();
        yield !name.isEmpty() && Character.isLetter(name.charAt(0)) ? name : "UNKNOWN";
      }
    };
  }

  /** Typed details: what machines need to know as strings, then the whole verdict. */
  private static void details(JsonWriter json, Notice notice) {
    json.array();
    json.object().member("@type", "type.googleapis.com/google.rpc.ErrorInfo");
    json.member("reason", notice.errorInfoReason()).member("domain", domain(notice));
    json.name("metadata").object();
    facts(notice, Optional.empty()).forEach(json::member);
    json.endObject().endObject();
    notice.verdict().ifPresent(verdict -> verdictDetail(json, verdict, notice.repair()));
    notice.retryAfterS().ifPresent(seconds -> retryDetail(json, seconds));
    json.endArray();
  }

  /** Whose code it is. */
  static String domain(Notice notice) {
    return notice.kind() == Notice.Kind.TASK_REFUSED ? A2A_DOMAIN : DOMAIN;
  }

  private static void retryDetail(JsonWriter json, int seconds) {
    json.object().member("@type", RETRY_INFO).member("retryDelay", seconds + "s").endObject();
  }

  private static void verdictDetail(
      JsonWriter json, VerdictHeader verdict, Optional<String> repair) {
    json.object().member("@type", "type.googleapis.com/google.protobuf.Struct");
    json.name("value").object().name("verdict").raw(VerdictJson.withRound(verdict));
    json.member("repair", repair);
    json.member("attempt", verdict.attempt().number());
    json.member("remaining", verdict.attempt().remaining());
    json.endObject().endObject();
  }

  /** What machines need to know of a refusal, in order. */
  static Map<String, String> facts(Notice notice, Optional<String> repair) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("code", notice.code());
    notice.reviewId().ifPresent(id -> facts.put("reviewId", id));
    repair.ifPresent(text -> facts.put("repair", text));
    notice
        .verdict()
        .ifPresent(verdict -> {
          facts.put("route", verdict.route());
          verdict.measured().header().ifPresent(header -> facts.put("header", header));
          facts.put("attempt", Integer.toString(verdict.attempt().number()));
          facts.put("remaining", Integer.toString(verdict.attempt().remaining()));
          facts.put("decisionId", verdict.decisionId());
          verdict.round().ifPresent(round -> facts.put("round", round.id().bound()));
        });
    return facts;
  }
}
