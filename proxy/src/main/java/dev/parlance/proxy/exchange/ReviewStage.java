package dev.parlance.proxy.exchange;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.proxy.gate.Judgment;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.proxy.review.HeldMessage;
import dev.parlance.proxy.review.HoldResult;
import dev.parlance.proxy.review.ReviewItem;
import dev.parlance.proxy.review.StepResult;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.metadata.VerdictJson;
import io.netty.handler.codec.http.HttpHeaderNames;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The review queue as an exchange uses it: what a person released for it, what it hands over. */
final class ReviewStage {
  private static final Logger log = LoggerFactory.getLogger(ReviewStage.class);

  private ReviewStage() {}

  /** A request with exactly this content that a person has released. */
  static Optional<ReviewItem> releasedRequest(
      ExchangeContext exchange, RequestView asked, AgentMessage message) {
    return exchange.services.review().hasReleased()
        ? exchange.services.review().claimReleased(exchange.keys.releaseOfRequest(asked, message))
        : Optional.empty();
  }

  /** The answer to this question that a person has released. */
  static Optional<ReviewItem> releasedAnswer(ExchangeContext exchange, RequestView asked) {
    return exchange.services.review().hasReleased()
        ? exchange.services.review().claimReleased(exchange.keys.releaseOfAnswer(asked))
        : Optional.empty();
  }

  /** The queue forgets a released message only once it has gone out; twice is better than never. */
  static void settle(ExchangeContext exchange, ReviewItem item) {
    CompletableFuture<?> _ =
        exchange
            .services
            .review()
            .delivered(item.id())
            .whenComplete((result, failure) -> {
              if (failure == null && result instanceof StepResult.Done) {
                exchange.report.delivered(item);
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
   * Hands a message over; the caller is told by a refusal. Whoever asks again while a person thinks
   * does not fill the queue: the same answer under the same key is held once.
   */
  static Step hold(ExchangeContext exchange, Step.Hold hold) {
    long startNs = System.nanoTime();
    Judgment judgment = hold.judgment();
    RequestView asked = exchange.asked.orElseThrow();
    String key =
        hold.rejected().isPresent()
            ? exchange.keys.releaseOfAnswer(asked)
            : exchange.keys.releaseOfRequest(asked, judgment.message());
    byte[] answer = judgment.message().answer().toByteArray();
    Optional<ReviewItem> same =
        exchange
            .services
            .review()
            .findPending(key)
            .filter(item -> Arrays.equals(item.message().content().answer(), answer));
    return same.isPresent()
        ? done(exchange, hold, new HoldResult.Held(same.get().id()), startNs)
        : new Step.Await<>(
            Check.Source.QUEUE,
            exchange.services.review().hold(message(exchange, hold, key, asked, answer)),
            result -> done(exchange, hold, result, startNs));
  }

  private static Step done(
      ExchangeContext exchange, Step.Hold hold, HoldResult result, long startNs) {
    Judgment judgment = hold.judgment();
    exchange.record.holdTook(startNs);
    return switch (result) {
      case HoldResult.Held(String id) -> {
        exchange.services.gate().yielded(judgment, exchange.rule);
        exchange.record.acted("hold", Optional.of(id));
        yield refusal(hold, Notices.held(judgment.annotation(), id));
      }
      case HoldResult.Refused(String code) -> {
        exchange.record.acted("refuse_" + code, Optional.empty());
        exchange.record.queueRefused(code);
        yield refusal(hold, Notices.queueRefused(judgment.annotation(), code));
      }
    };
  }

  private static Step refusal(Step.Hold hold, Notice notice) {
    return new Step.Refuse(notice, hold.rejected(), 0, "yield");
  }

  /** What the queue keeps: enough for a person to decide and to deliver the exact bytes. */
  private static HeldMessage message(
      ExchangeContext exchange,
      Step.Hold hold,
      String releaseKey,
      RequestView asked,
      byte[] answer) {
    Judgment judgment = hold.judgment();
    Optional<WholeResponse> response = hold.response();
    return new HeldMessage(
        judgment.id(),
        new HeldMessage.Origin(
            exchange.direction.code(),
            judgment.draft().leg() == Leg.REQUEST
                ? HeldMessage.Kind.REQUEST
                : HeldMessage.Kind.RESPONSE,
            asked.protocol().name(),
            exchange.rule.name(),
            judgment.draft().key().flow(),
            releaseKey,
            exchange.call.peer(),
            exchange.destination + exchange.head.path()),
        new HeldMessage.Content(
            response.map(WholeResponse::status).orElse(0),
            response
                .map(arrived -> arrived.headers().get(HttpHeaderNames.CONTENT_TYPE, ""))
                .or(() -> exchange.head.fields().first("content-type"))
                .orElse(""),
            response.map(ReviewStage::fields).orElse(List.of()),
            asked.question().toByteArray(),
            answer,
            hold.body()),
        new HeldMessage.Cause(
            judgment.annotation().measured().header().orElse(""),
            judgment.annotation().reasons(),
            VerdictJson.of(judgment.annotation()),
            judgment.draft().attempt()),
        exchange.services.wallClockMs().getAsLong());
  }

  private static List<HeldMessage.Field> fields(WholeResponse response) {
    return response.headers().entries().stream()
        .map(field -> new HeldMessage.Field(field.getKey(), field.getValue()))
        .toList();
  }
}
