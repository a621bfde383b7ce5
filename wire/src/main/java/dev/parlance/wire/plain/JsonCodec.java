package dev.parlance.wire.plain;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.api.AgentProtocol;
import dev.parlance.wire.api.Annotatable;
import dev.parlance.wire.api.Codec;
import dev.parlance.wire.api.RequestHead;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseHead;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.RoundMark;
import dev.parlance.wire.bytes.MediaType;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.json.JsonBody;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonEdits;
import dev.parlance.wire.json.JsonPointers;
import dev.parlance.wire.json.JsonScanner;
import dev.parlance.wire.json.JsonWriter;
import dev.parlance.wire.metadata.EvidenceReader;
import dev.parlance.wire.metadata.MemberSites;
import dev.parlance.wire.metadata.Problems;
import dev.parlance.wire.metadata.RoundReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Any JSON over HTTP, read at configured pointers. Where a pointer to a text is configured, the
 * text has to be there: a body without it is unjudged, not silent.
 */
public final class JsonCodec implements Codec {
  private static final Set<String> BODILESS = Set.of("GET", "HEAD", "DELETE", "OPTIONS");

  private final JsonScanner.Limits limits;
  private final Side request;
  private final Side response;

  /** A codec for one route. */
  public JsonCodec(JsonScanner.Limits limits, JsonPointers pointers) {
    this.limits = limits;
    this.request = new Side(pointers.request());
    this.response = new Side(pointers.response());
  }

  /** What pointers into one body find. */
  private record Side(JsonPointers.Side at) {
    private static int node(Optional<String> pointer, JsonDocument json) {
      return pointer
          .map(path -> JsonPointers.Pointer.parse(path).find(json))
          .orElse(JsonDocument.NONE);
    }

    /** The string that the text pointer finds. */
    int textNode(JsonDocument json) {
      int node = node(at.text(), json);
      return json.isString(node) ? node : JsonDocument.NONE;
    }

    /** The string that the question pointer finds. */
    Optional<Utf8Span> questionText(JsonDocument json) {
      int node = node(at.question(), json);
      return json.isString(node) ? Optional.of(json.text(node)) : Optional.empty();
    }

    /** What the body says of a round. */
    RoundMark roundMark(JsonDocument json) {
      return RoundReader.read(json, node(at.round(), json));
    }

    /** Adds the context that the body gives. */
    void addContext(EvidenceReader reader, JsonDocument json) {
      reader.addCarriedContext(json, node(at.context(), json));
    }

    /** What the body gives as evidence. */
    EvidenceReader evidence(JsonDocument json) {
      EvidenceReader reader = new EvidenceReader();
      addContext(reader, json);
      reader.addDeclaredCitations(json, node(at.citations(), json));
      reader.addConfidence(json, node(at.confidence(), json));
      return reader;
    }
  }

  @Override
  public String name() {
    return "json";
  }

  @Override
  public boolean claims(RequestHead head) {
    MediaType type = MediaType.of(head.fields());
    return type.isJson() || type.isMissing();
  }

  @Override
  public Reading<RequestView> readRequest(RequestHead head, PlainBody body) {
    if (body.isEmpty()) {
      return BODILESS.contains(head.method()) || request.at().text().isEmpty()
          ? new Reading.Readable<>(new JsonRequest(limits, Optional.empty(), request, response))
          : new Reading.Unjudged<>("pointer");
    }
    return JsonBody.ofRequest(head.fields(), body, limits, this::readDocument);
  }

  @Override
  public Reading<RequestView> readRequest(RequestHead head, JsonDocument body) {
    return readDocument(body);
  }

  @Override
  public Optional<RequestView> unreadRequest(RequestHead head) {
    return Optional.of(new JsonRequest(limits, Optional.empty(), request, response));
  }

  private Reading<RequestView> readDocument(JsonDocument json) {
    boolean missing =
        request.at().text().isPresent() && request.textNode(json) == JsonDocument.NONE;
    return missing
        ? new Reading.Unjudged<>("pointer")
        : new Reading.Readable<>(new JsonRequest(limits, Optional.of(json), request, response));
  }

  /**
   * An answer.
   *
   * @param message what the agent says
   * @param round what it says of a round
   * @param sites where the verdict goes
   */
  private record Answer(Optional<AgentMessage> message, RoundMark round, Annotatable sites)
      implements ResponseView {}

  /** Any JSON: all of a body is data. */
  private record JsonProtocol(String name) implements AgentProtocol {
    static final AgentProtocol INSTANCE = new JsonProtocol("json");

    @Override
    public void names(JsonDocument json, Content into) {
      into.data(json.root());
    }

