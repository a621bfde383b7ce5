package dev.parlance.proxy.wire;

import java.util.Optional;

/**
 * MCP over streamable HTTP, of all its revisions: one JSON-RPC message in each POST, a GET for the
 * server's own stream, a DELETE for the end of a session.
 */
final class McpCodec implements Codec {
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

  /** True if a body names a method that is one of MCP and of no other protocol here. */
  static boolean isMcp(JsonDocument json) {
    return json.optionalString(json.member(json.root(), "method"))
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

  /** Reads a message whose body has been scanned. */
  Reading<RequestView> readDocument(RequestHead head, JsonDocument json) {
    return McpRequest.read(json, McpHead.of(head.fields()), limits);
  }

  /** The refusal of what could not be read, under its id where it has one. */
  static Refusal refuseUnread(Optional<String> rawId, Notice notice) {
    return McpRefusals.error(rawId, rawId.isPresent() ? 200 : Problems.status(notice), notice);
  }
}
