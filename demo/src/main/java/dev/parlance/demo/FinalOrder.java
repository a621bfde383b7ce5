package dev.parlance.demo;

import dev.parlance.demo.agent.AgentCaller;
import dev.parlance.demo.agent.AgentReply;
import dev.parlance.demo.agent.Extensions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
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

  /**
   * What is tried with rounds that have ended.
   *
   * @param result a semantic commit
   * @param other another one
   * @param verdictOnly a commit to the verdict, if there is one
   */
  static List<FinalOrder> of(
      RoundResult result, RoundResult other, Optional<RoundResult> verdictOnly) {
    String text = result.item().claim();
    List<FinalOrder> orders = new ArrayList<>();
    orders.add(
        new FinalOrder(
            "with the outcome of its round",
            text,
            outcome(result, result.digest()),
            Optional.empty()));
    orders.add(
        new FinalOrder("without any outcome", text, Map.of(), Optional.of("finality_required")));
    orders.add(
        new FinalOrder(
            "with a digest that was made up",
            text,
            outcome(result, FORGED),
            Optional.of("outcome_mismatch")));
    orders.add(
        new FinalOrder(
            "with the outcome of another round",
            text,
            outcome(other, other.digest()),
            Optional.of("outcome_other_subject")));
    verdictOnly.ifPresent(weak ->
        orders.add(
            new FinalOrder(
                "with a commit to the verdict only",
                weak.item().claim(),
                outcome(weak, weak.digest()),
                Optional.of("finality_insufficient"))));
    return orders;
  }

  /** What a round came to, as its members may tell others. */
  private static Map<String, Object> outcome(RoundResult result, String digest) {
    Map<String, Object> outcome =
        Map.of("kind", result.kind(), "verdict", result.result().getVerdict(), "digest", digest);
    return Map.of(
        "round", result.round().getRound(), "epoch", result.round().getEpoch(), "outcome", outcome);
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
