package dev.parlance.proxy.wire;

import dev.parlance.policy.message.AgentMessage;
import java.util.List;
import java.util.Optional;

/**
 * A response that carries no answer to judge: a protocol error, a card, an empty body.
 *
 * @param unread codes of the texts in it that nobody reads
 */
record SilentResponse(List<String> unread) implements ResponseView {
  /** One without any text. */
  static Reading<ResponseView> reading() {
    return new Reading.Readable<>(new SilentResponse(List.of()));
  }

  /** A protocol error: its message is text for people, and not an answer that evidence fits. */
  static Reading<ResponseView> error() {
    return new Reading.Readable<>(new SilentResponse(List.of("error_text")));
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
    return 0;
  }

  @Override
  public List<Edit> annotate(Annotation verdict) {
    return List.of();
  }

  @Override
  public List<Edit> strip() {
    return List.of();
  }
}
