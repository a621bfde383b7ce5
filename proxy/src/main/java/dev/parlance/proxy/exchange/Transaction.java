package dev.parlance.proxy.exchange;

import dev.parlance.policy.commit.Finality;
import dev.parlance.policy.route.Reason;
import dev.parlance.policy.route.Route;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.OnFailure;
import dev.parlance.proxy.config.RouteRule;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.proxy.gate.Rounds;
import dev.parlance.proxy.gate.Ruling;
import dev.parlance.relay.api.BodySink;
import dev.parlance.relay.api.Destination;
import dev.parlance.relay.api.OriginCall;
import dev.parlance.relay.api.OriginReceiver;
import dev.parlance.relay.api.OriginResult;
import dev.parlance.relay.api.ServerCall;
import dev.parlance.relay.api.Timeouts;
import dev.parlance.relay.api.WholeRequest;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.wire.Codecs;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.RoundMark;
import dev.parlance.wire.api.VerdictHeader;
import dev.parlance.wire.bytes.Arena;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request and its answer, from the first whole byte to the end of the response. Lives on one
 * event loop and never blocks. The two halves do the work; this keeps what passes between them, and
 * sees to it that every way it can end answers the caller and releases every buffer.
 *
 * <pre>
 *   RequestHalf -> origin -> WholeAnswer    -> caller
 *                         -> StreamedAnswer -> caller, piece by piece
 *                         -> RawStream      -> caller, piece by piece and unread
 *        ^                        |
 *        +------ asked again -----+
 * </pre>
 */
final class Transaction implements Turn {
  private static final Logger log = LoggerFactory.getLogger(Transaction.class);

  private static final AsciiString GRPC_TIMEOUT = AsciiString.cached("grpc-timeout");

  private final Arena memory = Arena.ofThread();
  private final Case at;
  private final AtHand hand;
  private final RequestHalf requestHalf;
  private Optional<RequestView> view = Optional.empty();
  private Optional<WholeAnswer> whole = Optional.empty();
  private Optional<StreamSink> stream = Optional.empty();
  private Optional<OriginCall> call = Optional.empty();
  private Optional<RoundTicket> ticket = Optional.empty();
  private Leg leg = Leg.REQUEST;
  private int attempt = 1;

  /** Steps that are being taken, one within the other. */
  private int steps;

  private OnFailure unreadPolicy = OnFailure.BLOCK;

  Transaction(
      Services services,
      SidecarConfig config,
      Codecs codecs,
      RouteRule rule,
      Direction direction,
      ServerCall exchange,
      WholeRequest request,
      Destination destination) {
    this.at = new Case(services, config, codecs, rule, direction, exchange, request, destination);
    this.hand = new AtHand(request.body());
    this.requestHalf = new RequestHalf(at, this, hand);
  }

  void run() {
    at.exchange.onAbort(this::aborted);
    guarded(requestHalf::read);
  }

  @Override
  public Optional<RequestView> view() {
    return view;
  }

  @Override
  public Arena memory() {
    return memory;
  }

  @Override
  public int attempt() {
    return attempt;
  }

  @Override
  public OnFailure unreadPolicy() {
    return unreadPolicy;
  }

  @Override
  public void read(RequestView read) {
    view = Optional.of(read);
  }

  @Override
  public void unread(OnFailure policy) {
    unreadPolicy = policy;
  }

  // ---- the round that the request proposed in ----

  @Override
  public void proposed(RoundTicket taken) {
    ticket = Optional.of(taken);
    at.answer.beside(() -> Optional.of(taken.status()));
    // A streamed answer is not kept back, but its end may know more than its head.
    taken
        .outcome()
        .ifPresent(outcome -> {
          CompletableFuture<?> _ =
              outcome.thenAccept(
                  reply -> at.exchange.loop().execute(() -> guarded(() -> taken.heard(reply))));
        });
  }

  @Override
  public Optional<RoundTicket> ticket() {
    return ticket;
  }

  // ---- to the origin ----

  @Override
  public void forward(List<Edit> edits, Optional<VerdictHeader> verdict) {
    HttpHeaders headers = at.request.headers().copy();
    narrowCodings(headers);
    ByteBuf body =
        Bodies.edited(hand.take(), hand.plain(), edits, headers, at.services.allocator());
    verdict.ifPresent(annotation -> VerdictFields.write(headers, annotation));
    ask(headers, body);
  }

