package dev.parlance.proxy.exchange;

import dev.parlance.relay.api.Destination;
import dev.parlance.relay.api.OriginCall;
import dev.parlance.relay.api.OriginReceiver;
import dev.parlance.relay.api.OriginReceiver.BodySink;
import dev.parlance.relay.api.OriginReceiver.OriginResult;
import dev.parlance.relay.api.Timeouts;
import dev.parlance.relay.api.WholeRequest;
import dev.parlance.wire.grpc.GrpcTimeout;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The call of one exchange to the agent, made again for each attempt: asks within the time that the
 * caller has left, and tells the {@link Exchange} of what comes back, whole or piece by piece.
 */
final class AgentCall {
  /** What goes wrong here is said as of the exchange. */
  private static final Logger log = LoggerFactory.getLogger(Exchange.class);

  private static final AtomicLong NEXT_LINE_NS = new AtomicLong(System.nanoTime());
  private static final AsciiString GRPC_TIMEOUT = AsciiString.cached("grpc-timeout");

  private final ExchangeContext context;
  private final Exchange exchange;
  private final AnswerFlow flow;

  /** The call under way. */
  private Optional<OriginCall> call = Optional.empty();

  /** Length of the answer where it goes on as it is; -1 if it is not known or may change. */
  private long declared = -1;

  /** True if what still arrives of a stream is only looked at. */
  private boolean drains;

  /** Nothing is asked yet. */
  AgentCall(ExchangeContext context, Exchange exchange) {
    this.context = context;
    this.exchange = exchange;
    this.flow = new AnswerFlow(context, exchange, this);
  }

  /** The answer that goes on piece by piece. */
  AnswerFlow flow() {
    return flow;
  }

  /** True while the agent has not answered to the end. */
  boolean isUnderWay() {
    return call.isPresent();
  }

  /** Length of an answer that goes on as it is; -1 if it is not known or may change. */
  long declared() {
    return declared;
  }

  /** Asks the agent, in the time that the caller has left; the body is taken over. */
  void ask(HttpHeaders headers, ByteBuf body) {
    String deadline = headers.get(GRPC_TIMEOUT);
    if (deadline == null) {
      ask(headers, body, context.config.timeouts().http());
      return;
    }
    switch (GrpcTimeout.parse(deadline)) {
      case GrpcTimeout.Malformed(String detail) -> {
        body.release();
        unsent();
        exchange.malformedDeadline(detail);
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

  /** The time that the caller gave is over before the agent was asked. */
  private void outOfTime(ByteBuf body) {
    body.release();
    unsent();
    exchange.outOfTime();
  }

  /**
   * No byte of this attempt has left; the agent knows nothing of the request if it was the first.
   */
  void unsent() {
    if (context.attempt == 1) {
      context.checks.each(Check::unsent);
    }
  }

  /** Nobody wants the rest of a stream any more; what a check still wants of it is looked at. */
  void refuseRest() {
    drains = context.checks.any(Check::wantsRest);
    if (!drains) {
      cancel();
    }
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

  /** Callers hear of it without the address; here it stands, at most once a second. */
  void originFailed(OriginResult.Failed failed) {
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
      if (context.rule.isTap() && !context.responder.isGiven() && !flow.isOpen()) {
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
      exchange.answers();
      try {
        Step step = AnswerHead.choose(context, status, headers);
        if (step instanceof Step.Next) {
          return context.mayTee() ? Optional.of(tee(status, headers)) : Optional.empty();
        }
        exchange.perform(step);
      } catch (RuntimeException e) {
        // Gathered whole it fails again, there with its bytes at hand for the route's onError.
        log.atError().setCause(e).log("the gate failed at the head of an answer");
        return Optional.empty();
      }
      if (!flow.isOpen()) {
        cancel();
      }
      pieces = flow.stream();
      exchange.keepMemory(); // of the request, which is read as long as the stream goes on
      exchange.arrived();
      return Optional.of(this);
    }

    /** Small answers that come at once are taken whole as ever. */
    private BodySink tee(int status, HttpHeaders headers) {
      return new TeedAnswer(
          context,
          this::done,
          () -> {
            exchange.perform(
                new Step.Stream(new StreamSink.PassThrough(context, status, headers, false)));
            pieces = flow.stream();
            exchange.arrived();
            return this;
          },
          exchange::judgeTeed,
          status,
          headers);
    }

    @Override
    public void piece(ByteBuf piece) {
      if (pieces.isEmpty()) {
        piece.release();
        return;
      }
      exchange.enter();
      try {
        context.checks.each(check -> check.arriving(piece));
        pieces.get().piece(piece);
        flow.perform(pieces.get());
        if (drains && !context.checks.any(Check::wantsRest)) {
          cancel();
        }
      } catch (RuntimeException e) {
        exchange.failed(e);
      } finally {
        exchange.handled();
      }
    }

    @Override
    public void end(HttpHeaders trailers) {
      if (pieces.isPresent()) {
        call = Optional.empty();
        exchange.guarded(() -> {
          context.checks.each(check -> check.arrivedAll(trailers));
          pieces.get().end(trailers);
          flow.perform(pieces.get());
        });
      }
    }

    @Override
    public void failed(OriginResult.Failed failure) {
      if (pieces.isPresent()) {
        originFailed(failure);
        exchange.guarded(() -> {
          pieces.get().failed(failure);
          flow.perform(pieces.get());
        });
      }
    }

    @Override
    public void done(OriginResult result) {
      done = true;
      exchange.enter();
      try {
        call = Optional.empty();
        exchange.answered(result);
      } catch (RuntimeException e) {
        exchange.failed(e);
      } finally {
        exchange.handled();
      }
    }
  }
}
