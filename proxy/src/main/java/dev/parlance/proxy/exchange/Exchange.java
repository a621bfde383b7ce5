package dev.parlance.proxy.exchange;

import dev.parlance.policy.route.Reason;
import dev.parlance.policy.route.Route;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.OnFailure;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.exchange.body.VerdictFields;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.proxy.identity.Caller;
import dev.parlance.relay.api.Destination;
import dev.parlance.relay.api.OriginReceiver.OriginResult;
import dev.parlance.relay.api.ServerCall;
import dev.parlance.relay.api.WholeRequest;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.wire.Codecs;
import dev.parlance.wire.api.VerdictHeader;
import dev.parlance.wire.bytes.Edit;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.WireFault;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request and its answer, from the first whole byte to the end of the response: the interpreter
 * of the {@link Step}s that its stages return. Lives on one event loop and never blocks. Only
 * {@link #perform} asks the agent, answers the caller or waits; every way an exchange can end
 * answers the caller and releases every buffer.
 *
 * <pre>
 *   RequestStage -> Forward -> agent -> UnaryAnswer -> Answer -> caller
 *                                    -> StreamSink  -> Begin, Piece, Beat, Wake, End, .. -> caller
 *        any stage -> Refuse, Deliver -> caller;  Hold -> review queue, then Refuse
 *        any stage -> Await -> the step that the reply leads to
 *        answer    -> AskAgain -> agent
 *        answer    -> SendAgain -> another pact -> agent
 * </pre>
 */
final class Exchange {
  private static final Logger log = LoggerFactory.getLogger(Exchange.class);

  private static final long DELIVERY_PAUSE_MS = 50;

  private final ExchangeContext context;
  private final RequestStage request;
  private Optional<UnaryAnswer> answer = Optional.empty();
  private final AgentCall agent;
  private final AnswerFlow flow;

  private Leg leg = Leg.REQUEST;

  /** How the request went to the agent. */
  private Step sent = Step.NEXT;

  /** Replies that are waited for. */
  private int awaited;

  /** Events that are being handled, one within the other. */
  private int depth;

  Exchange(
      Services services,
      SidecarConfig config,
      Codecs codecs,
      RoutePlan plan,
      Direction direction,
      ServerCall call,
      Caller caller,
      WholeRequest request,
      Destination destination) {
    this.context =
        new ExchangeContext(
            services, config, codecs, plan, direction, call, caller, request, destination);
    this.request = new RequestStage(context);
    this.agent = new AgentCall(context, this);
    this.flow = agent.flow();
  }

  void run() {
    context.call.onAbort(this::aborted);
    context.cameIn();
    depth++;
    try {
      perform(request.go());
    } catch (RuntimeException e) {
      failed(e);
    } finally {
      handled();
    }
  }

  /**
   * The request goes on without being read: that is written down, and one of the local agent counts
   * as an act.
   *
   * @param why as a label of the metric
   */
  void goesOnUnread(String why) {
    context.record.unjudged(
        why, OnFailure.ALLOW, Leg.REQUEST, context.services.gate().newId(), PlainBody.none(), 0);
    context.goesOut();
    context.report.hand();
  }

  // ---- the interpreter ----

  /**
   * Does what a stage has decided. What is known by now is handed over first: whoever gets an
   * answer finds it counted.
   */
  void perform(Step step) {
    context.report.hand();
    switch (step) {
      case Step.Forward forward -> {
        sent = forward;
        forward(forward.edits(), forward.verdict());
      }
      case Step.Answer _ when flow.isOpen() -> context.body.release();
      case Step.Answer(List<Edit> edits, Optional<VerdictHeader> verdict) ->
          answer(answer.orElseThrow().arrived(), edits, verdict);
      case Step.Deliver(WholeResponse released) -> deliver(released);
      case Step.Refuse refuse -> refuse(refuse);
      case Step.Hold hold -> {
        agent.cancel();
        perform(ReviewStage.hold(context, hold));
      }
      case Step.AskAgain again -> askAgain(again);
      case Step.SendAgain again -> sendAgain(again);
      case Step.Await<?> await -> await(await);
      case Step.Stream(StreamSink answer) -> flow.open(answer);
      case Step.Begin _ -> flow.out().begin();
      case Step.Piece(ByteBuf bytes) -> flow.out().write(bytes);
      case Step.Beat(byte[] bytes) -> flow.out().writeIfIdle(bytes);
      case Step.Wake(long afterMs) -> flow.wake(afterMs);
      case Step.End(HttpHeaders trailers) -> {
        context.checks.each(Check::over);
        flow.out().end(trailers);
      }
      case Step.BreakOff _ -> {
        context.checks.each(Check::over);
        flow.out().abort();
      }
      case Step.Next _ -> throw new IllegalStateException("a stage that decides nothing");
    }
  }

  private void forward(List<Edit> edits, Optional<VerdictHeader> verdict) {
    HttpHeaders headers = PassedFields.toAgent(context);
    ByteBuf body = context.body.takeEdited(edits, headers, context.services.allocator());
    if (verdict.isPresent()) {
      context.annotate(headers, verdict.get());
    }
    context.showPeer(headers);
    context.introduce(headers);
    context.report.leaves(headers);
    context.checks.each(check -> check.toAgent(headers));
    context.checks.each(check -> check.leaves(headers, body));
    agent.ask(headers, body);
  }

  private void answer(WholeResponse arrived, List<Edit> edits, Optional<VerdictHeader> verdict) {
    HttpHeaders headers = arrived.headers();
    ByteBuf body = context.body.takeEdited(edits, headers, context.services.allocator());
    if (verdict.isPresent()) {
      context.annotate(headers, verdict.get());
    }
    context.showReview(headers);
    give(new WholeResponse(arrived.status(), headers, body, arrived.trailers()));
  }

  private void give(WholeResponse response) {
    context.record.answered(response.status());
    context.report.hand();
    context.responder.give(response);
  }

  /**
   * What was released is spent on a caller that takes all of it. One that goes right after asking
   * is waited for: it is seen to go before anything is written.
   */
  private void deliver(WholeResponse released) {
    var _ =
        context
            .call
            .loop()
            .schedule(
                () -> guarded(() -> deliverNow(released)),
                DELIVERY_PAUSE_MS,
                TimeUnit.MILLISECONDS);
  }

  private void deliverNow(WholeResponse released) {
    if (context.responder.isGiven()) {
      released.body().release();
      request.giveBack(); // its caller went before it was claimed
      return;
    }
    context.call.onSent(request::sent);
    give(released);
  }

  private void refuse(Step.Refuse refuse) {
    if (flow.isOpen()) {
      agent.refuseRest();
      flow.refuse(refuse);
    } else if (!context.responder.isGiven()) {
      give(context.responder.refusal(refuse));
    }
  }

  private void askAgain(Step.AskAgain again) {
    agent.cancel();
    flow.forget();
    context.attempt++;
    leg = Leg.REQUEST;
    answer = Optional.empty();
    HttpHeaders headers = PassedFields.toAgent(context);
    headers.remove(HttpHeaderNames.CONTENT_ENCODING);
    VerdictFields.bodyChanged(headers);
    context.annotate(headers, again.spent());
    context.report.leaves(headers);
    agent.ask(headers, Unpooled.wrappedBuffer(again.body()));
  }

  /** As it went the first time. */
  private void sendAgain(Step.SendAgain again) {
    leg = Leg.REQUEST;
    answer = Optional.empty();
    perform(request.sendAgain(again, sent));
  }

  private <T> void await(Step.Await<T> await) {
    long startNs = System.nanoTime();
    awaited++;
    CompletableFuture<?> _ =
        await
            .reply()
            .whenComplete((reply, failure) ->
                context
                    .call
                    .loop()
                    .execute(() -> guarded(() -> replied(await, reply, failure, startNs))));
  }

  private <T> void replied(
      Step.Await<T> await, @Nullable T reply, @Nullable Throwable failure, long startNs) {
    awaited--;
    if (await.source() == Check.Source.ROUND) {
      context.record.roundTook(startNs);
    } else if (await.source() == Check.Source.OUTCOME && context.responder.isGiven()) {
      return;
    }
    if (failure != null || reply == null) {
      throw new IllegalStateException(await.source().fault(), failure);
    }
    boolean isOfStream = await.source() == Check.Source.ENTAILMENT && flow.isOpen();
    if (await.source().isForCaller() && context.responder.isGiven() && !isOfStream) {
      log.atDebug().log("the caller left while its message waited for the control plane or a peer");
      context.record.acted("caller_gone", Optional.empty());
      return;
    }
    Step step = await.then().apply(reply);
    if (!(step instanceof Step.Next)) {
      perform(step);
    }
    if (isOfStream) {
      flow.goOn(); // it goes on where it waited
    }
  }

  // ---- from the agent ----

  /** The time that the caller gave is over before the agent was asked. */
  void outOfTime() {
    request.giveBack();
    context.record.outOfTime();
    perform(new Step.Refuse(Notices.upstream("response_timeout"), Optional.empty()));
  }

  /** What the caller says of the time that it gives cannot be read. */
  void malformedDeadline(String detail) {
    context.record.malformed(WireFault.BAD_MESSAGE);
    perform(new Step.Refuse(Notices.malformed(WireFault.BAD_MESSAGE, detail), Optional.empty()));
  }

  /** The head of an answer has come. */
  void answers() {
    leg = Leg.RESPONSE;
  }

  /** The answer has gone on; what is found in its copy is written down. */
  void judgeTeed(WholeResponse copy) {
    context.body.put(copy.body());
    UnaryAnswer whole = new UnaryAnswer(context, copy);
    answer = Optional.of(whole);
    try {
      perform(afterPeer(whole));
    } catch (RuntimeException e) {
      String id = context.services.gate().newId();
      log.atError().setCause(e).addKeyValue("decision", id).log("the gate failed");
      context.record.gateFailed(OnFailure.ALLOW, id, Leg.RESPONSE);
      context.body.release();
    }
  }

  /** The answer has come, or a stream its first bytes. */
  void arrived() {
    context.record.originDone();
    request.arrived();
  }

  /** The agent has answered whole, or not at all. */
  void answered(OriginResult result) {
    leg = Leg.RESPONSE;
    switch (result) {
      case OriginResult.Failed failed -> {
        context.record.originDone();
        agent.originFailed(failed);
        if (!failed.requestSent()) {
          agent.unsent();
        }
        request.giveBack();
        perform(new Step.Refuse(Notices.upstream(failed.code()), Optional.empty()));
      }
      case OriginResult.Answered(WholeResponse response) -> {
        arrived();
        context.body.put(response.body());
        if (context.responder.isGiven()) {
          context.body.release();
        } else {
          UnaryAnswer whole = new UnaryAnswer(context, response);
          answer = Optional.of(whole);
          perform(afterPeer(whole));
        }
      }
    }
  }

  /** What was decided at the sidecar opposite waits for that decision, if it is on its way. */
  private Step afterPeer(UnaryAnswer whole) {
    return context
        .decisionOnItsWay(whole.arrived().headers())
        .<Step>map(reply -> new Step.Await<>(Check.Source.PEER, reply, _ -> afterOutcome(whole)))
        .orElseGet(() -> afterOutcome(whole));
  }

  /** The stages of the answer, once nothing keeps it back. */
  private Step afterOutcome(UnaryAnswer whole) {
    Optional<Check.Awaited<?>> awaited = context.checks.arrived();
    return awaited.isPresent() ? afterOutcome(awaited.get(), whole) : whole.go();
  }

  private static <T> Step afterOutcome(Check.Awaited<T> awaited, UnaryAnswer whole) {
    return new Step.Await<>(
        awaited.source(),
        awaited.reply(),
        reply -> {
          Check.Result _ = awaited.then().apply(reply);
          return whole.go();
        });
  }

  // ---- the ways it can end early ----

  /** The caller has gone. A message on its way into the review queue gets there all the same. */
  private void aborted() {
    keepMemory();
    context.record.callerGone();
    context.report.hand();
    context.responder.abandon();
    flow.close();
    agent.cancel();
    request.giveBack();
    context.body.release();
    endSpan();
  }

  /** Handles an event; whatever fails in it, the caller is answered and every buffer released. */
  void guarded(Runnable event) {
    enter();
    try {
      event.run();
    } catch (RuntimeException e) {
      failed(e);
    } finally {
      handled();
    }
  }

  /** An event begins to be handled. */
  void enter() {
    depth++;
  }

  /**
   * Gives the memory of both bodies to the next exchanges once the one answer is given and no event
   * is being handled that might still look: whatever comes later for this exchange (the caller that
   * leaves, the end of a round that nobody waits for) looks at neither body.
   */
  void handled() {
    depth--;
    if (depth == 0) {
      context.report.hand();
      endSpan();
    }
    if (depth == 0
        && context.memory.isOpen()
        && context.responder.isGiven()
        && !agent.isUnderWay()) {
      context.memory.release();
    }
  }

  /** Once the caller has all that it gets, and nothing more is found out about it. */
  private void endSpan() {
    if (awaited == 0
        && context.responder.isGiven()
        && flow.stream().map(StreamSink::isOver).orElse(!agent.isUnderWay())) {
      context.report.over();
    }
  }

  /** Something may look at the bodies at a time that nobody knows: they are never overwritten. */
  void keepMemory() {
    if (context.memory.isOpen()) {
      context.memory.letGo();
    }
  }

  /**
   * The gate itself may have a fault: then the route's {@code onError} decides, never an accident.
   * Whatever fails then, the caller is answered and the bytes are released.
   */
  void failed(RuntimeException fault) {
    keepMemory();
    String id = context.services.gate().newId();
    log.atError().setCause(fault).addKeyValue("decision", id).log("the gate failed");
    try {
      onError(id);
    } catch (RuntimeException e) {
      log.atError().setCause(e).addKeyValue("decision", id).log("the gate failed again");
      context.body.release();
      flow.abort();
      if (!context.responder.isGiven()) {
        give(Responder.internalError(id));
      }
    }
  }

  private void onError(String id) {
    OnFailure policy =
        context.observing()
            ? OnFailure.ALLOW
            : context.checks.any(check -> check.concerns(leg))
                ? OnFailure.BLOCK
                : context.rule.onError();
    request.giveBack();
    context.report.hand();
    if (flow.isOpen()) {
      context.body.release();
      flow.gateFailed(policy, id);
      return;
    }
    boolean blocked = policy == OnFailure.BLOCK || !context.body.isPresent();
    context.record.gateFailed(blocked ? OnFailure.BLOCK : policy, id, leg);
    if (blocked || context.responder.isGiven()) {
      context.body.release();
      if (!context.responder.isGiven()) {
        give(Responder.internalError(id));
      }
      return;
    }
    VerdictHeader verdict = context.bare(id, Route.WARN, Reason.INTERNAL_ERROR, context.attempt);
    Optional<VerdictHeader> told =
        policy == OnFailure.WARN ? Optional.of(verdict) : Optional.empty();
    context.asked = Optional.empty();
    context.unreadPolicy = policy;
    perform(
        answer.isPresent() ? new Step.Answer(List.of(), told) : new Step.Forward(List.of(), told));
  }
}
