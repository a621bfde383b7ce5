package dev.parlance.wire.mcp;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.VerdictNote;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.api.AgentProtocol;
import dev.parlance.wire.api.Annotatable;
import dev.parlance.wire.api.Correlation;
import dev.parlance.wire.api.MessageView;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.Plumbing;
import dev.parlance.wire.api.Refusal;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseHead;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.StreamReader;
import dev.parlance.wire.bytes.HeaderLookup;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.bytes.Splicer;
import dev.parlance.wire.bytes.Texts;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonEdits;
import dev.parlance.wire.json.JsonScanner;
import dev.parlance.wire.json.JsonTextExtractor;
import dev.parlance.wire.json.JsonWriter;
import dev.parlance.wire.metadata.EvidenceReader;
import dev.parlance.wire.metadata.MemberSites;
import dev.parlance.wire.metadata.VerdictJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One message that a client of MCP posts: a request, a notification, or its answer to something
 * that the server asked. It is never edited but for a verdict that the client forged in {@code
 * _meta}: headers mirror the body, and servers refuse what does not match.
 */
final class McpRequest implements RequestView {
  private static final Set<String> DATA = Set.of("arguments", "inputResponses", "argument");
  private static final Set<String> LISTS =
      Set.of("tools/list", "prompts/list", "resources/list", "resources/templates/list");
  private static final List<String> QUESTIONS = List.of("question", "query");

  private final McpEnvelope envelope;
  private final JsonDocument json;
  private final JsonScanner.Limits limits;
  private final Optional<McpMethod> method;
  private final Head head;
  private final MemberSites sites;
  private final EvidenceReader evidence = new EvidenceReader();
  private final Optional<AgentMessage> message;
  private final boolean unreadFile;

  /** Looked for once it is asked for. */
  private Optional<Utf8Span> question = Optional.empty();

  /** Gathered once an answer is read. */
  private Optional<McpResult.RequestContext> asked = Optional.empty();

  private McpRequest(
      McpEnvelope envelope, Optional<McpMethod> method, Head head, JsonScanner.Limits limits) {
    this.envelope = envelope;
    this.json = envelope.json();
    this.limits = limits;
    this.method = method;
    this.head = head;
    this.sites = envelope.sites(JsonDocument.NONE);
    int body = envelope.body();
    int declared = json.member(json.member(body, McpEnvelope.META), McpResult.EVIDENCE);
    evidence.addExtension(json, declared);
    JsonTextExtractor data = new JsonTextExtractor(json, Set.of(), /* numbers= */ true);
    JsonTextExtractor words = new JsonTextExtractor(json, McpResult.LABELS, /* numbers= */ false);
    words.leave(declared);
    for (String name : DATA) {
      data.add(json.member(body, name));
      words.leave(json.member(body, name));
    }
    boolean control = method.map(known -> known.shape() != McpMethod.Shape.WORDS).orElse(false);
    if (control) {
      words.addLabels(json.root());
    } else {
      words.add(json.root());
    }
    List<Utf8Span> texts = new ArrayList<>(data.texts());
    texts.addAll(words.texts());
    this.message = said(texts);
    this.unreadFile = data.unreadFile() || words.unreadFile();
  }

  /** Reads a document. */
  static Reading<RequestView> read(JsonDocument json, Head head, JsonScanner.Limits limits) {
    return switch (McpEnvelope.read(json)) {
      case Reading.Unread<McpEnvelope> unread -> unread.as();
      // A method that nobody knows is the server's to refuse: its words are read like any other's.
      case Reading.Readable<McpEnvelope>(McpEnvelope envelope) ->
          new Reading.Readable<>(
              new McpRequest(envelope, McpMethod.of(envelope.method()), head, limits));
    };
  }

  @Override
  public AgentProtocol protocol() {
    return head.protocol();
  }

  @Override
  public Called called() {
    boolean isTool = method.filter(known -> known == McpMethod.TOOLS_CALL).isPresent();
    return new Called(
        method.map(_ -> envelope.method()),
        isTool ? json.optionalString(json.member(envelope.body(), "name")) : Optional.empty());
  }

  @Override
  public Optional<AgentMessage> message() {
    return message;
  }

