package dev.parlance.wire.a2a;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.api.Annotatable;
import dev.parlance.wire.api.Codec;
import dev.parlance.wire.api.Correlation;
import dev.parlance.wire.api.Frame;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.Refusal;
import dev.parlance.wire.api.RequestHead;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseHead;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.RoundMark;
import dev.parlance.wire.api.SilentResponse;
import dev.parlance.wire.api.StreamFault;
import dev.parlance.wire.api.StreamReader;
import dev.parlance.wire.api.VerdictHeader;
import dev.parlance.wire.bytes.Edit;
import dev.parlance.wire.bytes.HeaderLookup;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.bytes.Splicer;
import dev.parlance.wire.bytes.WireFault;
import dev.parlance.wire.grpc.GrpcFraming;
import dev.parlance.wire.grpc.GrpcStatus;
import dev.parlance.wire.json.JsonLimits;
import dev.parlance.wire.proto.ProtoMessage;
import dev.parlance.wire.proto.ProtoScanner;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * A request of A2A over gRPC. What it and its answers say is read by the JSON reader of A2A, from
 * the JSON that v1.0 has for the same messages; bytes and edits are those of the gRPC body.
 */
final class A2aGrpcRequest implements RequestView {
  private final A2aGrpcMethod called;
  private final JsonLimits limits;
  private final byte[] body;
  private final GrpcFraming.Body.One sent;
  private final ProtoMessage message;
  private final ProtoTextSites sites;
  private final RequestView heard;

  private A2aGrpcRequest(
      A2aGrpcMethod called,
      JsonLimits limits,
      byte[] body,
      GrpcFraming.Body.One sent,
      ProtoMessage message,
      RequestView heard) {
    this.called = called;
    this.limits = limits;
    this.body = body;
    this.sent = sent;
    this.message = message;
    this.heard = heard;
    this.sites = new ProtoTextSites(message);
    sites.believeRounds();
    message
        .message("message")
        .ifPresent(said -> {
          sites.annotated(said);
          sites.speaks(said);
        });
  }

  /**
   * Reads the whole body of a request.
   *
   * @param json reads JSON-RPC of A2A v1.0
   */
  static Reading<RequestView> read(
      A2aGrpcMethod called, RequestHead head, byte[] body, JsonLimits limits, Codec json) {
    return switch (GrpcFraming.unary(body, head.fields(), GrpcFraming.MAX_MESSAGE_BYTES)) {
      case GrpcFraming.Body.Refused(StreamFault fault) ->
          new Reading.Malformed<>(fault.fault(), fault.detail());
      case GrpcFraming.Body.None() ->
          new Reading.Malformed<>(WireFault.BAD_FRAME, "no message; expected one in a request");
      case GrpcFraming.Body.One one ->
          switch (ProtoScanner.scan(one.frame().message(), called.requestType(), limits.tokens())) {
            case ProtoScanner.Refused refused -> refused.asReading();
            case ProtoScanner.Scanned scanned -> read(called, limits, body, one, scanned, json);
          };
    };
  }

  private static Reading<RequestView> read(
      A2aGrpcMethod called,
      JsonLimits limits,
      byte[] body,
      GrpcFraming.Body.One sent,
      ProtoScanner.Scanned scanned,
      Codec json) {
    byte[] call = A2aGrpcJson.request(called, scanned.message(), scanned.beside());
    return switch (json.readRequest(A2aGrpcJson.requestHead(), PlainBody.of(call))) {
      case Reading.Readable<RequestView>(RequestView heard) ->
          new Reading.Readable<>(
              new A2aGrpcRequest(called, limits, body, sent, scanned.message(), heard));
      case Reading.Unread<RequestView> unread -> unread;
    };
  }

  @Override
  public String protocol() {
    return called.format().protocol();
  }

  @Override
  public Optional<AgentMessage> message() {
    return heard.message();
  }

  @Override
  public List<String> unread() {
    return heard.unread();
  }

  /** In v0.3 a task is asked for by its resource name. */
  @Override
  public Correlation correlation() {
    String prefix = "tasks/";
    Correlation ids = heard.correlation();
    Optional<String> taskId =
        ids.taskId().map(id -> id.startsWith(prefix) ? id.substring(prefix.length()) : id);
    return new Correlation(ids.contextId(), taskId, ids.messageId());
  }

  @Override
  public Utf8Span question() {
    return heard.question();
  }

