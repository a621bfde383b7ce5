package dev.parlance.proxy.exchange;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.route.Decision;
import dev.parlance.policy.route.Reason;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.proxy.config.RouteRule.Read;
import dev.parlance.proxy.gate.Judgment;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.proxy.review.HeldMessage;
import dev.parlance.proxy.review.HoldResult;
import dev.parlance.proxy.review.ReviewEvent;
import dev.parlance.proxy.review.ReviewItem;
import dev.parlance.proxy.review.ReviewQueue;
import dev.parlance.proxy.review.SharedDecisions;
import dev.parlance.proxy.review.StepResult;
import dev.parlance.proxy.review.TextDecision;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.wire.api.Correlation;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.metadata.VerdictJson;
import io.netty.handler.codec.http.HttpHeaderNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The review queue as an exchange uses it: what a person released for it, what it hands over. */
final class ReviewStage {
  /** Code of what is not held because its request was not read. */
  private static final String UNREAD_REQUEST = "unread_request";

  private static final Logger log = LoggerFactory.getLogger(ReviewStage.class);

  /** Most of a draft before the last that a person sees. */
  private static final int DRAFT_BYTES = 256 * 1024;

  /** Longest that a sidecar says in the place of a message, with a person's note. */
  private static final int NOTICE_BYTES = 16 * 1024;

  private static final String INSTRUCTION =
      "A person has read this answer and asks for another one. ";

  private ReviewStage() {}

  /** A request with exactly this content that a person has released. */
  static Optional<ReviewItem> releasedRequest(
      ExchangeContext exchange, RequestView asked, AgentMessage message) {
    ReviewQueue queue = exchange.services.review();
    return queue.isIdle()
        ? Optional.empty()
        : queue.claimReleased(exchange.keys.request(asked, message));
  }

  /**
   * The answer to this question that a person has released. Whoever asks meanwhile gets it as well:
   * it is spent with the first that arrives.
   */
  static Optional<ReviewItem> releasedAnswer(ExchangeContext exchange) {
    return waiting(exchange).filter(ReviewItem::isReleased);
  }

  /**
   * The answer to this question that waits, for a person or to be collected. A request that waits
   * is judged again, which costs the agent nothing: what stood against it may be over.
   */
  static Optional<ReviewItem> waiting(ExchangeContext exchange) {
    ReviewQueue queue = exchange.services.review();
    return queue.isIdle()
        ? Optional.empty()
        : exchange.asked.flatMap(asked -> queue.open(exchange.keys.question(asked)));
  }

  /**
   * The judgment as a person has made it: a decision on the same text holds for its time, here or
   * at the sidecar opposite, and one that was made at a trusted sidecar for its message, unless it
   * was decided otherwise here.
   */
  static Judgment asDecided(ExchangeContext exchange, Judgment judged) {
    Optional<TextDecision> here = decidedHere(exchange, judged);
    Optional<TextDecision> there =
        here.isPresent() ? Optional.empty() : decidedThere(exchange, judged);
    there.ifPresent(_ -> exchange.followsPeer());
    exchange.passesAs = here.or(() -> there).filter(TextDecision::approved).map(TextDecision::id);
    Optional<Decision> made =
        here.or(() -> there)
            .map(TextDecision::approved)
            .map(approved ->
                approved
                    ? new Decision.Execute(List.of(Reason.RELEASED))
                    : new Decision.Yield(List.of(Reason.REJECTED)));
    Optional<Decision> holds =
        made.or(() -> byPeer(exchange.peerWord))
            .or(() ->
                isOfSidecar(exchange, judged) ? byPeer(PeerVerdict.Word.HELD) : Optional.empty());
    return holds.isEmpty()
        ? judged
        : exchange.services.gate().decided(judged, exchange.rule, holds.get());
  }

