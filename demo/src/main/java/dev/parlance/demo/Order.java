package dev.parlance.demo;

import dev.parlance.demo.agent.AgentCaller;
import dev.parlance.demo.agent.AgentReply;
import java.util.LinkedHashMap;
import java.util.Map;
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
   * @param answer what came back: the receiver's words, or the sidecar's
   * @param verdict what the sidecar said
   */
  record Outcome(
      To to, String text, boolean passed, String answer, AgentReply.ReceivedVerdict verdict) {
    /** The route in words; empty if nothing was said. */
    String route() {
      return verdict.route().orElse("");
    }

    boolean isHeldBack(String route, String reason) {
      return !passed && route().equals(route) && verdict.reasons().contains(reason);
    }

    Map<String, Object> toMap() {
      Map<String, Object> members = new LinkedHashMap<>();
      members.put("to", to.name());
      members.put("order", text);
      members.put("passed", passed);
      members.put("route", route());
      members.put("reasons", verdict.reasons());
      verdict.reviewId().ifPresent(id -> members.put("reviewId", id));
      members.put("answer", answer);
      return members;
    }
  }

  /** A conversation of its own: each has a budget for asking again. */
  static String conversation() {
    return "orders-" + UUID.randomUUID();
  }

  /** Gives an order and waits for what comes back. */
  static Outcome give(AgentCaller caller, To to, String text, String conversation) {
    return switch (caller.send("order: " + text, conversation)) {
      case AgentReply.Answered(
              String answer,
              String _,
              AgentReply.ReceivedVerdict verdict,
              Map<String, Object> _) ->
          new Outcome(to, text, true, answer, verdict);
      case AgentReply.Withheld(
              String why,
              String _,
              AgentReply.ReceivedVerdict verdict,
              Optional<String> _) ->
          new Outcome(to, text, false, why, verdict);
      case AgentReply.Failed(String why) ->
          new Outcome(to, text, false, why, AgentReply.ReceivedVerdict.NONE);
    };
  }
}
