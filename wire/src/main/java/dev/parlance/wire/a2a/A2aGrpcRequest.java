package dev.parlance.wire.a2a;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.api.AgentError;
import dev.parlance.wire.api.AgentProtocol;
import dev.parlance.wire.api.Annotatable;
import dev.parlance.wire.api.Correlation;
import dev.parlance.wire.api.Frame;
import dev.parlance.wire.api.HeldAnswer;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.Refusal;
import dev.parlance.wire.api.RequestHead;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseHead;
import dev.parlance.wire.api.ResponseHead.Relayed;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.Show;
import dev.parlance.wire.api.StreamEvent;
import dev.parlance.wire.api.StreamFraming;
import dev.parlance.wire.api.StreamReader;
import dev.parlance.wire.api.TaskCall;
import dev.parlance.wire.api.TaskListing;
import dev.parlance.wire.bytes.Edit;
import dev.parlance.wire.bytes.HeaderLookup;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.bytes.Splicer;
import dev.parlance.wire.bytes.WireFault;
import dev.parlance.wire.grpc.GrpcFraming;
import dev.parlance.wire.grpc.GrpcStatus;
import dev.parlance.wire.json.JsonBody;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonScanner;
import dev.parlance.wire.proto.ProtoMessage;
import dev.parlance.wire.proto.ProtoScanner;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A request of A2A over gRPC. What it and its answers say is read by the JSON reader of A2A, from
 * the JSON that v1.0 has for the same messages; bytes and edits are those of the gRPC body.
 */
final class A2aGrpcRequest extends A2aCall {
  private static final int OK = 200;
  private static final String TASK_NAME = "tasks/";
  private static final Pattern TASK_OF_SIDECAR =
      Pattern.compile(Pattern.quote(TaskCall.OF_SIDECAR) + "[A-Za-z0-9-]{1,64}");

  private final A2aMethod.OverGrpc called;
  private final JsonScanner.Limits limits;
  private final ProtoMessage message;
  private final ProtoTextSites sites;

  private A2aGrpcRequest(
      A2aMethod.OverGrpc called,
      JsonScanner.Limits limits,
      ProtoMessage message,
      UnaryOperator<List<Edit>> onBody,
      JsonDocument json) {
    super(
        new A2aBinding.Rest(A2aFormat.CURRENT, called.shape()),
        json,
        json.root(),
        called.method().wireName(),
        Optional.empty(),
        limits);
    this.called = called;
    this.limits = limits;
    this.message = message;
    this.sites = ProtoTextSites.ofRequest(message, onBody).saying(json);
  }

  /** Reads the whole body of a request. */
  static Reading<RequestView> read(
      A2aMethod.OverGrpc called, RequestHead head, byte[] body, JsonScanner.Limits limits) {
    return switch (GrpcFraming.unary(body, head.fields(), GrpcFraming.MAX_MESSAGE_BYTES)) {
      case GrpcFraming.Body.Refused(StreamFraming.Fault fault) ->
          new Reading.Malformed<>(fault.fault(), fault.detail());
      case GrpcFraming.Body.None() ->
          new Reading.Malformed<>(WireFault.BAD_FRAME, "no message; expected one in a request");
      case GrpcFraming.Body.One one ->
          switch (ProtoScanner.scan(one.frame().message(), called.requestType(), limits.tokens())) {
            case ProtoScanner.Refused refused -> refused.asReading();
            case ProtoScanner.Scanned(ProtoMessage message, List<Utf8Span> beside) ->
                JsonBody.scanned(
                    PlainBody.of(ProtoJson.of(message, beside)),
                    limits,
                    json ->
                        new A2aGrpcRequest(
                                called, limits, message, edits -> onBody(one, body, edits), json)
                            .reading());
          };
    };
  }

  @Override
  public AgentProtocol protocol() {
    return new A2aProtocol(called.format().protocol().name(), /* isProtobuf= */ true);
  }

  /** In v0.3 a task is asked for by its resource name. */
  @Override
  public Correlation correlation() {
    Correlation ids = super.correlation();
    Optional<String> taskId =
        ids.taskId().map(id -> id.startsWith(TASK_NAME) ? id.substring(TASK_NAME.length()) : id);
    return new Correlation(ids.contextId(), taskId, ids.messageId());
  }

  /** As in JSON, where there is a message; else all of the request, which has no id of its own. */
  @Override
  public List<Utf8Span> identity() {
    List<Utf8Span> identity = new ArrayList<>();
    identity.add(Utf8Span.of("grpc " + protocol().name()));
    identity.addAll(super.identity());
    if (!called.shape().hasMessage()) {
      identity.add(Utf8Span.of(message.body()));
    }
    return List.copyOf(identity);
  }

  @Override
  public Annotatable sites() {
    return sites;
  }

  @Override
  public boolean show(String block, Show where) {
    return called.shape().hasMessage() && sites.show(block, where);
  }

  /** One message is framed as those of a stream are. */
  @Override
  public Form answerForm() {
    return Form.EITHER;
  }

