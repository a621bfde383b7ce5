package dev.parlance.wire.openai;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.api.AgentProtocol;
import dev.parlance.wire.api.Annotatable;
import dev.parlance.wire.api.Correlation;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.Refusal;
import dev.parlance.wire.api.RequestHead;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseHead;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.Show;
import dev.parlance.wire.api.StreamReader;
import dev.parlance.wire.api.TokenUsage;
import dev.parlance.wire.api.VerdictHeader;
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
import dev.parlance.wire.json.JsonTextExtractor;
import dev.parlance.wire.json.JsonWriter;
import dev.parlance.wire.metadata.MemberSites;
import dev.parlance.wire.sse.SseFraming;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A request for a completion or a response. It carries no message to judge: a prompt is what an
 * agent asks a model, not what it tells another agent. It does carry the question and the evidence
 * for the answer.
 */
final class OpenAiRequest implements RequestView {
  private static final Set<String> MEMBERS =
      Set.of("messages", "input", "instructions", "prompt", "stream", "model", "n");

  private final JsonDocument json;
  private final JsonScanner.Limits limits;
  private final OpenAiCall call;
  private final RequestHead head;
  private final OpenAiKnownTerms knownTerms;
  private final Context context;
  private final MemberSites sites;

  /** Gathered once an answer is read. */
  private Optional<OpenAiView.RequestContext> asked = Optional.empty();

  /** Tokens of the drafts that were asked for again. */
  private TokenUsage earlier = TokenUsage.NONE;

  private OpenAiRequest(
      JsonDocument json, RequestHead head, OpenAiCall call, JsonScanner.Limits limits) {
    this.json = json;
    this.limits = limits;
    this.call = call;
    this.head = head;
    this.knownTerms = new OpenAiKnownTerms(json, call);
    this.context = new Context(json, call, knownTerms);
    this.sites = OpenAiView.sites(json, /* written= */ false);
  }

  /** Reads a request; one about a stored answer has an empty body, which reads as no members. */
  static Reading<RequestView> read(
      JsonDocument json, RequestHead head, OpenAiCall call, JsonScanner.Limits limits) {
    int root = json.root();
    boolean asks =
        switch (call) {
          case CHAT -> json.isArray(json.member(root, "messages"));
          case COMPLETIONS -> json.member(root, "prompt") != JsonDocument.NONE;
          case RESPONSES, RESPONSE_READ, RESPONSE_CANCELLED, CHAT_READ -> json.isObject(root);
        };
    return asks && json.misspelt(root, MEMBERS).isEmpty()
        ? new Reading.Readable<>(new OpenAiRequest(json, head, call, limits))
        : new Reading.Malformed<>(
            WireFault.BAD_MESSAGE, "no messages or prompt; expected a completion request");
  }

  @Override
  public AgentProtocol protocol() {
    return OpenAiProtocol.INSTANCE;
  }

  @Override
  public Called called() {
    return switch (call) {
      case CHAT, RESPONSES -> Called.of("chat");
      case COMPLETIONS -> Called.of("text_completion");
      case RESPONSE_READ, RESPONSE_CANCELLED, CHAT_READ -> Called.UNNAMED;
    };
  }

  @Override
  public List<Utf8Span> identity() {
    return List.of(Utf8Span.of(head.method() + " " + head.target()), json.bytes(json.root()));
  }

  @Override
  public List<Utf8Span> conversation(RequestHead head, Optional<String> contextId) {
    if (call.isStored()) {
      return RequestView.super.conversation(head, contextId);
    }
    List<Utf8Span> parts = new ArrayList<>();
    parts.add(Utf8Span.of(head.method() + " " + head.target()));
    parts.addAll(new OpenAiConversation(json, knownTerms::isOurs).parts());
    return parts;
  }

  @Override
  public Utf8Span question() {
    return context.question();
  }

