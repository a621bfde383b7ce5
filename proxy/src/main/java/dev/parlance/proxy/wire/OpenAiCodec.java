package dev.parlance.proxy.wire;

import java.util.Optional;

/** OpenAI chat completions, whole answers only; what is streamed is left unjudged. */
final class OpenAiCodec implements Codec {
  private static final String PATH_END = "/chat/completions";

  private final JsonLimits limits;

  OpenAiCodec(JsonLimits limits) {
    this.limits = limits;
  }

  @Override
  public String name() {
    return "openai";
  }

  @Override
  public boolean claims(RequestHead head) {
    return head.method().equals("POST") && head.path().endsWith(PATH_END);
  }

  @Override
  public Reading<RequestView> readRequest(RequestHead head, byte[] body) {
    if (!claims(head)) {
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
              case JsonScan.Scanned scanned -> OpenAiRequest.read(scanned.document(), limits);
            });
  }

  @Override
  public Optional<Refusal> refuseUnread(RequestHead head, Optional<JsonBody> body, Notice notice) {
    return Optional.of(OpenAiRefusals.error(notice));
  }
}
