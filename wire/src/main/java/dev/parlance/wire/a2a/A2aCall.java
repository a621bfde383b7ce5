package dev.parlance.wire.a2a;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.api.AgentProtocol;
import dev.parlance.wire.api.Annotatable;
import dev.parlance.wire.api.Correlation;
import dev.parlance.wire.api.HeldAnswer;
import dev.parlance.wire.api.LexiconMark;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.PactMark;
import dev.parlance.wire.api.Plumbing;
import dev.parlance.wire.api.Refusal;
import dev.parlance.wire.api.RequestHead;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseHead;
import dev.parlance.wire.api.ResponseHead.Relayed;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.RoundMark;
import dev.parlance.wire.api.Show;
import dev.parlance.wire.api.StreamReader;
import dev.parlance.wire.api.TaskCall;
import dev.parlance.wire.api.TaskListing;
import dev.parlance.wire.bytes.MediaType;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.bytes.Texts;
import dev.parlance.wire.bytes.WireFault;
import dev.parlance.wire.json.JsonBody;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonScanner;
import dev.parlance.wire.json.MemberName;
import dev.parlance.wire.metadata.EvidenceReader;
import dev.parlance.wire.sse.SseFraming;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/** A call of A2A, in any binding: what its request says, and the reading of its answer. */
class A2aCall implements RequestView {
  private static final long MESSAGE = MemberName.set(MemberName.MESSAGE);
  private static final long ENVELOPE_READ = MemberName.set(MemberName.PARAMS);
  private static final long ENVELOPE_QUIET =
      MemberName.set(MemberName.JSONRPC, MemberName.METHOD, MemberName.ID);
  private static final long READ =
      MemberName.set(
          MemberName.MESSAGE,
          MemberName.CONFIGURATION,
          MemberName.TENANT,
          MemberName.REQUEST,
          MemberName.ID,
          MemberName.HISTORY_LENGTH);

  /**
   * What a request gives for the reading of its answer.
   *
   * @param question what was asked, by the asker's own account: an answerer that could name the
   *     question could choose one that its answer fits
   * @param given context that the asker sent along
   * @param said what the asker wrote and an answer repeats: its text in a history, its ids
   */
  record Context(Utf8Span question, EvidenceReader.Given given, List<Utf8Span> said) {
    /** That of somebody who asked nothing. */
    static final Context NONE =
        new Context(Utf8Span.EMPTY, EvidenceReader.Given.NONE, List.of(Utf8Span.EMPTY));

    /** A transcript of an answer, or of an event, that stands in one body. */
    A2aTranscript transcript(Relayed relayed, JsonDocument json) {
      return A2aTranscript.of(known(relayed), json);
    }

    /** A transcript of an answer that comes in events, which it outlives. */
    A2aTranscript transcript(Relayed relayed) {
      return A2aTranscript.detached(known(relayed));
    }

    private Predicate<Utf8Span> known(Relayed relayed) {
      return other -> said.contains(other) || relayed.knows(other);
    }
  }

  private static final String EVENT_STREAM = "text/event-stream";
  private static final int OK = 200;

  private final A2aBinding binding;
  private final JsonDocument json;
  private final int params;
  private final int message;
  private final String operation;
  private final JsonScanner.Limits limits;
  private final A2aTranscript transcript;
  private final EvidenceReader evidence = new EvidenceReader();
  private final A2aReader reader;
  private final Utf8Span said;
  private final Utf8Span question;
  private final Optional<AgentMessage> asked;
  private final Correlation correlation;

