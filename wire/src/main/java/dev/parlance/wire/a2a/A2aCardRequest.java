package dev.parlance.wire.a2a;

import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.api.Correlation;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.Refusal;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseHead;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.SilentResponse;
import dev.parlance.wire.bytes.MediaType;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.json.JsonBody;
import dev.parlance.wire.json.JsonLimits;
import dev.parlance.wire.metadata.Problems;
import java.util.List;

/**
 * The fetch of an agent card. Cards may be signed, so their bytes are never edited; they only have
 * to be JSON.
 */
record A2aCardRequest(JsonLimits limits) implements RequestView {
  @Override
  public String protocol() {
    return "a2a-card";
  }

  @Override
  public List<Utf8Span> identity() {
    return List.of();
  }

  @Override
  public Reading<ResponseView> readResponse(ResponseHead head, PlainBody body) {
    if (body.isEmpty()) {
      return SilentResponse.reading();
    }
    return MediaType.of(head.fields()).isJson()
        ? JsonBody.ofResponse(head.fields(), body, limits, _ -> SilentResponse.reading())
        : new Reading.Unjudged<>("content_type");
  }

  @Override
  public Refusal refuse(Notice notice, Correlation kept) {
    return Problems.of(notice);
  }
}
