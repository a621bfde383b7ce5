package dev.parlance.wire.a2a;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.wire.api.Annotatable;
import dev.parlance.wire.api.Correlation;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.RoundMark;
import dev.parlance.wire.api.VerdictHeader;
import dev.parlance.wire.bytes.Edit;
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
  public List<Edit> annotate(VerdictHeader verdict) {
    return edits.annotate(verdict);
  }

  @Override
  public List<Edit> strip() {
    return edits.strip();
  }
}
