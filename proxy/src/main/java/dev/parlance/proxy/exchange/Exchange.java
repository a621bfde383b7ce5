package dev.parlance.proxy.exchange;

import dev.parlance.policy.route.Reason;
import dev.parlance.policy.route.Route;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.OnFailure;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.proxy.identity.Caller;
import dev.parlance.relay.api.Destination;
import dev.parlance.relay.api.OriginCall;
import dev.parlance.relay.api.OriginReceiver;
import dev.parlance.relay.api.OriginReceiver.BodySink;
import dev.parlance.relay.api.OriginReceiver.OriginResult;
import dev.parlance.relay.api.ServerCall;
import dev.parlance.relay.api.Timeouts;
import dev.parlance.relay.api.WholeRequest;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.wire.Codecs;
import dev.parlance.wire.api.VerdictHeader;
import dev.parlance.wire.bytes.Edit;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.WireFault;
import dev.parlance.wire.grpc.GrpcTimeout;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
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

  private static final AtomicLong NEXT_LINE_NS = new AtomicLong(System.nanoTime());
  private static final long DELIVERY_PAUSE_MS = 50;

  private static final AsciiString GRPC_TIMEOUT = AsciiString.cached("grpc-timeout");

  private final ExchangeContext context;

  /** True if what still arrives of a stream is only looked at. */
  private boolean drains;

  private final RequestStage request;
  private Optional<UnaryAnswer> answer = Optional.empty();
  private Optional<StreamSink> stream = Optional.empty();
  private Optional<ResponseWriter> out = Optional.empty();
  private Optional<OriginCall> call = Optional.empty();

  /** When the stream is asked again, although nothing has come. */
  private Optional<ScheduledFuture<?>> wake = Optional.empty();

  private Leg leg = Leg.REQUEST;

  /** How the request went to the agent. */
  private Step sent = Step.NEXT;

  /** Length of the answer where it goes on as it is; -1 if it is not known or may change. */
  private long declared = -1;

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
  private void perform(Step step) {
    context.report.hand();
    switch (step) {
      case Step.Forward forward -> {
        sent = forward;
        forward(forward.edits(), forward.verdict());
      }
      case Step.Answer _ when stream.isPresent() -> context.body.release();
      case Step.Answer(List<Edit> edits, Optional<VerdictHeader> verdict) ->
          answer(answer.orElseThrow().arrived(), edits, verdict);
      case Step.Deliver(WholeResponse released) -> deliver(released);
      case Step.Refuse refuse -> refuse(refuse);
      case Step.Hold hold -> {
        cancel();
        perform(ReviewStage.hold(context, hold));
      }
      case Step.AskAgain again -> askAgain(again);
      case Step.SendAgain again -> sendAgain(again);
      case Step.Await<?> await -> await(await);
      case Step.Stream(StreamSink answer) -> stream(answer);
      case Step.Begin _ -> out.orElseThrow().begin();
      case Step.Piece(ByteBuf bytes) -> out.orElseThrow().write(bytes);
      case Step.Beat(byte[] bytes) -> out.orElseThrow().writeIfIdle(bytes);
      case Step.Wake(long afterMs) -> wake(afterMs);
      case Step.End(HttpHeaders trailers) -> {
        context.checks.each(Check::over);
        out.orElseThrow().end(trailers);
      }
      case Step.BreakOff _ -> {
        context.checks.each(Check::over);
        out.orElseThrow().abort();
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
    ask(headers, body);
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
    if (stream.isPresent()) {
      drains = context.checks.any(Check::wantsRest);
      if (!drains) {
        cancel();
      }
      if (!out.orElseThrow().isOver()) {
        stream.get().refused(refuse.notice(), refuse.cut());
        perform(stream.get());
      }
    } else if (!context.responder.isGiven()) {
      give(context.responder.refusal(refuse));
    }
  }

  private void stream(StreamSink answer) {
    if (declared >= 0 && answer instanceof StreamSink.PassThrough) {
      answer.headers.set(HttpHeaderNames.CONTENT_LENGTH, Long.toString(declared));
    }
    out =
        Optional.of(
            new ResponseWriter(
                context.responder, this, answer.status, answer.headers, context.services.held()));
    stream = Optional.of(answer);
    perform(answer);
  }

  /** Performs what follows from what a stream was told. */
  private void perform(StreamSink answer) {
    for (Step step = answer.next(); !(step instanceof Step.Next); step = answer.next()) {
      perform(step);
    }
    if (stream.filter(StreamSink::isOver).isPresent()) {
      cancelWake();
    }
  }

  private void wake(long afterMs) {
    cancelWake();
    wake =
        Optional.of(
            context
                .call
                .loop()
                .schedule(() -> guarded(this::tick), afterMs, TimeUnit.MILLISECONDS));
  }

  private void tick() {
    wake = Optional.empty();
    if (stream.isPresent()) {
      stream.get().tick();
      perform(stream.get());
    }
  }

  private void cancelWake() {
    wake.ifPresent(timer -> timer.cancel(false));
    wake = Optional.empty();
  }

  private void askAgain(Step.AskAgain again) {
    cancel();
    cancelWake();
    out.ifPresent(ResponseWriter::close);
    context.attempt++;
    leg = Leg.REQUEST;
    answer = Optional.empty();
    stream = Optional.empty();
    HttpHeaders headers = PassedFields.toAgent(context);
    headers.remove(HttpHeaderNames.CONTENT_ENCODING);
    VerdictFields.bodyChanged(headers);
    context.annotate(headers, again.spent());
    context.report.leaves(headers);
    ask(headers, Unpooled.wrappedBuffer(again.body()));
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
    boolean isOfStream = await.source() == Check.Source.ENTAILMENT && stream.isPresent();
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
      perform(stream.get()); // it goes on where it waited
    }
  }

  // ---- to the agent ----

  private void ask(HttpHeaders headers, ByteBuf body) {
    String deadline = headers.get(GRPC_TIMEOUT);
    if (deadline == null) {
      ask(headers, body, context.config.timeouts().http());
      return;
    }
    switch (GrpcTimeout.parse(deadline)) {
      case GrpcTimeout.Malformed(String detail) -> {
        body.release();
        unsent();
        context.record.malformed(WireFault.BAD_MESSAGE);
        perform(
            new Step.Refuse(Notices.malformed(WireFault.BAD_MESSAGE, detail), Optional.empty()));
      }
      case GrpcTimeout.Spent() -> outOfTime(body);
      case GrpcTimeout.Left(long nanos) -> {
        long leftNs = nanos - (System.nanoTime() - context.startNs);
        if (leftNs <= 0) {
          outOfTime(body);
        } else {
          headers.set(GRPC_TIMEOUT, GrpcTimeout.format(leftNs));
          long leftMs = TimeUnit.NANOSECONDS.toMillis(leftNs) + 1;
          ask(headers, body, context.config.timeouts().http().answeredWithin(leftMs));
        }
      }
    }
  }

  /** The time that the caller gave is over before the agent was asked. */
  private void outOfTime(ByteBuf body) {
    body.release();
    unsent();
    request.giveBack();
    context.record.outOfTime();
    perform(new Step.Refuse(Notices.upstream("response_timeout"), Optional.empty()));
  }

  /**
   * No byte of this attempt has left; the agent knows nothing of the request if it was the first.
   */
  private void unsent() {
    if (context.attempt == 1) {
      context.checks.each(Check::unsent);
    }
  }

  private void ask(HttpHeaders headers, ByteBuf body, Timeouts timeouts) {
    context.goesOut();
    context.record.asked();
    Receiver receiver = new Receiver();
    OriginCall asked =
        context
            .services
            .origin()
            .ask(
                context.call.loop(),
                context.destination,
                new WholeRequest(
                    context.request.method(),
                    HeldTasks.target(context),
                    context.request.authority(),
                    context.request.absoluteForm(),
                    headers,
                    body),
                context.config.limits().http(),
                timeouts,
                receiver);
    if (!receiver.done) {
      call = Optional.of(asked);
    }
  }

  // ---- from the agent ----

  /** Takes the answer to one ask, whole or piece by piece. */
  private final class Receiver implements OriginReceiver, BodySink {
    private boolean done;

    /** Who takes the pieces; empty if the answer was refused at its head. */
    private Optional<StreamSink> pieces = Optional.empty();

    @Override
    public boolean isTap() {
      return context.rule.isTap();
    }

    /** An agent that closes without saying so takes no second question on the same connection. */
    @Override
    public boolean needsNewConnection() {
      return context.attempt > 1;
    }

    @Override
    public void onInterim(int status, HttpHeaders headers) {
      if (context.rule.isTap() && !context.responder.isGiven() && stream.isEmpty()) {
        context.call.interim(status, headers);
      }
    }

    @Override
    public Optional<BodySink> onHead(int status, HttpHeaders headers, long length) {
      declared = context.rule.isTap() ? length : -1;
      return onHead(status, headers);
    }

    @Override
    public Optional<BodySink> onHead(int status, HttpHeaders headers) {
      if (context.responder.isGiven()
          || UnaryAnswer.saysNothing(context.request.method(), status)) {
        return Optional.empty();
      }
      leg = Leg.RESPONSE;
      try {
        Step step = AnswerHead.choose(context, status, headers);
        if (step instanceof Step.Next) {
          return context.mayTee() ? Optional.of(tee(status, headers)) : Optional.empty();
        }
        perform(step);
      } catch (RuntimeException e) {
        // Gathered whole it fails again, there with its bytes at hand for the route's onError.
        log.atError().setCause(e).log("the gate failed at the head of an answer");
        return Optional.empty();
      }
      if (stream.isEmpty()) {
        cancel();
      }
      pieces = stream;
      keepMemory(); // of the request, which is read as long as the stream goes on
      arrived();
      return Optional.of(this);
    }

    /** Small answers that come at once are taken whole as ever. */
    private BodySink tee(int status, HttpHeaders headers) {
      return new TeedAnswer(
          context,
          this::done,
          () -> {
            perform(new Step.Stream(new StreamSink.PassThrough(context, status, headers, false)));
            pieces = stream;
            arrived();
            return this;
          },
          Exchange.this::judgeTeed,
          status,
          headers);
    }

    @Override
    public void piece(ByteBuf piece) {
      if (pieces.isEmpty()) {
        piece.release();
        return;
      }
      depth++;
      try {
        context.checks.each(check -> check.arriving(piece));
        pieces.get().piece(piece);
        perform(pieces.get());
        if (drains && !context.checks.any(Check::wantsRest)) {
          cancel();
        }
      } catch (RuntimeException e) {
        Exchange.this.failed(e);
      } finally {
        handled();
      }
    }

    @Override
    public void end(HttpHeaders trailers) {
      if (pieces.isPresent()) {
        call = Optional.empty();
        guarded(() -> {
          context.checks.each(check -> check.arrivedAll(trailers));
          pieces.get().end(trailers);
          perform(pieces.get());
        });
      }
    }

    @Override
    public void failed(OriginResult.Failed failure) {
      if (pieces.isPresent()) {
        originFailed(failure);
        guarded(() -> {
          pieces.get().failed(failure);
          perform(pieces.get());
        });
      }
    }

    @Override
    public void done(OriginResult result) {
      done = true;
      depth++;
      try {
        answered(result);
      } catch (RuntimeException e) {
        Exchange.this.failed(e);
      } finally {
        handled();
      }
    }
  }

  /** The answer has gone on; what is found in its copy is written down. */
  private void judgeTeed(WholeResponse copy) {
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

  private void arrived() {
    context.record.originDone();
    request.arrived();
  }

  private void answered(OriginResult result) {
    call = Optional.empty();
    leg = Leg.RESPONSE;
    switch (result) {
      case OriginResult.Failed failed -> {
        context.record.originDone();
        originFailed(failed);
        if (!failed.requestSent()) {
          unsent();
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

  /** Callers hear of it without the address; here it stands, at most once a second. */
  private void originFailed(OriginResult.Failed failed) {
    context.record.originFailed(failed);
    sayFailed(context.destination, failed);
  }

  /** Says it in the log, at most once a second. */
  static void sayFailed(Destination destination, OriginResult.Failed failed) {
    long nowNs = System.nanoTime();
    long dueNs = NEXT_LINE_NS.get();
    if (!failed.code().equals("cancelled")
        && nowNs - dueNs >= 0
        && NEXT_LINE_NS.compareAndSet(dueNs, nowNs + TimeUnit.SECONDS.toNanos(1))) {
      log.atWarn()
          .addKeyValue("destination", destination)
          .addKeyValue("code", failed.code())
          .addKeyValue("detail", failed.detail())
          .log("an agent's answer did not come through");
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

  /** Nobody wants the agent's answer any more. */
  private void cancel() {
    if (call.isPresent()) {
      call.get().cancel();
      call = Optional.empty();
    }
  }

  /** The agent shall wait. */
  void pauseReading() {
    call.ifPresent(OriginCall::pauseReading);
  }

  /** The agent may go on. */
  void resumeReading() {
    call.ifPresent(OriginCall::resumeReading);
  }

  // ---- the ways it can end early ----

  /** The caller has gone. A message on its way into the review queue gets there all the same. */
  private void aborted() {
    keepMemory();
    context.record.callerGone();
    context.report.hand();
    context.responder.abandon();
    stream.ifPresent(StreamSink::close);
    out.ifPresent(ResponseWriter::close);
    cancelWake();
    cancel();
    request.giveBack();
    context.body.release();
    endSpan();
  }

  /** Handles an event; whatever fails in it, the caller is answered and every buffer released. */
  private void guarded(Runnable event) {
    depth++;
    try {
      event.run();
    } catch (RuntimeException e) {
      failed(e);
    } finally {
      handled();
    }
  }

  /**
   * Gives the memory of both bodies to the next exchanges once the one answer is given and no event
   * is being handled that might still look: whatever comes later for this exchange (the caller that
   * leaves, the end of a round that nobody waits for) looks at neither body.
   */
  private void handled() {
    depth--;
    if (depth == 0) {
      context.report.hand();
      endSpan();
    }
    if (depth == 0 && context.memory.isOpen() && context.responder.isGiven() && call.isEmpty()) {
      context.memory.release();
    }
  }

  /** Once the caller has all that it gets, and nothing more is found out about it. */
  private void endSpan() {
    if (awaited == 0
        && context.responder.isGiven()
        && stream.map(StreamSink::isOver).orElse(call.isEmpty())) {
      context.report.over();
    }
  }

  /** Something may look at the bodies at a time that nobody knows: they are never overwritten. */
  private void keepMemory() {
    if (context.memory.isOpen()) {
      context.memory.letGo();
    }
  }

  /**
   * The gate itself may have a fault: then the route's {@code onError} decides, never an accident.
   * Whatever fails then, the caller is answered and the bytes are released.
   */
  private void failed(RuntimeException fault) {
    keepMemory();
    String id = context.services.gate().newId();
    log.atError().setCause(fault).addKeyValue("decision", id).log("the gate failed");
    try {
      onError(id);
    } catch (RuntimeException e) {
      log.atError().setCause(e).addKeyValue("decision", id).log("the gate failed again");
      context.body.release();
      stream.ifPresent(StreamSink::close);
      out.ifPresent(ResponseWriter::abort);
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
    if (stream.isPresent()) {
      context.body.release();
      stream.get().gateFailed(policy, id);
      perform(stream.get());
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
