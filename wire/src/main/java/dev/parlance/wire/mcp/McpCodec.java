package dev.parlance.wire.mcp;

import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.api.AgentProtocol;
import dev.parlance.wire.api.Codec;
import dev.parlance.wire.api.Correlation;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.Refusal;
import dev.parlance.wire.api.RequestHead;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseHead;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.StreamReader;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.json.JsonBody;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonScanner;
import dev.parlance.wire.metadata.Problems;
import dev.parlance.wire.plumbing.PlumbingCall;
import java.util.List;
import java.util.Optional;

/**
 * MCP over streamable HTTP, of all its revisions: one JSON-RPC message in each POST, a GET for the
 * server's own stream, a DELETE for the end of a session.
 */
public final class McpCodec implements Codec {
  /** Key of the verdict; MCP wants reverse DNS names before the slash. */
  public static final String VERDICT = "org.w3id.parlance/asp";

  private static final String EVENTS = "text/event-stream";
  private static final int OK = 200;

  private final JsonScanner.Limits limits;

  public McpCodec(JsonScanner.Limits limits) {
    this.limits = limits;
  }

  @Override
  public String name() {
    return "mcp";
  }

  @Override
  public AgentProtocol protocol() {
    return McpProtocol.of(Optional.empty());
  }

  /** Clients say the revision with everything that they ask a server for, sign-in too. */
  @Override
  public boolean claims(RequestHead head) {
    return McpRequest.Head.isIn(head.fields())
        && !isDocument(head)
        && PlumbingCall.of(head, /* isBodiless= */ true, /* isUnclaimed= */ false).isEmpty();
  }

  /**
   * Clients name the revision of MCP in whatever they get of a server, also where it publishes who
   * signs them in; those who open its stream have a session, or say so.
   */
  private static boolean isDocument(RequestHead head) {
    return head.method().equals("GET")
        && head.fields().first("accept").isPresent()
        && !wantsEvents(head)
        && head.fields().first("mcp-session-id").isEmpty();
  }

  private static boolean wantsEvents(RequestHead head) {
    return head.fields().first("accept").filter(types -> types.contains(EVENTS)).isPresent();
  }

  /** The stream of the HTTP+SSE binding, which ended with 2024-11-05. */
  @Override
  public Optional<String> unread(RequestHead head) {
    boolean opens =
        head.method().equals("GET")
            && (head.path().endsWith("/sse") || head.path().endsWith("/sse/"))
            && wantsEvents(head);
    return opens ? Optional.of("mcp_http_sse") : Optional.empty();
  }

  /** A body that names a method which is one of MCP and of no other protocol here. */
  @Override
  public boolean claims(RequestHead head, JsonDocument body) {
    JsonDocument json = body;
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
              ? new Reading.Readable<>(
                  new Bodiless(head, McpRequest.Head.of(head.fields()), limits))
              : new Reading.Unjudged<>("shape");
      case "POST" -> readPost(head, body);
      default -> new Reading.Unjudged<>("method");
    };
  }

  private Reading<RequestView> readPost(RequestHead head, PlainBody body) {
    return JsonBody.ofRequest(head.fields(), body, limits, json -> readDocument(head, json));
  }

  @Override
  public Reading<RequestView> readRequest(RequestHead head, JsonDocument body) {
    return head.method().equals("POST") ? readDocument(head, body) : readRequest(head, body.body());
  }

  private Reading<RequestView> readDocument(RequestHead head, JsonDocument json) {
    return McpRequest.read(json, McpRequest.Head.of(head.fields()), limits);
  }

  /** Under the id of the request, where it has one that could be read. */
  @Override
  public Optional<Refusal> refuseUnread(
      RequestHead head, Optional<JsonDocument> body, Notice notice) {
    if (!head.method().equals("POST")) {
      return Optional.of(Problems.of(notice));
    }
    Optional<String> id =
        body.filter(json -> json.isObject(json.root()))
            .flatMap(json -> rawId(json, json.member(json.root(), "id")));
    boolean isBroken = notice.kind() == Notice.Kind.MALFORMED;
    int status = id.isPresent() && !isBroken ? OK : notice.httpStatus();
    return Optional.of(McpRequest.error(id, status, notice));
  }

  private static Optional<String> rawId(JsonDocument json, int id) {
    return json.isString(id) || json.isNumber(id) ? Optional.of(json.raw(id)) : Optional.empty();
  }

  /**
   * A request without a body: it opens the server's own stream, or ends a session.
   *
   * @param fields what the header says of MCP
   */
  private record Bodiless(RequestHead head, McpRequest.Head fields, JsonScanner.Limits limits)
      implements Problems.Requested {
    @Override
    public AgentProtocol protocol() {
      return fields.protocol();
    }

    @Override
    public Correlation correlation() {
      return new Correlation(fields.session(), Optional.empty(), Optional.empty());
    }

    @Override
    public List<Utf8Span> identity() {
      return List.of(
          Utf8Span.of(head.method()),
          Utf8Span.of(head.target()),
          Utf8Span.of(fields.session().orElse("")));
    }

    @Override
    public Reading<ResponseView> readResponse(ResponseHead reply, PlainBody body) {
      Optional<Reading<ResponseView>> unawaited =
          head.method().equals("DELETE") && !body.isEmpty()
              ? ResponseView.Unawaited.reading(reply.status())
              : Optional.empty();
      return unawaited.isPresent()
          ? unawaited.get()
          : McpResult.readBody(
              reply, body, limits, Optional.empty(), McpResult.RequestContext.UNKNOWN);
    }

    @Override
    public Optional<StreamReader> readStream(ResponseHead reply) {
      // No request waits on this stream, so it just ends.
      return McpResult.readStream(
          reply, limits, Optional.empty(), McpResult.RequestContext.UNKNOWN, notice -> List.of());
    }

    @Override
    public boolean canBeAskedAgain() {
      return false;
    }
  }
}