  @Override
  public boolean show(String block, Show where) {
    return where.asText() && knownTerms.show(block);
  }

  @Override
  public Annotatable sites() {
    return this;
  }

  @Override
  public JsonDocument document() {
    return json;
  }

  @Override
  public int forgedVerdicts() {
    return sites.forgedVerdicts();
  }

  @Override
  public int cutRounds() {
    return sites.cutRounds();
  }

  /** A request to a model has no place for a verdict. */
  @Override
  public List<Edit> annotate(VerdictHeader verdict) {
    return strip();
  }

  @Override
  public List<Edit> strip() {
    JsonEdits edits = new JsonEdits(json);
    sites.strip(edits);
    knownTerms.write(edits);
    return edits.sorted();
  }

  private OpenAiView.RequestContext asked() {
    if (asked.isEmpty()) {
      asked = Optional.of(gatherRequestContext());
    }
    return asked.get();
  }

  private OpenAiView.RequestContext gatherRequestContext() {
    JsonTextExtractor said = new JsonTextExtractor(json, Set.of(), /* numbers= */ false);
    said.add(json.root());
    int choices = json.member(json.root(), "n");
    return new OpenAiView.RequestContext(
        question(),
        context.chunks(),
        List.copyOf(said.texts()),
        new OpenAiTextExtractor(json, new GeneratedText(), /* pieces= */ false).number(choices, 1),
        model(),
        json.isTrue(json.member(json.member(json.root(), "stream_options"), "include_usage")),
        earlier);
  }

  private String model() {
    return json.optionalString(json.member(json.root(), "model")).orElse("");
  }

  @Override
  public Reading<ResponseView> readResponse(ResponseHead reply, PlainBody body) {
    if (body.isEmpty()) {
      return ResponseView.Silent.reading();
    }
    return JsonBody.ofResponse(
        reply.fields(),
        body,
        limits,
        answer -> OpenAiView.read(answer, call, asked(), reply.relayed()));
  }

  @Override
  public Optional<StreamReader> readStream(ResponseHead reply) {
    MediaType type = MediaType.of(reply.fields());
    return type.isEventStream() && type.charsetFault().isEmpty()
        ? Optional.of(
            new OpenAiStreamReader(
                limits, call, asked(), reply.relayed(), new SseFraming(reply.eventBytes())))
        : Optional.empty();
  }

  /** The conversation so far, the rejected draft as the assistant's, and the instruction. */
  @Override
  public Optional<byte[]> repair(ResponseView rejected, String instruction, String freshMessageId) {
    Optional<AgentMessage> draft = rejected.message();
    if (draft.isEmpty()) {
      return Optional.empty();
    }
    earlier = earlier.plus(rejected.usage());
    asked = Optional.empty();
    JsonEdits edits = new JsonEdits(json);
    sites.strip(edits);
    if (!knownTerms.replacesText()) {
      knownTerms.write(edits);
    }
    JsonWriter turn = new JsonWriter();
    turn.object().member("role", "assistant");
    turn.member("content", draft.get().answer().toString()).endObject();
    turn.object().member("role", "user").member("content", instruction).endObject();
    int messages = json.member(json.root(), call == OpenAiCall.CHAT ? "messages" : "input");
    boolean possible = call == OpenAiCall.CHAT || call == OpenAiCall.RESPONSES;
    if (possible && json.firstElement(messages) != JsonDocument.NONE) {
      edits.addElements(messages, turn.toString());
    } else if (possible && json.isString(messages)) {
      edits.replace(messages, "[" + knownTerms.aroundText() + "," + turn + "]");
    } else {
      return Optional.empty();
    }
    return Optional.of(json.edited(edits.sorted()));
  }

