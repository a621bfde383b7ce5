package dev.parlance.wire.openai;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.api.Annotatable;
import dev.parlance.wire.api.Correlation;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.Refusal;
import dev.parlance.wire.api.RequestHead;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseHead;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.StreamReader;
import dev.parlance.wire.bytes.MediaType;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.bytes.WireFault;
import dev.parlance.wire.json.JsonBody;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonEdits;
import dev.parlance.wire.json.JsonLimits;
import dev.parlance.wire.json.JsonTextExtractor;
import dev.parlance.wire.json.JsonWriter;
import dev.parlance.wire.metadata.MemberSites;
import dev.parlance.wire.sse.SseFraming;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A request for a completion or a response. It carries no message to judge: a prompt is what an
 * agent asks a model, not what it tells another agent. It does carry the question and the evidence
 * for the answer.
 */
final class OpenAiRequest implements RequestView {
  private static final Set<String> MEMBERS =
      Set.of("messages", "input", "instructions", "prompt", "stream", "model", "n");

  private final JsonDocument json;
  private final JsonLimits limits;
  private final OpenAiCall call;
  private final RequestHead head;
  private final OpenAiContext context;
  private final MemberSites sites;

  /** Gathered once an answer is read. */
  private Optional<OpenAiView.RequestContext> asked = Optional.empty();

  private OpenAiRequest(JsonDocument json, RequestHead head, OpenAiCall call, JsonLimits limits) {
    this.json = json;
    this.limits = limits;
    this.call = call;
    this.head = head;
    this.context = new OpenAiContext(json, call);
    this.sites = OpenAiView.sites(json, /* written= */ false);
  }

  /** Reads a request; one about a stored answer has an empty body, which reads as no members. */
  static Reading<RequestView> read(
      JsonDocument json, RequestHead head, OpenAiCall call, JsonLimits limits) {
    int root = json.root();
    boolean asks =
        switch (call) {
          case CHAT -> json.isArray(json.member(root, "messages"));
          case COMPLETIONS -> json.member(root, "prompt") != JsonDocument.NONE;
          case RESPONSES, RESPONSE_READ, RESPONSE_CANCELLED, CHAT_READ -> json.isObject(root);
        };
    return asks && json.misspelt(root, MEMBERS).isEmpty()
        ? new Reading.Readable<>(new OpenAiRequest(json, head, call, limits))
        : new Reading.Malformed<>(
            WireFault.BAD_MESSAGE, "no messages or prompt; expected a completion request");
  }

  @Override
  public String protocol() {
    return "openai";
  }

  @Override
  public List<Utf8Span> identity() {
    return List.of(Utf8Span.of(head.method() + " " + head.target()), json.bytes(json.root()));
  }

  @Override
  public Utf8Span question() {
    return context.question();
  }

  @Override
  public Annotatable sites() {
    return sites;
  }

  private OpenAiView.RequestContext asked() {
    if (asked.isEmpty()) {
      asked = Optional.of(gatherRequestContext());
    }
    return asked.get();
  }

  private OpenAiView.RequestContext gatherRequestContext() {
    JsonTextExtractor said = new JsonTextExtractor(json, Set.of(), /* numbers= */ false);
    said.add(json.root());
    int choices = json.member(json.root(), "n");
    return new OpenAiView.RequestContext(
        question(),
        context.chunks(),
        List.copyOf(said.texts()),
        new OpenAiTextExtractor(json, new GeneratedText(), /* pieces= */ false).number(choices, 1),
        model());
  }

  private String model() {
    return json.optionalString(json.member(json.root(), "model")).orElse("");
  }

  @Override
  public Reading<ResponseView> readResponse(ResponseHead reply, PlainBody body) {
    if (body.isEmpty()) {
      return ResponseView.Silent.reading();
    }
    return JsonBody.ofResponse(
        reply.fields(),
        body,
        limits,
        answer -> OpenAiView.read(answer, call, asked(), reply.relayed()));
  }

  @Override
  public Optional<StreamReader> readStream(ResponseHead reply) {
    MediaType type = MediaType.of(reply.fields());
    return type.isEventStream() && type.charsetFault().isEmpty()
        ? Optional.of(
            new OpenAiStreamReader(
                limits, call, asked(), reply.relayed(), new SseFraming(reply.eventBytes())))
        : Optional.empty();
  }

  /** The conversation so far, the rejected draft as the assistant's, and the instruction. */
  @Override
  public Optional<byte[]> repair(ResponseView rejected, String instruction, String freshMessageId) {
    Optional<AgentMessage> draft = rejected.message();
    if (draft.isEmpty()) {
      return Optional.empty();
    }
    JsonEdits edits = new JsonEdits(json);
    sites.strip(edits);
    JsonWriter turn = new JsonWriter();
    turn.object().member("role", "assistant");
    turn.member("content", draft.get().answer().toString()).endObject();
    turn.object().member("role", "user").member("content", instruction).endObject();
    int messages = json.member(json.root(), call == OpenAiCall.CHAT ? "messages" : "input");
    boolean possible = call == OpenAiCall.CHAT || call == OpenAiCall.RESPONSES;
    if (possible && json.isArray(messages) && json.first(messages) != JsonDocument.NONE) {
      edits.addElements(messages, turn.toString());
    } else if (possible && json.isString(messages)) {
      String question = "{\"role\":\"user\",\"content\":" + json.raw(messages) + "},";
      edits.replace(messages, "[" + question + turn + "]");
    } else {
      return Optional.empty();
    }
    return Optional.of(json.edited(edits.sorted()));
  }

  @Override
  public Refusal refuse(Notice notice, Correlation kept) {
    if (notice.kind() != Notice.Kind.YIELD) {
      return OpenAiRefusals.error(notice);
    }
    return json.isTrue(json.member(json.root(), "stream"))
        ? OpenAiRefusals.filteredStream(
            call, kept.messageId(), model(), notice, new SseFraming(ResponseHead.EVENT_BYTES))
        : OpenAiRefusals.filtered(call, kept.messageId(), model(), notice);
  }
}
