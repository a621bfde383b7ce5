package dev.parlance.proxy.exchange;

import dev.parlance.policy.commit.Finality;
import dev.parlance.policy.route.Reason;
import dev.parlance.policy.route.Route;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.OnFailure;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.proxy.gate.Pacts;
import dev.parlance.proxy.gate.Rounds;
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
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.RoundMark;
import dev.parlance.wire.api.VerdictHeader;
import dev.parlance.wire.bytes.Edit;
import dev.parlance.wire.bytes.WireFault;
import dev.parlance.wire.grpc.GrpcTimeout;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
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
 *                                    -> StreamSink  -> Begin, Piece, Beat, End, BreakOff -> caller
 *        any stage -> Refuse, Deliver -> caller;  Hold -> review queue, then Refuse
 *        any stage -> Await -> the step that the reply leads to
 *        answer    -> AskAgain -> agent
 *        answer    -> SendAgain -> another pact -> agent
 * </pre>
 */
final class Exchange {
  private static final Logger log = LoggerFactory.getLogger(Exchange.class);

  private static final AsciiString GRPC_TIMEOUT = AsciiString.cached("grpc-timeout");

  private final ExchangeContext at;
  private final RequestStage request;
  private Optional<UnaryAnswer> answer = Optional.empty();
  private Optional<StreamSink> stream = Optional.empty();
  private Optional<ResponseWriter> out = Optional.empty();
  private Optional<OriginCall> call = Optional.empty();
  private Leg leg = Leg.REQUEST;

  /** How the request went to the agent. */
  private Step sent = Step.NEXT;

  /** Events that are being handled, one within the other. */
  private int depth;

  Exchange(
      Services services,
      SidecarConfig config,
      Codecs codecs,
      RoutePlan plan,
      Direction direction,
      ServerCall call,
      WholeRequest request,
      Destination destination) {
    this.at =
        new ExchangeContext(services, config, codecs, plan, direction, call, request, destination);
    this.request = new RequestStage(at);
  }

  void run() {
    at.call.onAbort(this::aborted);
    depth++;
    try {
      perform(request.go());
    } catch (RuntimeException e) {
      failed(e);
    } finally {
      handled();
    }
  }

  // ---- the interpreter ----

  /**
   * Does what a stage has decided. What is known by now is handed over first: whoever gets an
   * answer finds it counted.
   */
  void perform(Step step) {
    at.report.hand();
    switch (step) {
      case Step.Forward forward -> {
        sent = forward;
        forward(forward.edits(), forward.verdict());
      }
      case Step.Answer(List<Edit> edits, Optional<VerdictHeader> verdict) ->
          answer(answer.orElseThrow().arrived(), edits, verdict);
      case Step.Deliver deliver -> {
        give(deliver.response());
        ReviewStage.settle(at, deliver.item());
      }
      case Step.Refuse refuse -> refuse(refuse);
      case Step.Hold hold -> {
        cancel();
        perform(ReviewStage.hold(at, hold));
      }
      case Step.AskAgain again -> askAgain(again);
      case Step.SendAgain _ -> sendAgain();
      case Step.Await<?> await -> await(await);
      case Step.Stream(StreamSink answer) -> stream(answer);
      case Step.Begin _ -> out.orElseThrow().begin();
      case Step.Piece(ByteBuf bytes) -> out.orElseThrow().write(bytes);
      case Step.Beat(byte[] bytes) -> out.orElseThrow().writeIfIdle(bytes);
      case Step.End(HttpHeaders trailers) -> {
        at.over();
        out.orElseThrow().end(trailers);
      }
      case Step.BreakOff _ -> {
        at.over();
        out.orElseThrow().abort();
      }
      case Step.Next _ -> throw new IllegalStateException("a stage that decides nothing");
    }
  }

