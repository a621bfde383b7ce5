package dev.parlance.wire.a2a;

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
import dev.parlance.wire.api.StreamReader;
import dev.parlance.wire.api.VerdictHeader;
import dev.parlance.wire.bytes.Edit;
import dev.parlance.wire.bytes.MediaType;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.bytes.Texts;
import dev.parlance.wire.bytes.WireFault;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonLimits;
import dev.parlance.wire.json.JsonScan;
import dev.parlance.wire.json.JsonScanner;
import dev.parlance.wire.sse.SseFraming;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A call of A2A, over JSON-RPC or HTTP+JSON, and the reading of its answer. */
final class A2aCall implements RequestView {
  private static final String EVENT_STREAM = "text/event-stream";
  private static final int OK = 200;

  private final A2aBinding binding;
  private final A2aAsk ask;
  private final String operation;
  private final Correlation correlation;
  private final JsonLimits limits;

  private A2aCall(
      A2aBinding binding,
      A2aAsk ask,
      String operation,
      Correlation correlation,
      JsonLimits limits) {
    this.binding = binding;
    this.ask = ask;
    this.operation = operation;
    this.correlation = correlation;
    this.limits = limits;
  }

  /**
   * Reads a call.
   *
   * @param json the body, {@code null} as JSON where there is none
   * @param params the object that holds the message or the ids, if there is one
   * @param operation what is asked for, with everything in it that tells two calls apart
   * @param taskId the task that the head names, if it does
   */
  static Reading<RequestView> read(
      A2aBinding binding,
      JsonDocument json,
      int params,
      String operation,
      Optional<String> taskId,
      JsonLimits limits) {
    A2aAsk ask = new A2aAsk(json, params, binding.shape(), binding.form());
    Correlation own = ask.correlation();
    Correlation ids =
        new Correlation(own.contextId(), own.taskId().or(() -> taskId), own.messageId());
    return ask.problem(binding.shape())
        .orElseGet(() -> new Reading.Readable<>(new A2aCall(binding, ask, operation, ids, limits)));
  }

  @Override
  public String protocol() {
    return binding.form().protocol();
  }

  @Override
  public Optional<AgentMessage> message() {
    return ask.message();
  }

  @Override
  public List<String> unread() {
    return ask.unread();
  }

  @Override
  public Correlation correlation() {
    return correlation;
  }

  @Override
  public List<Utf8Span> identity() {
    List<Utf8Span> identity = new ArrayList<>();
    identity.add(Utf8Span.of(operation));
    identity.addAll(ask.identity(correlation));
    return List.copyOf(identity);
  }

  @Override
  public Utf8Span question() {
    return ask.question();
  }

  @Override
  public int forgedVerdicts() {
    return ask.places().forgedVerdicts();
  }

  @Override
  public RoundMark round() {
    return ask.places().round();
  }

  @Override
  public int cutRounds() {
    return ask.places().cutRounds();
  }

  @Override
  public List<Edit> annotate(VerdictHeader verdict) {
    return ask.places().annotate(verdict);
  }

  @Override
  public List<Edit> strip() {
    return ask.places().strip();
  }

