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
      ExchangeContext at, RequestView asked, AgentMessage message) {
    return at.services.review().hasReleased()
        ? at.services.review().claimReleased(at.keys.releaseOfRequest(asked, message))
        : Optional.empty();
  }

  /** The answer to this question that a person has released. */
  static Optional<ReviewItem> releasedAnswer(ExchangeContext at, RequestView asked) {
    return at.services.review().hasReleased()
        ? at.services.review().claimReleased(at.keys.releaseOfAnswer(asked))
        : Optional.empty();
  }

  /** The queue forgets a released message only once it has gone out; twice is better than never. */
  static void settle(ExchangeContext at, ReviewItem item) {
    CompletableFuture<?> _ =
        at.services
            .review()
            .delivered(item.id())
            .whenComplete((result, failure) -> {
              if (failure == null && result instanceof StepResult.Done) {
                at.report.delivered(item);
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
  static Step hold(ExchangeContext at, Step.Hold hold) {
    long startNs = System.nanoTime();
    Judgment judgment = hold.judgment();
    RequestView asked = at.asked.orElseThrow();
    String key =
        hold.rejected().isPresent()
            ? at.keys.releaseOfAnswer(asked)
            : at.keys.releaseOfRequest(asked, judgment.message());
    byte[] answer = judgment.message().answer().toByteArray();
    Optional<ReviewItem> same =
        at.services
            .review()
            .findPending(key)
            .filter(item -> Arrays.equals(item.message().content().answer(), answer));
    return same.isPresent()
        ? done(at, hold, new HoldResult.Held(same.get().id()), startNs)
        : new Step.Await<>(
            Step.Source.QUEUE,
            at.services.review().hold(message(at, hold, key, asked, answer)),
            result -> done(at, hold, result, startNs));
  }

  private static Step done(ExchangeContext at, Step.Hold hold, HoldResult result, long startNs) {
    Judgment judgment = hold.judgment();
    at.record.holdTook(startNs);
    return switch (result) {
      case HoldResult.Held(String id) -> {
        at.services.gate().yielded(judgment, at.rule);
        at.record.acted("hold", Optional.of(id));
        yield refusal(hold, Notices.held(judgment.annotation(), id));
      }
      case HoldResult.Refused(String code) -> {
        at.record.acted("refuse_" + code, Optional.empty());
        yield refusal(hold, Notices.queueRefused(judgment.annotation(), code));
      }
    };
  }

  private static Step refusal(Step.Hold hold, Notice notice) {
    return new Step.Refuse(notice, hold.rejected(), 0, "yield");
  }

  /** What the queue keeps: enough for a person to decide and to deliver the exact bytes. */
  private static HeldMessage message(
      ExchangeContext at, Step.Hold hold, String releaseKey, RequestView asked, byte[] answer) {
    Judgment judgment = hold.judgment();
    Optional<WholeResponse> response = hold.response();
    return new HeldMessage(
        judgment.id(),
        new HeldMessage.Origin(
            at.direction.code(),
            judgment.draft().leg() == Leg.REQUEST
                ? HeldMessage.Kind.REQUEST
                : HeldMessage.Kind.RESPONSE,
            asked.protocol().name(),
            at.rule.name(),
            judgment.draft().key().flow(),
            releaseKey,
            at.call.peer(),
            at.destination + at.head.path()),
        new HeldMessage.Content(
            response.map(WholeResponse::status).orElse(0),
            response
                .map(arrived -> arrived.headers().get(HttpHeaderNames.CONTENT_TYPE, ""))
                .or(() -> at.head.fields().first("content-type"))
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
        at.services.wallClockMs().getAsLong());
  }

  private static List<HeldMessage.Field> fields(WholeResponse response) {
    return response.headers().entries().stream()
        .map(field -> new HeldMessage.Field(field.getKey(), field.getValue()))
        .toList();
  }
}
