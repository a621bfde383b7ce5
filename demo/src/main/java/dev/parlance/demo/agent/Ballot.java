package dev.parlance.demo.agent;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What an agent proposes in a round.
 *
 * @param round name of the round
 * @param epoch its epoch, from 1
 * @param verdict the verdict
 * @param rationale why, which is also the text of the message
 * @param answer when the answer is wanted
 */
public record Ballot(String round, long epoch, String verdict, String rationale, Answer answer) {
  /** When the answer is wanted. */
  public enum Answer {
    /** As soon as the proposal is taken; it says where the round stands. */
    AT_ONCE,
    /** When the round has ended; it brings the outcome. */
    WITH_OUTCOME
  }

  /** The same for another epoch of the round. */
  public Ballot inEpoch(long other) {
    return new Ballot(round, other, verdict, rationale, answer);
  }

  /** The same, with an answer that brings the outcome. */
  public Ballot waiting() {
    return new Ballot(round, epoch, verdict, rationale, Answer.WITH_OUTCOME);
  }

  /** Metadata of the message that carries it. */
  Map<String, Object> metadata() {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("round", round);
    members.put("epoch", epoch);
    members.put("verdict", verdict);
    if (answer == Answer.WITH_OUTCOME) {
      members.put("wait", true);
    }
    return Map.of(Extensions.ROUND, members);
  }
}
