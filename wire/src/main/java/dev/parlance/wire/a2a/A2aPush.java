package dev.parlance.wire.a2a;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.api.Annotatable;
import dev.parlance.wire.api.Correlation;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.Refusal;
import dev.parlance.wire.api.Relayed;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseHead;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.RoundMark;
import dev.parlance.wire.api.SilentResponse;
import dev.parlance.wire.api.VerdictHeader;
import dev.parlance.wire.bytes.Edit;
import dev.parlance.wire.bytes.MediaType;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.bytes.Utf8;
import dev.parlance.wire.bytes.WireFault;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonLimits;
import dev.parlance.wire.json.JsonScan;
import dev.parlance.wire.json.JsonScanner;
import dev.parlance.wire.plain.Problems;
import dev.parlance.wire.plain.TextCodec;
import java.util.List;
import java.util.Optional;

/**
 * A push notification: what an agent says, in a request to its client's webhook.
 *
 * @param form how it is written
 * @param content the task, message or update in it
 */
record A2aPush(A2aForm form, ResponseView content, JsonLimits limits) implements RequestView {
  static Reading<RequestView> read(JsonDocument json, A2aForm form, JsonLimits limits) {
    return switch (A2aUnion.read(json, json.root(), form)) {
      case Reading.Unjudged<A2aUnion>(String what) -> new Reading.Unjudged<>(what);
      case Reading.Malformed<A2aUnion>(WireFault fault, String detail) ->
          new Reading.Malformed<>(fault, detail);
      case Reading.Readable<A2aUnion>(A2aUnion union) -> {
        A2aDraft draft = new A2aDraft(json, A2aAsker.NOBODY, Relayed.NOTHING);
        if (!form.discriminated()) {
          draft.reader().strangers(json.root(), A2aUnion.MEMBERS);
        }
        yield switch (draft.of(union)) {
          case Reading.Unjudged<ResponseView>(String what) -> new Reading.Unjudged<>(what);
          case Reading.Malformed<ResponseView>(WireFault fault, String detail) ->
              new Reading.Malformed<>(fault, detail);
          case Reading.Readable<ResponseView>(ResponseView content) ->
              new Reading.Readable<>(new A2aPush(form, content, limits));
        };
      }
    };
  }

  @Override
  public String protocol() {
    return form.protocol();
  }

  @Override
  public Optional<AgentMessage> message() {
    return content.message();
  }

  @Override
  public List<String> unread() {
    return content.unread();
  }

  @Override
  public Correlation correlation() {
    return content.correlation();
  }

  @Override
  public List<Utf8Span> identity() {
    Correlation ids = correlation();
    return List.of(
        Utf8Span.of("push"),
        Utf8Span.of(ids.contextId().orElse("")),
        Utf8Span.of(ids.taskId().orElse("")),
        message().map(AgentMessage::answer).orElse(Utf8Span.EMPTY));
  }

  @Override
  public Utf8Span question() {
    return Utf8Span.EMPTY;
  }

  @Override
  public int forgedVerdicts() {
    return content.forgedVerdicts();
  }

  @Override
  public int cutRounds() {
    return content.cutRounds();
  }

  @Override
  public List<Edit> annotate(VerdictHeader verdict) {
    return content.annotate(verdict);
  }

  @Override
  public List<Edit> strip() {
    return content.strip();
  }

  /**
   * What a webhook answers is for the machine that called. A few words pass with a warning, as
   * those of an error do; more is judged.
   */
  @Override
  public Reading<ResponseView> readResponse(ResponseHead head, PlainBody body) {
    if (body.isEmpty()) {
      return SilentResponse.reading();
    }
    MediaType type = MediaType.of(head.fields());
    if (!type.isJson() && !type.isPlainText()) {
      return new Reading.Unjudged<>(type.isEventStream() ? "stream" : "content_type");
    }
    Optional<Reading<ResponseView>> fault =
        type.<ResponseView>charsetFault()
            .or(() -> Utf8.problem(body.array(), body.length()).map(TextCodec::badEncoding));
    if (fault.isPresent()) {
      return fault.get();
    }
    return type.isPlainText() ? readText(body) : readJson(head, body);
  }

  private static Reading<ResponseView> readText(PlainBody body) {
    if (body.length() <= A2aResponse.SHORT_ERROR_BYTES) {
      return SilentResponse.error();
    }
    AgentMessage said = new AgentMessage(body.text(), Utf8Span.EMPTY, Evidence.NONE);
    return new Reading.Readable<>(
        new A2aResponse(
            Optional.of(said),
            List.of(),
            Correlation.NONE,
            false,
            RoundMark.NONE,
            Annotatable.NOWHERE));
  }

  private Reading<ResponseView> readJson(ResponseHead head, PlainBody body) {
    return switch (JsonScanner.scan(body, limits)) {
      case JsonScan.Refused refused -> refused.asReading();
      case JsonScan.Scanned(JsonDocument json) ->
          new A2aDraft(json, A2aAsker.NOBODY, head.relayed()).ofError(json.root());
    };
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
