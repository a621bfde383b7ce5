package dev.parlance.wire.a2a;

import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.api.AgentProtocol;
import dev.parlance.wire.api.Annotatable;
import dev.parlance.wire.api.Codec;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.Plumbing;
import dev.parlance.wire.api.Refusal;
import dev.parlance.wire.api.RequestHead;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseHead;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.bytes.Edit;
import dev.parlance.wire.bytes.MediaType;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.bytes.Texts;
import dev.parlance.wire.bytes.WireFault;
import dev.parlance.wire.json.JsonBody;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonEdits;
import dev.parlance.wire.json.JsonScanner;
import dev.parlance.wire.json.JsonWriter;
import dev.parlance.wire.json.MemberName;
import dev.parlance.wire.metadata.Problems;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;

/**
 * A2A over JSON-RPC, v1.0 and v0.3 told apart by the method's name, and the fetch of agent cards.
 */
public final class A2aCodec implements Codec {
  private static final String NAME = "a2a";
  private static final int OK = 200;
  private static final int BAD_REQUEST = 400;

  /** As much of a body as is looked at for what it might have become. */
  private static final int HINT_BYTES = 4096;

  private static final long ENVELOPE =
      MemberName.set(MemberName.JSONRPC, MemberName.METHOD, MemberName.PARAMS, MemberName.ID);

  /** Most requests of a batch that get an error of their own. */
  private static final int MAX_BATCH = 100;

  private final JsonScanner.Limits limits;

  private A2aCodec(JsonScanner.Limits limits) {
    this.limits = limits;
  }

  /** The codecs of all bindings, in the order in which they are asked. */
  public static List<Codec> bindings(JsonScanner.Limits limits) {
    return List.of(
        new A2aGrpcCodec(limits),
        new A2aCodec(limits),
        new A2aRestCodec(limits),
        new A2aPushCodec(limits));
  }

  @Override
  public boolean hasPlaceForOutcome() {
    return true;
  }

  /** A binding whose requests are told by their heads or bodies alone. */
  interface Binding extends Codec {
    @Override
    default String name() {
      return NAME;
    }

    @Override
    default boolean readsUnclaimed() {
      return false;
    }
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean isUnderstoodBy(RequestHead head, PlainBody body) {
    String begin =
        new String(
            body.array(), 0, Math.min(body.length(), HINT_BYTES), StandardCharsets.ISO_8859_1);
    return head.fields().first("a2a-version").isPresent() || begin.contains("\"jsonrpc\"");
  }

  @Override
  public AgentProtocol protocol() {
    return A2aFormat.CURRENT.protocol();
  }

  @Override
  public boolean claims(RequestHead head) {
    return isCard(head);
  }

  @Override
  public boolean claims(RequestHead head, JsonDocument body) {
    return head.method().equals("POST") && isJsonRpc(body);
  }

  private static boolean isCard(RequestHead head) {
    boolean read = head.method().equals("GET") || head.method().equals("HEAD");
    return read
        && (head.path().endsWith("/.well-known/agent-card.json")
            || head.path().endsWith("/.well-known/agent.json"));
  }

  @Override
  public Reading<RequestView> readRequest(RequestHead head, PlainBody body) {
    if (isCard(head) && body.isEmpty()) {
      return new Reading.Readable<>(new CardRequest(limits));
    }
    if (!head.method().equals("POST")) {
      return new Reading.Unjudged<>("method");
    }
    return JsonBody.ofRequest(head.fields(), body, limits, this::readDocument);
  }

  @Override
  public Reading<RequestView> readRequest(RequestHead head, JsonDocument body) {
    return head.method().equals("POST") ? readDocument(body) : new Reading.Unjudged<>("method");
  }

  @Override
  public Optional<RequestView> unreadRequest(RequestHead head) {
    return head.method().equals("POST")
        ? Optional.of(new A2aUnreadCall(head, limits))
        : Optional.empty();
  }

