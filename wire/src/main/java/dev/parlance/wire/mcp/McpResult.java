package dev.parlance.wire.mcp;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.api.AgentError;
import dev.parlance.wire.api.Annotatable;
import dev.parlance.wire.api.MessageView;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.ResponseHead;
import dev.parlance.wire.api.ResponseHead.Relayed;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.SideTexts;
import dev.parlance.wire.api.StreamReader;
import dev.parlance.wire.bytes.MediaType;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.bytes.Texts;
import dev.parlance.wire.bytes.WireFault;
import dev.parlance.wire.json.JsonBody;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonScanner;
import dev.parlance.wire.json.JsonTextExtractor;
import dev.parlance.wire.metadata.EvidenceReader;
import dev.parlance.wire.metadata.MemberSites;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Reads the result of an MCP request.
 *
 * <p>A tool's result is an answer: its text blocks are held against the evidence that stands in
 * {@code _meta} or, without that, against the resources embedded in it; structured content and
 * every other string in the message is judged with it. Resources that are evidence are read for
 * terms beside it; where there is no text block they are the text. All other results (prompts,
 * resources, lists, instructions of a server, questions to the user) are words that nothing can be
 * held against: read whole, never sent back for a lack of evidence.
 */
final class McpResult implements ResponseView {
  /** Key of declared evidence in {@code _meta}. */
  static final String EVIDENCE = "org.w3id.parlance/evidence";

  /** Id of a resource as evidence, where its URI is not what answers cite. */
  private static final String CHUNK_ID = "org.w3id.parlance/chunkId";

  /** Members that hold names, types and ids. */
  static final Set<String> LABELS =
      Set.of(
          "_meta",
          "jsonrpc",
          "id",
          "type",
          "mimeType",
          "uri",
          "uriTemplate",
          "url",
          "websiteUrl",
          "src",
          "sizes",
          "theme",
          "role",
          "name",
          "method",
          "ref",
          "required",
          "audience",
          "lastModified",
          "resultType",
          "cacheScope",
          "nextCursor",
          "cursor",
          "taskId",
          "status",
          "createdAt",
          "lastUpdatedAt",
          "level",
          "logger",
          "progressToken",
          "requestId",
          "elicitationId",
          "protocolVersion",
          "supportedVersions",
          "version",
          "model",
          "stopReason",
          "action",
          "mode",
          "format",
          "$schema",
          "$ref",
          "$id",
          "$anchor");

  /**
   * What is known of the request that is answered.
   *
   * @param method its method; empty where an answer comes without its request
   * @param tool name of the tool, for ids of what it found
   * @param question what was asked
   * @param said its strings: an answer that repeats them says nothing new with it
   * @param given evidence that the asker declared
   */
  record RequestContext(
      Optional<McpMethod> method,
      String tool,
      Utf8Span question,
      List<Utf8Span> said,
      EvidenceReader.Given given) {
    /** Nothing is known. */
    static final RequestContext UNKNOWN =
        new RequestContext(
            Optional.empty(), "", Utf8Span.EMPTY, List.of(), EvidenceReader.Given.NONE);

    boolean isTool() {
      return method.map(known -> known.shape() == McpMethod.Shape.TOOL).orElse(true);
    }

    boolean isControl() {
      return method.map(known -> known.shape() == McpMethod.Shape.CONTROL).orElse(false);
    }
  }

  private final JsonDocument json;
  private final MemberSites sites;
  private final EvidenceReader evidence = new EvidenceReader();
  private final List<Utf8Span> answer = new ArrayList<>();
  private final List<Utf8Span> resources = new ArrayList<>();
  private final List<Chunk> observable = new ArrayList<>();
  private final List<String> unread = new ArrayList<>();
  private final JsonTextExtractor data;
  private final JsonTextExtractor words;
  private final String tool;
  private boolean answersQuestion;
  private Utf8Span beside = Utf8Span.EMPTY;
  private Optional<AgentMessage> message = Optional.empty();

  private McpResult(JsonDocument json, MemberSites sites, String tool) {
    this.json = json;
    this.sites = sites;
    this.tool = tool;
    this.data = new JsonTextExtractor(json, Set.of(), /* numbers= */ true);
    this.words = new JsonTextExtractor(json, LABELS, /* numbers= */ false);
  }