    @Override
    public void answer(JsonDocument json, Content into) {
      into.data(json.root());
    }
  }

  /** A request whose texts stand at configured pointers; without a body it says nothing. */
  private static final class JsonRequest implements Problems.Requested {
    /** Members that say nothing of who asks, or what. */
    private static final Set<String> ROUND_THE_QUESTION =
        Set.of("stream", "temperature", "top_p", "top_k", "seed", "max_tokens", "history");

    private final JsonScanner.Limits limits;
    private final Optional<JsonDocument> body;
    private final Side side;
    private final Side answerSide;
    private final Optional<AgentMessage> message;
    private final Utf8Span question;
    private final Optional<MemberSites> sites;

    JsonRequest(
        JsonScanner.Limits limits, Optional<JsonDocument> body, Side side, Side answerSide) {
      this.limits = limits;
      this.body = body;
      this.side = side;
      this.answerSide = answerSide;
      this.sites = body.map(MemberSites::ofRoot);
      this.message = body.flatMap(json -> said(json, side));
      this.question =
          body.flatMap(side::questionText)
              .or(() -> message.map(AgentMessage::answer))
              .orElse(Utf8Span.EMPTY);
    }

    @Override
    public AgentProtocol protocol() {
      return JsonProtocol.INSTANCE;
    }

    @Override
    public Optional<AgentMessage> message() {
      return message;
    }

    private static Optional<AgentMessage> said(JsonDocument json, Side side) {
      int text = side.textNode(json);
      return text == JsonDocument.NONE
          ? Optional.empty()
          : Optional.of(
              new AgentMessage(
                  json.text(text),
                  side.questionText(json).orElse(Utf8Span.EMPTY),
                  side.evidence(json).evidence()));
    }

    @Override
    public RoundMark round() {
      return body.map(side::roundMark).orElse(RoundMark.NONE);
    }

    @Override
    public Annotatable sites() {
      return sites.isPresent() ? sites.get() : NOWHERE;
    }

    @Override
    public List<Utf8Span> identity() {
      return body.map(json -> List.of(json.bytes(json.root()))).orElse(List.of());
    }

    /** All that was sent but the form of the answer and what was said before. */
    @Override
    public List<Utf8Span> conversation(RequestHead head, Optional<String> contextId) {
      if (body.isEmpty() || !body.get().isObject(body.get().root())) {
        return Problems.Requested.super.conversation(head, contextId);
      }
      JsonDocument json = body.get();
      List<Utf8Span> parts = new ArrayList<>();
      parts.add(Utf8Span.of(head.method() + " " + head.target()));
      int root = json.root();
      for (int at = json.first(root); at != JsonDocument.NONE; at = json.nextName(root, at)) {
        String name = json.text(at).toString();
        if (!ROUND_THE_QUESTION.contains(name)) {
          parts.add(json.text(at));
          parts.add(json.bytes(at + 1));
        }
      }
      return parts;
    }

    /** What the question pointer finds, else the request's text. */
    @Override
    public Utf8Span question() {
      return question;
    }

    @Override
    public Reading<ResponseView> readResponse(ResponseHead head, PlainBody answer) {
      if (answer.isEmpty()) {
        return ResponseView.Silent.reading();
      }
      return head.isError()
          ? new Reading.Unjudged<>("pointer")
          : JsonBody.ofResponse(head.fields(), answer, limits, this::readAnswer);
    }

    private Reading<ResponseView> readAnswer(JsonDocument reply) {
      int text = answerSide.textNode(reply);
      if (text == JsonDocument.NONE) {
        return new Reading.Unjudged<>("pointer");
      }
      EvidenceReader evidence = answerSide.evidence(reply);
      if (!evidence.hasContext() && body.isPresent()) {
        side.addContext(evidence, body.get());
      }
      AgentMessage said = new AgentMessage(reply.text(text), question, evidence.evidence());
      RoundMark mark = answerSide.roundMark(reply);
      return new Reading.Readable<>(new Answer(Optional.of(said), mark, MemberSites.ofRoot(reply)));
    }

    /** The same request with the instruction at the end of its text. */
    @Override
    public Optional<byte[]> repair(
        ResponseView rejected, String instruction, String freshMessageId) {
      return body.filter(json -> side.textNode(json) != JsonDocument.NONE)
          .map(json -> {
            JsonEdits edits = new JsonEdits(json);
            sites.orElseThrow().strip(edits);
            edits.extendString(side.textNode(json), JsonWriter.quoted("\n\n" + instruction));
            return json.edited(edits.sorted());
          });
    }
  }
}
