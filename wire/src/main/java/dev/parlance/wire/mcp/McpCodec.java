package dev.parlance.wire.mcp;

import dev.parlance.wire.api.Codec;
import dev.parlance.wire.api.Coverage;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.Refusal;
import dev.parlance.wire.api.RequestHead;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.bytes.MediaType;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.json.JsonBody;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonLimits;
import dev.parlance.wire.json.JsonScan;
import dev.parlance.wire.json.JsonScanner;
import dev.parlance.wire.plain.Problems;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * MCP over streamable HTTP, of all its revisions: one JSON-RPC message in each POST, a GET for the
 * server's own stream, a DELETE for the end of a session.
 */
public final class McpCodec implements Codec {
  private static final int OK = 200;

  private final JsonLimits limits;

  public McpCodec(JsonLimits limits) {
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
  public Reading<RequestView> readRequest(RequestHead head, PlainBody body) {
    return switch (head.method()) {
      case "GET", "DELETE", "OPTIONS", "HEAD" ->
          body.isEmpty()
              ? new Reading.Readable<>(new McpBodiless(head, limits))
              : new Reading.Unjudged<>("shape");
      case "POST" -> readPost(head, body);
      default -> new Reading.Unjudged<>("method");
    };
  }

  private Reading<RequestView> readPost(RequestHead head, PlainBody body) {
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

  @Override
  public List<Coverage> coverage() {
    List<Coverage> rows = new ArrayList<>();
    for (McpMethod method : McpMethod.values()) {
      McpMethod.Shape shape = method.shape();
      String refused =
          method.refusedAsResult()
              ? "a result with `isError` and the reason as text"
              : "a JSON-RPC error";
      rows.add(row(List.of(method.wireName()), judged(shape), passed(shape), refused));
    }
    rows.add(
        row(
            List.of("GET (server stream)", "DELETE"),
            "everything the server sends by itself, read as above",
            "events without words",
            "the stream ends"));
    return rows;
  }

  private static Coverage row(List<String> calls, String judged, String passed, String refused) {
    String protocol = "MCP 2025-06-18, 2025-11-25, 2026-07-28";
    return new Coverage(protocol, "streamable HTTP", calls, judged, passed, refused);
  }

  private static String judged(McpMethod.Shape shape) {
    return switch (shape) {
      case TOOL ->
          "request: arguments; answer: text blocks, structured content and every other string,"
              + " against declared evidence or embedded resources";
      case WORDS ->
          "every string, in requests, results and notifications of either side; never refused for"
              + " a lack of evidence";
      case CONTROL -> "strings that read like prose (instructions of a server)";
    };
  }

  private static String passed(McpMethod.Shape shape) {
    return switch (shape) {
      case TOOL, WORDS ->
          "names, types and ids; pictures, sounds and other files as `onUnjudged` says; short"
              + " errors";
      case CONTROL -> "names, versions, ids";
    };
  }
}
