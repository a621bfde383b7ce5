package dev.parlance.proxy.wire;

import java.util.Optional;

/**
 * Chooses the codec for a request and reads it. Names are those of the configuration: {@code auto},
 * {@code a2a}, {@code openai}, {@code json}, {@code text}.
 *
 * <p>{@code auto} decides, in this order: chat completions by path; the fetch of an agent card; a
 * JSON body that says it is JSON-RPC; any other JSON body where pointers are configured; plain
 * text. Everything else is unjudged.
 */
public final class Codecs {
  private static final int OK = 200;

  private final JsonLimits limits;
  private final A2aCodec a2a;
  private final OpenAiCodec openAi;
  private final TextCodec text = new TextCodec();

  /** Codecs that keep to these bounds. */
  public Codecs(JsonLimits limits) {
    this.limits = limits;
    this.a2a = new A2aCodec(limits);
    this.openAi = new OpenAiCodec(limits);
  }

  /**
   * Reads a request.
   *
   * @param codec name in the configuration
   * @param pointers where codec {@code json} finds its texts
   * @param body whole, decoded from any content coding, and kept by the view
   * @throws IllegalArgumentException if there is no such codec, or a pointer is not one
   */
  public Reading<RequestView> read(
      String codec, JsonPointers pointers, RequestHead head, byte[] body) {
    return switch (codec) {
      case "auto" -> readAny(pointers, head, body);
      case "a2a" -> a2a.readRequest(head, body);
      case "openai" -> openAi.readRequest(head, body);
      case "json" -> new JsonCodec(limits, pointers).readRequest(head, body);
      case "text" -> text.readRequest(head, body);
      default -> throw unknown(codec);
    };
  }

  private Reading<RequestView> readAny(JsonPointers pointers, RequestHead head, byte[] body) {
    if (openAi.claims(head)) {
      return openAi.readRequest(head, body);
    }
    if (body.length == 0) {
      return head.method().equals("POST")
          ? new Reading.Unjudged<>("shape")
          : a2a.readRequest(head, body);
    }
    if (text.claims(head)) {
      return text.readRequest(head, body);
    }
    MediaType type = MediaType.of(head.fields());
    if (!type.isJson() && !type.isMissing()) {
      return new Reading.Unjudged<>("content_type");
    }
    return type.<RequestView>charsetFault()
        .orElseGet(() ->
            switch (JsonScanner.scan(body, limits)) {
              case JsonScan.Refused refused -> refused.asReading();
              case JsonScan.Scanned scanned -> readJson(pointers, head, scanned.document());
            });
  }

  private Reading<RequestView> readJson(
      JsonPointers pointers, RequestHead head, JsonDocument json) {
    if (a2a.claims(head) && A2aCodec.isJsonRpc(json)) {
      return a2a.readDocument(json);
    }
    return pointers.equals(JsonPointers.NONE)
        ? new Reading.Unjudged<>("shape")
        : new JsonCodec(limits, pointers).readDocument(json);
  }

  /** The refusal of something that nobody could read at all. */
  public static Refusal plain(Notice notice) {
    return Problems.of(notice);
  }

  /**
   * The refusal of a request for which there is no request view, in the protocol that its head, its
   * body and its route let expect. A JSON-RPC request that is whole and only says what nobody can
   * judge gets its own id and HTTP 200 back, as its client expects of a JSON-RPC error; one that is
   * broken gets id {@code null} and the HTTP status of the fault.
   *
   * @param codec name in the configuration
   * @param body as it was read; only looked at if the notice is about a message nobody can judge
   * @throws IllegalArgumentException if there is no such codec
   */
  public Refusal refuseUnread(String codec, RequestHead head, byte[] body, Notice notice) {
    boolean versioned = head.fields().first("a2a-version").isPresent();
    return switch (codec) {
      case "auto" -> {
        if (openAi.claims(head)) {
          yield OpenAiRefusals.error(notice);
        }
        Optional<String> id = jsonRpcId(head, body, notice);
        if (id.isPresent()) {
          yield A2aRefusals.error(id.get(), OK, notice);
        }
        yield versioned && a2a.claims(head) ? brokenA2a(head, notice) : Problems.of(notice);
      }
      case "a2a" ->
          jsonRpcId(head, body, notice)
              .map(id -> A2aRefusals.error(id, OK, notice))
              .orElseGet(() -> brokenA2a(head, notice));
      case "openai" -> OpenAiRefusals.error(notice);
      case "json", "text" -> Problems.of(notice);
      default -> throw unknown(codec);
    };
  }

  private static Refusal brokenA2a(RequestHead head, Notice notice) {
    return head.method().equals("POST")
        ? A2aRefusals.error("null", Problems.status(notice), notice)
        : Problems.of(notice);
  }

  /** The id of a JSON-RPC request that is whole, as it was written. */
  private Optional<String> jsonRpcId(RequestHead head, byte[] body, Notice notice) {
    if (notice.kind() != Notice.Kind.UNJUDGED || !a2a.claims(head)) {
      return Optional.empty();
    }
    return switch (JsonScanner.scan(body, limits)) {
      case JsonScan.Refused _ -> Optional.empty();
      case JsonScan.Scanned scanned -> {
        JsonDocument json = scanned.document();
        int id = json.member(json.root(), "id");
        yield A2aCodec.isJsonRpc(json) && (json.isString(id) || json.isNumber(id))
            ? Optional.of(json.raw(id))
            : Optional.empty();
      }
    };
  }

  private static IllegalArgumentException unknown(String codec) {
    return new IllegalArgumentException(
        "expected codec auto, a2a, openai, json or text, got " + codec);
  }
}
