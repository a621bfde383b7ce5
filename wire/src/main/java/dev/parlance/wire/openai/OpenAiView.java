package dev.parlance.wire.openai;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.api.Annotatable;
import dev.parlance.wire.api.Correlation;
import dev.parlance.wire.api.Relayed;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.SideTexts;
import dev.parlance.wire.api.VerdictHeader;
import dev.parlance.wire.bytes.Arena;
import dev.parlance.wire.bytes.Edit;
import dev.parlance.wire.bytes.Texts;
import dev.parlance.wire.metadata.EvidenceReader;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * An answer of the OpenAI protocols, or what of a streamed one has come.
 *
 * @param message what the model says; where it says nothing and only asks for tools, what it asks
 *     for
 * @param beside what it asks tools for, where it says something too
 * @param answersQuestion false if it only asks for tools
 */
record OpenAiView(
    Optional<AgentMessage> message,
    Utf8Span beside,
    boolean answersQuestion,
    List<String> unread,
    Correlation correlation,
    Annotatable places)
    implements ResponseView {

  /**
   * What is known of the request.
   *
   * @param question what was asked
   * @param chunks what the model was given to answer from
   * @param said strings of the request; an answer that repeats them says nothing new with it
   * @param choices how many answers were asked for
   * @param model the model that was asked, empty if that is not known
   */
  record Asked(
      Utf8Span question, List<Chunk> chunks, List<Utf8Span> said, int choices, String model) {}

  static OpenAiView of(
      GeneratedText spoken,
      Asked asked,
      Collection<Chunk> found,
      Set<String> unread,
      Optional<String> id,
      Relayed relayed,
      Annotatable places,
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
        List.copyOf(unread),
        new Correlation(Optional.empty(), Optional.empty(), id),
        places);
  }

  @Override
  public int forgedVerdicts() {
    return places.forgedVerdicts();
  }

  @Override
  public int cutRounds() {
    return places.cutRounds();
  }

  @Override
  public List<Edit> annotate(VerdictHeader verdict) {
    return places.annotate(verdict);
  }

  @Override
  public List<Edit> strip() {
    return places.strip();
  }
}
