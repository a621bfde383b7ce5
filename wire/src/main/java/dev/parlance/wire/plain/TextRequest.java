package dev.parlance.wire.plain;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Evidence;
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
import dev.parlance.wire.bytes.Splicer;
import dev.parlance.wire.bytes.Texts;
import dev.parlance.wire.bytes.Utf8;
import java.util.List;
import java.util.Optional;

/** A request whose body is text, or that has none. */
final class TextRequest implements RequestView {
  private final PlainBody body;
  private final boolean repeatable;

  /**
   * A request.
   *
   * @param repeatable true if asking again is a matter of sending another body like it
   */
  TextRequest(PlainBody body, boolean repeatable) {
    this.body = body;
    this.repeatable = repeatable;
  }

  @Override
  public String protocol() {
    return "text";
  }

  @Override
  public Optional<AgentMessage> message() {
    return body.isEmpty()
        ? Optional.empty()
        : Optional.of(new AgentMessage(body.text(), Utf8Span.EMPTY, Evidence.NONE));
  }

  @Override
  public Correlation correlation() {
    return Correlation.NONE;
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
  public Reading<ResponseView> readResponse(ResponseHead head, PlainBody answer) {
    if (answer.isEmpty()) {
      return SilentResponse.reading();
    }
    MediaType type = MediaType.of(head.fields());
    if (!type.isPlainText()) {
      return new Reading.Unjudged<>(type.isEventStream() ? "stream" : "content_type");
    }
    return type.<ResponseView>charsetFault()
        .or(() -> Utf8.problem(answer.array(), answer.length()).map(TextCodec::badEncoding))
        .orElseGet(() ->
            new Reading.Readable<>(
                new TextResponse(new AgentMessage(answer.text(), question(), Evidence.NONE))));
  }

  /** The same text with the instruction behind it. */
  @Override
  public Optional<byte[]> repair(ResponseView rejected, String instruction, String freshMessageId) {
    if (!repeatable) {
      return Optional.empty();
    }
    Edit added = new Edit(body.length(), 0, Texts.utf8("\n\n" + instruction));
    return Optional.of(Splicer.applyToBytes(body.array(), body.length(), List.of(added)));
  }

  @Override
  public Refusal refuse(Notice notice) {
    return Problems.of(notice);
  }

  private record TextResponse(AgentMessage said) implements ResponseView {
    @Override
    public Optional<AgentMessage> message() {
      return Optional.of(said);
    }

    @Override
    public Correlation correlation() {
      return Correlation.NONE;
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
  }
}
