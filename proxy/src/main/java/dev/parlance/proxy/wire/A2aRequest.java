package dev.parlance.proxy.wire;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.text.Utf8Span;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A JSON-RPC request of A2A whose method we know and whose answer is one JSON body. */
final class A2aRequest implements RequestView {
  private static final Set<String> ENVELOPE = Set.of("jsonrpc", "method", "params", "id");

  /** Where a message or task of v0.3 keeps its text, right in the result. */
  private static final List<String> OLD_MEMBERS =
      List.of("parts", "artifacts", "status", "history");

  /** What a result that is a v0.3 message does not hold. */
  private static final List<String> NOT_IN_OLD_MESSAGE =
      List.of("message", "task", "artifacts", "status", "history");

  /** What a result that is a v0.3 task does not hold. */
  private static final List<String> NOT_IN_OLD_TASK = List.of("message", "task", "parts");

  private static final Set<String> MESSAGE_MEMBERS = Set.of("parts", "metadata", "extensions");

  private final JsonDocument json;
  private final JsonLimits limits;
  private final A2aMethod method;
  private final int params;
  private final int message;
  private final A2aPlaces places;
  private final A2aText text;
  private final EvidenceReader evidence = new EvidenceReader();

  private A2aRequest(JsonDocument json, JsonLimits limits, A2aMethod method) {
    this.json = json;
    this.limits = limits;
    this.method = method;
    this.params = json.present(json.root(), "params");
    this.message =
        method.shape() == A2aMethod.Shape.SEND
            ? json.present(params, "message")
            : JsonDocument.NONE;
    this.places = new A2aPlaces(json);
    this.text = new A2aText(json);
  }

  /** Reads a document that is an object. */
  static Reading<RequestView> read(JsonDocument json, JsonLimits limits) {
    int root = json.root();
    Optional<String> misspelt = json.misspelt(root, ENVELOPE);
    if (misspelt.isPresent()) {
      return bad("member " + misspelt.get() + " is spelt in other case");
    }
    if (!json.optionalString(json.member(root, "jsonrpc")).equals(Optional.of("2.0"))) {
      return bad("jsonrpc is not \"2.0\"");
    }
    int id = json.member(root, "id");
    boolean validId =
        id == JsonDocument.NONE || json.isString(id) || json.isNumber(id) || json.isNull(id);
    if (!validId) {
      return bad("id is neither a string nor a number nor null");
    }
    Optional<String> name = json.optionalString(json.member(root, "method"));
    if (name.isEmpty()) {
      return bad("method is not a string");
    }
    Optional<A2aMethod> method = A2aMethod.of(name.get());
    if (method.isEmpty()) {
      return new Reading.Unjudged<>("method");
    }
    return switch (method.get().shape()) {
      case STREAM -> new Reading.Unjudged<>("stream");
      case SEND -> new A2aRequest(json, limits, method.get()).readMessage();
      case TASK, CONTROL -> new Reading.Readable<>(new A2aRequest(json, limits, method.get()));
    };
  }

  private Reading<RequestView> readMessage() {
    if (!json.isObject(message)) {
      return bad("params.message is not an object");
    }
    Optional<String> misspelt = json.misspelt(message, MESSAGE_MEMBERS);
    int parts = json.member(message, "parts");
    if (misspelt.isPresent() || !json.isArray(parts) || json.first(parts) == JsonDocument.NONE) {
      return bad("params.message.parts is not an array of parts");
    }
    text.add(parts);
    evidence.addMetadata(json, json.member(message, "metadata"));
    places.annotated(message);
    places.stripped(params);
    Optional<String> fault = text.fault().or(places::fault);
    if (fault.isPresent()) {
      return bad(fault.get());
    }
    return text.found() ? new Reading.Readable<>(this) : new Reading.Unjudged<>("binary_part");
  }

  private static Reading<RequestView> bad(String detail) {
    return new Reading.Malformed<>(
        WireFault.BAD_MESSAGE, detail + "; expected a JSON-RPC 2.0 request of A2A");
  }

