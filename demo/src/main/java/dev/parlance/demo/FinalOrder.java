package dev.parlance.demo;

import dev.parlance.demo.agent.AgentCaller;
import dev.parlance.demo.agent.AgentReply;
import dev.parlance.demo.agent.Extensions;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * A message on a route that asks for a semantic commit: it has to name a round that decided just
 * this text, and what it says of the round has to be true.
 *
 * @param what what is tried, for people
 * @param text the message
 * @param claim what it says of a round; empty if it says nothing
 * @param expected the code of the refusal that is expected; empty if the message is to pass
 */
record FinalOrder(String what, String text, Map<String, Object> claim, Optional<String> expected) {
  private static final String FORGED =
      "00000000000000000000000000000000000000000000000000000000deadbeef";

  /**
   * What became of it.
   *
   * @param order the message
   * @param passed true if the agent has confirmed it
   * @param said the refusal, or the agent's answer
   */
  record Outcome(FinalOrder order, boolean passed, String said) {
    /** True if it went as expected. */
    boolean isAsExpected() {
      return order.expected().map(code -> !passed && said.contains(code)).orElse(passed);
    }

    Map<String, Object> toMap() {
      Map<String, Object> members = new LinkedHashMap<>();
      members.put("what", order.what());
      members.put("text", order.text());
      order.expected().ifPresent(code -> members.put("expected", code));
      members.put("passed", passed);
      members.put("said", said);
      return members;
    }
  }

  /** What a round came to, as its members may tell others. */
  private static Map<String, Object> outcomeOf(RoundResult result, String digest) {
    return Map.of(
        "round",
        result.round().round(),
        "epoch",
        result.round().epoch(),
        "outcome",
        Map.of(
            "kind", result.kind(),
            "verdict", result.round().result().verdict(),
            "digest", digest));
  }

  static FinalOrder justified(RoundResult result) {
    return new FinalOrder(
        "with the outcome of its round",
        result.item().claim(),
        outcomeOf(result, result.digest()),
        Optional.empty());
  }

  static FinalOrder forged(RoundResult result) {
    return new FinalOrder(
        "with a digest that was made up",
        result.item().claim(),
        outcomeOf(result, FORGED),
        Optional.of("outcome_mismatch"));
  }

  static FinalOrder ofAnother(RoundResult result, RoundResult other) {
    return new FinalOrder(
        "with the outcome of another round",
        result.item().claim(),
        outcomeOf(other, other.digest()),
        Optional.of("outcome_other_subject"));
  }

  static FinalOrder tooWeak(RoundResult verdictOnly) {
    return new FinalOrder(
        "with a commit to the verdict only",
        verdictOnly.item().claim(),
        outcomeOf(verdictOnly, verdictOnly.digest()),
        Optional.of("finality_insufficient"));
  }

  static FinalOrder bare(RoundResult result) {
    return new FinalOrder(
        "without any outcome", result.item().claim(), Map.of(), Optional.of("finality_required"));
  }

  /** Gives it and waits for what comes back. */
  Outcome give(AgentCaller caller) {
    String conversation = "final-" + UUID.randomUUID();
    AgentReply reply =
        claim.isEmpty()
            ? caller.send(text, conversation)
            : caller.send(text, conversation, Map.of(Extensions.ROUND, claim));
    return new Outcome(this, reply instanceof AgentReply.Answered, reply.said());
  }
}