  @Override
  public void askAgain(Ruling rejected, VerdictHeader spent, byte[] body) {
    at.trail.repair(rejected);
    attempt++;
    leg = Leg.REQUEST;
    whole = Optional.empty();
    stream = Optional.empty();
    HttpHeaders headers = at.request.headers().copy();
    headers.remove(HttpHeaderNames.CONTENT_ENCODING);
    VerdictFields.bodyChanged(headers);
    narrowCodings(headers);
    VerdictFields.write(headers, spent);
    ask(headers, Unpooled.wrappedBuffer(body));
  }

  /** A stream is read event by event, so it must come without a content coding. */
  private void narrowCodings(HttpHeaders headers) {
    if (view.filter(asked -> AnswerHead.mayStream(asked)).isPresent()) {
      headers.set(HttpHeaderNames.ACCEPT_ENCODING, "identity");
    } else {
      AcceptedCodings.narrow(headers);
    }
  }

  private void ask(HttpHeaders headers, ByteBuf body) {
    Timeouts timeouts = at.config.timeouts();
    Optional<String> deadline = Optional.ofNullable(headers.get(GRPC_TIMEOUT));
    if (deadline.isPresent()) {
      switch (GrpcTimeout.parse(deadline.get())) {
        case GrpcTimeout.Malformed(String detail) -> {
          body.release();
          at.trail.malformed(WireFault.BAD_MESSAGE);
          at.answer.refuse(
              view, Notices.malformed(WireFault.BAD_MESSAGE, detail), Optional.empty());
          return;
        }
        case GrpcTimeout.Spent() -> {
          body.release();
          outOfTime();
          return;
        }
        case GrpcTimeout.Left(long nanos) -> {
          long leftNs = nanos - (System.nanoTime() - at.startNs);
          if (leftNs <= 0) {
            body.release();
            outOfTime();
            return;
          }
          headers.set(GRPC_TIMEOUT, GrpcTimeout.format(leftNs));
          timeouts = timeouts.answeredWithin(TimeUnit.NANOSECONDS.toMillis(leftNs) + 1);
        }
      }
    }
    ask(headers, body, timeouts);
  }

  /** The time that the caller gave is over before the agent was asked. */
  private void outOfTime() {
    requestHalf.giveBackUndelivered();
    at.answer.refuse(view, Notices.upstream("response_timeout", at.destination), Optional.empty());
  }

  private void ask(HttpHeaders headers, ByteBuf body, Timeouts timeouts) {
    at.trail.asked();
    Receiver receiver = new Receiver();
    OriginCall asked =
        at.services
            .origin()
            .ask(
                at.exchange.loop(),
                at.destination,
                new WholeRequest(
                    at.request.method(),
                    at.request.target(),
                    at.request.authority(),
                    at.request.absoluteForm(),
                    headers,
                    body),
                at.config.limits(),
                timeouts,
                receiver);
    if (!receiver.done) {
      call = Optional.of(asked);
    }
  }

  /** Takes the answer to one ask. */
  private final class Receiver implements OriginReceiver {
    private boolean done;

    @Override
    public Optional<BodySink> onHead(int status, HttpHeaders headers) {
      if (at.answer.isGiven() || WholeAnswer.saysNothing(at.request.method(), status)) {
        return Optional.empty();
      }
      leg = Leg.RESPONSE;
      try {
        stream = AnswerHead.sink(at, Transaction.this, status, headers);
      } catch (RuntimeException e) {
        // Gathered whole it fails again, there with its bytes at hand for the route's onError.
        log.atError().setCause(e).log("the gate failed at the head of an answer");
      }
      stream.ifPresent(_ -> {
        keepMemory(); // of the request, which is read as long as the stream goes on
        arrived();
      });
      return stream.map(sink -> sink);
    }

    @Override
    public void done(OriginResult result) {
      done = true;
      guarded(() -> originDone(result));
    }
  }

  private void arrived() {
    at.trail.originDone();
    requestHalf.arrived();
  }

  private void originDone(OriginResult result) {
    call = Optional.empty();
    leg = Leg.RESPONSE;
    switch (result) {
      case OriginResult.Failed failed -> {
        at.trail.originDone();
        at.trail.originFailed(failed);
        requestHalf.giveBackUndelivered();
        at.answer.refuse(view, Notices.upstream(failed.code(), at.destination), Optional.empty());
      }
      case OriginResult.Answered(WholeResponse response) -> {
        arrived();
        hand.put(response.body());
        if (at.answer.isGiven()) {
          hand.release();
        } else {
          WholeAnswer answered = new WholeAnswer(at, this, hand, response);
          whole = Optional.of(answered);
          afterOutcome(answered::read);
        }
      }
    }
  }

