package dev.parlance.proxy.exchange;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.route.Reason;
import dev.parlance.policy.route.Route;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.OnFailure;
import dev.parlance.proxy.exchange.RoundStage.Passage;
import dev.parlance.proxy.gate.Judgment;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.proxy.review.ReviewItem;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.VerdictHeader;
import dev.parlance.wire.bytes.Edit;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.bytes.WireFault;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import java.util.Optional;

/**
 * The stages of a request.
 *
 * <pre>
 *   execute, warn -> on to the agent
 *   regenerate    -> typed error to the caller, who wrote it
 *   yield         -> held, escalation to the caller
 *   released      -> on to the agent; or the released answer, and the agent is not asked
 * </pre>
 */
final class RequestStage extends MessageStages {
  /** The released message that is on its way and has not arrived yet. */
  private Optional<ReviewItem> delivering = Optional.empty();

  /** Its body, as long as the exchange goes on; none if it could not be read. */
  private PlainBody whole = PlainBody.none();

  /** True if the request goes on because a person released it. */
  private boolean released;

  RequestStage(ExchangeContext at) {
    super(at, Leg.REQUEST, at.plan.request());
  }

  @Override
  Step read() {
    long startNs = System.nanoTime();
    if (at.rule.pact().isOn() && at.direction == Direction.INBOUND) {
      at.named = PactFields.take(at.request.headers());
      at.ratified = PactFields.ratification(at.request.headers());
    }
    at.record.forgedFields(VerdictFields.strip(at.request.headers()), Leg.REQUEST);
    return switch (at.body.decode(at.request.headers(), at.config.limits().http(), at.memory)) {
      case BodyHolder.Decoded.Refused(WireFault fault, String detail) -> broken(fault, detail);
      case BodyHolder.Decoded.Plain decoded -> {
        at.responder.to(decoded.body());
        whole = decoded.body();
        var reading = at.codecs.read(at.rule.codec(), at.rule.json(), at.head, decoded.body());
        at.record.readTook(startNs);
        yield switch (reading) {
          case Reading.Readable<RequestView>(RequestView view) -> {
            at.asked = Optional.of(view);
            wasRead(view, view.message(), view.unread(), view.round());
            marked(view);
            at.record.protocol = view.protocol();
            String _ = at.keys.flow(view);
            at.record.forged(view, Leg.REQUEST);
            yield Step.NEXT;
          }
          case Reading.Unjudged<RequestView>(String what) -> unjudged(what);
          case Reading.Malformed<RequestView>(WireFault fault, String detail) ->
              broken(fault, detail);
        };
      }
    };
  }

  @Override
  Optional<Judgment> judged(AgentMessage message) {
    return at.judge(
        Leg.REQUEST, message, at.rule.requestGrounding(), at.keys.request(at.asked.orElseThrow()));
  }

  @Override
  Optional<VerdictHeader> releasedVerdict(Judgment rejected) {
    delivering = ReviewStage.releasedRequest(at, at.asked.orElseThrow(), rejected.message());
    released = delivering.isPresent();
    return delivering.map(_ -> Notices.released(rejected.annotation()));
  }

  @Override
  Step admitted(Optional<RoundStage.Ticket> taken, Optional<Judgment> judged) {
    if (taken.isPresent()) {
      at.ticket = taken;
      at.responder.beside(taken.get());
    }
    if (delivering.isPresent()) {
      return Step.NEXT;
    }
    Step answer = releasedAnswer();
    if (answer instanceof Step.Next && judged.isPresent()) {
      // What was held because nobody could be asked needs its release no more.
      delivering = ReviewStage.releasedRequest(at, at.asked.orElseThrow(), judged.get().message());
    }
    return answer;
  }

  @Override
  Step deliver(Judgment judged, VerdictHeader told) {
    if (released) {
      at.record.released(delivering.orElseThrow(), told, Leg.REQUEST);
      return new Step.Forward(at.edits(view(), told), Optional.of(told));
    }
    VerdictHeader verdict = Unread.verdict(at, judged, unreadParts());
    List<Edit> edits = at.edits(view(), verdict);
    at.record.forwarded(at.body.sizeAfter(edits));
    at.remember(judged);
    return new Step.Forward(edits, Optional.of(verdict));
  }

  @Override
  Step deliverUnjudged(List<Edit> edits, String what, OnFailure policy, VerdictHeader warning) {
    at.record.unjudged(what, policy, Leg.REQUEST, warning.decisionId(), plainBody(), 0);
    return new Step.Forward(
        edits, policy == OnFailure.WARN ? Optional.of(warning) : Optional.empty());
  }

  @Override
  Step regenerate(Judgment rejected, VerdictHeader spent) {
    at.record.acted("refuse", Optional.empty());
    return new Step.Refuse(Notices.regenerate(spent, rejected.instruction()), Optional.empty());
  }

