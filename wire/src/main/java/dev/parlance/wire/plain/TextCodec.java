package dev.parlance.wire.plain;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.api.AgentError;
import dev.parlance.wire.api.AgentProtocol;
import dev.parlance.wire.api.Codec;
import dev.parlance.wire.api.MessageView;
import dev.parlance.wire.api.RequestHead;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseHead;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.bytes.Edit;
import dev.parlance.wire.bytes.MediaType;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.bytes.Splicer;
import dev.parlance.wire.bytes.Texts;
import dev.parlance.wire.bytes.Utf8;
import dev.parlance.wire.json.JsonBody;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonScanner;
import dev.parlance.wire.json.JsonTextExtractor;
import dev.parlance.wire.metadata.Problems;
import dev.parlance.wire.plumbing.PlumbingCall;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Plain text: the whole body is what the agent says. It has no place for evidence or verdicts. */
public final class TextCodec implements Codec {
  private final JsonScanner.Limits limits;

  /** A codec that reads JSON, which a server may answer with, within these bounds. */
  public TextCodec(JsonScanner.Limits limits) {
    this.limits = limits;
  }

  @Override
  public String name() {
    return "text";
  }

  @Override
  public boolean claims(RequestHead head) {
    return MediaType.of(head.fields()).isPlainText()
        && PlumbingCall.of(head, /* isBodiless= */ true, /* isUnclaimed= */ false).isEmpty();
  }

  @Override
  public Reading<RequestView> readRequest(RequestHead head, PlainBody body) {
    if (body.isEmpty()) {
      return new Reading.Readable<>(new TextRequest(body, false, limits));
    }
    MediaType type = MediaType.of(head.fields());
    if (!type.isPlainText()) {
      return new Reading.Unjudged<>("content_type");
    }
    boolean repeatable = head.method().equals("POST");
    return type.<RequestView>charsetFault()
        .or(() -> Utf8.fault(body))
        .orElseGet(() -> new Reading.Readable<>(new TextRequest(body, repeatable, limits)));
  }

  @Override
  public Optional<RequestView> unreadRequest(RequestHead head) {
    return Optional.of(new TextRequest(PlainBody.none(), false, limits));
  }

  /**
   * A request whose body is text, or that has none.
   *
   * @param repeatable true if asking again is a matter of sending another body like it
   */
  private record TextRequest(PlainBody body, boolean repeatable, JsonScanner.Limits limits)
      implements Problems.Requested {
    private static final AgentProtocol TEXT = () -> "text";

    @Override
    public AgentProtocol protocol() {
      return TEXT;
    }

    @Override
    public Optional<AgentMessage> message() {
      return body.isEmpty()
          ? Optional.empty()
          : Optional.of(new AgentMessage(body.text(), Utf8Span.EMPTY, Evidence.NONE));
    }

    @Override
    public List<Utf8Span> identity() {
      return List.of(body.text());
    }

    @Override
    public Utf8Span question() {
      return body.text();
    }

    @Override
    public Reading<ResponseView> readResponse(ResponseHead head, PlainBody answer) {
      if (answer.isEmpty()) {
        return ResponseView.Silent.reading();
      }
      MediaType type = MediaType.of(head.fields());
      if (type.isJson()) {
        return JsonBody.ofResponse(head.fields(), answer, limits, this::readJson);
      }
      if (head.isError() || !type.isPlainText()) {
        return new Reading.Unjudged<>(type.isEventStream() ? "stream" : "content_type");
      }
      return type.<ResponseView>charsetFault()
          .or(() -> Utf8.fault(answer))
          .orElseGet(() ->
              new Reading.Readable<>(
                  new TextResponse(
                      Optional.of(new AgentMessage(answer.text(), question(), Evidence.NONE)))));
    }

    /** A server that wants no text says so in a form of its own; else all of it is the answer. */
    private Reading<ResponseView> readJson(JsonDocument json) {
      int error = json.present(json.root(), "error");
      if (error != JsonDocument.NONE) {
        return ResponseView.Failed.reading(AgentError.of(json, json.root(), error));
      }
      JsonTextExtractor words = new JsonTextExtractor(json, Set.of(), /* numbers= */ true);
      words.add(json.root());
      return words.unreadFile()
          ? new Reading.Unjudged<>(MessageView.BINARY_PART)
          : new Reading.Readable<>(
              new TextResponse(
                  Optional.of(
                      new AgentMessage(
                          Texts.join(words.texts(), json.memory()), question(), Evidence.NONE))));
    }

    /** The same text with the instruction behind it. */
    @Override
    public Optional<byte[]> repair(
        ResponseView rejected, String instruction, String freshMessageId) {
      if (!repeatable) {
        return Optional.empty();
      }
      Edit added = new Edit(body.length(), 0, Texts.utf8("\n\n" + instruction));
      return Optional.of(Splicer.applyToBytes(body.array(), body.length(), List.of(added)));
    }
  }

  private record TextResponse(Optional<AgentMessage> message) implements ResponseView {}
}
