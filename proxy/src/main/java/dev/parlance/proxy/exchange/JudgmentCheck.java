package dev.parlance.proxy.exchange;

import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.Mode;
import dev.parlance.proxy.config.RouteRule;
import dev.parlance.proxy.config.RouteRule.Read;
import dev.parlance.proxy.gate.Judgment;
import dev.parlance.proxy.gate.Leg;
import java.util.Optional;

/**
 * The check of what the judge and the guard of the certified core have found: it has no state, for
 * the judgment belongs to the message, and other checks are told it. What a person has released
 * goes on, whatever stands against it.
 */
public final class JudgmentCheck implements Check {
  /** The kind; where the route enforces anything. */
  public static final Kind KIND =
      new Kind(
          (leg, direction, rule, _) -> line(leg, direction, rule), (_, _) -> new JudgmentCheck());

  private static Optional<String> line(Leg leg, Direction direction, RouteRule rule) {
    boolean isAlone = rule.read() == Read.ANSWER;
    boolean isAsked = direction == Direction.INBOUND && rule.mayRepair() && !isAlone;
    String bad =
        leg == Leg.REQUEST
            ? "typed error to the caller"
            : (isAsked ? "the agent is asked again" : "typed error to the caller")
                + (rule.idempotent() ? "" : ", if something was done " + rule.onActed().code());
    return rule.mode() == Mode.ENFORCE
        ? Optional.of(
            "enforce  regenerate: " + bad + "; yield: " + (isAlone ? "refused" : "held for review"))
        : Optional.empty();
  }

  private JudgmentCheck() {}

  @Override
  public Result request(CheckedMessage message) {
    return answer(message);
  }

  @Override
  public Result answer(CheckedMessage message) {
    Optional<Judgment> judgment = message.judgment();
    return judgment.isEmpty() || ExchangeContext.passes(judgment.get()) || message.isReleased()
        ? Passage.ON
        : new Rejected(judgment.get());
  }
}
