package dev.parlance.wire.plain;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.wire.api.Correlation;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.RoundMark;
import dev.parlance.wire.api.VerdictHeader;
import dev.parlance.wire.bytes.Edit;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.metadata.RootVerdict;
import java.util.List;
import java.util.Optional;

/**
 * A JSON answer that takes the verdict as a member of its outermost object.
 *
 * @param json the body
 * @param message what the agent says
 * @param correlation ids in it
 * @param unread codes of what was left unread
 * @param round what it says of a round
 */
record JsonResponse(
    JsonDocument json,
    Optional<AgentMessage> message,
    Correlation correlation,
    List<String> unread,
    RoundMark round)
    implements ResponseView {
  @Override
  public int forgedVerdicts() {
    return RootVerdict.forgedCount(json);
  }

  @Override
  public List<Edit> annotate(VerdictHeader verdict) {
    return RootVerdict.annotate(json, verdict);
  }

  @Override
  public List<Edit> strip() {
    return RootVerdict.strip(json);
  }
}
