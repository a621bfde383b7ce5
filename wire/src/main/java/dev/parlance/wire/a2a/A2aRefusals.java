package dev.parlance.wire.a2a;

import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.Refusal;
import dev.parlance.wire.api.VerdictHeader;
import dev.parlance.wire.bytes.Texts;
import dev.parlance.wire.bytes.WireFault;
import dev.parlance.wire.json.JsonWriter;
import dev.parlance.wire.metadata.VerdictJson;
import dev.parlance.wire.plain.Problems;
import java.util.Locale;
import java.util.Optional;

/**
 * Refusals as A2A clients really show them: a rejected task for what is held ({@link A2aTaskJson}),
 * an error for the rest. Over JSON-RPC both come with HTTP status 200, because JSON-RPC clients of
 * A2A take any other status for a failed transport and drop the body with its reason; only what
 * could not be read as JSON-RPC at all gets a status of its own.
 *
 * <table>
 * <caption>JSON-RPC codes</caption>
 * <tr><td>-32700</td><td>malformed bytes</td></tr>
 * <tr><td>-32600</td><td>JSON, but no request, or several in one array</td></tr>
 * <tr><td>-32601</td><td>unjudged, because A2A has no such method</td></tr>
 * <tr><td>-32080</td><td>a better message may be sent</td></tr>
 * <tr><td>-32081</td><td>unjudged</td></tr>
 * <tr><td>-32082</td><td>the review queue takes no more</td></tr>
 * <tr><td>-32083</td><td>the agent could not be reached</td></tr>
 * <tr><td>-32084</td><td>the sidecar takes no more</td></tr>
 * <tr><td>-32085</td><td>held, where the method's answer is no task</td></tr>
 * <tr><td>-32086</td><td>a round stands against it, or the lack of an outcome</td></tr>
 * </table>
 */
public final class A2aRefusals {
  private static final String CONTENT_TYPE = "application/json";

  /** JSON-RPC 2.0: the JSON is no valid request. */
  static final int INVALID_REQUEST = -32600;

  /** JSON-RPC 2.0: there is no such method. */
  static final int METHOD_NOT_FOUND = -32601;

  private static final String DOMAIN = "parlance.dev";

  private A2aRefusals() {}

  /** The JSON-RPC error code that fits a refusal. */
  public static int code(Notice notice) {
    return switch (notice.kind()) {
      case REGENERATE -> -32080;
      case YIELD -> -32085;
      case UNJUDGED -> -32081;
      case MALFORMED ->
          notice.code().equals(WireFault.BAD_MESSAGE.code()) ? INVALID_REQUEST : -32700;
      case ROUND_REFUSED -> -32086;
      case QUEUE_REFUSED -> -32082;
      case UPSTREAM -> -32083;
      case UNAVAILABLE -> -32084;
    };
  }

  /**
   * A JSON-RPC error.
   *
   * @param rawId the request's id as it was sent, or {@code null}
   */
  static Refusal error(String rawId, int httpStatus, Notice notice) {
    return error(rawId, httpStatus, code(notice), notice);
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
  static String restErrorJson(A2aForm form, Notice notice) {
    JsonWriter json = new JsonWriter().object();
    if (form != A2aForm.CURRENT) {
      json.member("code", code(notice)).member("message", notice.detail()).name("data");
      details(json, notice);
      return json.endObject().toString();
    }
    json.name("error").object().member("code", Problems.status(notice));
    json.member("status", canonicalStatus(notice)).member("message", notice.detail());
    json.name("details");
    details(json, notice);
    return json.endObject().endObject().toString();
  }

  /** The canonical code (google.rpc.Code) that fits a refusal. */
  private static String canonicalStatus(Notice notice) {
    return switch (notice.kind()) {
      case REGENERATE, ROUND_REFUSED -> "FAILED_PRECONDITION";
      case YIELD -> "PERMISSION_DENIED";
      case UNJUDGED, MALFORMED -> "INVALID_ARGUMENT";
      case QUEUE_REFUSED -> "RESOURCE_EXHAUSTED";
      case UPSTREAM, UNAVAILABLE -> "UNAVAILABLE";
    };
  }

  /** Typed details: what machines need to know as strings, then the whole verdict. */
  private static void details(JsonWriter json, Notice notice) {
    json.array();
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
                .member("decisionId", verdict.decisionId())
                .member("round", verdict.round().map(round -> round.id().bound())));
    json.endObject().endObject();
    notice.verdict().ifPresent(verdict -> verdictDetail(json, verdict, notice.repair()));
    json.endArray();
  }

  private static void verdictDetail(
      JsonWriter json, VerdictHeader verdict, Optional<String> repair) {
    json.object().member("@type", "type.googleapis.com/google.protobuf.Struct");
    json.name("value").object().name("verdict").raw(VerdictJson.withRound(verdict));
    json.member("repair", repair);
    json.member("attempt", verdict.attempt()).member("remaining", remaining(verdict));
    json.endObject().endObject();
  }

  private static int remaining(VerdictHeader verdict) {
    return Math.max(0, verdict.errorMax() - verdict.errors());
  }

  private static String reason(Notice notice) {
    return notice.code().toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
  }
}