  /** True if what the judge is against is no answer, but what a sidecar says in its place. */
  private static boolean isOfSidecar(ExchangeContext exchange, Judgment judged) {
    Utf8Span text = judged.message().answer();
    boolean isNotice =
        judged.draft().leg() == Leg.RESPONSE
            && !ExchangeContext.passes(judged)
            && text.length() <= NOTICE_BYTES
            && Notices.isOfSidecar(
                text.toString(),
                id ->
                    exchange
                        .agents()
                        .flatMap(two ->
                            exchange
                                .services
                                .shared()
                                .flatMap(shared -> shared.decidedItem(two.opposite(), id))));
    if (isNotice) {
      exchange.isOfPeer();
    }
    return isNotice;
  }

  /** A refusal is no answer: it goes on, and is not held once more. */
  private static Optional<Decision> byPeer(PeerVerdict.Word word) {
    return switch (word) {
      case NOTHING -> Optional.empty();
      case RELEASED -> Optional.of(new Decision.Execute(List.of(Reason.RELEASED)));
      case HELD -> Optional.of(new Decision.Warn(List.of(Reason.REVIEW_PENDING)));
    };
  }

  private static Optional<TextDecision> decision(ExchangeContext exchange, Judgment judged) {
    return decidedHere(exchange, judged).or(() -> decidedThere(exchange, judged));
  }

  /** What a person who has sent this answer back wants of the next one. */
  static Optional<String> sentBack(ExchangeContext exchange, Judgment judged) {
    return judged.draft().leg() == Leg.REQUEST
        ? Optional.empty()
        : decidedHere(exchange, judged)
            .filter(decision -> decision.verdict() == ReviewEvent.Verdict.SEND_BACK)
            .map(decision -> instruction(decision.note()));
  }

  /** What the author of an answer is told that a person has sent back. */
  static String instruction(String note) {
    return INSTRUCTION + note;
  }

