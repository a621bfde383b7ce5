package dev.parlance.console;

import dev.parlance.service.Result;
import dev.parlance.service.http.HttpReply;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Answers of the API: JSON that no cache keeps, and problems with stable codes. */
final class ConsoleReply {
  private static final String PROBLEM = "application/problem+json";
  private static final String JSON = "application/json";
  private static final byte[] NOTHING = {};

  private ConsoleReply() {}

  static HttpReply json(ObjectNode body) {
    return of(200, JSON, body.toString().getBytes(StandardCharsets.UTF_8));
  }

  /** Nothing to say. */
  static HttpReply empty() {
    return of(204, JSON, NOTHING);
  }

  /** Sends the browser elsewhere. */
  static HttpReply redirect(String location) {
    return of(302, JSON, NOTHING).with("location", location);
  }

  /** The head of server-sent events. */
  static HttpReply events() {
    return of(200, "text/event-stream", "retry: 2000\n\n".getBytes(StandardCharsets.UTF_8));
  }

  static HttpReply problem(int status, String code, String title) {
    return problem(status, code, title, Optional.empty());
  }

  /** A problem about an item, which is shown as it stands. */
  static HttpReply problem(int status, String code, String title, Optional<ObjectNode> item) {
    return problem(problemBody(status, code, title, item));
  }

  /** The same, from its body. */
  static HttpReply problem(ObjectNode body) {
    return of(
        body.path("status").asInt(500), PROBLEM, body.toString().getBytes(StandardCharsets.UTF_8));
  }

  static ObjectNode problemBody(int status, String code, String title, Optional<ObjectNode> item) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.put("status", status).put("code", code).put("title", title);
    item.ifPresent(shown -> body.set("item", shown));
    return body;
  }

  static HttpReply of(Result<ObjectNode> result) {
    return switch (result) {
      case Result.Done<ObjectNode>(ObjectNode body) -> json(body);
      case Result.Refused<ObjectNode>(Result.Kind kind, String code, String message) ->
          problem(status(kind), code, message);
    };
  }

  static int status(Result.Kind kind) {
    return switch (kind) {
      case INVALID -> 400;
      case DENIED -> 403;
      case NOT_FOUND, OUT_OF_RANGE -> 404;
      case CONFLICT, PRECONDITION, EXISTS -> 409;
      case EXHAUSTED -> 429;
      case UNAVAILABLE -> 503;
    };
  }

  private static HttpReply of(int status, String contentType, byte[] body) {
    SequencedMap<String, String> fields =
        new LinkedHashMap<>(
            Map.of(
                "cache-control", "no-store",
                "x-content-type-options", "nosniff",
                "referrer-policy", "no-referrer",
                "cross-origin-resource-policy", "same-origin",
                "content-security-policy", "default-src 'none'; frame-ancestors 'none'"));
    return new HttpReply(status, contentType, fields, body);
  }
}
