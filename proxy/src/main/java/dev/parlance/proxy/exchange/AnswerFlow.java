package dev.parlance.proxy.exchange;

import dev.parlance.proxy.config.OnFailure;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The streamed answer of one exchange on its way from the agent to the caller: the {@link
 * StreamSink} that takes its pieces, the {@link ResponseWriter} that writes what becomes of them,
 * and when the stream is asked again although nothing has come.
 */
final class AnswerFlow {
  private final ExchangeContext context;
  private final Exchange exchange;
  private final AgentCall agent;
  private Optional<StreamSink> stream = Optional.empty();
  private Optional<ResponseWriter> out = Optional.empty();
  private Optional<ScheduledFuture<?>> wake = Optional.empty();

  /** There is no stream yet. */
  AnswerFlow(ExchangeContext context, Exchange exchange, AgentCall agent) {
    this.context = context;
    this.exchange = exchange;
    this.agent = agent;
  }

  /** True once the answer has become a stream. */
  boolean isOpen() {
    return stream.isPresent();
  }

  /** The stream, if there is one. */
  Optional<StreamSink> stream() {
    return stream;
  }

  /** Writes to the caller; only of a stream. */
  ResponseWriter out() {
    return out.orElseThrow();
  }

  /** A stream begins. */
  void open(StreamSink answer) {
    long declared = agent.declared();
    if (declared >= 0 && answer instanceof StreamSink.PassThrough) {
      answer.headers.set(HttpHeaderNames.CONTENT_LENGTH, Long.toString(declared));
    }
    out =
        Optional.of(
            new ResponseWriter(
                context.responder, agent, answer.status, answer.headers, context.services.held()));
    stream = Optional.of(answer);
    perform(answer);
  }

  /** Performs what follows now, if there is a stream. */
  void goOn() {
    if (stream.isPresent()) {
      perform(stream.get());
    }
  }

  /** Performs what follows from what a stream was told. */
  void perform(StreamSink answer) {
    for (Step step = answer.next(); !(step instanceof Step.Next); step = answer.next()) {
      exchange.perform(step);
    }
    if (stream.filter(StreamSink::isOver).isPresent()) {
      cancelWake();
    }
  }

  /** The stream is refused in its middle, unless its end has been said. */
  void refuse(Step.Refuse refuse) {
    if (!out().isOver()) {
      StreamSink refused = stream.orElseThrow();
      refused.refused(refuse.notice(), refuse.cut());
      perform(refused);
    }
  }

  /** The gate has failed: the stream ends as the policy wants it. */
  void gateFailed(OnFailure policy, String id) {
    StreamSink failed = stream.orElseThrow();
    failed.gateFailed(policy, id);
    perform(failed);
  }

  /** Asks the stream again after so long, whatever comes. */
  void wake(long afterMs) {
    cancelWake();
    wake =
        Optional.of(
            context
                .call
                .loop()
                .schedule(() -> exchange.guarded(this::tick), afterMs, TimeUnit.MILLISECONDS));
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

  /** The agent is asked again: what came of the stream is forgotten. */
  void forget() {
    cancelWake();
    out.ifPresent(ResponseWriter::close);
    stream = Optional.empty();
  }

  /** The caller has gone. */
  void close() {
    stream.ifPresent(StreamSink::close);
    out.ifPresent(ResponseWriter::close);
    cancelWake();
  }

  /** Nothing is written any more, and the caller sees that it was not the end. */
  void abort() {
    stream.ifPresent(StreamSink::close);
    out.ifPresent(ResponseWriter::abort);
  }
}
