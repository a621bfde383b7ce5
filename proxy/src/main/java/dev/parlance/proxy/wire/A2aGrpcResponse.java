package dev.parlance.proxy.wire;

import dev.parlance.policy.message.AgentMessage;
import java.util.List;
import java.util.Optional;

/**
 * An answer over gRPC: what it says as the JSON reader of A2A hears it, edited as protobuf.
 *
 * @param heard what it says
 * @param edits where verdicts go
 * @param openTask true if it is a task that can still be continued
 */
record A2aGrpcResponse(ResponseView heard, Annotatable edits, boolean openTask)
    implements ResponseView {
  @Override
  public Optional<AgentMessage> message() {
    return heard.message();
  }

  @Override
  public List<String> unread() {
    return heard.unread();
  }

  @Override
  public Correlation correlation() {
    return heard.correlation();
  }

  @Override
  public int forgedVerdicts() {
    return edits.forgedVerdicts();
  }

  @Override
  public RoundMark round() {
    return heard.round();
  }

  @Override
  public int cutRounds() {
    return edits.cutRounds();
  }

  @Override
  public List<Edit> annotate(Annotation verdict) {
    return edits.annotate(verdict);
  }

  @Override
  public List<Edit> strip() {
    return edits.strip();
  }
}