  @Override
  public String protocol() {
    return method.version().protocol();
  }

  @Override
  public Optional<AgentMessage> message() {
    return message == JsonDocument.NONE
        ? Optional.empty()
        : Optional.of(
            new AgentMessage(
                text.text(), evidence.question().orElse(Utf8Span.EMPTY), evidence.evidence()));
  }

  @Override
  public List<String> unread() {
    return text.unreadPart() ? List.of("binary_part") : List.of();
  }

  @Override
  public Correlation correlation() {
    return message == JsonDocument.NONE
        ? new Correlation(
            Optional.empty(), json.optionalString(json.member(params, "id")), Optional.empty())
        : new Correlation(
            json.optionalString(json.member(message, "contextId")),
            json.optionalString(json.member(message, "taskId")),
            json.optionalString(json.member(message, "messageId")));
  }

  /** Method, conversation and task, the parts as they were sent, and the declared question. */
  @Override
  public List<Utf8Span> identity() {
    Correlation ids = correlation();
    return List.of(
        Utf8Span.of(Texts.utf8(method.wireName())),
        Utf8Span.of(Texts.utf8(ids.contextId().orElse(""))),
        Utf8Span.of(Texts.utf8(ids.taskId().orElse(""))),
        message == JsonDocument.NONE ? Utf8Span.EMPTY : json.bytes(json.member(message, "parts")),
        question());
  }

  /** The question that the asker declares, else what it says. */
  @Override
  public Utf8Span question() {
    return evidence.question().orElseGet(text::text);
  }

  @Override
  public int forgedVerdicts() {
    return places.forgedCount();
  }

  @Override
  public List<Edit> annotate(Annotation verdict) {
    return places.annotate(verdict);
  }

  @Override
  public List<Edit> strip() {
    return places.strip();
  }

