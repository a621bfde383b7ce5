package dev.parlance.wire.plain;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.api.Correlation;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.Refusal;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseHead;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.RoundMark;
import dev.parlance.wire.api.SilentResponse;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.json.JsonBody;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonEdits;
import dev.parlance.wire.json.JsonLimits;
import dev.parlance.wire.json.JsonWriter;
import dev.parlance.wire.metadata.EvidenceReader;
import dev.parlance.wire.metadata.Problems;
import java.util.List;
import java.util.Optional;

/** A request whose texts stand at configured pointers; without a body it says nothing. */
final class JsonRequest implements RequestView, JsonMessage {
  private final JsonLimits limits;
  private final Optional<JsonDocument> body;
  private final JsonCodec.Side side;
  private final JsonCodec.Side answerSide;
  private final Optional<AgentMessage> message;
  private final Utf8Span question;

  JsonRequest(
      JsonLimits limits,
      Optional<JsonDocument> body,
      JsonCodec.Side side,
      JsonCodec.Side answerSide) {
    this.limits = limits;
    this.body = body;
    this.side = side;
    this.answerSide = answerSide;
    this.message = body.flatMap(json -> said(json, side));
    this.question =
        body.flatMap(side::questionText)
            .or(() -> message.map(AgentMessage::answer))
            .orElse(Utf8Span.EMPTY);
  }

  @Override
  public String protocol() {
    return "json";
  }

  @Override
  public Optional<AgentMessage> message() {
    return message;
  }

  private static Optional<AgentMessage> said(JsonDocument json, JsonCodec.Side side) {
    int text = side.textNode(json);
    return text == JsonDocument.NONE
        ? Optional.empty()
        : Optional.of(
            new AgentMessage(
                json.text(text),
                side.questionText(json).orElse(Utf8Span.EMPTY),
                side.evidence(json).evidence()));
  }

  @Override
  public RoundMark round() {
    return body.map(side::roundMark).orElse(RoundMark.NONE);
  }

  @Override
  public Optional<JsonDocument> body() {
    return body;
  }

  @Override
  public List<Utf8Span> identity() {
    return body.map(json -> List.of(json.bytes(json.root()))).orElse(List.of());
  }

  /** What the question pointer finds, else the request's text. */
  @Override
  public Utf8Span question() {
    return question;
  }

  /** Adds the context that the asker sent along. */
  void addContext(EvidenceReader evidence) {
    body.ifPresent(json -> side.addContext(evidence, json));
  }

  @Override
  public Reading<ResponseView> readResponse(ResponseHead head, PlainBody answer) {
    if (answer.isEmpty()) {
      return SilentResponse.reading();
    }
    return JsonBody.ofResponse(
        head.fields(), answer, limits, json -> JsonCodec.readAnswer(json, answerSide, this));
  }

  /** The same request with the instruction at the end of its text. */
  @Override
  public Optional<byte[]> repair(ResponseView rejected, String instruction, String freshMessageId) {
    return body.filter(json -> side.textNode(json) != JsonDocument.NONE)
        .map(json -> {
          JsonEdits edits = new JsonEdits(json);
          JsonMessage.strip(json, edits);
          edits.extendString(side.textNode(json), JsonWriter.quoted("\n\n" + instruction));
          return json.edited(edits.sorted());
        });
  }

  @Override
  public Refusal refuse(Notice notice, Correlation kept) {
    return Problems.of(notice);
  }
}
