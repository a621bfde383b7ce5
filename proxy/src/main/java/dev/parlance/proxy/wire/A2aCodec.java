package dev.parlance.proxy.wire;

/**
 * A2A over JSON-RPC, v1.0 and v0.3 told apart by the method's name, and the fetch of agent cards.
 *
 * <p>Streams, batches, task lists and unknown methods are left unjudged.
 */
final class A2aCodec implements Codec {
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
    MediaType type = MediaType.of(head.fields());
    return isCard(head) || (head.method().equals("POST") && (type.isJson() || type.isMissing()));
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
    if (!claims(head)) {
      return new Reading.Unjudged<>("content_type");
    }
    return MediaType.of(head.fields())
        .<RequestView>charsetFault()
        .orElseGet(() ->
            switch (JsonScanner.scan(body, limits)) {
              case JsonScan.Refused refused -> refused.asReading();
              case JsonScan.Scanned scanned -> readDocument(scanned.document());
            });
  }

  /** Reads a request whose body has been scanned. */
  Reading<RequestView> readDocument(JsonDocument json) {
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
}
