package dev.parlance.proxy.wire;

import java.util.Optional;

/**
 * A2A over JSON-RPC, v1.0 and v0.3 told apart by the method's name, and the fetch of agent cards.
 */
final class A2aCodec implements Codec {
  private static final int OK = 200;

  private final JsonLimits limits;

  A2aCodec(JsonLimits limits) {
    this.limits = limits;
  }

  @Override
  public String name() {
    return "a2a";
  }

  @Override
  public boolean claims(RequestHead head) {
    return isCard(head);
  }

  @Override
  public boolean claims(RequestHead head, JsonBody body) {
    return head.method().equals("POST") && isJsonRpc(body.json());
  }

  private static boolean isCard(RequestHead head) {
    boolean read = head.method().equals("GET") || head.method().equals("HEAD");
    return read
        && (head.path().endsWith("/.well-known/agent-card.json")
            || head.path().endsWith("/.well-known/agent.json"));
  }

  @Override
  public Reading<RequestView> readRequest(RequestHead head, byte[] body) {
    if (isCard(head) && body.length == 0) {
      return new Reading.Readable<>(new CardRequest(limits));
    }
    if (!head.method().equals("POST")) {
      return new Reading.Unjudged<>("method");
    }
    MediaType type = MediaType.of(head.fields());
    if (!type.isJson() && !type.isMissing()) {
      return new Reading.Unjudged<>("content_type");
    }
    return type.<RequestView>charsetFault()
        .orElseGet(() ->
            switch (JsonScanner.scan(body, limits)) {
              case JsonScan.Refused refused -> refused.asReading();
              case JsonScan.Scanned scanned -> readDocument(scanned.document());
            });
  }

  @Override
  public Reading<RequestView> readRequest(RequestHead head, JsonBody body) {
    return head.method().equals("POST")
        ? readDocument(body.json())
        : new Reading.Unjudged<>("method");
  }

  private Reading<RequestView> readDocument(JsonDocument json) {
    if (json.isArray(json.root())) {
      return new Reading.Unjudged<>("batch");
    }
    return json.isObject(json.root())
        ? A2aRequest.read(json, limits)
        : new Reading.Malformed<>(
            WireFault.BAD_MESSAGE, "not an object; expected a JSON-RPC 2.0 request of A2A");
  }

  /** True if a document says of itself that it is JSON-RPC, alone or in a batch. */
  static boolean isJsonRpc(JsonDocument json) {
    int root = json.root();
    int envelope = json.isArray(root) ? json.first(root) : root;
    return json.member(envelope, "jsonrpc") != JsonDocument.NONE
        && json.isString(json.member(envelope, "method"));
  }

  /**
   * A JSON-RPC request that is whole and only says what nobody can judge gets its own id and HTTP
   * 200 back, as its client expects of a JSON-RPC error; one that is broken gets id {@code null}
   * and the HTTP status of the fault.
   */
  @Override
  public Optional<Refusal> refuseUnread(RequestHead head, Optional<JsonBody> body, Notice notice) {
    if (!head.method().equals("POST")) {
      return Optional.empty();
    }
    return Optional.of(
        body.flatMap(found -> id(found.json()))
            .map(id -> A2aRefusals.error(id, OK, notice))
            .orElseGet(() -> A2aRefusals.error("null", Problems.status(notice), notice)));
  }

  /** The id of a JSON-RPC request, as it was written. */
  private static Optional<String> id(JsonDocument json) {
    int id = json.member(json.root(), "id");
    return isJsonRpc(json) && (json.isString(id) || json.isNumber(id))
        ? Optional.of(json.raw(id))
        : Optional.empty();
  }
}