  private static Optional<TextDecision> decidedThere(ExchangeContext exchange, Judgment judged) {
    Optional<SharedDecisions> shared = exchange.services.shared().filter(SharedDecisions::hasHeard);
    Optional<ExchangeKeys.Agents> agents = exchange.agents();
    if (exchange.asked.isEmpty() || shared.isEmpty() || agents.isEmpty()) {
      return Optional.empty();
    }
    RequestView asked = exchange.asked.get();
    List<String> texts =
        judged.draft().leg() == Leg.REQUEST
            ? List.of(exchange.keys.shared(agents.get(), asked, judged.message()))
            : exchange.keys.shared(
                agents.get(), asked, Correlation.NONE, judged.message().answer());
    return texts.stream()
        .map(text -> shared.get().decided(agents.get().opposite(), text))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private static Optional<TextDecision> decidedHere(ExchangeContext exchange, Judgment judged) {
    ReviewQueue queue = exchange.services.review();
    if (exchange.asked.isEmpty() || !queue.hasDecided()) {
      return Optional.empty();
    }
    RequestView asked = exchange.asked.get();
    Utf8Span text = judged.message().answer();
    if (judged.draft().leg() == Leg.REQUEST) {
      return queue.decided(exchange.keys.request(asked, judged.message()));
    }
    return queue
        .decided(exchange.keys.text(asked, text))
        .or(() ->
            asked
                .taskCall()
                .flatMap(task -> queue.decided(exchange.keys.textOfTask(task.taskId(), text))));
  }

  /** The queue forgets a released message only once it has gone out; twice is better than never. */
  static void settle(ExchangeContext exchange, ReviewItem item) {
    if (!item.isReleased()) {
      return; // it was collected before
    }
    CompletableFuture<?> _ =
        exchange
            .services
            .review()
            .delivered(item.id())
            .whenComplete((result, failure) -> {
              if (failure == null && result instanceof StepResult.Done) {
                exchange.report.delivered(item);
              } else if (!(result instanceof StepResult.Unfit(ReviewItem now, _)
                  && now.state() == ReviewItem.ReviewState.DELIVERED)) {
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
   * does not fill the queue: one answer is held for one question. What a person has refused is
   * refused again, and not held; nor is an answer to a request that nobody has read, since nobody
   * could ask for it again.
   */
  static Step hold(ExchangeContext exchange, Step.Hold hold) {
    long startNs = System.nanoTime();
    Judgment judgment = hold.judgment();
    if (exchange.rule.read() == Read.ANSWER) {
      exchange.record.acted("refuse_" + UNREAD_REQUEST, Optional.empty());
      exchange.record.queueRefused(UNREAD_REQUEST);
      return refusal(hold, Notices.queueRefused(judgment.annotation(), UNREAD_REQUEST));
    }
    Optional<TextDecision> refused =
        decision(exchange, judgment).filter(decision -> !decision.approved());
    if (refused.isPresent()) {
      exchange.record.acted("refuse_rejected", Optional.of(refused.get().id()));
      return refusal(hold, Notices.rejected(judgment.annotation(), refused.get()));
    }
    return new Step.Await<>(
        Check.Source.QUEUE,
        exchange.services.review().hold(message(exchange, hold)),
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
        exchange.services.shared().ifPresent(shared -> shared.settle(id));
        NextDraft.keep(exchange, hold, id);
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
    return new Step.Refuse(notice, hold.rejected(), hold.response(), "yield");
  }

  /** What the queue keeps: enough for a person to decide and to deliver the exact bytes. */
  static HeldMessage message(ExchangeContext exchange, Step.Hold hold) {
    Judgment judgment = hold.judgment();
    RequestView asked = exchange.asked.orElseThrow();
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
            hold.rejected().isPresent()
                ? exchange.keys.ofAnswer(
                    asked,
                    hold.rejected().get().correlation(),
                    judgment.message().answer(),
                    exchange.agents())
                : exchange.keys.ofRequest(asked, judgment.message(), exchange.agents()),
            exchange.caller.key(),
            exchange.destination + exchange.head.path()),
        new HeldMessage.Content(
            response.map(WholeResponse::status).orElse(0),
            response
                .map(arrived -> arrived.headers().get(HttpHeaderNames.CONTENT_TYPE, ""))
                .or(() -> exchange.head.fields().first("content-type"))
                .orElse(""),
            response.map(ReviewStage::fields).orElse(List.of()),
            asked.question().toByteArray(),
            judgment.message().answer().toByteArray(),
            material(exchange, judgment),
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

  /** A draft that is thrown away, with what it was judged against, should a later one be held. */
  static HeldMessage.EarlierDraft draft(ExchangeContext exchange, Judgment thrownAway) {
    return new HeldMessage.EarlierDraft(
        start(thrownAway.message().answer(), DRAFT_BYTES),
        Optional.of(backing(exchange, thrownAway.message().evidence())));
  }

  private static HeldMessage.Material material(ExchangeContext exchange, Judgment judgment) {
    HeldMessage.Backing held = backing(exchange, judgment.message().evidence());
    return new HeldMessage.Material(
        exchange.drafts.stream()
            .map(draft ->
                new HeldMessage.EarlierDraft(
                    draft.text(), draft.backing().filter(other -> !other.equals(held))))
            .toList(),
        held);
  }

  private static HeldMessage.Backing backing(ExchangeContext exchange, Evidence given) {
    List<HeldMessage.Field> chunks = new ArrayList<>();
    int left = exchange.config.storage().review().evidenceBytes();
    boolean isCut = given.cut() > 0;
    for (Chunk chunk : given.chunks()) {
      isCut |= chunk.text().length() > left;
      if (left == 0) {
        break;
      }
      chunks.add(new HeldMessage.Field(chunk.id(), start(chunk.text(), left)));
      left = Math.max(0, left - chunk.text().length());
    }
    return new HeldMessage.Backing(chunks, given.citations(), isCut);
  }

  /** At most so many bytes from the beginning of a text; no character is cut in two. */
  private static String start(Utf8Span text, int bytes) {
    int end = Math.min(text.length(), bytes);
    while (end > 0 && end < text.length() && (text.byteAt(end) & 0xC0) == 0x80) {
      end--;
    }
    return text.slice(0, end).toString();
  }
}
