package dev.parlance.proxy.wire;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.text.Utf8Span;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A chat completion request. It carries no message to judge: a prompt is what an agent asks a
 * model, not what it tells another agent. It does carry the question and the evidence for the
 * answer.
 */
final class OpenAiRequest implements RequestView {
  private static final Set<String> MEMBERS = Set.of("messages", "stream", "model");
  private static final Set<String> REPLY_MEMBERS = Set.of("choices", "error", "id");

  private final JsonDocument json;
  private final JsonLimits limits;
  private final int messages;
  private final OpenAiContext context;

  private OpenAiRequest(JsonDocument json, JsonLimits limits, int messages) {
    this.json = json;
    this.limits = limits;
    this.messages = messages;
    this.context = new OpenAiContext(json, messages);
  }

  static Reading<RequestView> read(JsonDocument json, JsonLimits limits) {
    int root = json.root();
    int messages = json.member(root, "messages");
    if (!json.isArray(messages) || json.misspelt(root, MEMBERS).isPresent()) {
      return new Reading.Malformed<>(
          WireFault.BAD_MESSAGE, "no array of messages; expected a chat completion request");
    }
    return json.isTrue(json.member(root, "stream"))
        ? new Reading.Unjudged<>("stream")
        : new Reading.Readable<>(new OpenAiRequest(json, limits, messages));
  }

  @Override
  public String protocol() {
    return "openai";
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
    return List.of(json.bytes(json.root()));
  }

  @Override
  public Utf8Span question() {
    return context.question();
  }

  @Override
  public int forgedVerdicts() {
    return RootVerdict.forgedCount(json);
  }

  @Override
  public List<Edit> annotate(Annotation verdict) {
    return strip();
  }

  @Override
  public List<Edit> strip() {
    return RootVerdict.strip(json);
  }

  @Override
  public Reading<ResponseView> readResponse(ResponseHead head, byte[] body) {
    if (body.length == 0) {
      return SilentResponse.reading();
    }
    MediaType type = MediaType.of(head.fields());
    if (!type.isJson()) {
      return new Reading.Unjudged<>(type.isEventStream() ? "stream" : "content_type");
    }
    return type.<ResponseView>charsetFault()
        .orElseGet(() ->
            switch (JsonScanner.scan(body, limits)) {
              case JsonScan.Refused refused -> refused.asReading();
              case JsonScan.Scanned scanned -> readCompletion(scanned.document());
            });
  }

  private Reading<ResponseView> readCompletion(JsonDocument reply) {
    int root = reply.root();
    if (reply.misspelt(root, REPLY_MEMBERS).isPresent()) {
      return new Reading.Malformed<>(
          WireFault.BAD_MESSAGE, "a member is spelt in other case; expected a chat completion");
    }
    int choices = reply.present(root, "choices");
    if (reply.isArray(choices)) {
      return OpenAiResponse.read(reply, choices, question(), context.evidence().evidence());
    }
    return reply.present(root, "error") != JsonDocument.NONE
        ? SilentResponse.error()
        : new Reading.Unjudged<>("shape");
  }

  /** The conversation so far, the rejected draft as the assistant's, and the instruction. */
  @Override
  public Optional<byte[]> repair(ResponseView rejected, String instruction, String freshMessageId) {
    Optional<AgentMessage> draft = rejected.message();
    if (draft.isEmpty() || json.first(messages) == JsonDocument.NONE) {
      return Optional.empty();
    }
    JsonEdits edits = new JsonEdits(json);
    RootVerdict.strip(json, edits);
    JsonWriter turn = new JsonWriter();
    turn.object().member("role", "assistant");
    turn.member("content", draft.get().answer().toString()).endObject();
    turn.object().member("role", "user").member("content", instruction).endObject();
    edits.addElements(messages, turn.toString());
    return Optional.of(Splicer.applyToBytes(json.body(), edits.sorted()));
  }

  @Override
  public Refusal refuse(Notice notice) {
    return refuse(notice, Correlation.NONE);
  }

  @Override
  public Refusal refuse(Notice notice, ResponseView rejected) {
    return refuse(notice, rejected.correlation());
  }

  private Refusal refuse(Notice notice, Correlation kept) {
    if (notice.kind() != Notice.Kind.YIELD) {
      return OpenAiRefusals.error(notice);
    }
    Optional<String> model = json.optionalString(json.member(json.root(), "model"));
    return OpenAiRefusals.filtered(kept.messageId(), model.orElse(""), notice);
  }
}