  /** A model is asked for words; a tool of its own server may do more than say some. */
  @Override
  public boolean isSafe() {
    int tool = json.firstElement(json.member(json.root(), "tools"));
    while (tool != JsonDocument.NONE) {
      String type = json.optionalString(json.member(tool, "type")).orElse("");
      if (!type.equals("function") && !type.equals("custom")) {
        return false;
      }
      tool = json.nextElement(json.member(json.root(), "tools"), tool);
    }
    return true;
  }

  @Override
  public Form answerForm() {
    return json.isTrue(json.member(json.root(), "stream")) ? Form.STREAM : Form.WHOLE;
  }

  @Override
  public Optional<List<byte[]>> asStream(byte[] whole) {
    return new OpenAiForms(call, limits).asStream(whole);
  }

  @Override
  public Optional<byte[]> asWhole(List<byte[]> payloads) {
    return new OpenAiForms(call, limits).asWhole(payloads);
  }

  @Override
  public Refusal refuse(Notice notice, Correlation kept) {
    return refuse(notice, kept, earlier);
  }

  @Override
  public Refusal refuse(Notice notice, ResponseView rejected) {
    return refuse(notice, rejected.correlation(), earlier.plus(rejected.usage()));
  }

  private Refusal refuse(Notice notice, Correlation kept, TokenUsage usage) {
    if (!notice.kind().isReview()) {
      return OpenAiRefusals.error(notice);
    }
    OpenAiRefusals refusals =
        new OpenAiRefusals(call, kept.messageId(), model(), asked().allChoices(), notice, usage);
    return answerForm() == Form.STREAM
        ? refusals.filteredStream(new SseFraming(ResponseHead.EVENT_BYTES))
        : refusals.filtered();
  }

  /**
   * The question and the evidence in a request to a model: the last user message is the question;
   * tool results and system text are the evidence. System text is cut where a line starts with a
   * mark like {@code [c1]}, which becomes the chunk's id (what stands before the first mark is an
   * instruction, not evidence); without any mark it is one chunk, unless it only says how to
   * behave.
   */
  static final class Context {
    private final JsonDocument json;
    private final OpenAiKnownTerms knownTerms;
    private final List<Chunk> chunks = new ArrayList<>();
    private final List<Utf8Span> question = new ArrayList<>();
    private int tools;
    private int systems;

    /** The context of a request; where it has no body there is none. */
    Context(JsonDocument json, OpenAiCall call, OpenAiKnownTerms knownTerms) {
      this.json = json;
      this.knownTerms = knownTerms;
      int root = json.root();
      switch (call) {
        case CHAT -> messages(json.member(root, "messages"));
        case COMPLETIONS -> {
          question.addAll(content(json, json.member(root, "prompt")));
          Utf8Span prompt = Texts.join(question, json.memory());
          chunks.addAll(new MarkedMaterial(prompt, /* lines= */ true).chunks());
        }
        case RESPONSES -> {
          addSystem(content(json, json.member(root, "instructions")));
          int input = json.member(root, "input");
          if (json.isString(input)) {
            addUser(input);
          } else {
            messages(input);
          }
        }
        case RESPONSE_READ, RESPONSE_CANCELLED, CHAT_READ -> {
          // Nothing is asked here: the answer was given to an earlier request.
        }
      }
    }

    private void messages(int messages) {
      int message = json.firstElement(messages);
      while (message != JsonDocument.NONE) {
        String role = json.optionalString(json.member(message, "role")).orElse("");
        List<Utf8Span> content = content(json, json.member(message, "content"));
        switch (role) {
          case "user" -> addUser(json.member(message, "content"));
          case "tool", "function" -> addTool(json.member(message, "tool_call_id"), content);
          case "system", "developer" -> {
            if (!knownTerms.isOurs(message)) {
              addSystem(content);
            }
          }
          default -> {
            // Earlier answers of the assistant are neither asked nor evidence; results of its calls
            // are, where they are items of their own.
            int output = json.member(message, "output");
            if (output != JsonDocument.NONE) {
              addTool(json.member(message, "call_id"), content(json, output));
            }
          }
        }
        message = json.nextElement(messages, message);
      }
    }