  private void forward(List<Edit> edits, Optional<VerdictHeader> verdict) {
    if (at.ticket.isPresent()) {
      at.ticket.get().listen(at.call.loop());
    }
    HttpHeaders headers = PassedFields.toAgent(at);
    ByteBuf body = at.body.takeEdited(edits, headers, at.services.allocator());
    if (verdict.isPresent()) {
      VerdictFields.write(headers, verdict.get());
    }
    writePact(headers);
    ask(headers, body);
  }

  /** The pact of a request stands beside it on its way to the other sidecar only. */
  private void writePact(HttpHeaders headers) {
    if (at.direction == Direction.OUTBOUND && at.pact.isPresent()) {
      Pacts.Held pact = at.pact.get();
      PactFields.write(headers, pact);
      pact.signature().ifPresent(text -> headers.set(PactFields.SIGNATURE, text));
    }
    if (at.direction == Direction.OUTBOUND) {
      at.ratification().ifPresent(text -> headers.set(PactFields.RATIFICATION, text));
    }
  }

  private void answer(WholeResponse arrived, List<Edit> edits, Optional<VerdictHeader> verdict) {
    HttpHeaders headers = arrived.headers();
    ByteBuf body = at.body.takeEdited(edits, headers, at.services.allocator());
    if (verdict.isPresent()) {
      VerdictFields.write(headers, verdict.get());
    }
    give(new WholeResponse(arrived.status(), headers, body, arrived.trailers()));
  }

  private void give(WholeResponse response) {
    at.record.answered(response.status());
    at.report.hand();
    at.responder.give(response);
  }

  private void refuse(Step.Refuse refuse) {
    if (stream.isPresent()) {
      cancel();
      if (!out.orElseThrow().isOver()) {
        stream.get().refuse(refuse.notice(), refuse.cut());
      }
    } else if (!at.responder.isGiven()) {
      give(at.responder.refusal(refuse));
    }
  }

  private void stream(StreamSink answer) {
    out =
        Optional.of(
            new ResponseWriter(
                at.responder, this, answer.status, answer.headers, at.services.held()));
    answer.open();
    stream = Optional.of(answer);
  }

  private void askAgain(Step.AskAgain again) {
    cancel();
    out.ifPresent(ResponseWriter::close);
    at.attempt++;
    leg = Leg.REQUEST;
    answer = Optional.empty();
    stream = Optional.empty();
    HttpHeaders headers = PassedFields.toAgent(at);
    headers.remove(HttpHeaderNames.CONTENT_ENCODING);
    VerdictFields.bodyChanged(headers);
    VerdictFields.write(headers, again.spent());
    ask(headers, Unpooled.wrappedBuffer(again.body()));
  }

  /** As it went the first time, if it keeps to the other pact, too. */
  private void sendAgain() {
    leg = Leg.REQUEST;
    answer = Optional.empty();
    perform(request.sendAgain(sent));
  }

  private <T> void await(Step.Await<T> await) {
    long startNs = System.nanoTime();
    CompletableFuture<?> _ =
        await
            .reply()
            .whenComplete((reply, failure) ->
                at.call
                    .loop()
                    .execute(() -> guarded(() -> replied(await, reply, failure, startNs))));
  }

  private <T> void replied(
      Step.Await<T> await, @Nullable T reply, @Nullable Throwable failure, long startNs) {
    if (await.source() == Step.Source.ROUND) {
      at.record.roundTook(startNs);
    } else if (await.source() == Step.Source.OUTCOME && at.responder.isGiven()) {
      return;
    }
    if (failure != null || reply == null) {
      throw new IllegalStateException(await.source().fault(), failure);
    }
    boolean asked = await.source() == Step.Source.ROUND || await.source() == Step.Source.PACT;
    if (asked && at.responder.isGiven()) {
      log.atDebug().log("the caller left while its message waited for a round or a pact");
      at.record.acted("caller_gone", Optional.empty());
      return;
    }
    perform(await.then().apply(reply));
  }

