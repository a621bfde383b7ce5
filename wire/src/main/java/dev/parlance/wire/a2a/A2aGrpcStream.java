package dev.parlance.wire.a2a;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.api.Annotatable;
import dev.parlance.wire.api.Frame;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.StreamEvent;
import dev.parlance.wire.api.StreamFraming;
import dev.parlance.wire.api.StreamReader;
import dev.parlance.wire.api.StreamRefusal;
import dev.parlance.wire.bytes.Edit;
import dev.parlance.wire.bytes.HeaderLookup;
import dev.parlance.wire.bytes.Splicer;
import dev.parlance.wire.bytes.WireFault;
import dev.parlance.wire.grpc.GrpcFraming;
import dev.parlance.wire.grpc.GrpcStatus;
import dev.parlance.wire.json.JsonLimits;
import dev.parlance.wire.proto.ProtoMessage;
import dev.parlance.wire.proto.ProtoScanner;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * A streamed answer over gRPC: its events are cut and edited as protobuf, and heard by the JSON
 * reader of A2A, which keeps what was said.
 */
final class A2aGrpcStream implements StreamReader {
  private final A2aGrpcMethod called;
  private final GrpcFraming framing;
  private final JsonLimits limits;
  private final Predicate<Utf8Span> known;
  private final StreamReader heard;
  private boolean openTask;

  A2aGrpcStream(
      A2aGrpcMethod called,
      GrpcFraming framing,
      JsonLimits limits,
      Predicate<Utf8Span> known,
      StreamReader heard) {
    this.called = called;
    this.framing = framing;
    this.limits = limits;
    this.known = known;
    this.heard = heard;
  }

  /** An event as the JSON reader takes it; it goes nowhere from there. */
  @SuppressWarnings("ArrayRecordComponent") // read once, never compared
  private record JsonEvent(byte[] bytes) implements Frame {
    @Override
    public Optional<byte[]> payload() {
      return Optional.of(bytes);
    }

    @Override
    public byte[] edited(List<Edit> edits) {
      return Splicer.applyToBytes(bytes, edits);
    }
  }

  @Override
  public StreamFraming framing() {
    return framing;
  }

  @Override
  public StreamEvent read(Frame frame) {
    byte[] payload = frame.payload().orElseGet(frame::bytes);
    return switch (ProtoScanner.scan(payload, called.answerType(), limits.tokens())) {
      case ProtoScanner.Refused(WireFault fault, String detail) ->
          new StreamEvent.Malformed(fault, detail);
      case ProtoScanner.Scanned(ProtoMessage event, List<Utf8Span> beside) -> {
        A2aGrpcAnswerSites edits = new A2aGrpcAnswerSites(event, known, UnaryOperator.identity());
        edits.state().ifPresent(state -> openTask = A2aGrpcAnswerSites.isOpen(state));
        yield hear(A2aGrpcJson.result(event, beside), edits);
      }
    };
  }

  private StreamEvent hear(byte[] json, Annotatable edits) {
    return switch (heard.read(new JsonEvent(json))) {
      case StreamEvent.Silent(boolean overtakes, Annotatable _) ->
          new StreamEvent.Silent(overtakes, edits);
      case StreamEvent.Said(boolean complete, List<String> unread, Annotatable _) ->
          new StreamEvent.Said(complete, unread, edits);
      case StreamEvent.Aside(AgentMessage message, Annotatable _) ->
          new StreamEvent.Aside(message, edits);
      case StreamEvent.Unjudged unjudged -> unjudged;
      case StreamEvent.Malformed malformed -> malformed;
    };
  }

  /** The words of the status that ends the stream count like those of any other error. */
  @Override
  public Optional<StreamEvent> trailers(HeaderLookup trailers) {
    return GrpcStatus.of(trailers)
        .map(GrpcStatus::texts)
        .filter(texts -> !texts.isEmpty())
        .map(texts -> hear(A2aGrpcJson.error(texts), Annotatable.NOWHERE))
        .filter(event -> !(event instanceof StreamEvent.Silent));
  }

  @Override
  public AgentMessage said() {
    return heard.said();
  }

  @Override
  public int saidBytes() {
    return heard.saidBytes();
  }

  @Override
  public boolean isOpen() {
    return heard.isOpen();
  }

  @Override
  public void forget() {
    heard.forget();
  }

  @Override
  public ResponseView soFar() {
    return new A2aGrpcRequest.Answer(heard.soFar(), Annotatable.NOWHERE, openTask);
  }

  @Override
  public StreamRefusal refuse(Notice notice) {
    return notice.kind() == Notice.Kind.YIELD
        ? A2aGrpcRefusals.rejectedUpdate(called, heard.soFar().correlation(), notice)
        : new StreamRefusal(List.of(), A2aGrpcRefusals.errorTrailers(notice, true));
  }
}
