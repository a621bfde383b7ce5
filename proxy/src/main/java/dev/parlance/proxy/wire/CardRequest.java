package dev.parlance.proxy.wire;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.text.Utf8Span;
import java.util.List;
import java.util.Optional;

/**
 * The fetch of an agent card. Cards may be signed, so their bytes are never edited; they only have
 * to be JSON.
 */
record CardRequest(JsonLimits limits) implements RequestView {
  @Override
  public String protocol() {
    return "a2a-card";
  }

  @Override
  public Optional<AgentMessage> message() {
    return Optional.empty();
  }

  @Override
  public Correlation correlation() {
    return Correlation.NONE;
  }

  @Override
  public List<Utf8Span> identity() {
    return List.of();
  }

  @Override
  public Utf8Span question() {
    return Utf8Span.EMPTY;
  }

  @Override
  public int forgedVerdicts() {
    return 0;
  }

  @Override
  public List<Edit> annotate(Annotation verdict) {
    return List.of();
  }

  @Override
  public List<Edit> strip() {
    return List.of();
  }

  @Override
  public Reading<ResponseView> readResponse(ResponseHead head, PlainBody body) {
    if (body.isEmpty()) {
      return SilentResponse.reading();
    }
    MediaType type = MediaType.of(head.fields());
    if (!type.isJson()) {
      return new Reading.Unjudged<>("content_type");
    }
    return type.<ResponseView>charsetFault()
        .orElseGet(() ->
            switch (JsonScanner.scan(body, limits)) {
              case JsonScan.Refused refused -> refused.asReading();
              case JsonScan.Scanned _ -> SilentResponse.reading();
            });
  }

  @Override
  public Optional<byte[]> repair(ResponseView rejected, String instruction, String freshMessageId) {
    return Optional.empty();
  }

  @Override
  public Refusal refuse(Notice notice) {
    return Problems.of(notice);
  }
}