  /** As in JSON, where there is a message; else all of the request, which has no id of its own. */
  @Override
  public List<Utf8Span> identity() {
    List<Utf8Span> identity = new ArrayList<>();
    identity.add(Utf8Span.of("grpc " + protocol()));
    identity.addAll(heard.identity());
    if (!called.shape().hasMessage()) {
      identity.add(Utf8Span.of(message.body()));
    }
    return List.copyOf(identity);
  }

  /**
   * The held messages, one or those of a stream, without their compression: the fields that named
   * it belong to their answer.
   */
  @Override
  public Optional<byte[]> adopt(byte[] heldBody) {
    GrpcFraming framing = new GrpcFraming(Optional.of("gzip"), GrpcFraming.MAX_MESSAGE_BYTES);
    if (framing.feed(Unpooled.wrappedBuffer(heldBody)).isPresent() || framing.end().isPresent()) {
      return Optional.empty();
    }
    ByteArrayOutputStream adopted = new ByteArrayOutputStream(heldBody.length);
    for (Optional<Frame> next = framing.next(); next.isPresent(); next = framing.next()) {
      adopted.writeBytes(GrpcFraming.framed(next.get().payload().orElseThrow()));
    }
    return adopted.size() == 0 ? Optional.empty() : Optional.of(adopted.toByteArray());
  }

  @Override
  public int forgedVerdicts() {
    return sites.forgedCount();
  }

  @Override
  public RoundMark round() {
    return heard.round();
  }

  @Override
  public int cutRounds() {
    return sites.cutRounds();
  }

  @Override
  public List<Edit> annotate(VerdictHeader verdict) {
    return onBody(sent, body, sites.annotate(verdict));
  }

  @Override
  public List<Edit> strip() {
    return onBody(sent, body, sites.strip());
  }

  /** Edits of a message as edits of the body that holds it; one that is compressed is replaced. */
  private static List<Edit> onBody(GrpcFraming.Body.One sent, byte[] body, List<Edit> edits) {
    if (edits.isEmpty()) {
      return edits;
    }
    if (sent.compressed()) {
      return List.of(new Edit(0, body.length, sent.frame().edited(edits)));
    }
    List<Edit> moved = new ArrayList<>();
    int length = body.length - GrpcFraming.PREFIX_BYTES;
    for (Edit edit : edits) {
      length += edit.inserted().length - edit.removed();
      int offset = edit.offset() + GrpcFraming.PREFIX_BYTES;
      moved.add(new Edit(offset, edit.removed(), edit.inserted()));
    }
    moved.addFirst(new Edit(1, Integer.BYTES, GrpcFraming.lengthBytes(length)));
    return moved;
  }

  @Override
  public Reading<ResponseView> readResponse(ResponseHead head, PlainBody answer) {
    if (!A2aGrpcCodec.isGrpc(head.fields())) {
      return answer.isEmpty() ? SilentResponse.reading() : new Reading.Unjudged<>("content_type");
    }
    Optional<GrpcStatus> status =
        GrpcStatus.of(head.trailers()).or(() -> GrpcStatus.of(head.fields()));
    if (status.isEmpty() && !head.trailers().equals(HeaderLookup.NONE)) {
      return new Reading.Malformed<>(WireFault.INCOMPLETE, "no grpc-status behind the answer");
    }
    List<Utf8Span> beside = status.map(GrpcStatus::texts).orElse(List.of());
    if (called.shape().isStream() && !answer.isEmpty()) {
      return new Reading.Unjudged<>("stream");
    }
    byte[] own = answer.toBytes();
    return switch (GrpcFraming.unary(own, head.fields(), GrpcFraming.MAX_MESSAGE_BYTES)) {
      case GrpcFraming.Body.Refused(StreamFault fault) ->
          new Reading.Malformed<>(fault.fault(), fault.detail());
      case GrpcFraming.Body.None() -> readError(head, beside);
      case GrpcFraming.Body.One one -> readAnswer(head, own, one, beside);
    };
  }

  /** A call that ended without an answer: the words of its status, if it has any. */
  private Reading<ResponseView> readError(ResponseHead head, List<Utf8Span> texts) {
    return texts.isEmpty()
        ? SilentResponse.reading()
        : heard.readResponse(A2aGrpcJson.answerHead(head), A2aGrpcJson.error(texts));
  }

