package dev.parlance.proxy.wire;

import dev.parlance.policy.message.AgentMessage;
import java.util.List;
import java.util.Optional;

/** A response that carries no agent text: a protocol error, a card, an empty body. */
record SilentResponse() implements ResponseView {
  private static final SilentResponse INSTANCE = new SilentResponse();

  static Reading<ResponseView> reading() {
    return new Reading.Readable<>(INSTANCE);
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
