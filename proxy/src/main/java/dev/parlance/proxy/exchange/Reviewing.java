package dev.parlance.proxy.exchange;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.RouteRule;
import dev.parlance.proxy.gate.Ruling;
import dev.parlance.proxy.review.DeliverResult;
import dev.parlance.proxy.review.HoldResult;
import dev.parlance.proxy.review.ReviewItem;
import dev.parlance.relay.api.Destination;
import dev.parlance.relay.api.ServerCall;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.RequestHead;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseView;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One exchange and the review queue: what a person released for it, and what it hands over. */
final class Reviewing {
  private static final Logger log = LoggerFactory.getLogger(Reviewing.class);

  private final Services services;
  private final RouteRule rule;
  private final Direction direction;
  private final RequestHead head;
  private final Destination destination;
  private final ServerCall exchange;
  private final Keys keys;
  private final Trail trail;

  Reviewing(
      Services services,
      RouteRule rule,
      Direction direction,
      RequestHead head,
      Destination destination,
      ServerCall exchange,
      Keys keys,
      Trail trail) {
    this.services = services;
    this.rule = rule;
    this.direction = direction;
    this.head = head;
    this.destination = destination;
    this.exchange = exchange;
    this.keys = keys;
    this.trail = trail;
  }

  /** A request with exactly this content that a person has released. */
  Optional<ReviewItem> releasedRequest(RequestView asked, AgentMessage message) {
    return services.review().hasReleased()
        ? services.review().claimReleased(keys.releaseOfRequest(asked, message))
        : Optional.empty();
  }

  /** The answer to this question that a person has released. */
  Optional<ReviewItem> releasedAnswer(RequestView asked) {
    return services.review().hasReleased()
        ? services.review().claimReleased(keys.releaseOfAnswer(asked))
        : Optional.empty();
  }

  /** A released message that did not reach its receiver waits for the next one who asks. */
  void giveBack(ReviewItem item) {
    services.review().giveBack(item);
  }

  /** The queue forgets a released message only once it has gone out; twice is better than never. */
  void settle(ReviewItem item) {
    CompletableFuture<?> _ =
        services
            .review()
            .delivered(item.id())
            .whenComplete((result, failure) -> {
              if (failure == null && result instanceof DeliverResult.Done) {
                trail.delivered(item);
              } else {
                log.atWarn()
                    .setCause(failure)
                    .addKeyValue("review", item.id())
                    .addKeyValue("result", result)
                    .log("delivered, but the queue does not know it");
              }
            });
  }

  /**
   * Hands a message over. Whoever asks again while a person thinks does not fill the queue: the
   * same answer under the same key is held once.
   *
   * @param rejected the answer that is held; empty if it is the request
   * @param body the bytes to deliver if it is released
   * @param response head of the answer that is held
   * @param turn guards what happens once the queue has it
   * @param tell tells the caller, on the exchange's loop
   */
  void hold(
      Ruling ruling,
      RequestView asked,
      Optional<ResponseView> rejected,
      byte[] body,
      Optional<WholeResponse> response,
      Turn turn,
      Consumer<Notice> tell) {
    long startNs = System.nanoTime();
    String key =
        rejected.isPresent()
            ? keys.releaseOfAnswer(asked)
            : keys.releaseOfRequest(asked, ruling.message());
    byte[] answer = ruling.message().answer().toByteArray();
    Optional<ReviewItem> same =
        services
            .review()
            .findPending(key)
            .filter(item -> Arrays.equals(item.message().answer(), answer));
    if (same.isPresent()) {
      tell.accept(done(new HoldResult.Held(same.get().id()), ruling, startNs));
      return;
    }
    CompletableFuture<?> _ =
        services
            .review()
            .hold(
                Holding.of(
                    services,
                    rule,
                    direction,
                    head,
                    destination,
                    exchange.peer(),
                    asked.protocol(),
                    ruling,
                    key,
                    asked.question(),
                    body,
                    response))
            .whenComplete((result, failure) ->
                exchange
                    .loop()
                    .execute(() ->
                        turn.guarded(() -> {
                          if (failure != null || result == null) {
                            throw new IllegalStateException("the review queue failed", failure);
                          }
                          tell.accept(done(result, ruling, startNs));
                        })));
  }

  private Notice done(HoldResult result, Ruling ruling, long startNs) {
    trail.holdTook(startNs);
    return switch (result) {
      case HoldResult.Held(String id) -> {
        services.gate().yielded(ruling, rule);
        trail.acted("hold", Optional.of(id));
        yield Notices.held(ruling.annotation(), id);
      }
      case HoldResult.Refused(String code) -> {
        trail.acted("refuse_" + code, Optional.empty());
        yield Notices.queueRefused(ruling.annotation(), code);
      }
    };
  }
}