  @Override
  public Reading<ResponseView> readResponse(ResponseHead head, byte[] body) {
    if (body.length == 0) {
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
              case JsonScan.Scanned scanned -> readEnvelope(scanned.document());
            });
  }

  private Reading<ResponseView> readEnvelope(JsonDocument reply) {
    int root = reply.root();
    if (!reply.isObject(root)) {
      return new Reading.Unjudged<>(reply.isArray(root) ? "batch" : "shape");
    }
    if (answersAnother(reply)) {
      return new Reading.Malformed<>(
          WireFault.BAD_MESSAGE, "expected the id of the request in a JSON-RPC response");
    }
    int result = reply.present(root, "result");
    boolean failed = reply.present(root, "error") != JsonDocument.NONE;
    boolean answered = result != JsonDocument.NONE;
    boolean misspelt = reply.misspelt(root, Set.of("result", "error")).isPresent();
    if (misspelt || (failed && answered)) {
      return new Reading.Malformed<>(
          WireFault.BAD_MESSAGE, "expected exactly one of result and error in a JSON-RPC response");
    }
    if (failed) {
      return SilentResponse.error();
    }
    return switch (method.shape()) {
      case CONTROL -> SilentResponse.reading();
      case TASK -> readTask(reply, result);
      case SEND, STREAM ->
          switch (method.version()) {
            case V1_0 -> readUnion(reply, result);
            case V0_3 -> readByKind(reply, result);
          };
    };
  }

  /** An id that is not the request's; none, and null, as in a failure to parse, are let pass. */
  private boolean answersAnother(JsonDocument reply) {
    int theirs = reply.present(reply.root(), "id");
    int ours = json.present(json.root(), "id");
    if (theirs == JsonDocument.NONE || reply.isNull(theirs) || ours == JsonDocument.NONE) {
      return false;
    }
    boolean strings = reply.isString(theirs) && json.isString(ours);
    return strings
        ? !reply.optionalString(theirs).equals(json.optionalString(ours))
        : !reply.raw(theirs).equals(json.raw(ours));
  }

  private Reading<ResponseView> readUnion(JsonDocument reply, int result) {
    int replyMessage = reply.present(result, "message");
    int task = reply.present(result, "task");
    boolean misspelt = reply.misspelt(result, Set.of("message", "task")).isPresent();
    if (misspelt || (replyMessage != JsonDocument.NONE && task != JsonDocument.NONE)) {
      return new Reading.Malformed<>(
          WireFault.BAD_MESSAGE, "expected exactly one of message and task in the result");
    }
    if (holdsAny(reply, result, OLD_MEMBERS)) {
      return twoAnswers();
    }
    return reply.isObject(replyMessage)
        ? A2aResponse.ofMessage(reply, replyMessage, question(), given())
        : readTask(reply, task);
  }

  private Reading<ResponseView> readByKind(JsonDocument reply, int result) {
    String kind = reply.optionalString(reply.member(result, "kind")).orElse("");
    return switch (kind) {
      case "message" ->
          holdsAny(reply, result, NOT_IN_OLD_MESSAGE)
              ? twoAnswers()
              : A2aResponse.ofMessage(reply, result, question(), given());
      case "task" ->
          holdsAny(reply, result, NOT_IN_OLD_TASK) ? twoAnswers() : readTask(reply, result);
      default -> new Reading.Unjudged<>("shape");
    };
  }

  private static boolean holdsAny(JsonDocument reply, int result, List<String> names) {
    return names.stream().anyMatch(name -> reply.present(result, name) != JsonDocument.NONE);
  }

  /** One receiver would show the one, another the other; only one of them could be judged. */
  private static Reading<ResponseView> twoAnswers() {
    return new Reading.Malformed<>(
        WireFault.BAD_MESSAGE, "expected one message or one task in the result, not several");
  }

  private Reading<ResponseView> readTask(JsonDocument reply, int task) {
    return reply.isObject(task)
        ? A2aResponse.ofTask(reply, task, question(), given())
        : new Reading.Unjudged<>("shape");
  }

  private List<Chunk> given() {
    return evidence.declaredChunks();
  }

  @Override
  public Optional<byte[]> repair(ResponseView rejected, String instruction, String freshMessageId) {
    int references = json.present(message, "referenceTaskIds");
    boolean usable = references == JsonDocument.NONE || json.isArray(references);
    if (message == JsonDocument.NONE || !usable) {
      return Optional.empty();
    }
    A2aRepair repair = new A2aRepair(json, message, method.version());
    places.strip(repair.edits());
    boolean open = rejected instanceof A2aResponse response && response.isOpenTask();
    return Optional.of(repair.body(rejected.correlation(), open, instruction, freshMessageId));
  }

  /** The held answer under this request's JSON-RPC id; every other byte stays. */
  @Override
  public Optional<byte[]> adopt(byte[] heldBody) {
    return switch (JsonScanner.scan(heldBody, limits)) {
      case JsonScan.Refused _ -> Optional.empty();
      case JsonScan.Scanned scanned -> {
        JsonDocument held = scanned.document();
        int heldId = held.member(held.root(), "id");
        JsonEdits edits = new JsonEdits(held);
        if (heldId == JsonDocument.NONE) {
          edits.addMembers(held.root(), "\"id\":" + rawId());
        } else {
          edits.replace(heldId, rawId());
        }
        yield Optional.of(Splicer.applyToBytes(heldBody, edits.sorted()));
      }
    };
  }

  private String rawId() {
    int id = json.member(json.root(), "id");
    return id == JsonDocument.NONE ? "null" : json.raw(id);
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
    String rawId = rawId();
    boolean asTask =
        notice.kind() == Notice.Kind.YIELD && method.shape() != A2aMethod.Shape.CONTROL;
    if (!asTask) {
      return A2aRefusals.error(rawId, 200, notice);
    }
    Correlation own = correlation();
    Optional<String> taskId =
        method.shape() == A2aMethod.Shape.TASK ? kept.taskId().or(own::taskId) : kept.taskId();
    return A2aRefusals.rejectedTask(
        method, rawId, taskId, kept.contextId().or(own::contextId), notice);
  }
}
