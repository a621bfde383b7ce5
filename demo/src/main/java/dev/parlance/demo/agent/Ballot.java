package dev.parlance.demo.agent;

import io.a2a.spec.Message;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What an agent proposes in a round.
 *
 * @param round name of the round
 * @param epoch its epoch, from 1
 * @param verdict the verdict
 * @param rationale why, which is also the text of the message
 * @param waits true if the answer is to bring the outcome; else it says where the round stands
 */
public record Ballot(String round, long epoch, String verdict, String rationale, boolean waits) {
  /** The same for another epoch of the round. */
  public Ballot inEpoch(long other) {
    return new Ballot(round, other, verdict, rationale, waits);
  }

  /** The ballot that a message carries; empty if it carries none. */
  static Optional<Ballot> in(Message message, String rationale) {
    return message.getMetadata() != null
            && message.getMetadata().get(Extensions.ROUND) instanceof Map<?, ?> members
            && members.get("round") instanceof String round
            && members.get("epoch") instanceof Number epoch
            && members.get("verdict") instanceof String verdict
        ? Optional.of(new Ballot(round, epoch.longValue(), verdict, rationale, false))
        : Optional.empty();
  }

  /** Metadata of the message that carries it. */
  Map<String, Object> metadata() {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("round", round);
    members.put("epoch", epoch);
    members.put("verdict", verdict);
    if (waits) {
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
    /** Where the round stood when the answer came, as the agent's sidecar wrote it. */
    public Map<?, ?> status() {
      return reply.metadata().get(Extensions.ROUND) instanceof Map<?, ?> status ? status : Map.of();
    }

    /** Kind, verdict and digest of the outcome, as far as the answer brought them. */
    public Optional<String> outcome() {
      return status().get("outcome") instanceof Map<?, ?> outcome
          ? Optional.of(
              Stream.of("kind", "verdict", "digest")
                  .filter(outcome::containsKey)
                  .map(name -> String.valueOf(outcome.get(name)))
                  .collect(Collectors.joining(" ")))
          : Optional.empty();
    }

    /** Why it was not taken, in the sidecar's words; empty if the moderator has it. */
    public Optional<String> refused() {
      return reply.answered() ? Optional.empty() : Optional.of(reply.said());
    }
  }
}
