package dev.parlance.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Bodies of A2A v1.0 as tests write them, and what is read out of them again. */
final class A2a {
  static final JsonMapper JSON = JsonMapper.shared();
  static final String VERDICT = "https://w3id.org/parlance/ext/asp/v1";
  static final String EVIDENCE = "https://w3id.org/parlance/ext/evidence/v1";
  static final String FACT =
      "The impeller must be replaced every 2000 operating hours or when radial play exceeds 0.3"
          + " millimetres";

  /** True to its source, and says which. */
  static final String GROUNDED = FACT + " [Chunk c1].";

  /** Nothing of it stands in the source. */
  static final String INVENTED =
      "Our friendly specialists generally recommend whatever feels right for everybody concerned.";

  private A2a() {}

  /** A SendMessage request as JSON. */
  static String ask(String id, String contextId, String question) {
    return """
    {"jsonrpc":"2.0","id":%s,"method":"SendMessage","params":{"message":{"messageId":"m-%s",\
    "contextId":%s,"role":"ROLE_USER","parts":[{"text":%s}]}}}\
    """
        .formatted(
            id,
            id.replace("\"", ""),
            JSON.writeValueAsString(contextId),
            JSON.writeValueAsString(question));
  }

  /** An answering message with its source. */
  static String answer(String id, String messageId, String text) {
    Map<String, Object> evidence =
        Map.of("context", List.of(Map.of("id", "c1", "text", FACT + ".")));
    return bare(id, messageId, text)
        .replaceFirst(
            "\"role\":",
            "\"metadata\":{\"%s\":%s},\"role\":"
                .formatted(EVIDENCE, JSON.writeValueAsString(evidence)));
  }

  /** An answering message that names no source. */
  static String bare(String id, String messageId, String text) {
    return """
    {"jsonrpc":"2.0","id":%s,"result":{"message":{"messageId":%s,"contextId":"ctx-1",\
    "role":"ROLE_AGENT","parts":[{"text":%s}]}}}\
    """
        .formatted(id, JSON.writeValueAsString(messageId), JSON.writeValueAsString(text));
  }

  /** A whole HTTP request that carries the body to the agent's A2A address. */
  static byte[] post(String body) {
    return post("application/json", "", body.getBytes(UTF_8));
  }

  static byte[] post(String contentType, String moreFields, byte[] body) {
    byte[] head =
        ("POST /a2a HTTP/1.1\r\nHost: agent.test\r\nContent-Type: %s\r\nA2A-Version: 1.0\r\n%s"
                + "Content-Length: %d\r\n\r\n")
            .formatted(contentType, moreFields, body.length)
            .getBytes(ISO_8859_1);
    byte[] whole = new byte[head.length + body.length];
    System.arraycopy(head, 0, whole, 0, head.length);
    System.arraycopy(body, 0, whole, head.length, body.length);
    return whole;
  }

  /** The JSON-RPC id of a request or response, as it was written. */
  static String idOf(HttpBytes message) {
    return JSON.readTree(message.body()).path("id").toString();
  }

  /** The verdict beside the answer. */
  static JsonNode verdict(HttpBytes reply) {
    return result(reply).path("metadata").path(VERDICT);
  }

  /** The message or the task of a response. */
  static JsonNode result(HttpBytes reply) {
    JsonNode result = JSON.readTree(reply.body()).path("result");
    return result.has("task") ? result.path("task") : result.path("message");
  }

  /** Id of the held message in an escalation, empty if it is none. */
  static String reviewId(HttpBytes reply) {
    return result(reply).path("metadata").path(VERDICT + "/review").asString("");
  }

  static String state(HttpBytes reply) {
    return result(reply).at("/status/state").asString("");
  }

  static String route(HttpBytes reply) {
    return reply.field("Parlance-Route").orElse("");
  }

  static String reason(HttpBytes reply) {
    return reply.field("Parlance-Reason").orElse("");
  }
}
