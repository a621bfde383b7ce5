package dev.parlance.wire.a2a;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.api.Annotatable;
import dev.parlance.wire.api.Correlation;
import dev.parlance.wire.api.Frame;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.ResponseHead;
import dev.parlance.wire.api.StreamEvent;
import dev.parlance.wire.api.StreamReader;
import dev.parlance.wire.bytes.HeaderLookup;
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
 * Reads a streamed answer over gRPC: its events are cut and edited as protobuf, and heard as the
 * JSON that A2A has for them.
 */
final class A2aGrpcStream extends A2aStreamReader {
  private static final int OK = 200;
  private static final int FAILED = 500;

  private final A2aGrpcMethod called;
  private final Predicate<Utf8Span> known;
  private final JsonLimits limits;

  A2aGrpcStream(
      A2aGrpcMethod called,
      ResponseHead head,
      A2aCall.Context asked,
      Correlation ids,
      Predicate<Utf8Span> known,
      JsonLimits limits) {
    super(
        new A2aBinding.Rest(A2aFormat.CURRENT, called.shape()),
        GrpcFraming.of(head),
        asked,
        head.relayed(),
        ids,
        limits);
    this.called = called;
    this.known = known;
    this.limits = limits;
  }

  @Override
  public StreamEvent read(Frame frame) {
    byte[] payload = frame.payload().orElseGet(frame::bytes);
    return switch (ProtoScanner.scan(payload, called.answerType(), limits.tokens())) {
      case ProtoScanner.Refused(WireFault fault, String detail) ->
          new StreamEvent.Malformed(fault, detail);
      case ProtoScanner.Scanned(ProtoMessage event, List<Utf8Span> beside) ->
          edited(
              read(ProtoJson.of(event, beside), OK),
              ProtoTextSites.ofAnswer(event, known, UnaryOperator.identity()));
    };
  }

  private static StreamEvent edited(StreamEvent heard, Annotatable edits) {
    return switch (heard) {
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
        .map(texts -> edited(read(ProtoJson.error(texts), FAILED), Annotatable.NOWHERE))
        .filter(event -> !(event instanceof StreamEvent.Silent));
  }

  @Override
  public StreamReader.Ending refuse(Notice notice) {
    return notice.kind() == Notice.Kind.YIELD
        ? A2aGrpcRefusals.rejectedUpdate(called, soFar().correlation(), notice)
        : new StreamReader.Ending(List.of(), A2aGrpcRefusals.errorTrailers(notice, true));
  }
}
