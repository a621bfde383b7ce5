package dev.parlance.wire.mcp;

import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.Refusal;
import dev.parlance.wire.json.JsonWriter;
import dev.parlance.wire.metadata.VerdictJson;
import java.util.Optional;

/**
 * Refusals as MCP clients show them: a tool result with {@code isError} and the reason as text,
 * which models see and can act on, for calls of tools; a JSON-RPC error for everything else. Both
 * come with HTTP status 200, because clients drop the body of any other; only what has no id to
 * answer under gets the status of its fault. Error codes are {@linkplain Notice#jsonRpcCode() those
 * of A2A}.
 */
final class McpRefusals {
  private static final String CONTENT_TYPE = "application/json";

  private McpRefusals() {}

  static Refusal answer(byte[] body) {
    return new Refusal(200, CONTENT_TYPE, body);
  }

  /** An error; without an id it answers what had none or could not be read. */
  static Refusal error(Optional<String> rawId, int status, Notice notice) {
    return new Refusal(status, CONTENT_TYPE, errorBody(rawId, notice));
  }

  /**
   * A tool's result that says why there is none.
   *
   * @param rawId the request's id as it was sent
   * @param stateless true for revisions whose results say that they are complete
   */
  static byte[] toolResult(String rawId, boolean stateless, Notice notice) {
    JsonWriter json = new JsonWriter().object().member("jsonrpc", "2.0").name("id").raw(rawId);
    json.name("result").object().name("content").array().object();
    json.member("type", "text").member("text", text(notice)).endObject().endArray();
    json.name("isError").raw("true");
    if (stateless) {
      json.member("resultType", "complete");
    }
    notice
        .verdict()
        .ifPresent(verdict ->
            json.name(McpTextSites.META)
                .object()
                .name(McpTextSites.VERDICT)
                .raw(VerdictJson.withRound(verdict))
                .endObject());
    return json.endObject().endObject().toBytes();
  }

  static byte[] errorBody(Optional<String> rawId, Notice notice) {
    JsonWriter json = new JsonWriter().object().member("jsonrpc", "2.0");
    json.name("id").raw(rawId.orElse("null")).name("error").object();
    json.member("code", notice.jsonRpcCode()).member("message", text(notice));
    json.name("data").object().member("code", notice.code());
    json.member("repair", notice.repair()).member("reviewId", notice.reviewId());
    notice.verdict().ifPresent(verdict -> json.name("verdict").raw(VerdictJson.withRound(verdict)));
    return json.endObject().endObject().endObject().toBytes();
  }

  private static String text(Notice notice) {
    return notice.detail()
        + notice.repair().map(repair -> " " + repair).orElse("")
        + notice.reviewId().map(id -> " Review id: " + id + ".").orElse("");
  }
}