  // ---- to the agent ----

  private void ask(HttpHeaders headers, ByteBuf body) {
    String deadline = headers.get(GRPC_TIMEOUT);
    if (deadline == null) {
      ask(headers, body, at.config.timeouts().http());
      return;
    }
    switch (GrpcTimeout.parse(deadline)) {
      case GrpcTimeout.Malformed(String detail) -> {
        body.release();
        at.record.malformed(WireFault.BAD_MESSAGE);
        perform(
            new Step.Refuse(Notices.malformed(WireFault.BAD_MESSAGE, detail), Optional.empty()));
      }
      case GrpcTimeout.Spent() -> outOfTime(body);
      case GrpcTimeout.Left(long nanos) -> {
        long leftNs = nanos - (System.nanoTime() - at.startNs);
        if (leftNs <= 0) {
          outOfTime(body);
        } else {
          headers.set(GRPC_TIMEOUT, GrpcTimeout.format(leftNs));
          long leftMs = TimeUnit.NANOSECONDS.toMillis(leftNs) + 1;
          ask(headers, body, at.config.timeouts().http().answeredWithin(leftMs));
        }
      }
    }
  }

  /** The time that the caller gave is over before the agent was asked. */
  private void outOfTime(ByteBuf body) {
    body.release();
    request.giveBack();
    perform(
        new Step.Refuse(Notices.upstream("response_timeout", at.destination), Optional.empty()));
  }

