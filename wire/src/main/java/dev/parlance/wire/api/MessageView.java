package dev.parlance.wire.api;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.wire.bytes.Edit;
import dev.parlance.wire.json.JsonDocument;
import java.util.List;
import java.util.Optional;

/**
 * The common part of request and response views: the agent's message, its ids, the sites of
 * verdicts.
 */
public interface MessageView extends Annotatable {
  /** Code of files, pictures, sounds and links, whose words nobody here can read. */
  String BINARY_PART = "binary_part";

  /** What the sender says; empty if there is no agent text (a card, GetTask, a protocol error). */
  default Optional<AgentMessage> message() {
    return Optional.empty();
  }

  /**
   * Stable codes of what the body holds besides the judged text and nobody read: {@code
   * binary_part} (files, URLs, data without text), {@code status_text}, {@code history_text}.
   * Usually empty.
   */
  default List<String> unread() {
    return List.of();
  }

  /** What the message says of a round; at other places than its own nothing is believed. */
  default RoundMark round() {
    return RoundMark.NONE;
  }

  /** What the message says in a negotiation of a pact; at other places nothing is believed. */
  default PactMark pact() {
    return PactMark.NONE;
  }

  /** What the message says of terms beside its text; at other places than its own it is text. */
  default LexiconMark lexicon() {
    return LexiconMark.NONE;
  }

  /** Ids in the message. */
  default Correlation correlation() {
    return Correlation.NONE;
  }

  /** Where verdicts go or hide; all edits are those of this. */
  default Annotatable sites() {
    return NOWHERE;
  }

  @Override
  default int forgedVerdicts() {
    return sites().forgedVerdicts();
  }

  @Override
  default int cutRounds() {
    return sites().cutRounds();
  }

  @Override
  default JsonDocument document() {
    return sites().document();
  }

  @Override
  default List<Edit> annotate(VerdictHeader verdict) {
    return sites().annotate(verdict);
  }

  @Override
  default List<Edit> strip() {
    return sites().strip();
  }
}
