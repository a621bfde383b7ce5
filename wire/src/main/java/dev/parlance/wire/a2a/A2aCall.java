package dev.parlance.wire.a2a;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.api.Annotatable;
import dev.parlance.wire.api.Correlation;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.Refusal;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseHead;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.RoundMark;
import dev.parlance.wire.api.SilentResponse;
import dev.parlance.wire.api.StreamReader;
import dev.parlance.wire.bytes.MediaType;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.bytes.Texts;
import dev.parlance.wire.bytes.WireFault;
import dev.parlance.wire.json.JsonBody;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonLimits;
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
  private final A2aRequestBody request;
  private final String operation;
  private final Correlation correlation;
  private final JsonLimits limits;

  private A2aCall(
      A2aBinding binding,
      A2aRequestBody request,
      String operation,
      Correlation correlation,
      JsonLimits limits) {
    this.binding = binding;
    this.request = request;
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
    A2aRequestBody request = new A2aRequestBody(json, params, binding.shape(), binding.format());
    Correlation own = request.correlation();
    Correlation ids =
        new Correlation(own.contextId(), own.taskId().or(() -> taskId), own.messageId());
    return request
        .problem(binding.shape())
        .orElseGet(
            () -> new Reading.Readable<>(new A2aCall(binding, request, operation, ids, limits)));
  }

  @Override
  public String protocol() {
    return binding.format().protocol();
  }

  @Override
  public Optional<AgentMessage> message() {
    return request.message();
  }

  @Override
  public List<String> unread() {
    return request.unread();
  }

  @Override
  public Correlation correlation() {
    return correlation;
  }

  @Override
  public List<Utf8Span> identity() {
    List<Utf8Span> identity = new ArrayList<>();
    identity.add(Utf8Span.of(operation));
    identity.addAll(request.identity(correlation));
    return List.copyOf(identity);
  }

  @Override
  public Utf8Span question() {
    return request.question();
  }

  @Override
  public RoundMark round() {
    return request.sites().round();
  }

  @Override
  public Annotatable sites() {
    return request.sites();
  }

  @Override
  public Reading<ResponseView> readResponse(ResponseHead head, PlainBody body) {
    if (body.isEmpty()) {
      return SilentResponse.reading();
    }
    return JsonBody.ofResponse(head.fields(), body, limits, reply -> readReply(reply, head));
  }

  private Reading<ResponseView> readReply(JsonDocument reply, ResponseHead head) {
    A2aAnswerReader draft = new A2aAnswerReader(reply, request.context(), head.relayed());
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

  private Reading<ResponseView> readResult(JsonDocument reply, int result, A2aAnswerReader draft) {
    return switch (binding.shape()) {
      case CARD -> SilentResponse.reading();
      case CONTROL -> draft.ofControl(result);
      case TASK ->
          reply.isObject(result)
              ? draft.believingRounds().of(new A2aPayload(A2aPayload.Kind.TASK, result))
              : new Reading.Unjudged<>("shape");
      case LIST ->
          reply.isObject(result) || reply.isArray(result)
              ? draft.ofTasks(result)
              : new Reading.Unjudged<>("shape");
      case SEND, STREAM, SUBSCRIBE ->
          switch (A2aPayload.read(reply, result, binding.format())) {
            case Reading.Unread<A2aPayload> unread -> unread.as();
            case Reading.Readable<A2aPayload>(A2aPayload union) -> {
              if (!binding.format().discriminated()) {
                draft.reader().strangers(result, A2aPayload.MEMBERS);
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
                request.context(),
                head.relayed(),
                correlation,
                limits))
        : Optional.empty();
  }

  @Override
  public Optional<byte[]> repair(ResponseView rejected, String instruction, String freshMessageId) {
    return request.repair(rejected, instruction, freshMessageId);
  }

  @Override
  public Optional<byte[]> adopt(byte[] heldBody) {
    return switch (JsonScanner.scan(heldBody, limits)) {
      case JsonScanner.Refused _ -> Optional.empty();
      case JsonScanner.Scanned scanned -> binding.adopt(scanned.document());
    };
  }

  @Override
  public Refusal refuse(Notice notice, Correlation kept) {
    // An answer to a message has a task id only if the agent gave it one.
    Optional<String> taskId =
        binding.shape().hasMessage() ? kept.taskId() : kept.taskId().or(correlation::taskId);
    A2aRejectedTask task =
        A2aRejectedTask.ofIds(taskId, kept.contextId().or(correlation::contextId), notice);
    if (binding.shape().isStream()) {
      return asStream(binding, task);
    }
    boolean asTask = notice.kind() == Notice.Kind.YIELD && binding.shape().answersWithTask();
    if (!asTask) {
      return binding.error(notice);
    }
    String body = binding.wrap(binding.union(A2aPayload.Kind.TASK, task.json(binding.format())));
    return new Refusal(OK, binding.contentType(), Texts.utf8(body));
  }

  /** A stream of one event: clients of streams drop what comes in another way, or its reason. */
  static Refusal asStream(A2aBinding binding, A2aRejectedTask task) {
    String event =
        lastEvent(binding, A2aPayload.Kind.TASK, task.json(binding.format()), task.notice());
    return new Refusal(OK, EVENT_STREAM, Texts.utf8("data: " + event + "\n\n"));
  }

  /** The data of the event that ends a stream in the agent's place. */
  static String lastEvent(A2aBinding binding, A2aPayload.Kind kind, String object, Notice notice) {
    Optional<String> error =
        notice.kind() == Notice.Kind.YIELD ? Optional.empty() : binding.errorEvent(notice);
    return error.orElseGet(() -> binding.wrap(binding.union(kind, object)));
  }
}
