package dev.parlance.proxy.exchange;

import dev.parlance.policy.route.Reason;
import dev.parlance.policy.route.Route;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.proxy.audit.AuditEvent;
import dev.parlance.proxy.exchange.body.VerdictFields;
import dev.parlance.proxy.review.HeldMessage;
import dev.parlance.proxy.review.ReviewItem;
import dev.parlance.proxy.review.ReviewQueue;
import dev.parlance.proxy.review.StepResult;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.wire.api.HeldAnswer;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.Refusal;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.TaskCall;
import dev.parlance.wire.api.VerdictHeader;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Optional;

/**
 * An item of the review queue that a request names: by the task that it is to a client of A2A, or
 * by its id in the field {@code Parlance-Review}. The agent is not asked. Only who asked for it
 * then gets it now.
 *
 * <pre>
 *             | waits     released            delivered  refused, expired
 * ------------+------------------------------------------------------------
 * read        | working   completed, spent    completed  rejected, with note
 * followed    | working, then what it comes to, as a stream of events
 * cancel      | canceled  not cancelable      not ..     not ..
 * push config | not supported
 * </pre>
 *
 * <p>A request that is held is no answer to collect: once it is released its task wants it sent
 * again.
 */
record NamedItem(
    ExchangeContext exchange, RequestStage stage, ReviewItem item, TaskCall.Verb verb) {
  /** What the request names, if this sidecar has it and the caller is the one who asked. */
  static Optional<NamedItem> find(ExchangeContext exchange, RequestStage stage) {
    ReviewQueue queue = exchange.services.review();
    if (exchange.observing() || exchange.asked.isEmpty()) {
      return Optional.empty();
    }
    Optional<TaskCall> call = exchange.asked.get().taskCall();
    Optional<ReviewItem> found =
        call.flatMap(TaskCall::reviewId).or(() -> exchange.review).flatMap(queue::find);
    if (found.isEmpty() && !queue.isIdle()) {
      found = call.flatMap(task -> queue.openTask(exchange.keys.task(task.taskId())));
    }
    if (found.isEmpty()) {
      // Another sidecar on the way may have it.
      exchange.review.ifPresent(id -> exchange.request.headers().set(VerdictFields.REVIEW, id));
    }
    return found
        .filter(item -> item.message().origin().keys().caller().equals(exchange.keys.asker()))
        .map(item ->
            new NamedItem(
                exchange, stage, item, call.map(TaskCall::verb).orElse(TaskCall.Verb.READ)));
  }

  /** An item that is the answer to what the request asks. */
  static NamedItem of(ExchangeContext exchange, RequestStage stage, ReviewItem item) {
    return new NamedItem(exchange, stage, item, TaskCall.Verb.READ);
  }

  /** What becomes of the request: {@link Step#NEXT} if the queue has nothing to say to it. */
  Step step() {
    return switch (verb) {
      case NOTIFY -> told(Reason.REVIEW_PENDING, Notices.noPush(item));
      case CANCEL ->
          item.state() == ReviewItem.ReviewState.PENDING
              ? withdraw()
              : told(Reason.REVIEW_PENDING, Notices.notCancelable(item));
      case READ, FOLLOW -> read();
    };
  }

  private RequestView asked() {
    return exchange.asked.orElseThrow();
  }

  private boolean isRequest() {
    return item.message().origin().kind() == HeldMessage.Kind.REQUEST;
  }

  private Step read() {
    boolean asTask = asked().taskCall().isPresent();
    if (isRequest() && !asTask) {
      return Step.NEXT; // it is sent again, and known by its content
    }
    return switch (item.state()) {
      case PENDING ->
          verb == TaskCall.Verb.FOLLOW
              ? follow()
              : told(Reason.REVIEW_PENDING, Notices.waiting(verdict(Reason.REVIEW_PENDING), item));
      case RELEASED ->
          isRequest()
              ? told(Reason.RELEASED, Notices.sendAgain(verdict(Reason.RELEASED), item))
              : deliver(asTask);
      case DELIVERED -> isRequest() ? Step.NEXT : deliver(asTask);
      case REJECTED, SENT_BACK, EXPIRED ->
          told(Reason.REJECTED, Notices.settled(verdict(Reason.REJECTED), item));
    };
  }

  /** The same request about the item as it stands now. */
  NamedItem with(ReviewItem now) {
    return new NamedItem(exchange, stage, now, verb);
  }

  private Step follow() {
    exchange.record.named(
        item, exchange.services.gate().newId(), Reason.REVIEW_PENDING, stage.body());
    stage.drop();
    if (exchange.memory.isOpen()) {
      exchange.memory.letGo(); // the request is read again when its task ends
    }
    return new Step.Stream(
        new StreamSink.FollowedTask(
            this, refusal(Notices.waiting(verdict(Reason.REVIEW_PENDING), item))));
  }

  private WholeResponse refusal(Notice notice) {
    return exchange.responder.refusal(new Step.Refuse(notice, Optional.empty()));
  }

  /** What the task has come to, for who follows it; an answer is spent on him. */
  WholeResponse last() {
    return switch (item.state()) {
      case PENDING -> refusal(Notices.waiting(verdict(Reason.REVIEW_PENDING), item));
      case REJECTED, SENT_BACK, EXPIRED -> refusal(Notices.settled(verdict(Reason.REJECTED), item));
      case RELEASED, DELIVERED -> {
        if (isRequest()) {
          yield refusal(Notices.sendAgain(verdict(Reason.RELEASED), item));
        }
        ReviewStage.settle(exchange, item);
        yield completed(verdict(Route.EXECUTE, Reason.RELEASED));
      }
    };
  }

  private VerdictHeader verdict(Route route, Reason reason) {
    return exchange.bare(
        exchange.services.gate().newId(), route, reason, item.message().cause().attempts());
  }

  private VerdictHeader verdict(Reason reason) {
    return verdict(Route.YIELD, reason);
  }

  private Step told(Reason reason, Notice notice) {
    exchange.record.named(item, exchange.services.gate().newId(), reason, stage.body());
    stage.drop();
    return new Step.Refuse(notice, Optional.empty());
  }

  // ---- collected ----

  private Step deliver(boolean asTask) {
    VerdictHeader verdict = verdict(Route.EXECUTE, Reason.RELEASED);
    return asTask
        ? stage.deliver(item, verdict, completed(verdict))
        : stage.deliver(item).orElseGet(this::foreign);
  }

  /** The answer is one of another protocol, or cannot stand under this request. */
  Step foreign() {
    return told(Reason.RELEASED, Notices.elsewhere(verdict(Reason.RELEASED), item));
  }

  private WholeResponse completed(VerdictHeader verdict) {
    Refusal task =
        asked()
            .complete(
                new HeldAnswer(
                    item.message().origin().protocol(),
                    item.message().content().body(),
                    Utf8Span.of(item.message().content().answer()),
                    Notices.completed(verdict, item)))
            .orElseThrow();
    HttpHeaders headers = new DefaultHttpHeaders();
    headers.set(HttpHeaderNames.CONTENT_TYPE, task.contentType());
    headers.set(HttpHeaderNames.CACHE_CONTROL, "no-store");
    VerdictFields.write(headers, verdict);
    headers.set(VerdictFields.REVIEW, item.id());
    return new WholeResponse(
        task.status(),
        headers,
        Unpooled.wrappedBuffer(task.body()),
        Responder.fields(task.trailers()));
  }

  // ---- withdrawn ----

  private Step withdraw() {
    return new Step.Await<>(
        Check.Source.QUEUE,
        exchange.services.review().withdraw(item.id()),
        result ->
            switch (result) {
              case StepResult.Done(ReviewItem now) -> {
                log(now);
                yield told(Reason.REJECTED, Notices.settled(verdict(Reason.REJECTED), now));
              }
              case StepResult.Unfit _, StepResult.NotFound _, StepResult.Failed _ ->
                  told(Reason.REVIEW_PENDING, Notices.notCancelable(item));
            });
  }

  private void log(ReviewItem now) {
    exchange
        .services
        .log()
        .append(
            new AuditEvent.ReviewActionEvent(
                exchange.services.wallClockMs().getAsLong(),
                exchange.services.gate().node(),
                now.id(),
                now.message().decisionId(),
                "withdraw",
                exchange.keys.caller(),
                ""));
  }
}