  /**
   * The held messages, one or those of a stream, without their compression: the fields that named
   * it belong to their answer.
   */
  @Override
  public Optional<byte[]> adopt(byte[] heldBody) {
    return normal(heldBody);
  }

  /** The messages of a body without their compression. */
  static Optional<byte[]> normal(byte[] heldBody) {
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
      return answer.isEmpty()
          ? ResponseView.Silent.reading()
          : new Reading.Unjudged<>("content_type");
    }
    Optional<GrpcStatus> status =
        GrpcStatus.of(head.trailers()).or(() -> GrpcStatus.of(head.fields()));
    if (status.isEmpty() && !head.trailers().equals(HeaderLookup.NONE)) {
      return new Reading.Malformed<>(WireFault.INCOMPLETE, "no grpc-status behind the answer");
    }
    Optional<AgentError> error = status.flatMap(GrpcStatus::error);
    List<Utf8Span> beside = status.map(GrpcStatus::texts).orElse(List.of());
    if (called.shape().isStream() && !answer.isEmpty()) {
      return new Reading.Unjudged<>("stream");
    }
    byte[] own = answer.toBytes();
    return switch (GrpcFraming.unary(own, head.fields(), GrpcFraming.MAX_MESSAGE_BYTES)) {
      case GrpcFraming.Body.Refused(StreamFraming.Fault fault) ->
          new Reading.Malformed<>(fault.fault(), fault.detail());
      case GrpcFraming.Body.None() -> ended(error);
      case GrpcFraming.Body.One one -> readAnswer(head, own, one, beside, error);
    };
  }

  /** Reads the JSON that says the same as an answer. */
  private Reading<ResponseView> hear(byte[] json, int status, Relayed relayed) {
    return JsonBody.scanned(PlainBody.of(json), limits, reply -> readReply(reply, status, relayed));
  }

  /** A call that ended without an answer. */
  private static Reading<ResponseView> ended(Optional<AgentError> error) {
    return error.map(ResponseView.Failed::reading).orElseGet(ResponseView.Silent::reading);
  }

  private Reading<ResponseView> readAnswer(
      ResponseHead head,
      byte[] answer,
      GrpcFraming.Body.One one,
      List<Utf8Span> trailing,
      Optional<AgentError> error) {
    ProtoScanner.Scan scan =
        ProtoScanner.scan(one.frame().message(), called.answerType(), limits.tokens());
    return switch (scan) {
      case ProtoScanner.Refused refused -> refused.asReading();
      case ProtoScanner.Scanned(ProtoMessage message, List<Utf8Span> beside) ->
          switch (called.shape()) {
            case CARD -> card(error, message);
            // Whatever is text in it goes to the reader under no name; it knows which of it counts.
            case CONTROL, UNKNOWN -> hear(ProtoJson.control(message, trailing), OK, head.relayed());
            case SEND, STREAM, SUBSCRIBE, TASK, LIST -> {
              List<Utf8Span> others = new ArrayList<>(beside);
              others.addAll(trailing);
              yield edited(
                  hear(ProtoJson.of(message, others), OK, head.relayed()),
                  ProtoTextSites.ofAnswer(
                      message, known(head), edits -> onBody(one, answer, edits)));
            }
          };
    };
  }

  /** A card is not judged; what stands in it can be measured. */
  private Reading<ResponseView> card(Optional<AgentError> error, ProtoMessage message) {
    Annotatable sites =
        JsonScanner.scan(ProtoJson.control(message, List.of()), limits)
                instanceof JsonScanner.Scanned(JsonDocument json)
            ? Annotatable.untouched(json)
            : Annotatable.NOWHERE;
    return new Reading.Readable<>(
        error
            .<ResponseView>map(beside -> new ResponseView.Failed(beside, sites))
            .orElseGet(() -> new ResponseView.Silent(List.of(), sites)));
  }

  /** What was heard of an answer, edited as protobuf. */
  private Reading<ResponseView> edited(Reading<ResponseView> heard, ProtoTextSites edits) {
    if (called.shape() != A2aBinding.Shape.LIST) {
      edits.believeRounds();
    }
    return heard instanceof Reading.Readable<ResponseView>(A2aAnswerReader.Answer answer)
        ? new Reading.Readable<>(answer.withSites(edits.saying(answer.sites().document())))
        : heard;
  }

  /** What the asker said, and what was judged when it passed. */
  private Predicate<Utf8Span> known(ResponseHead head) {
    Optional<Utf8Span> said = message().map(AgentMessage::answer);
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
        ? Optional.of(new Stream(called, head, context(), super.correlation(), known(head), limits))
        : Optional.empty();
  }

  @Override
  public Optional<byte[]> repair(ResponseView rejected, String instruction, String freshMessageId) {
    if (!called.shape().hasMessage()) {
      return Optional.empty();
    }
    byte[] clean = Splicer.applyToBytes(message.body(), sites.stripMessage());
    boolean open = A2aAnswerReader.isOpenTask(rejected);
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
    boolean asTask = notice.kind().isReview() && called.shape().answersWithTask();
    if (!asTask) {
      return A2aGrpcRefusals.error(notice, true);
    }
    A2aSidecarTask task =
        A2aSidecarTask.of(
            A2aCall.taskId(called.shape(), notice, kept, correlation()),
            kept.contextId().or(() -> correlation().contextId()),
            notice);
    return A2aGrpcRefusals.task(called, task.proto(called.schema()).toBytes());
  }

  /** A request about a push configuration is not read; a task of the sidecar is known by its id. */
  @Override
  public Optional<TaskCall> taskCall() {
    if (called.shape() != A2aBinding.Shape.CONTROL) {
      return super.taskCall();
    }
    Matcher found =
        TASK_OF_SIDECAR.matcher(new String(message.body(), StandardCharsets.ISO_8859_1));
    return found.find()
        ? Optional.of(new TaskCall(TaskCall.Verb.NOTIFY, found.group()))
        : Optional.empty();
  }

  @Override
  public Optional<TaskListing> taskListing() {
    return called.isCurrent() && called.shape() == A2aBinding.Shape.LIST
        ? Optional.of(new A2aTaskListing.OfProto(called, message, limits))
        : Optional.empty();
  }

  @Override
  public Optional<Refusal> complete(HeldAnswer answer) {
    return taskCall()
        .map(call -> {
          A2aSidecarTask task =
              A2aSidecarTask.of(
                  Optional.of(call.taskId()), correlation().contextId(), answer.notice());
          return A2aGrpcRefusals.task(
              called, task.protoDone(called.schema(), event(answer), answer).toBytes());
        });
  }

  /** The held answer to a message, if it was given in this protocol and whole. */
  private Optional<ProtoMessage> event(HeldAnswer answer) {
    return answer.protocol().equals(protocol().name())
        ? adopt(answer.body())
            .flatMap(body -> {
              byte[] one = Arrays.copyOfRange(body, GrpcFraming.PREFIX_BYTES, body.length);
              return ProtoScanner.scan(one, called.schema().event(), limits.tokens())
                      instanceof ProtoScanner.Scanned(ProtoMessage event, List<Utf8Span> _)
                  ? Optional.of(event)
                  : Optional.empty();
            })
        : Optional.empty();
  }

  /**
   * Reads a streamed answer over gRPC: its events are cut and edited as protobuf, and heard as the
   * JSON that A2A has for them.
   */
  private static final class Stream extends A2aStreamReader {
    private static final int OK = 200;

    private final A2aMethod.OverGrpc called;
    private final Predicate<Utf8Span> known;
    private final JsonScanner.Limits limits;

    Stream(
        A2aMethod.OverGrpc called,
        ResponseHead head,
        A2aCall.Context asked,
        Correlation ids,
        Predicate<Utf8Span> known,
        JsonScanner.Limits limits) {
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

    @Override
    public JsonDocument asJson(Frame frame) {
      return frame.payload().isPresent()
              && ProtoScanner.scan(frame.payload().get(), called.answerType(), limits.tokens())
                  instanceof ProtoScanner.Scanned(ProtoMessage event, List<Utf8Span> beside)
              && JsonScanner.scan(ProtoJson.of(event, beside), limits)
                  instanceof JsonScanner.Scanned(JsonDocument json)
          ? json
          : JsonDocument.EMPTY;
    }

    private static StreamEvent edited(StreamEvent heard, Annotatable edits) {
      return switch (heard) {
        case StreamEvent.Silent(boolean overtakes, Annotatable _) ->
            new StreamEvent.Silent(overtakes, edits);
        case StreamEvent.Said(boolean complete, List<String> unread, Annotatable _) ->
            new StreamEvent.Said(complete, unread, edits);
        case StreamEvent.Aside(AgentMessage message, Annotatable _) ->
            new StreamEvent.Aside(message, edits);
        case StreamEvent.Failed(AgentError error, boolean says, Annotatable _) ->
            new StreamEvent.Failed(error, says, edits);
        case StreamEvent.Unjudged unjudged -> unjudged;
        case StreamEvent.Foreign foreign -> foreign;
        case StreamEvent.Malformed malformed -> malformed;
      };
    }

    @Override
    public Optional<StreamEvent> trailers(HeaderLookup trailers) {
      return GrpcStatus.of(trailers)
          .flatMap(GrpcStatus::error)
          .map(error -> new StreamEvent.Failed(error, false, Annotatable.NOWHERE));
    }

    @Override
    public StreamReader.Ending refuse(Notice notice, boolean isBegun) {
      boolean endsTask = endsTask(notice);
      return endsTask || notice.kind().isReview()
          ? A2aGrpcRefusals.lastUpdate(
              called, soFar().correlation(), notice, /* isKnown= */ endsTask && isBegun)
          : new StreamReader.Ending(List.of(), A2aGrpcRefusals.errorTrailers(notice, true));
    }
  }
}