  private Reading<RequestView> readDocument(JsonDocument json) {
    if (json.isArray(json.root())) {
      return new Reading.Unjudged<>("batch");
    }
    if (!json.isObject(json.root())) {
      return bad("not an object");
    }
    return readCall(json);
  }

  private Reading<RequestView> readCall(JsonDocument json) {
    int root = json.root();
    Optional<MemberName> misspelt = json.misspelt(root, ENVELOPE);
    if (misspelt.isPresent()) {
      return bad("member " + misspelt.get().text() + " is spelt in other case");
    }
    int version = json.member(root, MemberName.JSONRPC);
    if (!json.isString(version) || !json.textEquals(version, "2.0")) {
      return bad("jsonrpc is not \"2.0\"");
    }
    if (!hasId(json, root)) {
      return bad("id is neither a string nor a number nor null");
    }
    int name = json.member(root, MemberName.METHOD);
    if (!json.isString(name)) {
      return bad("method is not a string");
    }
    A2aMethod method = A2aMethod.of(json, name).orElse(A2aMethod.UNKNOWN);
    A2aBinding rpc = A2aBinding.Rpc.of(method.format(), method.shape(), json);
    int params = json.present(root, MemberName.PARAMS);
    return new A2aCall(rpc, json, params, json.string(name), Optional.empty(), limits).reading();
  }

  private static Reading<RequestView> bad(String detail) {
    return new Reading.Malformed<>(
        WireFault.BAD_MESSAGE, detail + "; expected a JSON-RPC 2.0 request of A2A");
  }

  /** True if a document means to be JSON-RPC, alone or in a batch, however well it does. */
  static boolean isJsonRpc(JsonDocument json) {
    int root = json.root();
    int envelope = json.isArray(root) ? json.first(root) : root;
    boolean calls =
        json.isString(json.member(envelope, MemberName.METHOD))
            && json.member(envelope, MemberName.PARAMS) != JsonDocument.NONE;
    boolean answers =
        json.member(envelope, MemberName.RESULT) != JsonDocument.NONE
            || json.member(envelope, MemberName.ERROR) != JsonDocument.NONE;
    return calls || (json.member(envelope, MemberName.JSONRPC) != JsonDocument.NONE && !answers);
  }

  /**
   * A JSON-RPC request gets its own id back, as far as it can be read, and HTTP 200, as its client
   * expects of a JSON-RPC error; only what is too large, or in a coding that nobody knows, has the
   * HTTP status of the fault.
   */
  @Override
  public Optional<Refusal> refuseUnread(
      RequestHead head, Optional<JsonDocument> body, Notice notice) {
    if (!head.method().equals("POST")) {
      return Optional.empty();
    }
    Optional<JsonDocument> json = body.filter(A2aCodec::isJsonRpc);
    return Optional.of(
        json.map(found -> refuse(found, notice))
            .orElseGet(
                () -> A2aRefusals.error("null", status(notice, notice.httpStatus()), notice)));
  }

  private static Refusal refuse(JsonDocument json, Notice notice) {
    int root = json.root();
    if (json.isArray(root)) {
      return refuseBatch(json, notice);
    }
    int method = json.member(root, MemberName.METHOD);
    boolean isBroken = notice.kind() == Notice.Kind.MALFORMED;
    boolean unknown = !json.isString(method) || A2aMethod.of(json, method).isEmpty();
    int version = json.member(root, MemberName.JSONRPC);
    boolean isRequest =
        !unknown && json.isString(version) && json.textEquals(version, "2.0") && hasId(json, root);
    int code =
        isBroken && isRequest
            ? A2aRefusals.INVALID_PARAMS
            : unknown && !isBroken ? A2aRefusals.METHOD_NOT_FOUND : notice.jsonRpcCode();
    return A2aRefusals.error(id(json, root), status(notice, OK), code, notice);
  }

  private static int status(Notice notice, int otherwise) {
    int fitting = notice.httpStatus();
    return notice.kind() != Notice.Kind.MALFORMED
        ? otherwise
        : fitting == BAD_REQUEST ? OK : fitting;
  }