  /** As {@link #readBody}, of a stream, if the head announces one. */
  static Optional<StreamReader> readStream(
      ResponseHead head,
      JsonScanner.Limits limits,
      Optional<McpEnvelope> request,
      RequestContext asked,
      Function<Notice, List<byte[]>> refusal) {
    MediaType type = MediaType.of(head.fields());
    return type.isEventStream() && type.charsetFault().isEmpty()
        ? Optional.of(new McpStreamReader(head, limits, request, asked, refusal))
        : Optional.empty();
  }

  /**
   * Reads a body that is whole.
   *
   * @param request what is answered; empty if it had no body (the server stream, the end of a
   *     session)
   */
  static Reading<ResponseView> readBody(
      ResponseHead head,
      PlainBody body,
      JsonScanner.Limits limits,
      Optional<McpEnvelope> request,
      RequestContext asked) {
    if (body.isEmpty()) {
      return ResponseView.Silent.reading();
    }
    Optional<Reading<ResponseView>> unawaited =
        request
            .filter(sent -> sent.kind() != McpEnvelope.Kind.REQUEST)
            .flatMap(_ -> ResponseView.Unawaited.reading(head.status()));
    if (unawaited.isPresent()) {
      return unawaited.get();
    }
    return JsonBody.ofResponse(
        head.fields(), body, limits, json -> document(json, request, asked, head.relayed()));
  }

  private static Reading<ResponseView> document(
      JsonDocument json, Optional<McpEnvelope> request, RequestContext asked, Relayed relayed) {
    return switch (McpEnvelope.read(json)) {
      case Reading.Unread<McpEnvelope> unread -> unread.as();
      case Reading.Readable<McpEnvelope>(McpEnvelope reply) ->
          reply(reply, request, asked, relayed);
    };
  }

  /** Reads what answers a request; an error may come without an id. */
  static Reading<ResponseView> reply(
      McpEnvelope reply, Optional<McpEnvelope> request, RequestContext asked, Relayed relayed) {
    boolean failed = reply.kind() == McpEnvelope.Kind.ERROR;
    if (!failed && reply.kind() != McpEnvelope.Kind.RESULT) {
      return new Reading.Unjudged<>("shape");
    }
    boolean matches =
        request.map(asking -> reply.answers(asking) || (failed && !reply.hasId())).orElse(true);
    if (!matches) {
      return new Reading.Malformed<>(
          WireFault.BAD_MESSAGE, "expected the id of the request in a JSON-RPC response");
    }
    return new Reading.Readable<>(
        failed ? readError(reply) : read(reply, asked, relayed, request.isPresent()));
  }

  /**
   * Reads a result.
   *
   * @param echoed true if its id is that of the request, and so none of the server's words
   */
  private static McpResult read(
      McpEnvelope reply, RequestContext asked, Relayed relayed, boolean echoed) {
    JsonDocument json = reply.json();
    int result = reply.body();
    boolean carries =
        json.isArray(json.member(result, "content"))
            || json.isArray(json.member(result, "contents"))
            || json.isArray(json.member(result, "messages"));
    MemberSites sites = reply.sites(carries ? result : JsonDocument.NONE);
    McpResult view = new McpResult(json, sites, asked.tool());
    view.leaveId(echoed);
    view.readResult(result, asked, relayed);
    return view;
  }

  private static ResponseView readError(McpEnvelope reply) {
    JsonDocument json = reply.json();
    return new ResponseView.Failed(
        AgentError.of(json, json.root(), reply.body()), reply.sites(JsonDocument.NONE));
  }

  private void leaveId(boolean echoed) {
    if (echoed) {
      words.leave(json.member(json.root(), "id"));
    }
  }