  @Override
  public Reading<ResponseView> readResponse(ResponseHead head, PlainBody body) {
    if (body.isEmpty()) {
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
              case JsonScan.Scanned scanned -> readReply(scanned.document(), head);
            });
  }

  private Reading<ResponseView> readReply(JsonDocument reply, ResponseHead head) {
    A2aDraft draft = new A2aDraft(reply, ask.asker(), head.relayed());
    return switch (binding.find(reply, head.status())) {
      case A2aBinding.Found.Strange(String what) -> new Reading.Unjudged<>(what);
      case A2aBinding.Found.Broken(String detail) ->
          new Reading.Malformed<>(WireFault.BAD_MESSAGE, detail);
      case A2aBinding.Found.Failure(int node) -> {
        binding.strangers(reply, draft.reader());
        yield draft.ofError(node);
      }
      case A2aBinding.Found.Result(int node) -> {
        if (binding.shape() != A2aBinding.Shape.CARD) {
          binding.strangers(reply, draft.reader());
        }
        yield readResult(reply, node, draft);
      }
    };
  }

  private Reading<ResponseView> readResult(JsonDocument reply, int result, A2aDraft draft) {
    return switch (binding.shape()) {
      case CARD -> SilentResponse.reading();
      case CONTROL -> draft.ofControl(result);
      case TASK ->
          reply.isObject(result)
              ? draft.believingRounds().of(new A2aUnion(A2aUnion.Kind.TASK, result))
              : new Reading.Unjudged<>("shape");
      case LIST ->
          reply.isObject(result) || reply.isArray(result)
              ? draft.ofTasks(result)
              : new Reading.Unjudged<>("shape");
      case SEND, STREAM, SUBSCRIBE ->
          switch (A2aUnion.read(reply, result, binding.form())) {
            case Reading.Unjudged<A2aUnion>(String what) -> new Reading.Unjudged<>(what);
            case Reading.Malformed<A2aUnion>(WireFault fault, String detail) ->
                new Reading.Malformed<>(fault, detail);
            case Reading.Readable<A2aUnion>(A2aUnion union) -> {
              if (!binding.form().discriminated()) {
                draft.reader().strangers(result, A2aUnion.MEMBERS);
              }
              yield draft.believingRounds().of(union);
            }
          };
    };
  }

  @Override
  public Optional<StreamReader> readStream(ResponseHead head) {
    MediaType type = MediaType.of(head.fields());
    boolean readable =
        binding.shape().isStream() && type.isEventStream() && type.<Object>charsetFault().isEmpty();
    return readable
        ? Optional.of(
            new A2aStreamReader(
                binding,
                new SseFraming(head.eventBytes()),
                ask.asker(),
                head.relayed(),
                correlation,
                limits))
        : Optional.empty();
  }

  @Override
  public Optional<byte[]> repair(ResponseView rejected, String instruction, String freshMessageId) {
    return ask.repair(rejected, instruction, freshMessageId);
  }

  @Override
  public Optional<byte[]> adopt(byte[] heldBody) {
    return switch (JsonScanner.scan(heldBody, limits)) {
      case JsonScan.Refused _ -> Optional.empty();
      case JsonScan.Scanned scanned -> binding.adopt(scanned.document());
    };
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
    // An answer to a message has a task id only if the agent gave it one.
    Optional<String> taskId =
        binding.shape().hasMessage() ? kept.taskId() : kept.taskId().or(correlation::taskId);
    A2aTaskJson task =
        A2aTaskJson.of(binding.form(), taskId, kept.contextId().or(correlation::contextId), notice);
    if (binding.shape().isStream()) {
      return asStream(binding, task);
    }
    boolean asTask = notice.kind() == Notice.Kind.YIELD && binding.shape().answersWithTask();
    if (!asTask) {
      return binding.error(notice);
    }
    String body = binding.wrap(binding.union(A2aUnion.Kind.TASK, task.task()));
    return new Refusal(OK, binding.contentType(), Texts.utf8(body));
  }

  /** A stream of one event: clients of streams drop what comes in another way, or its reason. */
  static Refusal asStream(A2aBinding binding, A2aTaskJson task) {
    String event = lastEvent(binding, A2aUnion.Kind.TASK, task.task(), task.notice());
    return new Refusal(OK, EVENT_STREAM, Texts.utf8("data: " + event + "\n\n"));
  }

  /** The data of the event that ends a stream in the agent's place. */
  static String lastEvent(A2aBinding binding, A2aUnion.Kind kind, String object, Notice notice) {
    Optional<String> error =
        notice.kind() == Notice.Kind.YIELD ? Optional.empty() : binding.errorEvent(notice);
    return error.orElseGet(() -> binding.wrap(binding.union(kind, object)));
  }
}