  /**
   * Reads a call.
   *
   * @param json the body, {@code null} as JSON where there is none
   * @param params the object that holds the message or the ids, if there is one
   * @param operation what is asked for, with everything in it that tells two calls apart
   * @param taskId the task that the head names, if it does
   */
  A2aCall(
      A2aBinding binding,
      JsonDocument json,
      int params,
      String operation,
      Optional<String> taskId,
      JsonScanner.Limits limits) {
    this.binding = binding;
    this.json = json;
    this.params = params;
    this.operation = operation;
    this.limits = limits;
    boolean hasMessage = binding.shape().hasMessage();
    this.message = hasMessage ? json.present(params, MemberName.MESSAGE) : JsonDocument.NONE;
    this.transcript = A2aTranscript.of(_ -> false, json);
    this.reader = new A2aReader(json, transcript, evidence);
    if (params != json.root()) {
      reader.sideTexts().members(json.root(), ENVELOPE_READ, ENVELOPE_QUIET);
    }
    if (json.isObject(message)) {
      reader.sites().believeRounds();
      reader.message(message);
      reader.sites().stripped(params);
      reader.strangers(params, READ);
      sentences(MemberName.CONFIGURATION);
      sentences(MemberName.TENANT);
    } else if (!hasMessage && params != JsonDocument.NONE) {
      reader.sites().stripped(params);
      if (binding.shape() == A2aBinding.Shape.UNKNOWN) {
        reader.sideTexts().every(params);
      } else {
        reader.sideTexts().sentences(params);
      }
    }
    this.said = transcript.answer();
    this.question = evidence.question().orElse(said);
    boolean silent =
        transcript.isEmpty() && (message == JsonDocument.NONE || !reader.unread().isEmpty());
    this.asked =
        silent
            ? Optional.empty()
            : Optional.of(
                new AgentMessage(
                    transcript.text(),
                    evidence.question().orElse(Utf8Span.EMPTY),
                    evidence.evidence()));
    boolean talks = message != JsonDocument.NONE;
    this.correlation =
        new Correlation(
            talks ? text(message, MemberName.CONTEXT_ID) : Optional.empty(),
            ofTask(talks).or(() -> taskId),
            talks ? text(message, MemberName.MESSAGE_ID) : Optional.empty());
  }

  /** Where a push configuration is named, its task has another member. */
  private Optional<String> ofTask(boolean talks) {
    if (talks) {
      return text(message, MemberName.TASK_ID);
    }
    Optional<String> id = text(params, MemberName.ID);
    return binding.shape() == A2aBinding.Shape.CONTROL
        ? text(params, MemberName.TASK_ID).or(() -> id)
        : id;
  }

  private Optional<String> text(int object, MemberName name) {
    return json.optionalString(json.member(object, name));
  }

  private void sentences(MemberName name) {
    int value = json.present(params, name);
    if (value != JsonDocument.NONE) {
      reader.sideTexts().sentences(value);
    }
  }

  private Optional<Reading<RequestView>> problem() {
    if (binding.shape().hasMessage()) {
      if (!json.isObject(message)) {
        return bad("message is not an object");
      }
      if (json.misspelt(params, MESSAGE).isPresent()) {
        return bad("member message is spelt in other case");
      }
      if (json.first(parts()) == JsonDocument.NONE) {
        return bad("parts of the message is not an array of parts");
      }
    }
    return reader.fault().flatMap(A2aCall::bad);
  }

  private static Optional<Reading<RequestView>> bad(String why) {
    return Optional.of(
        new Reading.Malformed<>(WireFault.BAD_MESSAGE, why + "; expected a request of A2A"));
  }

  /** The array of parts of the message. */
  private int parts() {
    int own = json.present(message, binding.format().parts());
    if (json.isArray(own)) {
      return own;
    }
    int other =
        json.present(
            message, binding.format() == A2aFormat.CONTENT ? MemberName.PARTS : MemberName.CONTENT);
    return json.isArray(other) ? other : JsonDocument.NONE;
  }

  /** This call, or why it is none of A2A. */
  Reading<RequestView> reading() {
    return problem().orElseGet(() -> new Reading.Readable<>(this));
  }

  @Override
  public AgentProtocol protocol() {
    return binding.format().protocol();
  }

  /** By the names of v1.0, whatever the version and the binding. */
  @Override
  public Called called() {
    return switch (binding.shape()) {
      case SEND -> Called.of("SendMessage");
      case STREAM -> Called.of("SendStreamingMessage");
      case SUBSCRIBE -> Called.of("SubscribeToTask");
      case TASK -> Called.of(cancels() ? "CancelTask" : "GetTask");
      case LIST -> Called.of("ListTasks");
      case CARD -> Called.of("GetExtendedAgentCard");
      case CONTROL, UNKNOWN -> Called.UNNAMED;
    };
  }

  @Override
  public Optional<AgentMessage> message() {
    return asked;
  }

  @Override
  public List<String> unread() {
    return reader.unread();
  }

  @Override
  public Correlation correlation() {
    return correlation;
  }

  /**
   * The operation, conversation and task, the parts or parameters as they were sent, and everything
   * that was said.
   */
  @Override
  public List<Utf8Span> identity() {
    int sent = message == JsonDocument.NONE ? params : parts();
    return List.of(
        Utf8Span.of(operation),
        Utf8Span.of(correlation.contextId().orElse("")),
        Utf8Span.of(correlation.taskId().orElse("")),
        sent == JsonDocument.NONE ? Utf8Span.EMPTY : json.bytes(sent),
        question,
        asked.map(AgentMessage::answer).orElse(Utf8Span.EMPTY));
  }

