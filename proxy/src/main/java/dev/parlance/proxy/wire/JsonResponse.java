package dev.parlance.proxy.wire;

import dev.parlance.policy.message.AgentMessage;
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
  public List<Edit> annotate(Annotation verdict) {
    return RootVerdict.annotate(json, verdict);
  }

  @Override
  public List<Edit> strip() {
    return RootVerdict.strip(json);
  }
}
