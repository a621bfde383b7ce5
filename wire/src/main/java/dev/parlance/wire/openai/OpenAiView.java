package dev.parlance.wire.openai;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.api.AgentError;
import dev.parlance.wire.api.Annotatable;
import dev.parlance.wire.api.Correlation;
import dev.parlance.wire.api.ResponseHead.Relayed;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.RoundMark;
import dev.parlance.wire.api.SideTexts;
import dev.parlance.wire.api.TokenUsage;
import dev.parlance.wire.bytes.Arena;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.bytes.Texts;
import dev.parlance.wire.bytes.WireFault;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.metadata.EvidenceReader;
import dev.parlance.wire.metadata.MemberSites;
import dev.parlance.wire.metadata.VerdictJson;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * An answer of the OpenAI protocols, or what of a streamed one has come.
 *
 * @param message what the model says; where it says nothing and only asks for tools, what it asks
 *     for
 * @param beside what it asks tools for, where it says something too
 * @param answersQuestion false if it only asks for tools
 * @param acts true if it asks for tools, or its server has called some
 * @param usage the tokens that it says it took
 * @param failure the error in it
 */
record OpenAiView(
    Optional<AgentMessage> message,
    Utf8Span beside,
    boolean answersQuestion,
    boolean acts,
    TokenUsage usage,
    List<String> unread,
    Correlation correlation,
    Annotatable sites,
    Optional<AgentError> failure)
    implements ResponseView {

  private static final Set<String> CHAT_MEMBERS = Set.of("choices", "error", "id");
  private static final Set<String> RESPONSE_MEMBERS = Set.of("output", "error", "id", "status");
  private static final Set<String> CHOICE_MEMBERS = Set.of("message", "delta", "text");
  private static final Set<String> MESSAGE_MEMBERS = Set.of("content", "refusal");

  /**
   * What is known of the request.
   *
   * @param question what was asked
   * @param chunks what the model was given to answer from
   * @param said strings of the request; an answer that repeats them says nothing new with it
   * @param choices how many answers were asked for
   * @param model the model that was asked, empty if that is not known
   * @param wantsUsage true if a stream is to say at its end how many tokens it took
   * @param earlier tokens of the drafts that the caller does not get
   */
  record RequestContext(
      Utf8Span question,
      List<Chunk> chunks,
      List<Utf8Span> said,
      int choices,
      String model,
      boolean wantsUsage,
      TokenUsage earlier) {
    private static final int MAX_CHOICES = 128;

    /** The indexes of the choices that were asked for: a refusal has each of them. */
    Set<Integer> allChoices() {
      return IntStream.range(0, Math.clamp(choices, 1, MAX_CHOICES))
          .boxed()
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  static OpenAiView of(
      GeneratedText spoken,
      RequestContext asked,
      Collection<Chunk> found,
      Set<String> cited,
      boolean acts,
      TokenUsage usage,
      Set<String> unread,
      Optional<String> id,
      Relayed relayed,
      Annotatable sites,
      Arena memory) {
    SideTexts side = new SideTexts(relayed, memory);
    side.know(asked.said());
    Utf8Span text =
        side.join(spoken.of(GeneratedText.Tier.ANSWER), spoken.of(GeneratedText.Tier.SIDE));
    Utf8Span calls = side.join(List.of(), spoken.of(GeneratedText.Tier.BESIDE));
    boolean speaks = !text.isEmpty();
    EvidenceReader evidence = new EvidenceReader();
    asked.chunks().forEach(chunk -> evidence.addCarriedChunk(chunk.id(), chunk.text()));
    found.forEach(chunk -> evidence.addCarriedChunk(chunk.id(), chunk.text()));
    cited.forEach(evidence::addCarriedCitation);
    Optional<AgentMessage> message = Optional.empty();
    if (speaks) {
      message = Optional.of(new AgentMessage(text, asked.question(), evidence.evidence()));
    } else if (Texts.hasWords(calls)) {
      message = Optional.of(new AgentMessage(calls, asked.question(), Evidence.NONE));
    }
    return new OpenAiView(
        message,
        speaks ? calls : Utf8Span.EMPTY,
        speaks || message.isEmpty(),
        acts,
        usage,
        List.copyOf(unread),
        new Correlation(Optional.empty(), Optional.empty(), id),
        sites,
        Optional.empty());
  }

  private OpenAiView with(Optional<AgentError> error) {
    List<String> codes = new ArrayList<>(unread);
    error.ifPresent(_ -> codes.add(Failed.UNREAD));
    return new OpenAiView(
        message, beside, answersQuestion, acts, usage, codes, correlation, sites, error);
  }

  /** Reads an answer that is whole. */
  static Reading<ResponseView> read(
      JsonDocument json, OpenAiCall call, RequestContext asked, Relayed relayed) {
    int root = json.root();
    if (!json.isObject(root)) {
      return new Reading.Unjudged<>("shape");
    }
    Optional<String> misspelt = misspelt(json, call);
    if (misspelt.isPresent()) {
      return new Reading.Malformed<>(
          WireFault.BAD_MESSAGE, "a member is spelt in other case; expected a completion");
    }
    GeneratedText spoken = GeneratedText.of(json);
    Optional<String> id = json.optionalString(json.member(root, "id"));
    OpenAiUsage usage = new OpenAiUsage(json, call);
    Annotatable sites = usage.with(asked.earlier(), sites(json, /* written= */ true));
    int error = OpenAiTextExtractor.errorIn(json);
    boolean isFailed = error != JsonDocument.NONE;
    if (call.isResponse()) {
      if (!json.isArray(json.member(root, "output"))) {
        return isFailed
            ? new Reading.Readable<>(new Failed(AgentError.of(json, root, error), sites))
            : new Reading.Unjudged<>("shape");
      }
      OpenAiResponsesExtractor words =
          new OpenAiResponsesExtractor(json, spoken, /* pieces= */ false);
      words.response(root);
      return new Reading.Readable<>(
          of(
                  spoken,
                  asked,
                  words.found(),
                  words.cited(),
                  words.acts(),
                  usage.stated(),
                  words.unread(),
                  id,
                  relayed,
                  sites,
                  json.memory())
              .with(words.failure()));
    }
    int choices = json.member(root, "choices");
    if (json.firstElement(choices) == JsonDocument.NONE && !isFailed) {
      return new Reading.Unjudged<>("shape");
    }
    OpenAiChatExtractor words = new OpenAiChatExtractor(json, spoken, /* pieces= */ false);
    words.read();
    return new Reading.Readable<>(
        of(
                spoken,
                asked,
                List.of(),
                words.cited(),
                words.acts(),
                usage.stated(),
                words.unread(),
                id,
                relayed,
                sites,
                json.memory())
            .with(words.failure()));
  }

  /**
   * The sites of verdicts in a body or an event: in member {@code asp} of the outermost object, or
   * of the response that an event holds. Statements on rounds in their {@code metadata} are taken
   * out, because nobody checks them there.
   *
   * @param written true if a verdict is written, false if it is only taken out
   */
  static MemberSites sites(JsonDocument json, boolean written) {
    int root = json.isObject(json.root()) ? json.root() : JsonDocument.NONE;
    int response = json.member(root, "response");
    int holder = json.isObject(response) ? response : root;
    MemberSites sites =
        new MemberSites(json, written ? holder : JsonDocument.NONE, "", VerdictJson.MEMBER);
    for (int object = root;
        object != JsonDocument.NONE;
        object = object == holder ? JsonDocument.NONE : holder) {
      sites.verdictIn(object);
      sites.roundIn(json.member(object, "metadata"), RoundMark.URI);
    }
    return sites;
  }

  /** A name in other case is unknown to us and known to a reader that ignores case. */
  static Optional<String> misspelt(JsonDocument json, OpenAiCall call) {
    if (call.isResponse()) {
      return json.misspelt(json.root(), RESPONSE_MEMBERS);
    }
    Optional<String> misspelt = json.misspelt(json.root(), CHAT_MEMBERS);
    int choices = json.member(json.root(), "choices");
    int choice = json.firstElement(choices);
    while (choice != JsonDocument.NONE && misspelt.isEmpty()) {
      int message = json.member(choice, "message");
      int delta = json.member(choice, "delta");
      misspelt =
          json.misspelt(choice, CHOICE_MEMBERS)
              .or(() -> json.misspelt(message, MESSAGE_MEMBERS))
              .or(() -> json.misspelt(delta, MESSAGE_MEMBERS));
      choice = json.nextElement(choices, choice);
    }
    return misspelt;
  }
}
