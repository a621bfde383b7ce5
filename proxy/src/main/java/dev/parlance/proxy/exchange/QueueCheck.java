package dev.parlance.proxy.exchange;

import dev.parlance.policy.route.Reason;
import dev.parlance.proxy.config.Mode;
import dev.parlance.proxy.config.RouteRule.Read;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.wire.api.Notice;
import java.util.Optional;

/**
 * The check whether an answer could be held: while the review queue is full, a caller whose last
 * answers had to be held is refused before the agent is asked. It comes last, so that whatever is
 * collected from the queue is not stopped by it.
 */
public final class QueueCheck implements Check {
  /** The kind; where the route enforces anything. */
  public static final Kind KIND =
      new Kind(
          (leg, _, rule, _) ->
              leg == Leg.REQUEST && rule.read() == Read.ALL && rule.mode() == Mode.ENFORCE
                  ? Optional.of(
                      "queue    refused while the review queue is full and the caller's last answer"
                          + " had to be held")
                  : Optional.empty(),
          (exchange, _) -> new QueueCheck(exchange));

  private final ExchangeContext exchange;

  private QueueCheck(ExchangeContext exchange) {
    this.exchange = exchange;
  }

  @Override
  public void stopped(Reason reason, Leg leg) {
    exchange.record.queueRefused(reason.code());
  }

  @Override
  public Result request(CheckedMessage message) {
    boolean refused =
        (message.hasWords()
                || exchange.asked.filter(asked -> !asked.question().isEmpty()).isPresent())
            && !message.isReleased()
            && exchange
                .services
                .review()
                .backsOff(exchange.direction.code(), exchange.rule.name(), exchange.keys.caller());
    return refused
        ? new Passage.Stopped(
            Reason.QUEUE_FULL,
            Notice.QUEUE_FULL,
            "the answer could not be held for a person, and the agent was not asked; "
                + Notices.RETRY,
            Notice.Kind.QUEUE_REFUSED)
        : Passage.ON;
  }
}