  /** An author that waits gets its answer together with the outcome, or when it waited enough. */
  private void afterOutcome(Runnable step) {
    Optional<CompletableFuture<Rounds.Reply>> outcome = ticket.flatMap(RoundTicket::outcome);
    if (outcome.isEmpty()) {
      step.run();
      return;
    }
    long startNs = System.nanoTime();
    CompletableFuture<?> _ =
        outcome
            .get()
            .whenComplete((reply, failure) ->
                at.exchange
                    .loop()
                    .execute(() ->
                        guarded(() -> {
                          if (at.answer.isGiven()) {
                            return;
                          }
                          if (failure != null || reply == null) {
                            throw new IllegalStateException("waiting for a round failed", failure);
                          }
                          at.trail.waited(startNs, reply);
                          ticket.orElseThrow().heard(reply);
                          step.run();
                        })));
  }

  @Override
  public void cancel() {
    call.ifPresent(OriginCall::cancel);
    call = Optional.empty();
  }

  @Override
  public void pauseReading() {
    call.ifPresent(OriginCall::pauseReading);
  }

  @Override
  public void resumeReading() {
    call.ifPresent(OriginCall::resumeReading);
  }

  // ---- the ways it can end early ----

  /** The caller has gone. A message on its way into the review queue gets there all the same. */
  private void aborted() {
    keepMemory();
    at.answer.abandon();
    ticket.ifPresent(RoundTicket::giveUp);
    stream.ifPresent(StreamSink::abandon);
    cancel();
    requestHalf.giveBackUndelivered();
    hand.release();
  }

  /**
   * The gate itself may have a fault: then the route's {@code onError} decides, never an accident.
   */
  @Override
  public void guarded(Runnable step) {
    steps++;
    try {
      step.run();
    } catch (RuntimeException e) {
      keepMemory();
      String id = at.services.gate().newId();
      log.atError().setCause(e).addKeyValue("decision", id).log("the gate failed");
      lastResort(id);
    } finally {
      steps--;
      releaseMemory();
    }
  }

  /**
   * Gives the memory of both bodies to the next exchanges once the one answer is given and no step
   * is being taken that might still look: whatever comes later for this exchange (the caller that
   * leaves, the end of a round that nobody waits for) looks at neither body.
   */
  private void releaseMemory() {
    if (steps == 0 && memory.isOpen() && at.answer.isGiven() && call.isEmpty()) {
      memory.release();
    }
  }

  /** Something may look at the bodies at a time that nobody knows: they are never overwritten. */
  private void keepMemory() {
    if (memory.isOpen()) {
      memory.letGo();
    }
  }

  /** Whatever fails, the caller is answered and the bytes are released. */
  private void lastResort(String id) {
    try {
      failed(id);
    } catch (RuntimeException e) {
      log.atError().setCause(e).addKeyValue("decision", id).log("the gate failed again");
      hand.release();
      stream.ifPresent(StreamSink::breakOff);
      if (!at.answer.isGiven()) {
        at.answer.giveInternalError(id);
      }
    }
  }

  /** True if the message says something of a round: then nothing lets it pass unchecked. */
  private boolean marked() {
    return switch (leg) {
      case REQUEST ->
          at.rule.finality() != Finality.NONE
              || view.filter(read -> !(read.round() instanceof RoundMark.None)).isPresent();
      case RESPONSE -> whole.filter(WholeAnswer::marked).isPresent();
    };
  }

  private void failed(String id) {
    OnFailure policy =
        at.observing() ? OnFailure.ALLOW : marked() ? OnFailure.BLOCK : at.rule.onError();
    requestHalf.giveBackUndelivered();
    if (stream.isPresent()) {
      hand.release();
      stream.get().gateFailed(policy, id);
      return;
    }
    boolean blocked = policy == OnFailure.BLOCK || !hand.isPresent();
    at.trail.gateFailed(blocked ? OnFailure.BLOCK : policy, id, leg);
    if (at.answer.isGiven()) {
      hand.release();
      return;
    }
    if (blocked) {
      hand.release();
      at.answer.giveInternalError(id);
      return;
    }
    VerdictHeader verdict = at.bare(id, Route.WARN, Reason.INTERNAL_ERROR, attempt);
    Optional<VerdictHeader> told =
        policy == OnFailure.WARN ? Optional.of(verdict) : Optional.empty();
    view = Optional.empty();
    unreadPolicy = policy;
    if (whole.isPresent()) {
      whole.get().pass(List.of(), told);
    } else {
      forward(List.of(), told);
    }
  }
}
