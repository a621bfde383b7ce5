package dev.parlance.demo;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.parlance.demo.agent.AgentCaller;
import dev.parlance.demo.agent.AgentReply;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Orders that one agent gives the other. They have consequences, so the receiver's sidecar holds
 * each against the certified core.
 */
final class Order {
  /** Uses a term on which the agents differ from the start. */
  static final String UNCERTIFIED = "Enter this contribution in the register.";

  /** The same with the alternative that the sidecar names. */
  static final String ALTERNATIVE = "Enter this contributor in the register.";

  /** Uses certified terms only, until one of them drifts. */
  static final String CERTIFIED = "Ship the object form together with its notice.";

  private Order() {}

  /** To whom an order goes. */
  enum To {
    /** From B to A. */
    A,
    /** From A to B. */
    B
  }

  /**
   * What became of an order.
   *
   * @param to who was ordered
   * @param text the order
   * @param passed true if the receiver has confirmed it
   * @param route of the sidecar in words; empty if nothing was said
   * @param reasons of the sidecar
   * @param reviewId id in the review queue, if the order is held
   * @param answer what came back: the receiver's words, or the sidecar's
   */
  record Outcome(
      To to,
      @JsonProperty("order") String text,
      boolean passed,
      String route,
      List<String> reasons,
      Optional<String> reviewId,
      String answer) {
    Outcome {
      reasons = List.copyOf(reasons);
    }

    boolean isHeldBack(String expected, String reason) {
      return !passed && route.equals(expected) && reasons.contains(reason);
    }
  }

  /** A conversation of its own: each has a budget for asking again. */
  static String conversation() {
    return "orders-" + UUID.randomUUID();
  }

  /** Gives an order and waits for what comes back. */
  static Outcome give(AgentCaller caller, To to, String text, String conversation) {
    AgentReply reply = caller.send("order: " + text, conversation);
    AgentReply.ReceivedVerdict verdict =
        switch (reply) {
          case AgentReply.Answered answered -> answered.verdict();
          case AgentReply.Withheld withheld -> withheld.verdict();
          case AgentReply.Failed _ -> AgentReply.ReceivedVerdict.NONE;
        };
    String answer = reply instanceof AgentReply.Withheld withheld ? withheld.why() : reply.said();
    return new Outcome(
        to,
        text,
        reply instanceof AgentReply.Answered,
        verdict.route().orElse(""),
        verdict.reasons(),
        verdict.reviewId(),
        answer);
  }
}
