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
 * An answer of A2A, in any JSON binding: a message, a task, a list of tasks, a change of one, an
 * error. The answer is everything that the agent wrote, see {@link A2aTranscript}; what is left
 * unread beside it is named by {@link #unread()}.
 *
 * @param message what the agent says
 * @param unread codes of what nobody can read
 * @param correlation ids in it
 * @param isOpenTask true if it is a task that can still be continued
 * @param round what it says of a round
 * @param edits where verdicts go or hide
 */
record A2aResponse(
    Optional<AgentMessage> message,
    List<String> unread,
    Correlation correlation,
    boolean isOpenTask,
    RoundMark round,
    Annotatable edits)
    implements ResponseView {
  /**
   * Most bytes of text in a protocol error that passes as what it is. Longer ones are judged like
   * any other answer.
   */
  static final int SHORT_ERROR_BYTES = 512;

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