  private Reading<ResponseView> readAnswer(
      ResponseHead head, byte[] answer, GrpcFraming.Body.One one, List<Utf8Span> beside) {
    ProtoScanner.Scan scan =
        ProtoScanner.scan(one.frame().message(), called.answerType(), limits.tokens());
    return switch (scan) {
      case ProtoScanner.Refused refused -> refused.asReading();
      case ProtoScanner.Scanned scanned ->
          switch (called.shape()) {
            case CARD -> readError(head, beside);
            case CONTROL -> readControl(head, scanned.message(), beside);
            case SEND, STREAM, SUBSCRIBE, TASK, LIST ->
                read(head, scanned, beside, edits -> onBody(one, answer, edits));
          };
    };
  }

  /** Whatever is text in it goes to the reader under no name; it knows which of it counts. */
  private Reading<ResponseView> readControl(
      ResponseHead head, ProtoMessage control, List<Utf8Span> trailing) {
    return heard.readResponse(A2aGrpcJson.answerHead(head), A2aGrpcJson.control(control, trailing));
  }

  private Reading<ResponseView> read(
      ResponseHead head,
      ProtoScanner.Scanned scanned,
      List<Utf8Span> trailing,
      UnaryOperator<List<Edit>> onAnswer) {
    List<Utf8Span> beside = new ArrayList<>(scanned.beside());
    beside.addAll(trailing);
    byte[] json = A2aGrpcJson.result(scanned.message(), beside);
    return switch (heard.readResponse(A2aGrpcJson.answerHead(head), json)) {
      case Reading.Readable<ResponseView>(ResponseView view) -> {
        A2aGrpcAnswerSites edits = new A2aGrpcAnswerSites(scanned.message(), known(head), onAnswer);
        if (called.shape() != A2aBinding.Shape.LIST) {
          edits.believeRounds();
        }
        boolean open = edits.state().filter(A2aGrpcAnswerSites::isOpen).isPresent();
        yield new Reading.Readable<>(new Answer(view, edits, open));
      }
      case Reading.Unread<ResponseView> unread -> unread;
    };
  }

  /** What the asker said, and what was judged when it passed. */
  private Predicate<Utf8Span> known(ResponseHead head) {
    Optional<Utf8Span> said = heard.message().map(AgentMessage::answer);
    return text ->
        text.equals(question())
            || said.filter(text::equals).isPresent()
            || head.relayed().knows(text);
  }

  @Override
  public Optional<StreamReader> readStream(ResponseHead head) {
    boolean streams =
        called.shape().isStream()
            && A2aGrpcCodec.isGrpc(head.fields())
            && head.fields().first("grpc-status").isEmpty();
    return streams
        ? heard
            .readStream(A2aGrpcJson.streamHead(head))
            .map(reader ->
                new A2aGrpcStream(called, GrpcFraming.of(head), limits, known(head), reader))
        : Optional.empty();
  }

  @Override
  public Optional<byte[]> repair(ResponseView rejected, String instruction, String freshMessageId) {
    if (!called.shape().hasMessage()) {
      return Optional.empty();
    }
    byte[] clean = Splicer.applyToBytes(message.body(), sites.strip());
    boolean open = rejected instanceof Answer answer && answer.openTask();
    return switch (ProtoScanner.scan(clean, called.requestType(), limits.tokens())) {
      case ProtoScanner.Refused _ -> Optional.empty();
      case ProtoScanner.Scanned scanned ->
          A2aRepair.proto(
                  scanned.message(), rejected.correlation(), open, instruction, freshMessageId)
              .map(GrpcFraming::framed);
    };
  }

  @Override
  public Refusal refuse(Notice notice, Correlation kept) {
    boolean asTask = notice.kind() == Notice.Kind.YIELD && called.shape().answersWithTask();
    if (!asTask) {
      return A2aGrpcRefusals.error(notice, true);
    }
    Correlation own = correlation();
    Optional<String> taskId =
        called.shape().hasMessage() ? kept.taskId() : kept.taskId().or(own::taskId);
    return A2aGrpcRefusals.rejectedTask(
        called,
        new Correlation(kept.contextId().or(own::contextId), taskId, Optional.empty()),
        notice);
  }

  /**
   * An answer over gRPC: what it says as the JSON reader of A2A hears it, edited as protobuf.
   *
   * @param heard what it says
   * @param sites where verdicts go
   * @param openTask true if it is a task that can still be continued
   */
  record Answer(ResponseView heard, Annotatable sites, boolean openTask) implements ResponseView {
    @Override
    public Optional<AgentMessage> message() {
      return heard.message();
    }

    @Override
    public List<String> unread() {
      return heard.unread();
    }

    @Override
    public Correlation correlation() {
      return heard.correlation();
    }

    @Override
    public RoundMark round() {
      return heard.round();
    }
  }
}
