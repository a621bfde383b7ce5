package dev.parlance.demo;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.parlance.demo.agent.AgentCaller;
import dev.parlance.demo.agent.AgentReply;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * An order that one agent has given another, and what became of it. Orders have consequences, so
 * the receiver's sidecar holds each against the certified core.
 *
 * @param to who was ordered: A or B
 * @param text the order
 * @param passed true if the receiver has confirmed it
 * @param route of the sidecar in words; empty if nothing was said
 * @param reasons of the sidecar
 * @param reviewId id in the review queue, if the order is held
 * @param answer what came back: the receiver's words, or the sidecar's
 */
record Order(
    String to,
    @JsonProperty("order") String text,
    boolean passed,
    String route,
    List<String> reasons,
    Optional<String> reviewId,
    String answer) {
  Order {
    reasons = List.copyOf(reasons);
  }

  /** A conversation of its own: each has a budget for asking again. */
  static String conversation() {
    return "orders-" + UUID.randomUUID();
  }

  /** Gives an order and waits for what comes back. */
  static Order give(AgentCaller caller, String to, String text, String conversation) {
    AgentReply reply = caller.send("order: " + text, conversation);
    return new Order(
        to,
        text,
        reply.answered(),
        reply.verdict().route().orElse(""),
        reply.verdict().reasons(),
        reply.verdict().reviewId(),
        reply.text());
  }

  /** What became of it in words: {@code passed}, else route and reasons. */
  String outcome() {
    return passed ? "passed" : (route + " " + String.join(", ", reasons)).strip();
  }
}
