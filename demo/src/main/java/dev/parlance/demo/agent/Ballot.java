package dev.parlance.demo.agent;

import io.a2a.spec.Message;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

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

  /** The ballot that a message carries; empty if it carries none. */
  static Optional<Ballot> in(Message message, String rationale) {
    return message.getMetadata() != null
            && message.getMetadata().get(Extensions.ROUND) instanceof Map<?, ?> members
            && members.get("round") instanceof String round
            && members.get("epoch") instanceof Number epoch
            && members.get("verdict") instanceof String verdict
        ? Optional.of(new Ballot(round, epoch.longValue(), verdict, rationale, Answer.AT_ONCE))
        : Optional.empty();
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

  /**
   * A ballot that was sent, and what the agent heard of it.
   *
   * @param agent who voted
   * @param ballot what it proposed
   * @param reply what came back: the moderator's answer, or what the agent's own sidecar says
   */
  public record Cast(String agent, Ballot ballot, AgentReply reply) {
    /**
     * An outcome as the agent's sidecar wrote it into the answer.
     *
     * @param kind semantic_commit, verdict_commit or abort
     * @param verdict of a commit, else empty
     * @param digest of a commit, hex, else empty
     */
    public record Heard(String kind, String verdict, String digest) {}

    /** Where the round stood when the answer came; empty if no sidecar said so. */
    public Optional<String> state() {
      return status().flatMap(status -> text(status, "state"));
    }

    /** The outcome, if the answer brought it. */
    public Optional<Heard> outcome() {
      return status().flatMap(Cast::outcomeIn);
    }

    private static Optional<Heard> outcomeIn(Map<?, ?> status) {
      return status.get("outcome") instanceof Map<?, ?> outcome
          ? Optional.of(
              new Heard(
                  text(outcome, "kind").orElse(""),
                  text(outcome, "verdict").orElse(""),
                  text(outcome, "digest").orElse("")))
          : Optional.empty();
    }

    private Optional<Map<?, ?>> status() {
      return reply instanceof AgentReply.Answered answered
              && answered.metadata().get(Extensions.ROUND) instanceof Map<?, ?> status
          ? Optional.of(status)
          : Optional.empty();
    }

    private static Optional<String> text(Map<?, ?> members, String name) {
      return members.get(name) instanceof String text ? Optional.of(text) : Optional.empty();
    }

    /** Why it was not taken, in the sidecar's words; empty if the moderator has it. */
    public Optional<String> refused() {
      return reply instanceof AgentReply.Answered ? Optional.empty() : Optional.of(reply.said());
    }
  }
}