  /**
   * The place without the form of the answer, and the context; of a message without one, its task.
   * What a sidecar made up for a refusal names no conversation.
   */
  @Override
  public List<Utf8Span> conversation(RequestHead head, Optional<String> contextId) {
    if (message == JsonDocument.NONE) {
      return RequestView.super.conversation(head, contextId);
    }
    String place =
        head.target()
            .replace("message:stream", "message:send")
            .replace("SendStreamingMessage", "SendMessage");
    String id =
        Correlation.known(contextId).or(() -> Correlation.known(correlation.taskId())).orElse("");
    return List.of(Utf8Span.of(place), Utf8Span.of(id));
  }

  /** The question that the asker declares, else what it says. */
  @Override
  public Utf8Span question() {
    return question;
  }

  @Override
  public RoundMark round() {
    return reader.sites().round();
  }

  @Override
  public PactMark pact() {
    return reader.sites().pact(transcript, unread());
  }

  @Override
  public LexiconMark lexicon() {
    return reader.sites().lexicon(transcript);
  }

  @Override
  public boolean show(String block, Show where) {
    boolean hasPlace = message != JsonDocument.NONE;
    if (hasPlace) {
      boolean kinds = binding.format().discriminated();
      reader.sites().knownTerms().show(block, where, message, parts(), kinds);
    }
    return hasPlace;
  }

  @Override
  public Annotatable sites() {
    return reader.sites();
  }

  /** For the reading of the answer. */
  Context context() {
    List<Utf8Span> repeated = new ArrayList<>(4);
    correlation.contextId().map(Utf8Span::of).ifPresent(repeated::add);
    correlation.taskId().map(Utf8Span::of).ifPresent(repeated::add);
    correlation.messageId().map(Utf8Span::of).ifPresent(repeated::add);
    repeated.add(said);
    return new Context(question, evidence.declaredContext(), repeated);
  }

  @Override
  public final Optional<Plumbing> plumbing() {
    return binding.shape() == A2aBinding.Shape.CARD
        ? Optional.of(Plumbing.AGENT_CARD)
        : Optional.empty();
  }

  @Override
  public Reading<ResponseView> readResponse(ResponseHead head, PlainBody body) {
    if (body.isEmpty()) {
      return ResponseView.Silent.reading();
    }
    Reading<ResponseView> read =
        JsonBody.ofResponse(
            head.fields(), body, limits, reply -> readReply(reply, head.status(), head.relayed()));
    return binding.isNotification() && read instanceof Reading.Unread<ResponseView>
        ? ResponseView.Unawaited.reading(head.status()).orElse(read)
        : read;
  }

