package dev.parlance.wire.api;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.wire.bytes.Edit;
import dev.parlance.wire.bytes.Reading;
import java.util.List;
import java.util.Optional;

/**
 * A response that carries no answer to judge: a protocol error, a card, an empty body.
 *
 * @param unread codes of the texts in it that nobody reads
 * @param edits for what the sender may not assert
 */
public record SilentResponse(List<String> unread, Annotatable edits) implements ResponseView {
  /** One without anything that the sender may not assert. */
  public SilentResponse(List<String> unread) {
    this(unread, Annotatable.NOWHERE);
  }

  /** One without any text. */
  public static Reading<ResponseView> reading() {
    return new Reading.Readable<>(new SilentResponse(List.of()));
  }

  /** A protocol error: its message is text for people, and not an answer that evidence fits. */
  public static Reading<ResponseView> error() {
    return error(Annotatable.NOWHERE);
  }

  /** As above, where something may stand beside the error. */
  public static Reading<ResponseView> error(Annotatable edits) {
    return new Reading.Readable<>(new SilentResponse(List.of("error_text"), edits));
  }

  @Override
  public Optional<AgentMessage> message() {
    return Optional.empty();
  }

  @Override
  public Correlation correlation() {
    return Correlation.NONE;
  }

  @Override
  public int forgedVerdicts() {
    return edits.forgedVerdicts();
  }

  @Override
  public int cutRounds() {
    return edits.cutRounds();
  }

  @Override
  public List<Edit> annotate(VerdictHeader verdict) {
    return edits.annotate(verdict);
  }

  @Override
  public List<Edit> strip() {
    return edits.strip();
  }
}