  /** One error for each request that expects an answer, in an array as JSON-RPC has it. */
  private static Refusal refuseBatch(JsonDocument json, Notice notice) {
    List<String> errors = new ArrayList<>();
    int request = json.first(json.root());
    while (request != JsonDocument.NONE && errors.size() < MAX_BATCH) {
      if (json.member(request, MemberName.ID) != JsonDocument.NONE) {
        errors.add(A2aRefusals.errorJson(id(json, request), A2aRefusals.INVALID_REQUEST, notice));
      }
      request = json.nextElement(json.root(), request);
    }
    return errors.isEmpty()
        ? A2aRefusals.error("null", OK, A2aRefusals.INVALID_REQUEST, notice)
        : new Refusal(OK, "application/json", Texts.utf8("[" + String.join(",", errors) + "]"));
  }

  /** False for an id that can be none. */
  private static boolean hasId(JsonDocument json, int request) {
    int id = json.member(request, MemberName.ID);
    return id == JsonDocument.NONE || json.isString(id) || json.isNumber(id) || json.isNull(id);
  }

  /** The id of a JSON-RPC request, as it was written; {@code null} if it is none. */
  private static String id(JsonDocument json, int request) {
    int id = json.member(request, MemberName.ID);
    return json.isString(id) || json.isNumber(id) ? json.raw(id) : "null";
  }

  /** An agent card. It is not judged. */
  private record Card(JsonDocument json) implements ResponseView {
    private static final List<String> LISTS =
        List.of("supportedInterfaces", "additionalInterfaces");

    @Override
    public Annotatable sites() {
      return Annotatable.untouched(json);
    }

    @Override
    public List<Edit> addressedTo(String authority) {
      JsonEdits edits = new JsonEdits(json);
      if (json.firstElement(json.member(json.root(), "signatures")) == JsonDocument.NONE) {
        each(url -> address(edits, url, authority));
      }
      return edits.sorted();
    }

    @Override
    public List<String> addresses() {
      List<String> addresses = new ArrayList<>();
      each(url -> addresses.add(json.string(url)));
      return addresses;
    }

    /** Every text that is an address of the agent. */
    private void each(IntConsumer action) {
      url(json.root(), action);
      for (String name : LISTS) {
        int list = json.member(json.root(), name);
        for (int at = json.firstElement(list);
            at != JsonDocument.NONE;
            at = json.nextElement(list, at)) {
          url(at, action);
        }
      }
    }

    private void url(int parent, IntConsumer action) {
      int url = json.member(parent, "url");
      if (json.isString(url)) {
        action.accept(url);
      }
    }

    /** Scheme and path stay; gRPC has neither. */
    private void address(JsonEdits edits, int url, String authority) {
      String given = json.string(url);
      int scheme = given.indexOf("://");
      int from = scheme < 0 ? 0 : scheme + 3;
      int path = given.indexOf('/', from);
      String moved = given.substring(0, from) + authority + (path < 0 ? "" : given.substring(path));
      if (!moved.equals(given)) {
        edits.replace(url, JsonWriter.quoted(moved));
      }
    }
  }

  /** The fetch of an agent card, which may be signed. */
  private record CardRequest(JsonScanner.Limits limits) implements Problems.Requested {
    private static final AgentProtocol CARD = new A2aProtocol("a2a-card", /* isProtobuf= */ false);

    @Override
    public AgentProtocol protocol() {
      return CARD;
    }

    @Override
    public List<Utf8Span> identity() {
      return List.of();
    }

    @Override
    public Optional<Plumbing> plumbing() {
      return Optional.of(Plumbing.AGENT_CARD);
    }

    @Override
    public Reading<ResponseView> readResponse(ResponseHead head, PlainBody body) {
      if (body.isEmpty()) {
        return ResponseView.Silent.reading();
      }
      return MediaType.of(head.fields()).isJson()
          ? JsonBody.ofResponse(
              head.fields(), body, limits, json -> new Reading.Readable<>(new Card(json)))
          : new Reading.Unjudged<>("content_type");
    }
  }
}
