package dev.parlance.proxy.wire;

import java.util.Optional;

/**
 * MCP over streamable HTTP, of all its revisions: one JSON-RPC message in each POST, a GET for the
 * server's own stream, a DELETE for the end of a session.
 */
final class McpCodec implements Codec {
  private static final int OK = 200;

  private final JsonLimits limits;

  McpCodec(JsonLimits limits) {
    this.limits = limits;
  }

  @Override
  public String name() {
    return "mcp";
  }

  @Override
  public boolean claims(RequestHead head) {
    return McpHead.isIn(head.fields());
  }

  /** A body that names a method which is one of MCP and of no other protocol here. */
  @Override
  public boolean claims(RequestHead head, JsonBody body) {
    JsonDocument json = body.json();
    return head.method().equals("POST")
        && json.member(json.root(), "jsonrpc") != JsonDocument.NONE
        && json.optionalString(json.member(json.root(), "method"))
            .flatMap(McpMethod::of)
            // A2A v0.3 has methods of that name too; without a header of MCP they are its own.
            .filter(method -> method != McpMethod.TASKS && method != McpMethod.TASKS_GET)
            .isPresent();
  }

  @Override
  public Reading<RequestView> readRequest(RequestHead head, byte[] body) {
    return switch (head.method()) {
      case "GET", "DELETE", "OPTIONS", "HEAD" ->
          body.length == 0
              ? new Reading.Readable<>(new McpBodiless(head, limits))
              : new Reading.Unjudged<>("shape");
      case "POST" -> readPost(head, body);
      default -> new Reading.Unjudged<>("method");
    };
  }

  private Reading<RequestView> readPost(RequestHead head, byte[] body) {
    MediaType type = MediaType.of(head.fields());
    if (!type.isJson() && !type.isMissing()) {
      return new Reading.Unjudged<>("content_type");
    }
    return type.<RequestView>charsetFault()
        .orElseGet(() ->
            switch (JsonScanner.scan(body, limits)) {
              case JsonScan.Refused refused -> refused.asReading();
              case JsonScan.Scanned scanned -> readDocument(head, scanned.document());
            });
  }

  @Override
  public Reading<RequestView> readRequest(RequestHead head, JsonBody body) {
    return head.method().equals("POST")
        ? readDocument(head, body.json())
        : readRequest(head, body.json().body());
  }

  private Reading<RequestView> readDocument(RequestHead head, JsonDocument json) {
    return McpRequest.read(json, McpHead.of(head.fields()), limits);
  }

  /** Under the id of the request, where it has one that could be read. */
  @Override
  public Optional<Refusal> refuseUnread(RequestHead head, Optional<JsonBody> body, Notice notice) {
    if (!head.method().equals("POST")) {
      return Optional.of(Problems.of(notice));
    }
    Optional<String> id =
        body.map(JsonBody::json)
            .filter(json -> json.isObject(json.root()))
            .flatMap(json -> rawId(json, json.member(json.root(), "id")));
    int status = id.isPresent() ? OK : Problems.status(notice);
    return Optional.of(McpRefusals.error(id, status, notice));
  }

  private static Optional<String> rawId(JsonDocument json, int id) {
    return json.isString(id) || json.isNumber(id) ? Optional.of(json.raw(id)) : Optional.empty();
  }
}