  private void ask(HttpHeaders headers, ByteBuf body, Timeouts timeouts) {
    at.record.asked();
    Receiver receiver = new Receiver();
    OriginCall asked =
        at.services
            .origin()
            .ask(
                at.call.loop(),
                at.destination,
                new WholeRequest(
                    at.request.method(),
                    at.request.target(),
                    at.request.authority(),
                    at.request.absoluteForm(),
                    headers,
                    body),
                at.config.limits().http(),
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
    public Optional<BodySink> onHead(int status, HttpHeaders headers) {
      if (at.responder.isGiven() || UnaryAnswer.saysNothing(at.request.method(), status)) {
        return Optional.empty();
      }
      leg = Leg.RESPONSE;
      try {
        Step step = AnswerHead.choose(at, Exchange.this, status, headers);
        if (step instanceof Step.Next) {
          return Optional.empty();
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

    @Override
    public void piece(ByteBuf piece) {
      if (pieces.isEmpty()) {
        piece.release();
        return;
      }
      depth++;
      try {
        pieces.get().piece(piece);
      } catch (RuntimeException e) {
        Exchange.this.failed(e);
      } finally {
        handled();
      }
    }

    @Override
    public void end(HttpHeaders trailers) {
      if (pieces.isPresent()) {
        guarded(() -> pieces.get().end(trailers));
      }
    }

    @Override
    public void failed(OriginResult.Failed failure) {
      if (pieces.isPresent()) {
        guarded(() -> pieces.get().failed(failure));
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

  private void arrived() {
    at.record.originDone();
    request.arrived();
  }

  private void answered(OriginResult result) {
    call = Optional.empty();
    leg = Leg.RESPONSE;
    switch (result) {
      case OriginResult.Failed failed -> {
        at.record.originDone();
        at.record.originFailed(failed);
        request.giveBack();
        perform(new Step.Refuse(Notices.upstream(failed.code(), at.destination), Optional.empty()));
      }
      case OriginResult.Answered(WholeResponse response) -> {
        arrived();
        at.body.put(response.body());
        if (at.responder.isGiven()) {
          at.body.release();
        } else {
          UnaryAnswer whole = new UnaryAnswer(at, response);
          answer = Optional.of(whole);
          perform(afterOutcome(whole));
        }
      }
    }
  }

  /** An author that waits gets its answer together with the outcome, or when it waited enough. */
  private Step afterOutcome(UnaryAnswer whole) {
    if (at.ticket.isEmpty() || at.ticket.get().outcome().isEmpty()) {
      return whole.go();
    }
    long startNs = System.nanoTime();
    RoundStage.Ticket ticket = at.ticket.get();
    return new Step.Await<Rounds.Reply>(
        Step.Source.OUTCOME,
        ticket.outcome().get(),
        reply -> {
          at.record.waited(startNs, reply);
          ticket.heard(reply);
          return whole.go();
        });
  }

  /** Nobody wants the agent's answer any more. */
  void cancel() {
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
    at.responder.abandon();
    at.ticket.ifPresent(RoundStage.Ticket::giveUp);
    stream.ifPresent(StreamSink::close);
    out.ifPresent(ResponseWriter::close);
    cancel();
    request.giveBack();
    at.body.release();
  }

  /** Handles an event; whatever fails in it, the caller is answered and every buffer released. */
  void guarded(Runnable event) {
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
      at.report.hand();
    }
    if (depth == 0 && at.memory.isOpen() && at.responder.isGiven() && call.isEmpty()) {
      at.memory.release();
    }
  }

  /** Something may look at the bodies at a time that nobody knows: they are never overwritten. */
  private void keepMemory() {
    if (at.memory.isOpen()) {
      at.memory.letGo();
    }
  }

  /**
   * The gate itself may have a fault: then the route's {@code onError} decides, never an accident.
   * Whatever fails then, the caller is answered and the bytes are released.
   */
  private void failed(RuntimeException fault) {
    keepMemory();
    String id = at.services.gate().newId();
    log.atError().setCause(fault).addKeyValue("decision", id).log("the gate failed");
    try {
      onError(id);
    } catch (RuntimeException e) {
      log.atError().setCause(e).addKeyValue("decision", id).log("the gate failed again");
      at.body.release();
      stream.ifPresent(StreamSink::close);
      out.ifPresent(ResponseWriter::abort);
      if (!at.responder.isGiven()) {
        give(Responder.internalError(id));
      }
    }
  }

  private void onError(String id) {
    OnFailure policy =
        at.observing() ? OnFailure.ALLOW : isMarked() ? OnFailure.BLOCK : at.rule.onError();
    request.giveBack();
    at.report.hand();
    if (stream.isPresent()) {
      at.body.release();
      stream.get().gateFailed(policy, id);
      return;
    }
    boolean blocked = policy == OnFailure.BLOCK || !at.body.isPresent();
    at.record.gateFailed(blocked ? OnFailure.BLOCK : policy, id, leg);
    if (blocked || at.responder.isGiven()) {
      at.body.release();
      if (!at.responder.isGiven()) {
        give(Responder.internalError(id));
      }
      return;
    }
    VerdictHeader verdict = at.bare(id, Route.WARN, Reason.INTERNAL_ERROR, at.attempt);
    Optional<VerdictHeader> told =
        policy == OnFailure.WARN ? Optional.of(verdict) : Optional.empty();
    at.asked = Optional.empty();
    at.unreadPolicy = policy;
    perform(
        answer.isPresent() ? new Step.Answer(List.of(), told) : new Step.Forward(List.of(), told));
  }

  /**
   * True if the message is under a pact or says something of a round: then nothing lets it pass
   * unchecked.
   */
  private boolean isMarked() {
    return switch (leg) {
      case REQUEST ->
          at.rule.finality() != Finality.NONE
              || request.isBoundByPact()
              || request.isNegotiating()
              || at.asked.filter(Exchange::isMarked).isPresent();
      case RESPONSE ->
          at.pact.isPresent()
              || at.asksForPact
              || answer.filter(UnaryAnswer::isNegotiating).isPresent()
              || answer.filter(UnaryAnswer::isMarked).isPresent();
    };
  }

  private static boolean isMarked(RequestView asked) {
    return !(asked.round() instanceof RoundMark.None);
  }
}