    /** The texts of a content member: a string, or an array of parts with {@code text}. */
    static List<Utf8Span> content(JsonDocument json, int content) {
      if (json.isString(content)) {
        return List.of(json.text(content));
      }
      List<Utf8Span> texts = new ArrayList<>();
      int part = json.firstElement(content);
      while (part != JsonDocument.NONE) {
        int text = json.isString(part) ? part : json.member(part, "text");
        if (json.isString(text)) {
          texts.add(json.text(text));
        }
        part = json.nextElement(content, part);
      }
      return texts;
    }

    private void addTool(int callId, List<Utf8Span> content) {
      tools++;
      if (!content.isEmpty()) {
        Optional<String> id = json.optionalString(callId);
        chunks.add(new Chunk(id.orElse("tool-" + tools), Texts.join(content, json.memory())));
      }
    }

    private void addSystem(List<Utf8Span> content) {
      if (content.isEmpty()) {
        return;
      }
      systems++;
      Utf8Span text = Texts.join(content, json.memory());
      List<Chunk> marked = new MarkedMaterial(text, /* lines= */ true).chunks();
      chunks.addAll(marked);
      if (marked.isEmpty() && !BehaviorPrompt.isOne(text)) {
        chunks.add(new Chunk(systems == 1 ? "system" : "system-" + systems, text));
      }
    }

    /** What the user says: a question, and material that is marked or typed as such. */
    private void addUser(int content) {
      question.clear();
      if (json.isString(content)) {
        addMarked(json.text(content), question);
        return;
      }
      List<Utf8Span> others = new ArrayList<>();
      int part = json.firstElement(content);
      while (part != JsonDocument.NONE) {
        addPart(part, others);
        part = json.nextElement(content, part);
      }
      if (question.isEmpty()) {
        question.addAll(others);
      }
    }

    /** A part that is material, the question, or else one of the other texts. */
    private void addPart(int part, List<Utf8Span> others) {
      int guarded = json.member(part, "guardContent");
      int holder = guarded == JsonDocument.NONE ? json.member(part, "guard_content") : guarded;
      int block = json.isObject(holder) ? holder : part;
      int text = json.isString(part) ? part : json.member(block, "text");
      if (json.isObject(text)) {
        block = text;
        text = json.member(text, "text");
      }
      if (!json.isString(text)) {
        return;
      }
      if (is(part, block, "grounding_source")) {
        Optional<String> id = json.scalarText(json.member(part, "id"));
        chunks.add(new Chunk(id.orElse(""), json.text(text)));
      } else if (is(part, block, "query")) {
        question.add(json.text(text));
      } else {
        addMarked(json.text(text), others);
      }
    }

    /** True if a part has a type, or a block one of its qualifiers. */
    private boolean is(int part, int block, String kind) {
      int type = json.member(part, "type");
      boolean found = json.isString(type) && json.textEquals(type, kind);
      for (int holder : new int[] {part, block}) {
        int qualifiers = json.member(holder, "qualifiers");
        int entry = json.firstElement(qualifiers);
        while (entry != JsonDocument.NONE) {
          found |= json.isString(entry) && json.textEquals(entry, kind);
          entry = json.nextElement(qualifiers, entry);
        }
      }
      return found;
    }

    private void addMarked(Utf8Span text, List<Utf8Span> others) {
      MarkedMaterial marked = new MarkedMaterial(text, /* lines= */ false);
      chunks.addAll(marked.chunks());
      if (marked.chunks().isEmpty()) {
        others.add(text);
      } else {
        others.addAll(marked.rest());
      }
    }

    /** The last thing that the user said. */
    Utf8Span question() {
      return Texts.join(question, json.memory());
    }

    /** What the model was given to answer from. */
    List<Chunk> chunks() {
      return List.copyOf(chunks);
    }
  }
}
