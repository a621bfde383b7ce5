package dev.parlance.proxy.exchange;

import dev.parlance.proxy.config.OnFailure;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.relay.api.OriginReceiver.BodySink;
import dev.parlance.relay.api.OriginReceiver.OriginResult;
import dev.parlance.wire.api.Notice;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;

/**
 * An answer that passes piece by piece, to its end or to a refusal in its middle. What it lets
 * through it gives to {@link Exchange#perform}; {@link Exchange} sees to whatever fails in it.
 */
abstract sealed class StreamSink implements BodySink
    permits StreamingAnswer, StreamSink.PassThrough {
  final ExchangeContext at;
  final Exchange exchange;
  final int status;
  final HttpHeaders headers;

  /** Nothing more is read. */
  private boolean over;

  StreamSink(ExchangeContext at, Exchange exchange, int status, HttpHeaders headers) {
    this.at = at;
    this.exchange = exchange;
    this.status = status;
    this.headers = headers;
    at.services.metrics().streamOpened();
  }

  /** Its answer has been chosen for the caller; the head may go out now or with the first bytes. */
  abstract void open();

  /** The rest of it does not go on; the caller is told so in its own protocol. */
  abstract void refuse(Notice notice, String code);

  /** The gate has a fault; the route's {@code onError} says what becomes of the stream. */
  abstract void gateFailed(OnFailure policy, String id);

  final boolean isOver() {
    return over;
  }

  /**
   * Nothing more is read; what waits goes nowhere.
   *
   * @return false if that was so already
   */
  boolean close() {
    boolean first = !over;
    over = true;
    if (first) {
      at.services.metrics().streamClosed();
    }
    return first;
  }

  /** A stream that no codec reads passes byte for byte, where the route allows that. */
  static final class PassThrough extends StreamSink {
    PassThrough(ExchangeContext at, Exchange exchange, int status, HttpHeaders headers) {
      super(at, exchange, status, headers);
    }

    @Override
    void open() {}

    @Override
    public void piece(ByteBuf piece) {
      exchange.perform(new Step.Piece(piece));
    }

    @Override
    public void end(HttpHeaders trailers) {
      if (close()) {
        VerdictFields.strip(trailers);
        at.record.streamed(status);
        exchange.perform(new Step.End(trailers));
      }
    }

    @Override
    public void failed(OriginResult.Failed failure) {
      if (close()) {
        at.record.originFailed(failure);
        at.record.streamed(status);
        exchange.perform(Step.BREAK_OFF);
      }
    }

    @Override
    void refuse(Notice notice, String code) {
      breakOff();
    }

    @Override
    void gateFailed(OnFailure policy, String id) {
      at.record.gateFailed(OnFailure.BLOCK, id, Leg.RESPONSE);
      breakOff();
    }

    private void breakOff() {
      if (close()) {
        exchange.perform(Step.BREAK_OFF);
      }
    }
  }
}
