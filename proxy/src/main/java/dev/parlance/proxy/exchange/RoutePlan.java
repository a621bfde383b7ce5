package dev.parlance.proxy.exchange;

import dev.parlance.policy.commit.Finality;
import dev.parlance.policy.core.GuardPolicy;
import dev.parlance.proxy.config.CoreRule;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.Mode;
import dev.parlance.proxy.config.RouteRule;
import dev.parlance.proxy.config.SidecarConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The stages that the messages of one route pass, put together once when the configuration is read.
 * A stage that cannot do anything on the route is left out.
 *
 * <pre>
 *   request   read  released  unread  judge  enforce  pact  round  negotiate  pass -> agent
 *   answer    read            unread  judge  pact  enforce  round  negotiate  pass -> caller
 * </pre>
 *
 * Destination and route are no stages of it: they choose the plan, and a request that has none is
 * refused by {@link SidecarHandler} as the listener refuses one, without a line of its own. The
 * core guard is no stage either: what it finds is an argument of the one judgment, under the same
 * bound of what judging may cost.
 *
 * @param rule the route
 * @param request stages of a request, in order
 * @param answer stages of an answer that is read whole, in order; a streamed one is under {@link
 *     StreamGate}
 */
public record RoutePlan(RouteRule rule, List<Stage> request, List<Stage> answer) {
  /** Copies the lists. */
  public RoutePlan {
    request = List.copyOf(request);
    answer = List.copyOf(answer);
  }

  /** One stage of a message that is read whole. */
  public enum Stage {
    /** Strips forged fields, takes off content codings and has a codec read the body. */
    READ,
    /** Delivers the answer to this question if a person has released it. */
    RELEASED,
    /** Stops a message that holds something which nobody could read. */
    UNREAD,
    /** Measures the message, holds it against the certified core, decides. */
    JUDGE,
    /** Refuses, holds or asks again what the decision stands against. */
    ENFORCE,
    /** Holds the message to its pact. */
    PACT,
    /** Checks what the message says of a round, and sends proposals in. */
    ROUND,
    /** Takes what the message says in a negotiation of the agents, if the machine allows it. */
    NEGOTIATE,
    /** Lets the message go on, with the verdict in its body and beside it. */
    PASS
  }

  /** The plan of one route. */
  static RoutePlan of(RouteRule rule) {
    return of(rule, rule.pact().isOn());
  }

  /** With {@code pacts} what the local agent calls may be an action under one, on any route. */
  private static RoutePlan of(RouteRule rule, boolean pacts) {
    List<Stage> answer = new ArrayList<>();
    answer.add(Stage.READ);
    if (rule.mode() == Mode.ENFORCE) {
      answer.add(Stage.UNREAD);
    }
    answer.add(Stage.JUDGE);
    if (rule.mode() == Mode.ENFORCE) {
      answer.add(Stage.ENFORCE);
    }
    answer.add(Stage.ROUND);
    if (rule.pact().isOn()) {
      answer.add(Stage.NEGOTIATE);
    }
    answer.add(Stage.PASS);
    List<Stage> request = new ArrayList<>(answer);
    if (rule.mode() == Mode.ENFORCE) {
      request.add(1, Stage.RELEASED);
    }
    if (pacts) {
      request.add(request.indexOf(Stage.ROUND), Stage.PACT);
    }
    if (rule.pact().isOn()) {
      answer.add(answer.indexOf(Stage.JUDGE) + 1, Stage.PACT);
    }
    return new RoutePlan(rule, request, answer);
  }

  /** The plans of all routes of a configuration, by their names. */
  static Map<String, RoutePlan> of(SidecarConfig config) {
    Map<String, RoutePlan> plans = new HashMap<>();
    boolean pacts = config.pacts().isPresent();
    config.routes().forEach(rule -> plans.put(rule.name(), of(rule, pacts)));
    return Map.copyOf(plans);
  }

  /**
   * The way of a message on a route, one stage a line, for people.
   *
   * @param direction which of the two listeners
   */
  public static List<String> describe(RouteRule rule, Direction direction) {
    RoutePlan plan = of(rule);
    List<String> lines = new ArrayList<>();
    lines.add("route " + rule.name() + ", " + direction.code() + ", mode " + rule.mode().code());
    lines.add("request");
    plan.request.forEach(stage -> lines.add("  " + plan.line(stage, direction, true)));
    lines.add("answer");
    plan.answer.forEach(stage -> lines.add("  " + plan.line(stage, direction, false)));
    lines.add("streamed answer");
    lines.add(
        "  gate     "
            + (rule.mode() == Mode.OBSERVE ? "observe" : rule.stream().code())
            + ": each event waits, goes on or ends the stream as its verdict says");
    return lines;
  }

  private String line(Stage stage, Direction direction, boolean request) {
    String onUnjudged = rule.mode() == Mode.OBSERVE ? "allow" : rule.onUnjudged().code();
    return switch (stage) {
      case READ -> "read     codec " + rule.codec() + "; what it cannot read: " + onUnjudged;
      case RELEASED -> "released the answer that a person released for this question, if there is";
      case UNREAD ->
          "unread   parts that nobody could read: "
              + (rule.consequential() ? "block, consequential" : onUnjudged);
      case JUDGE ->
          "judge    profile "
              + rule.profile().name()
              + ", grounding "
              + (request ? rule.requestGrounding() : rule.grounding()).code()
              + rule.core().map(RoutePlan::guard).orElse(", no core")
              + "; dearer than limits.judgingMs: "
              + onUnjudged;
      case ENFORCE ->
          "enforce  regenerate: "
              + (request || direction == Direction.OUTBOUND || !rule.regenerate()
                  ? "typed error to the caller"
                  : "the agent is asked again")
              + "; yield: held for review";
      case PACT ->
          "pact     "
              + rule.pact().demand().code()
              + rule.pact().peer().map(peer -> ", with " + peer).orElse("")
              + (request && direction == Direction.OUTBOUND ? "; actions under a pact" : "");
      case ROUND ->
          "round    proposals and claims"
              + (request && rule.finality() != Finality.NONE
                  ? ", finality " + rule.finality().code()
                  : "");
      case NEGOTIATE -> "negotiate messages of the agents' own negotiations";
      case PASS ->
          "pass     verdict beside the "
              + (request ? "request" : "answer")
              + (rule.metadata() ? " and in its body" : "");
    };
  }

  private static String guard(CoreRule core) {
    GuardPolicy policy = core.policy();
    return ", core "
        + core.domain()
        + core.peer().map(peer -> " with " + peer).orElse("")
        + " (uncertified: "
        + policy.onUncertified().code()
        + ", stale: "
        + policy.onStale().code()
        + ", absent: "
        + policy.onAbsent().code()
        + ")";
  }
}
