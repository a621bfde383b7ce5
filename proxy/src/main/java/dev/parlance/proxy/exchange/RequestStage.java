package dev.parlance.proxy.exchange;

import dev.parlance.policy.core.Names;
import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.route.Reason;
import dev.parlance.policy.route.Route;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.OnFailure;
import dev.parlance.proxy.config.StreamSettings;
import dev.parlance.proxy.exchange.body.BodyHolder;
import dev.parlance.proxy.exchange.body.HeldBodies;
import dev.parlance.proxy.exchange.body.VerdictFields;
import dev.parlance.proxy.gate.Judgment;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.proxy.review.HeldMessage;
import dev.parlance.proxy.review.ReviewItem;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.Plumbing;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.VerdictHeader;
import dev.parlance.wire.bytes.Edit;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.bytes.WireFault;
import dev.parlance.wire.plumbing.PlumbingCall;
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

  /** True if the request goes on for that alone. */
  private boolean released;

  /** True if it is known whether the answer to this question is one that a person has released. */
  private boolean looked;

  /** How the request went out before, once it goes out again, and why it came back. */
  private Optional<Step> goingAgain = Optional.empty();

  private Reason refusedFor = Reason.UNJUDGED;

  RequestStage(ExchangeContext exchange) {
    super(exchange, Leg.REQUEST, exchange.plan.request());
  }

  /** What stands beside the request, and is for sidecars. */
  private void fields() {
    exchange.checks.each(check -> check.fields(Leg.REQUEST, exchange.request.headers()));
    exchange.review = Optional.ofNullable(exchange.request.headers().get(VerdictFields.REVIEW));
    exchange.request.headers().remove(VerdictFields.REVIEW);
    if (exchange.direction == Direction.INBOUND) {
      exchange.askingAgent =
          Optional.ofNullable(exchange.request.headers().get(VerdictFields.AGENT))
              .filter(Names::isName);
      exchange.request.headers().remove(VerdictFields.AGENT);
    }
    exchange.peerWord = PeerVerdict.take(exchange, Leg.REQUEST, exchange.request.headers());
  }

  /**
   * The one stage where answers alone are read: a body goes on as it is, and what there is of the
   * request is its head.
   */
  Step goesUnread() {
    if (!exchange.body.look().isReadable()) {
      Step step = read();
      return step instanceof Step.Next ? pass(exchange.strip(sites()), Optional.empty()) : step;
    }
    fields();
    String _ = exchange.keys.flowOfItsOwn();
    return switch (exchange.codecs.unreadRequest(
        exchange.rule.codec(), exchange.rule.json(), exchange.head)) {
      case Reading.Readable<RequestView>(RequestView view) -> {
        exchange.asked = Optional.of(view);
        exchange.record.protocol = view.protocol();
        yield new Step.Forward(List.of(), Optional.empty());
      }
      case Reading.Unjudged<RequestView>(String what) -> unjudged(what);
      case Reading.Malformed<RequestView>(WireFault fault, String detail) -> broken(fault, detail);
    };
  }

  @Override
  Step read() {
    long startNs = System.nanoTime();
    fields();
    return switch (exchange.body.decode(
        exchange.request.headers(), exchange.config.limits().http(), exchange.memory)) {
      case BodyHolder.Decoded.Refused(WireFault fault, String detail) -> broken(fault, detail);
      case BodyHolder.Decoded.Plain decoded -> {
        exchange.responder.to(decoded.body());
        var reading =
            exchange.codecs.read(
                exchange.rule.codec(), exchange.rule.json(), exchange.head, decoded.body());
        exchange.record.readTook(startNs);
        yield switch (reading) {
          case Reading.Readable<RequestView>(RequestView view) -> {
            exchange.asked = Optional.of(view);
            wasRead(view);
            exchange.record.protocol = view.protocol();
            String _ = exchange.keys.flow(view);
            exchange.record.forged(view, Leg.REQUEST);
            yield view.plumbing().isPresent() ? plumbing(view.plumbing().get()) : Step.NEXT;
          }
          case Reading.Unjudged<RequestView>(String what) -> plumbing(what);
          case Reading.Malformed<RequestView>(WireFault fault, String detail) ->
              broken(fault, detail);
        };
      }
    };
  }

  /** What a codec reads, and what has a name. */
  private Step plumbing(Plumbing name) {
    if (!exchange.config.plumbing().passes(name)) {
      return unjudged(PlumbingBounds.OFF);
    }
    exchange.record.plumbing(name);
    return Step.NEXT;
  }

  /** What no codec reads passes by its name, if it has one; else it is unjudged. */
  private Step plumbing(String unread) {
    Optional<PlumbingCall> call = PlumbingBounds.find(exchange, unread, body());
    if (call.isEmpty()) {
      return unjudged(unread);
    }
    Optional<String> fault = PlumbingBounds.request(exchange, call.get(), body());
    if (fault.isPresent()) {
      return unjudged(fault.get());
    }
    exchange.record.plumbing(call.get().name());
    exchange.plumbing = call;
    exchange.unreadPolicy = exchange.onUnjudged();
    return new Step.Forward(List.of(), Optional.empty());
  }

  @Override
  Optional<Judgment> judged(AgentMessage message, ExchangeContext.Aside beside) {
    return exchange.judge(
        Leg.REQUEST,
        message,
        beside,
        exchange.rule.requestGrounding(),
        exchange.keys.request(exchange.asked.orElseThrow()));
  }

  @Override
  Step deliver(Judgment judged, VerdictHeader told) {
    if (judged.decision().reasons().contains(Reason.RELEASED)) {
      boolean _ = isReleased(); // what is collected by this is delivered
    }
    if (released) {
      exchange.record.released(delivering.orElseThrow(), told, Leg.REQUEST);
      return new Step.Forward(exchange.edits(sites(), told), Optional.of(told));
    }
    VerdictHeader verdict = Unread.verdict(exchange, judged, unread());
    List<Edit> edits = exchange.edits(sites(), verdict);
    exchange.record.forwarded(exchange.body.sizeAfter(edits));
    exchange.remember(judged);
    return new Step.Forward(edits, Optional.of(verdict));
  }

  @Override
  Step deliverUnjudged(List<Edit> edits, String what, OnFailure policy, VerdictHeader warning) {
    exchange.record.unjudged(what, policy, Leg.REQUEST, warning.decisionId(), body(), 0);
    return new Step.Forward(
        edits, policy == OnFailure.WARN ? Optional.of(warning) : Optional.empty());
  }

  @Override
  public Step hold(Judgment held) {
    return new Step.Hold(held, Optional.empty(), body().toBytes(), Optional.empty());
  }

  @Override
  Step pass(List<Edit> edits, Optional<VerdictHeader> told) {
    return new Step.Forward(HeldTasks.ofRequest(exchange, edits), told);
  }

  @Override
  Notice malformed(WireFault fault, String detail) {
    return Notices.malformed(fault, detail);
  }

  @Override
  void unreadUnder(OnFailure policy) {
    exchange.unreadPolicy = policy;
  }

  @Override
  public HttpHeaders headers() {
    return exchange.request.headers();
  }

  @Override
  public boolean isReleased() {
    if (delivering.isEmpty() && judgment().isPresent()) {
      Judgment judged = judgment().get();
      delivering =
          ReviewStage.releasedRequest(exchange, exchange.asked.orElseThrow(), judged.message());
      boolean byRelease = judged.decision().reasons().contains(Reason.RELEASED);
      if (delivering.isPresent() && (byRelease || !ExchangeContext.passes(judged))) {
        released = true;
        told(Notices.released(judged.annotation()));
      }
    }
    return delivering.isPresent();
  }

  @Override
  public boolean mayBeHeld() {
    return delivering.isEmpty() && goingAgain.isEmpty();
  }

  @Override
  public void drop() {
    super.drop();
    giveBack();
  }

  // ---- once more ----

  /** The other side has refused it unread: it goes once more, if the check has another way. */
  Step sendAgain(Step.SendAgain again, Step sent) {
    goingAgain = Optional.of(sent);
    refusedFor = again.reason();
    if (exchange.request.headers().contains(HttpHeaderNames.CONTENT_ENCODING)) {
      exchange.request.headers().remove(HttpHeaderNames.CONTENT_ENCODING);
      VerdictFields.bodyChanged(exchange.request.headers());
    }
    exchange.body.again(exchange.responder.asked());
    Step step = exchange.enforcement.step(again.check(), again.check().again(this), this);
    return step instanceof Step.Next ? proceed() : step;
  }

  @Override
  public Step proceed() {
    if (goingAgain.isEmpty()) {
      return go();
    }
    exchange.record.sentAgain(exchange.services.gate().newId(), Leg.REQUEST, refusedFor, body());
    return goingAgain.get();
  }

  // ---- the answer that a person has released ----

  /** The stage that delivers the answer to this question if a person has released it. */
  Step released() {
    looked = !exchange.checks.any(check -> check.precedesRelease(this));
    return looked ? releasedOrNamed() : Step.NEXT;
  }

  private Step releasedOrNamed() {
    Step named = NamedItem.find(exchange, this).map(NamedItem::step).orElse(Step.NEXT);
    return named instanceof Step.Next ? releasedAnswer() : named;
  }

  /**
   * The same for a question that a check had to let pass before. Where the answer waits, it is not
   * asked for again.
   */
  Step releasedLate() {
    if (exchange.observing() || delivering.isPresent()) {
      return Step.NEXT;
    }
    Step answer = looked ? Step.NEXT : releasedOrNamed();
    if (answer instanceof Step.Next && !looked && judgment().isPresent()) {
      // What was held because nobody could be asked needs its release no more.
      delivering =
          ReviewStage.releasedRequest(
              exchange, exchange.asked.orElseThrow(), judgment().get().message());
    }
    return answer instanceof Step.Next && delivering.isEmpty()
        ? ReviewStage.waiting(exchange).map(this::opened).orElse(Step.NEXT)
        : answer;
  }

  private Step releasedAnswer() {
    if (exchange.observing()) {
      return Step.NEXT;
    }
    return ReviewStage.releasedAnswer(exchange).flatMap(this::deliver).orElse(Step.NEXT);
  }

  /** Delivers an answer of the queue; empty if it cannot answer this request. */
  Optional<Step> deliver(ReviewItem item) {
    RequestView asked = exchange.asked.orElseThrow();
    HeldMessage held = item.message();
    if (!held.origin().protocol().equals(asked.protocol().name())) {
      return Optional.empty();
    }
    StreamSettings streams = exchange.config.streams();
    Optional<byte[]> own = HeldBodies.adopt(asked, held, streams);
    Optional<HeldMessage> inForm = HeldBodies.inForm(asked, held, streams);
    Optional<byte[]> body = inForm.flatMap(turned -> HeldBodies.adopt(asked, turned, streams));
    if (own.isEmpty() || body.isEmpty()) {
      return Optional.empty();
    }
    exchange.body.release();
    delivering = Optional.of(item);
    ReviewItem turned = item.with(inForm.get());
    // Checks see it as it was held: in a stream nothing is believed.
    return Optional.of(
        HeldBodies.view(asked, held, own.get())
            .map(view ->
                releasedStep(
                    exchange.checks.released(view, checked(view, held, own.get())),
                    turned,
                    body.get()))
            .orElseGet(() -> deliverReleased(turned, body.get())));
  }

  /** Delivers an answer of the queue as the task that the request asks for, likewise. */
  Step deliver(ReviewItem item, VerdictHeader verdict, WholeResponse task) {
    exchange.body.release();
    delivering = Optional.of(item);
    exchange.record.released(item, verdict, Leg.RESPONSE);
    return new Step.Deliver(task);
  }

  /** It was asked before, and the answer waits or was released meanwhile: nobody is asked again. */
  private Step opened(ReviewItem item) {
    return item.isReleased()
        ? deliver(item).orElseGet(() -> NamedItem.of(exchange, this, item).foreign())
        : waits(item);
  }

  private Step waits(ReviewItem item) {
    VerdictHeader verdict =
        exchange.bare(
            decisionId(), Route.YIELD, Reason.REVIEW_PENDING, item.message().cause().attempts());
    exchange.record.waits(item, verdict.decisionId(), body());
    drop();
    return new Step.Refuse(Notices.waiting(verdict, item), Optional.empty());
  }

  private Step releasedStep(Check.Result result, ReviewItem item, byte[] body) {
    return switch (result) {
      case Passage.On _ -> deliverReleased(item, body);
      case Passage.Stopped stopped -> refuseReleased(item, stopped);
      case Passage.Held(Passage.Stopped instead) -> refuseReleased(item, instead);
      case Passage.Again again -> releasedStep(again.otherwise().get(), item, body);
      case Check.Rejected(Judgment bad) ->
          throw new IllegalStateException("nobody judges what was released: " + bad.id());
      case Check.Reworded _ -> deliverReleased(item, body); // a person has seen all of it
      case Check.Awaited<?> awaited -> awaitReleased(awaited, item, body);
    };
  }

  private <T> Step awaitReleased(Check.Awaited<T> awaited, ReviewItem item, byte[] body) {
    return new Step.Await<>(
        awaited.source(),
        awaited.reply(),
        reply -> releasedStep(awaited.then().apply(reply), item, body));
  }

  private static CheckedMessage checked(ResponseView view, HeldMessage held, byte[] body) {
    return new CheckedMessage.Released(
        Leg.RESPONSE,
        held.content().status(),
        HeldBodies.headers(held),
        PlainBody.of(body),
        view.document(),
        view.unread(),
        view.message().map(AgentMessage::answer),
        Route.EXECUTE.code(),
        held.decisionId());
  }

  /** What was released may not go on now; it stays released. */
  private Step refuseReleased(ReviewItem item, Passage.Stopped stopped) {
    giveBack();
    exchange.record.stoppedUnread(
        stopped.reason(),
        Leg.RESPONSE,
        exchange.services.gate().newId(),
        PlainBody.of(item.message().content().body()),
        item.message().content().status());
    return new Step.Refuse(Notices.stopped(stopped, Optional.empty()), Optional.empty());
  }

  private Step deliverReleased(ReviewItem item, byte[] body) {
    VerdictHeader verdict =
        exchange.bare(
            exchange.services.gate().newId(),
            Route.EXECUTE,
            Reason.RELEASED,
            item.message().cause().attempts());
    HttpHeaders headers = HeldBodies.headers(item.message());
    VerdictFields.write(headers, verdict);
    headers.set(VerdictFields.REVIEW, item.id());
    exchange.record.released(item, verdict, Leg.RESPONSE);
    return new Step.Deliver(
        new WholeResponse(
            item.message().content().status(),
            headers,
            Unpooled.wrappedBuffer(body),
            HeldBodies.trailers(item.message())));
  }

  // ---- what was released, on its way ----

  /**
   * The released answer has gone out.
   *
   * @param whole false if its caller went before it had all of it
   */
  void sent(boolean whole) {
    if (whole) {
      arrived();
    } else {
      giveBack();
    }
  }

  /** It has arrived. */
  void arrived() {
    if (delivering.isPresent()) {
      ReviewStage.settle(exchange, delivering.get());
      delivering = Optional.empty();
    }
  }

  /** It did not arrive, and waits for the next who asks for it. */
  void giveBack() {
    if (delivering.isPresent()) {
      exchange.services.review().giveBack(delivering.get());
      delivering = Optional.empty();
    }
  }
}