  /** Reads what a binding has as the body of an answer. */
  final Reading<ResponseView> readReply(JsonDocument reply, int status, Relayed relayed) {
    A2aAnswerReader draft = new A2aAnswerReader(reply, context(), relayed);
    return switch (binding.find(reply, status)) {
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
      case CARD -> ResponseView.Silent.reading();
      case CONTROL -> draft.ofControl(result);
      case UNKNOWN -> draft.ofUnknown(result);
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
    return binding.shape().isStream() && isReadableStream(MediaType.of(head.fields()))
        ? Optional.of(
            new A2aStreamReader(
                binding,
                new SseFraming(head.eventBytes()),
                context(),
                head.relayed(),
                correlation,
                limits))
        : Optional.empty();
  }

  private static boolean isReadableStream(MediaType type) {
    return type.isEventStream() && type.<Object>charsetFault().isEmpty();
  }

  @Override
  public boolean isSafe() {
    return switch (binding.shape()) {
      case LIST, SUBSCRIBE, CARD -> true;
      case TASK -> !operation.toLowerCase(Locale.ROOT).contains("cancel");
      case SEND, STREAM, CONTROL, UNKNOWN -> false;
    };
  }

  @Override
  public Optional<byte[]> repair(ResponseView rejected, String instruction, String freshMessageId) {
    int references = json.present(message, MemberName.REFERENCE_TASK_IDS);
    boolean usable = references == JsonDocument.NONE || json.isArray(references);
    if (message == JsonDocument.NONE || !usable) {
      return Optional.empty();
    }
    A2aRepair.OfJson repair = new A2aRepair.OfJson(json, message, parts(), binding.format());
    reader.sites().strip(repair.edits());
    boolean open = A2aAnswerReader.isOpenTask(rejected);
    return Optional.of(repair.body(rejected.correlation(), open, instruction, freshMessageId));
  }

  /** A message or a task is the same in a body and in an event. */
  @Override
  public Form answerForm() {
    return binding.shape().isStream() ? Form.STREAM : Form.WHOLE;
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
    A2aSidecarTask task =
        A2aSidecarTask.ofIds(
            taskId(binding.shape(), notice, kept, correlation),
            kept.contextId().or(correlation::contextId),
            notice);
    if (binding.shape().isStream() && streams(notice)) {
      return asStream(binding, task);
    }
    boolean asTask = notice.kind().isReview() && binding.shape().answersWithTask();
    return asTask ? asTask(task.json(binding.format())) : binding.error(notice);
  }

  /** What is held as the answer to a message is a task of the sidecar's own. */
  static Optional<String> taskId(
      A2aBinding.Shape shape, Notice notice, Correlation kept, Correlation asked) {
    return !shape.hasMessage()
        ? kept.taskId().or(asked::taskId)
        : notice.kind().isReview() && notice.reviewId().isPresent()
            ? Optional.empty()
            : kept.taskId();
  }

  private Refusal asTask(String task) {
    String body = binding.wrap(binding.union(A2aPayload.Kind.TASK, task));
    return binding.shape().isStream()
        ? new Refusal(OK, EVENT_STREAM, Texts.utf8("data: " + body + "\n\n"))
        : new Refusal(OK, binding.contentType(), Texts.utf8(body));
  }

  /** Of messages only those to a task that a sidecar keeps, which its agent does not know. */
  @Override
  public Optional<TaskCall> taskCall() {
    return switch (binding.shape()) {
      case SEND -> taskCall(TaskCall.Verb.READ).filter(call -> call.reviewId().isPresent());
      case STREAM -> taskCall(TaskCall.Verb.FOLLOW).filter(call -> call.reviewId().isPresent());
      case SUBSCRIBE -> taskCall(TaskCall.Verb.FOLLOW);
      case TASK -> taskCall(cancels() ? TaskCall.Verb.CANCEL : TaskCall.Verb.READ);
      case CONTROL -> taskCall(TaskCall.Verb.NOTIFY);
      case LIST, CARD, UNKNOWN -> Optional.empty();
    };
  }

  private Optional<TaskCall> taskCall(TaskCall.Verb verb) {
    return correlation().taskId().map(id -> new TaskCall(verb, id));
  }

  @Override
  public Optional<TaskListing> taskListing() {
    if (binding.shape() != A2aBinding.Shape.LIST || binding.format() != A2aFormat.CURRENT) {
      return Optional.empty();
    }
    Optional<String> target =
        binding instanceof A2aBinding.Rest
            ? Optional.of(operation.substring(operation.indexOf(' ') + 1))
            : Optional.empty();
    return Optional.of(new A2aTaskListing.OfJson(binding, json, params, target, limits));
  }

  private boolean cancels() {
    return operation.equals(A2aMethod.CANCEL_TASK.wireName())
        || operation.equals(A2aMethod.TASKS_CANCEL.wireName())
        || operation.startsWith("POST ");
  }

  @Override
  public Optional<Refusal> complete(HeldAnswer answer) {
    return taskCall()
        .map(call -> {
          A2aSidecarTask task =
              A2aSidecarTask.ofIds(
                  Optional.of(call.taskId()), correlation.contextId(), answer.notice());
          return asTask(task.jsonDone(binding.format(), answer, limits));
        });
  }

  /** True for what is no word of the agent and no change of its task, but an error of the call. */
  static boolean isFailure(Notice notice) {
    return notice.kind() == Notice.Kind.UPSTREAM || notice.kind() == Notice.Kind.AGENT_ERROR;
  }

  /** An error of the agent is as it came; that of a call where streams have errors is an event. */
  private boolean streams(Notice notice) {
    return !isFailure(notice)
        || (notice.kind() == Notice.Kind.UPSTREAM && binding.errorEvent(notice).isPresent());
  }

  /** A stream of one event: clients of streams drop what comes in another way, or its reason. */
  static Refusal asStream(A2aBinding binding, A2aSidecarTask task) {
    Notice notice = task.notice();
    Optional<String> error =
        notice.kind().isReview() ? Optional.empty() : binding.errorEvent(notice);
    String event =
        error.orElseGet(
            () -> binding.wrap(binding.union(A2aPayload.Kind.TASK, task.json(binding.format()))));
    return new Refusal(OK, EVENT_STREAM, Texts.utf8("data: " + event + "\n\n"));
  }
}
