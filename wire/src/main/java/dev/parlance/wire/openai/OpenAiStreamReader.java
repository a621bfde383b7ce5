package dev.parlance.wire.openai;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.api.Annotatable;
import dev.parlance.wire.api.Frame;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.ResponseHead.Relayed;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.StreamEvent;
import dev.parlance.wire.api.StreamFraming;
import dev.parlance.wire.api.StreamReader;
import dev.parlance.wire.api.TokenUsage;
import dev.parlance.wire.bytes.Arena;
import dev.parlance.wire.bytes.WireFault;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonScanner;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reads streamed completions (chunks with deltas, then {@code [DONE]}) and streamed responses
 * (events by type). A completion is complete when every choice that was asked for has a reason to
 * end; a response with the event that says how it ended. Everything from the first event on belongs
 * to the answer, so that one that is held can be asked for again before its caller saw any of it.
 */
final class OpenAiStreamReader implements StreamReader {
  private static final String DONE = "[DONE]";
  private static final String RESPONSE = "response.";
  private static final int MAX_DONE_BYTES = 32;
  private static final Set<String> EVENT_MEMBERS =
      Set.of("type", "delta", "response", "item", "part", "text", "refusal");
  private static final Set<String> ENDS =
      Set.of(
          "response.completed",
          "response.failed",
          "response.incomplete",
          "response.cancelled",
          "error");

  private final JsonScanner.Limits limits;
  private final OpenAiCall call;
  private final OpenAiView.RequestContext asked;
  private final Relayed relayed;
  private final StreamFraming framing;
  private final GeneratedText spoken = new GeneratedText();
  private final Set<Chunk> found = new LinkedHashSet<>();
  private final Set<String> cited = new LinkedHashSet<>();
  private final Set<String> unread = new LinkedHashSet<>();
  private final TreeSet<Integer> begun = new TreeSet<>();
  private final TreeSet<Integer> finished = new TreeSet<>();
  private final Set<Boolean> naming = new HashSet<>();
  private Annotatable last = new ResponseView.Silent(List.of());
  private Optional<String> id = Optional.empty();
  private boolean started;
  private boolean ended;
  private boolean acts;
  private TokenUsage usage = TokenUsage.NONE;

  OpenAiStreamReader(
      JsonScanner.Limits limits,
      OpenAiCall call,
      OpenAiView.RequestContext asked,
      Relayed relayed,
      StreamFraming framing) {
    this.limits = limits;
    this.call = call;
    this.asked = asked;
    this.relayed = relayed;
    this.framing = framing;
  }

  @Override
  public StreamFraming framing() {
    return framing;
  }

  @Override
  public StreamEvent read(Frame frame) {
    byte[] payload = frame.payload().orElse(new byte[0]);
    if (isDone(payload)) {
      ended = true;
      return StreamEvent.Silent.NOTHING;
    }
    if (frame.saysNothing()) {
      return StreamEvent.Silent.NOTHING;
    }
    return switch (JsonScanner.scan(payload, limits)) {
      case JsonScanner.Refused(WireFault fault, String detail) ->
          frame.name().isEmpty()
              ? new StreamEvent.Malformed(fault, detail)
              : new StreamEvent.Foreign("event_name");
      case JsonScanner.Scanned scanned -> event(scanned.document(), frame.name());
    };
  }

  /** In any case, bare or as a JSON string. */
  private static boolean isDone(byte[] payload) {
    if (payload.length > MAX_DONE_BYTES) {
      return false;
    }
    String text = new String(payload, StandardCharsets.UTF_8).replace('"', ' ').strip();
    return text.equalsIgnoreCase(DONE);
  }

  /** True for what a client takes for a chunk or an error, whatever its event is called. */
  private static boolean isOfCompletion(JsonDocument json) {
    return json.member(json.root(), "choices") != JsonDocument.NONE
        || json.member(json.root(), "object") != JsonDocument.NONE
        || OpenAiTextExtractor.statedErrorIn(json) != JsonDocument.NONE;
  }

  private StreamEvent event(JsonDocument json, String name) {
    int root = json.root();
    if (!json.isObject(root)) {
      return new StreamEvent.Unjudged("shape");
    }
    boolean isNamed = !name.isEmpty() && !name.equals("message");
    if (isNamed && !call.isResponse() && !isOfCompletion(json)) {
      return new StreamEvent.Foreign("event_name");
    }
    Optional<String> misspelt =
        OpenAiView.misspelt(json, call)
            .or(() -> call.isResponse() ? json.misspelt(root, EVENT_MEMBERS) : Optional.empty());
    if (misspelt.isPresent()) {
      return new StreamEvent.Malformed(
          WireFault.BAD_MESSAGE, "a member is spelt in other case; expected a completion");
    }
    if (call.isResponse() && isNamedOtherwise(json, name)) {
      return new StreamEvent.Malformed(
          WireFault.BAD_MESSAGE, "an event has another name than its type; expected the same");
    }
    OpenAiUsage stated = new OpenAiUsage(json, call);
    if (!stated.stated().equals(TokenUsage.NONE)) {
      usage = stated.stated();
    }
    last = stated.with(asked.earlier(), OpenAiView.sites(json, /* written= */ true));
    return call.isResponse() ? response(json) : chunk(json);
  }