  @Override
  Step hold(Judgment held) {
    return new Step.Hold(held, Optional.empty(), plainBody().toBytes(), Optional.empty());
  }

  @Override
  Step pass(List<Edit> edits, Optional<VerdictHeader> told) {
    return new Step.Forward(edits, told);
  }

  @Override
  Notice malformed(WireFault fault, String detail) {
    return Notices.malformed(fault, detail);
  }

  @Override
  void unreadUnder(OnFailure policy) {
    at.unreadPolicy = policy;
  }

  @Override
  HttpHeaders headers() {
    return at.request.headers();
  }

  /** What was held for its pact alone passes judging, and needs its release here. */
  @Override
  boolean isReleased(Judgment judged) {
    if (delivering.isEmpty()) {
      delivering = ReviewStage.releasedRequest(at, at.asked.orElseThrow(), judged.message());
    }
    return delivering.isPresent();
  }

  @Override
  boolean mayBeHeld() {
    return delivering.isEmpty() && !at.sentAgain;
  }

  // ---- once more ----

  /** The other side has refused it unread: it goes under another pact, if it keeps to that. */
  Step sendAgain(Step sent) {
    at.sentAgain = true;
    if (at.request.headers().contains(HttpHeaderNames.CONTENT_ENCODING)) {
      at.request.headers().remove(HttpHeaderNames.CONTENT_ENCODING);
      VerdictFields.bodyChanged(at.request.headers());
    }
    at.body.again(whole);
    return underAnotherPact(sent);
  }

  // ---- the answer that a person has released ----

  @Override
  Step released() {
    return hasNoRoundToAsk() ? releasedAnswer() : Step.NEXT;
  }

  private Step releasedAnswer() {
    if (at.observing()) {
      return Step.NEXT;
    }
    RequestView asked = at.asked.orElseThrow();
    Optional<ReviewItem> found = ReviewStage.releasedAnswer(at, asked);
    if (found.isEmpty()) {
      return Step.NEXT;
    }
    ReviewItem item = found.get();
    Optional<byte[]> adopted = HeldBodies.adopt(asked, item.message(), at.config.streams());
    if (adopted.isEmpty()) {
      at.services.review().giveBack(item);
      return Step.NEXT;
    }
    byte[] body = adopted.get();
    at.body.release();
    delivering = found;
    Optional<RoundStage.Message> marked =
        HeldBodies.view(asked, item.message(), body)
            .map(answer -> new RoundStage.Message(answer, item.message(), body))
            .filter(message -> !RoundStage.isIdle(at, message.leg(), message.mark(), true));
    return marked.isEmpty()
        ? deliverReleased(item, body)
        : RoundStage.take(at, marked.get(), passage -> releasedPassed(passage, item, body));
  }

  private Step releasedPassed(Passage passage, ReviewItem item, byte[] body) {
    return switch (passage) {
      case Passage.On(Optional<RoundStage.Ticket> taken) -> {
        taken.ifPresent(at.responder::beside);
        yield deliverReleased(item, body);
      }
      case Passage.Stopped(Reason reason, String code, String detail) ->
          refuseReleased(item, reason, code, detail);
      case Passage.Held(String detail) ->
          refuseReleased(item, Reason.ROUND_UNAVAILABLE, Reason.ROUND_UNAVAILABLE.code(), detail);
    };
  }

  /** What was released is a proposal or claim that may not go on now; it stays released. */
  private Step refuseReleased(ReviewItem item, Reason reason, String code, String detail) {
    giveBack();
    at.record.stoppedUnread(
        reason,
        Leg.RESPONSE,
        at.services.gate().newId(),
        PlainBody.of(item.message().content().body()),
        item.message().content().status());
    return new Step.Refuse(Notices.round(reason, code, detail, Optional.empty()), Optional.empty());
  }

  private Step deliverReleased(ReviewItem item, byte[] body) {
    delivering = Optional.empty();
    VerdictHeader verdict =
        at.bare(
            at.services.gate().newId(),
            Route.EXECUTE,
            Reason.RELEASED,
            item.message().cause().attempts());
    HttpHeaders headers = HeldBodies.headers(item.message());
    VerdictFields.write(headers, verdict);
    at.record.released(item, verdict, Leg.RESPONSE);
    return new Step.Deliver(
        new WholeResponse(
            item.message().content().status(),
            headers,
            Unpooled.wrappedBuffer(body),
            HeldBodies.trailers(item.message())),
        item);
  }

  // ---- a released request on its way ----

  /** It has arrived. */
  void arrived() {
    if (delivering.isPresent()) {
      ReviewStage.settle(at, delivering.get());
      delivering = Optional.empty();
    }
  }

  /** It did not arrive, and waits for the next who sends it. */
  @Override
  void giveBack() {
    if (delivering.isPresent()) {
      at.services.review().giveBack(delivering.get());
      delivering = Optional.empty();
    }
  }
}