  private void readResult(int result, RequestContext asked, Relayed relayed) {
    int meta = json.member(result, McpEnvelope.META);
    int declared = json.member(meta, EVIDENCE);
    evidence.addExtension(json, declared);
    words.leave(declared);
    words.leave(json.member(meta, McpCodec.VERDICT));
    // Clients of revisions without that type show content whatever it says.
    boolean waits =
        json.optionalString(json.member(result, "resultType")).equals(Optional.of("input_required"))
            && json.firstElement(json.member(result, "content")) == JsonDocument.NONE
            && json.present(result, "structuredContent") == JsonDocument.NONE;
    // A finished task of the tasks extension holds the result of its call in one of its own.
    int inner = json.member(result, "result");
    int body = asked.isTool() && json.isObject(inner) ? inner : result;
    answersQuestion = asked.isTool() && !waits;
    if (answersQuestion) {
      readBlocks(json.member(body, "content"));
    }
    readContents(json.member(body, "contents"));
    int structured = json.member(body, "structuredContent");
    data.add(structured);
    words.leave(structured);
    if (asked.isControl()) {
      words.addLabels(json.root());
    } else {
      words.add(json.root());
    }
    if (words.unreadFile() || data.unreadFile()) {
      unread.add(MessageView.BINARY_PART);
    }
    if (asked.isTool() && (words.hasWordyNames() || data.hasWordyNames())) {
      unread.add("data_names");
    }
    finish(asked, relayed);
  }

  /** The blocks of a tool's result. */
  private void readBlocks(int content) {
    int block = json.firstElement(content);
    List<Utf8Span> embedded = new ArrayList<>();
    List<Chunk> chunks = new ArrayList<>();
    int index = 0;
    while (block != JsonDocument.NONE) {
      int text = json.member(block, "text");
      int resource = json.member(block, "resource");
      int resourceText = json.member(resource, "text");
      if (json.isString(text)) {
        Utf8Span said = json.text(text);
        answer.add(said);
        words.leave(text);
        observe(tool + "#" + index, said);
      }
      if (json.isString(resourceText)) {
        Utf8Span held = json.text(resourceText);
        embedded.add(held);
        words.leave(resourceText);
        String uri = json.optionalString(json.member(resource, "uri")).orElse("");
        String id =
            json.optionalString(json.member(json.member(resource, McpEnvelope.META), CHUNK_ID))
                .orElse(uri);
        chunks.add(new Chunk(id, held));
        observe(uri.isEmpty() ? tool + "#" + index : uri, held);
      }
      block = json.nextElement(content, block);
      index++;
    }
    boolean speaks = answer.stream().anyMatch(text -> !text.isEmpty());
    if (speaks) {
      resources.addAll(embedded);
      chunks.forEach(chunk -> evidence.addCarriedChunk(chunk.id(), chunk.text()));
    } else {
      // Nothing is said about them, so they are what is said.
      answer.addAll(embedded);
    }
  }

  /** What resources hold; read as text with everything else, noted here as found. */
  private void readContents(int contents) {
    int entry = json.firstElement(contents);
    int index = 0;
    while (entry != JsonDocument.NONE) {
      int text = json.member(entry, "text");
      if (json.isString(text)) {
        String uri = json.optionalString(json.member(entry, "uri")).orElse("");
        observe(uri.isEmpty() ? "resource#" + index : uri, json.text(text));
      }
      entry = json.nextElement(contents, entry);
      index++;
    }
  }

  private void observe(String id, Utf8Span text) {
    if (!text.isEmpty()) {
      observable.add(new Chunk(id, text));
    }
  }

  private McpResult finish(RequestContext asked, Relayed relayed) {
    Evidence found = evidence.evidence(answersQuestion ? asked.given() : EvidenceReader.Given.NONE);
    SideTexts side = new SideTexts(relayed, json.memory());
    side.know(asked.said());
    found.chunks().forEach(chunk -> side.know(List.of(Utf8Span.of(chunk.id()))));
    List<Utf8Span> others = new ArrayList<>(data.texts());
    others.addAll(words.texts());
    Utf8Span text = side.join(answer, others);
    beside = Texts.join(resources, json.memory());
    if (answersQuestion ? !text.isEmpty() : Texts.hasWords(text)) {
      message = Optional.of(new AgentMessage(text, asked.question(), found));
    }
    return this;
  }

  @Override
  public Optional<AgentMessage> message() {
    return message;
  }

  @Override
  public List<String> unread() {
    return List.copyOf(unread);
  }

  @Override
  public boolean answersQuestion() {
    return answersQuestion;
  }

  /** What a tool says, it says of a call that was made. */
  @Override
  public boolean acts() {
    return answersQuestion;
  }

  @Override
  public Utf8Span beside() {
    return beside;
  }

  @Override
  public List<Chunk> observable() {
    return List.copyOf(observable);
  }

  @Override
  public Annotatable sites() {
    return sites;
  }
}