  private Optional<AgentMessage> said(List<Utf8Span> texts) {
    Utf8Span said = Texts.join(texts, json.memory());
    return Texts.hasWords(said)
        ? Optional.of(
            new AgentMessage(said, evidence.question().orElse(Utf8Span.EMPTY), evidence.evidence()))
        : Optional.empty();
  }

  @Override
  public List<String> unread() {
    return unreadFile ? List.of(MessageView.BINARY_PART) : List.of();
  }

  @Override
  public Correlation correlation() {
    return new Correlation(head.session(), Optional.empty(), Optional.empty());
  }

  @Override
  public Optional<String> traceparent() {
    int meta = json.member(envelope.body(), McpEnvelope.META);
    return json.optionalString(json.member(meta, VerdictNote.PROPAGATE));
  }

  @Override
  public Utf8Span question() {
    if (question.isEmpty()) {
      question = Optional.of(findQuestion());
    }
    return question.get();
  }

  /** What the caller declares as its question, else the argument of that name, else the first. */
  private Utf8Span findQuestion() {
    if (evidence.question().isPresent()) {
      return evidence.question().get();
    }
    int arguments = json.member(envelope.body(), "arguments");
    for (String name : QUESTIONS) {
      int argument = json.member(arguments, name);
      if (json.isString(argument)) {
        return json.text(argument);
      }
    }
    JsonTextExtractor words = new JsonTextExtractor(json, Set.of(), /* numbers= */ false);
    words.add(arguments);
    return words.texts().isEmpty() ? Utf8Span.EMPTY : words.texts().getFirst();
  }

  /** Session, method and every parameter as it was sent, but for {@code _meta}. */
  @Override
  public List<Utf8Span> identity() {
    List<Utf8Span> parts = new ArrayList<>();
    parts.add(Utf8Span.of(head.session().orElse("")));
    parts.add(Utf8Span.of(envelope.kind().name() + " " + envelope.method()));
    int body = envelope.body();
    if (!json.isObject(body)) {
      parts.add(body == JsonDocument.NONE ? Utf8Span.EMPTY : json.bytes(body));
      return parts;
    }
    for (int at = json.first(body); at != JsonDocument.NONE; at = json.nextName(body, at)) {
      if (!json.nameEquals(at, McpEnvelope.META)) {
        parts.add(json.text(at));
        parts.add(json.bytes(at + 1));
      }
    }
    return parts;
  }

  @Override
  public Annotatable sites() {
    return sites;
  }

  private McpResult.RequestContext asked() {
    if (asked.isEmpty()) {
      asked = Optional.of(gatherRequestContext());
    }
    return asked.get();
  }

  private McpResult.RequestContext gatherRequestContext() {
    JsonTextExtractor said = new JsonTextExtractor(json, Set.of(), /* numbers= */ true);
    said.add(envelope.body());
    return new McpResult.RequestContext(
        method,
        json.optionalString(json.member(envelope.body(), "name")).orElse(envelope.method()),
        question(),
        List.copyOf(said.texts()),
        evidence.declaredContext());
  }

  @Override
  public Reading<ResponseView> readResponse(ResponseHead reply, PlainBody body) {
    return McpResult.readBody(reply, body, limits, Optional.of(envelope), asked());
  }

  @Override
  public Optional<StreamReader> readStream(ResponseHead reply) {
    return McpResult.readStream(reply, limits, Optional.of(envelope), asked(), this::streamRefusal);
  }

  @Override
  public Optional<Plumbing> plumbing() {
    return LISTS.contains(envelope.method()) ? Optional.of(Plumbing.MCP_LISTS) : Optional.empty();
  }

  @Override
  public boolean isSafe() {
    return method.map(McpMethod::isSafe).orElse(envelope.method().isEmpty());
  }

  /** A tool is never called twice by us: nobody knows what a second call does. */
  @Override
  public boolean canBeAskedAgain() {
    return false;
  }

  /** The held answer under this request's JSON-RPC id; every other byte stays. */
  @Override
  public Optional<byte[]> adopt(byte[] heldBody) {
    if (!(JsonScanner.scan(heldBody, limits) instanceof JsonScanner.Scanned(JsonDocument held))) {
      return Optional.empty();
    }
    int heldId = held.member(held.root(), "id");
    Optional<String> id = envelope.rawId();
    if (heldId == JsonDocument.NONE || id.isEmpty()) {
      return Optional.empty();
    }
    JsonEdits edits = new JsonEdits(held);
    edits.replace(heldId, id.get());
    return Optional.of(Splicer.applyToBytes(heldBody, edits.sorted()));
  }

