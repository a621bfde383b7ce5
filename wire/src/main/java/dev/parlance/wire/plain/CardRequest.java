package dev.parlance.wire.plain;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.api.Correlation;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.Refusal;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseHead;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.SilentResponse;
import dev.parlance.wire.api.VerdictHeader;
import dev.parlance.wire.bytes.Edit;
import dev.parlance.wire.bytes.MediaType;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.json.JsonLimits;
import dev.parlance.wire.json.JsonScan;
import dev.parlance.wire.json.JsonScanner;
import java.util.List;
import java.util.Optional;

/**
 * The fetch of an agent card. Cards may be signed, so their bytes are never edited; they only have
 * to be JSON.
 */
public record CardRequest(JsonLimits limits) implements RequestView {
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
  public List<Edit> annotate(VerdictHeader verdict) {
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