  /**
   * True for an event of a response that clients which go by names read in another way than those
   * which go by types, or that only one of them reads while both read others.
   */
  private boolean isNamedOtherwise(JsonDocument json, String name) {
    String type = json.optionalString(json.member(json.root(), "type")).orElse("");
    boolean isTyped = name.equals(type);
    if (type.startsWith(RESPONSE) && type.endsWith(".delta")) {
      naming.add(isTyped);
    }
    return (name.startsWith(RESPONSE) && !isTyped) || naming.size() > 1;
  }

  /** What is wrong with the order of an answer's pieces, if readers make several answers of it. */
  private Optional<StreamEvent> disorder(OpenAiTextExtractor words) {
    boolean isOneText = call.isResponse() || (call == OpenAiCall.CHAT && asked.choices() <= 1);
    return words.isMisplaced() || (isOneText && spoken.hasReturned())
        ? Optional.of(
            new StreamEvent.Malformed(
                WireFault.BAD_MESSAGE,
                "pieces of several texts in turn, or an index that is none; expected one text"
                    + " behind the other"))
        : Optional.empty();
  }

  private StreamEvent chunk(JsonDocument json) {
    int before = spoken.bytes();
    OpenAiChatExtractor words = new OpenAiChatExtractor(json, spoken, /* pieces= */ true);
    words.read();
    Optional<StreamEvent> disorder = disorder(words);
    if (disorder.isPresent()) {
      return disorder.get();
    }
    if (id.isEmpty()) {
      id = json.optionalString(json.member(json.root(), "id"));
    }
    addCited(words);
    begun.addAll(words.begun());
    finished.addAll(words.finished());
    unread.addAll(words.unread());
    acts |= words.acts();
    ended |= words.failure().isPresent();
    started |= !words.begun().isEmpty();
    boolean says = !words.begun().isEmpty() || spoken.bytes() > before || !words.unread().isEmpty();
    if (words.failure().isPresent()) {
      return new StreamEvent.Failed(words.failure().get(), says, last);
    }
    return says
        ? new StreamEvent.Said(!isOpen(), List.copyOf(words.unread()), last)
        : new StreamEvent.Silent(false, last);
  }

  private StreamEvent response(JsonDocument json) {
    String type = json.optionalString(json.member(json.root(), "type")).orElse("");
    OpenAiResponsesExtractor words =
        new OpenAiResponsesExtractor(json, spoken, /* pieces= */ false);
    words.event(type);
    Optional<StreamEvent> disorder = disorder(words);
    if (disorder.isPresent()) {
      return disorder.get();
    }
    if (id.isEmpty()) {
      id = json.optionalString(json.member(json.member(json.root(), "response"), "id"));
    }
    found.addAll(words.found());
    addCited(words);
    unread.addAll(words.unread());
    acts |= words.acts();
    started = true;
    ended |= ENDS.contains(type);
    if (words.failure().isPresent()) {
      // One that is more than an error repeats what was said.
      return new StreamEvent.Failed(words.failure().get(), !type.equals("error"), last);
    }
    return new StreamEvent.Said(!isOpen(), List.copyOf(words.unread()), last);
  }

  private void addCited(OpenAiTextExtractor words) {
    if (cited.size() < Evidence.MAX_CHUNKS) {
      cited.addAll(words.cited());
    }
  }

  @Override
  public AgentMessage said() {
    return view()
        .message()
        .orElseGet(() -> new AgentMessage(Utf8Span.EMPTY, asked.question(), Evidence.NONE));
  }

  private OpenAiView view() {
    return OpenAiView.of(
        spoken, asked, found, cited, acts, usage, unread, id, relayed, last, Arena.unpooled());
  }

  @Override
  public int saidBytes() {
    return spoken.bytes();
  }

  @Override
  public boolean isOpen() {
    if (!started || ended) {
      return false;
    }
    return call.isResponse()
        || !finished.containsAll(begun)
        || finished.size() < asked.choices()
        || (asked.wantsUsage() && usage.equals(TokenUsage.NONE));
  }

  @Override
  public boolean isWordless() {
    return view().message().isEmpty();
  }

  @Override
  public void forget() {
    spoken.forget();
  }

  @Override
  public ResponseView soFar() {
    return view();
  }

  /** Ends every choice that a reader still waits for, and all of them where it has seen nothing. */
  @Override
  public StreamReader.Ending refuse(Notice notice, boolean isBegun) {
    Set<Integer> waiting = asked.allChoices();
    waiting.addAll(begun);
    if (isBegun) {
      waiting.removeAll(finished);
    }
    Set<Integer> choices = waiting.isEmpty() ? Set.of(0) : waiting;
    return new OpenAiRefusals(call, id, asked.model(), choices, notice, asked.earlier().plus(usage))
        .events();
  }
}
