package dev.parlance.demo.agent;

import java.util.Map;
import java.util.Optional;

/**
 * A ballot that was sent, and what the agent heard of it.
 *
 * @param agent who voted
 * @param ballot what it proposed
 * @param reply what came back: the moderator's answer, or what the agent's own sidecar says
 */
public record Cast(String agent, Ballot ballot, Reply reply) {
  /** Where the round stood when the answer came; empty if no sidecar said so. */
  public Optional<String> state() {
    return reply instanceof Reply.Answered answered
            && answered.metadata().get(Extensions.ROUND) instanceof Map<?, ?> status
            && status.get("state") instanceof String state
        ? Optional.of(state)
        : Optional.empty();
  }

  /** Why it was not taken, in the sidecar's words; empty if the moderator has it. */
  public Optional<String> refused() {
    return switch (reply) {
      case Reply.Answered _ -> Optional.empty();
      case Reply.Withheld withheld ->
          Optional.of(
              withheld.verdict().reasons().isEmpty()
                  ? withheld.why()
                  : String.join(", ", withheld.verdict().reasons()));
      case Reply.Failed failed -> Optional.of(failed.why());
    };
  }
}
