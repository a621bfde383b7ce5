package dev.parlance.proxy.admin;

import dev.parlance.service.http.HttpReply;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** One answer of the admin server. */
final class AdminResponse {
  static final String JSON = "application/json";
  static final String TEXT = "text/plain; charset=utf-8";
  static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";
  static final String BYTES = "application/octet-stream";

  private final int status;
  private final String contentType;
  private final byte[] body;
  private final Map<String, String> fields = new LinkedHashMap<>();

  private AdminResponse(int status, String contentType, byte[] body) {
    this.status = status;
    this.contentType = contentType;
    this.body = body;
  }

  static AdminResponse json(int status, JsonNode body) {
    return text(status, JSON, body.toPrettyString() + "\n");
  }

  static AdminResponse text(int status, String contentType, String body) {
    return new AdminResponse(status, contentType, body.getBytes(StandardCharsets.UTF_8));
  }

  static AdminResponse bytes(byte[] body) {
    return new AdminResponse(200, BYTES, body);
  }

  static AdminResponse error(int status, String code, String message) {
    ObjectNode error = object();
    error.putObject("error").put("code", code).put("message", message);
    return text(status, JSON, JsonMapper.shared().writeValueAsString(error) + "\n");
  }

  /** What a probe of this sidecar gets: 200 without reasons against it, else 503. */
  static AdminResponse ready(AdminPorts.HealthPort health) {
    return health("ready", health.notReady(), health.warnings());
  }

  static AdminResponse health(String what, List<String> reasonsAgainst) {
    return health(what, reasonsAgainst, List.of());
  }

  private static AdminResponse health(
      String what, List<String> reasonsAgainst, List<String> warnings) {
    ObjectNode body = object().put(what, reasonsAgainst.isEmpty());
    reasonsAgainst.forEach(body.putArray("reasons")::add);
    if (!warnings.isEmpty()) {
      warnings.forEach(body.putArray("warnings")::add);
    }
    return json(reasonsAgainst.isEmpty() ? 200 : 503, body);
  }

  static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  AdminResponse with(String field, String value) {
    fields.put(field, value);
    return this;
  }

  /** As the server sends it. */
  HttpReply reply() {
    SequencedMap<String, String> all = new LinkedHashMap<>();
    all.put("cache-control", "no-store");
    all.put("x-content-type-options", "nosniff");
    all.put("content-security-policy", "default-src 'none'");
    all.putAll(fields);
    return new HttpReply(status, contentType, all, body);
  }
}