  @Override
  public Refusal refuse(Notice notice, Correlation kept) {
    if (envelope.kind() != McpEnvelope.Kind.REQUEST) {
      return error(Optional.empty(), notice.httpStatus(), notice);
    }
    return new Refusal(200, "application/json", payload(notice));
  }

  private byte[] payload(Notice notice) {
    String id = envelope.rawId().orElse("null");
    boolean asResult = method.map(McpMethod::refusedAsResult).orElse(false) && isOfTool(notice);
    return asResult
        ? toolResult(id, head.isStateless(), notice)
        : errorBody(Optional.of(id), notice);
  }

  /** True for what becomes of a call or its result; false for what kept it from having one. */
  private static boolean isOfTool(Notice notice) {
    return switch (notice.kind()) {
      case REGENERATE, YIELD, REJECTED, WITHDRAWN, RELEASED -> true;
      case UNJUDGED, ROUND_REFUSED, PACT_REFUSED, QUEUE_REFUSED -> true;
      case MALFORMED, UPSTREAM, UNAVAILABLE, AGENT_ERROR, TASK_REFUSED -> false;
    };
  }

  private List<byte[]> streamRefusal(Notice notice) {
    return envelope.kind() == McpEnvelope.Kind.REQUEST ? List.of(payload(notice)) : List.of();
  }

  // ---- refusals: what models see and can act on for calls of tools, errors for all else; with
  // HTTP
  // status 200, because clients drop the body of any other. Codes are those of A2A. ----

  /** An error; without an id it answers what had none or could not be read. */
  static Refusal error(Optional<String> rawId, int status, Notice notice) {
    return new Refusal(status, "application/json", errorBody(rawId, notice));
  }

  /**
   * A tool's result that says why there is none.
   *
   * @param rawId the request's id as it was sent
   * @param stateless true for revisions whose results say that they are complete
   */
  private static byte[] toolResult(String rawId, boolean stateless, Notice notice) {
    JsonWriter json = new JsonWriter().object().member("jsonrpc", "2.0").name("id").raw(rawId);
    json.name("result").object().name("content").array().object();
    json.member("type", "text").member("text", reason(notice)).endObject().endArray();
    json.name("isError").raw("true");
    if (stateless) {
      json.member("resultType", "complete");
    }
    if (notice.verdict().isPresent()) {
      json.name(McpEnvelope.META).object();
      VerdictJson.add(json, McpCodec.VERDICT, notice);
      json.endObject();
    }
    return json.endObject().endObject().toBytes();
  }

  private static byte[] errorBody(Optional<String> rawId, Notice notice) {
    JsonWriter json = new JsonWriter().object().member("jsonrpc", "2.0");
    json.name("id").raw(rawId.orElse("null")).name("error").object();
    json.member("code", notice.jsonRpcCode()).member("message", reason(notice));
    json.name("data").object().member("code", notice.code());
    json.member("repair", notice.repair()).member("reviewId", notice.reviewId());
    VerdictJson.add(json, "verdict", notice);
    return json.endObject().endObject().endObject().toBytes();
  }

  private static String reason(Notice notice) {
    return notice.detail()
        + notice.repair().map(repair -> " " + repair).orElse("")
        + notice.reviewId().map(id -> " Review id: " + id + ".").orElse("");
  }

  /**
   * What the header of an MCP request says.
   *
   * @param protocol by the revision in {@code MCP-Protocol-Version}
   * @param session {@code Mcp-Session-Id}; a revision without sessions has none
   */
  record Head(AgentProtocol protocol, Optional<String> session) {
    static Head of(HeaderLookup fields) {
      return new Head(
          McpProtocol.of(fields.first("mcp-protocol-version")), fields.first("mcp-session-id"));
    }

    /** True if a request says in its header that it is one of MCP. */
    static boolean isIn(HeaderLookup fields) {
      return fields.first("mcp-protocol-version").isPresent()
          || fields.first("mcp-session-id").isPresent()
          || fields.first("mcp-method").isPresent();
    }

    boolean isStateless() {
      return protocol.name().equals(McpProtocol.STATELESS);
    }
  }
}
