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
    return reply instanceof Reply.Answered answered
            && answered.metadata().get(Extensions.ROUND) instanceof Map<?, ?> status
        ? Optional.of(status)
        : Optional.empty();
  }

  private static Optional<String> text(Map<?, ?> members, String name) {
    return members.get(name) instanceof String text ? Optional.of(text) : Optional.empty();
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
