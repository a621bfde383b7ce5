package dev.parlance.wire.openai;

import dev.parlance.wire.api.AgentProtocol;
import dev.parlance.wire.api.Codec;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.Refusal;
import dev.parlance.wire.api.RequestHead;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.bytes.Texts;
import dev.parlance.wire.json.JsonBody;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonScanner;
import java.util.Optional;

/**
 * OpenAI chat completions, responses and the older completions, whole and streamed, told apart by
 * method and path. Other calls (embeddings, models, files) are left unjudged.
 */
public final class OpenAiCodec implements Codec {
  private static final byte[] NO_MEMBERS = Texts.utf8("{}");

  private final JsonScanner.Limits limits;

  public OpenAiCodec(JsonScanner.Limits limits) {
    this.limits = limits;
  }

  @Override
  public String name() {
    return "openai";
  }

  @Override
  public AgentProtocol protocol() {
    return OpenAiProtocol.INSTANCE;
  }

  @Override
  public boolean claims(RequestHead head) {
    return OpenAiCall.of(head).isPresent();
  }

  @Override
  public Reading<RequestView> readRequest(RequestHead head, PlainBody body) {
    Optional<OpenAiCall> call = OpenAiCall.of(head);
    if (call.isEmpty()) {
      return new Reading.Unjudged<>("method");
    }
    PlainBody asked = call.get().isStored() && body.isEmpty() ? PlainBody.of(NO_MEMBERS) : body;
    return JsonBody.ofRequest(
        head.fields(), asked, limits, json -> OpenAiRequest.read(json, head, call.get(), limits));
  }

  @Override
  public Optional<Refusal> refuseUnread(
      RequestHead head, Optional<JsonDocument> body, Notice notice) {
    return Optional.of(OpenAiRefusals.error(notice));
  }
}
