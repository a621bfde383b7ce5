package dev.parlance.proxy.exchange;

import dev.parlance.proxy.config.OnFailure;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.relay.api.OriginReceiver.OriginResult;
import dev.parlance.wire.api.Notice;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;

/** Passes a stream that no codec reads, byte for byte, where the route allows that. */
final class UnreadStream implements StreamSink {
  private final ExchangeContext at;
  private final int status;
  private final ResponseWriter out;
  private boolean over;

  UnreadStream(ExchangeContext at, Exchange exchange, int status, HttpHeaders headers) {
    this.at = at;
    this.status = status;
    this.out = new ResponseWriter(at.responder, exchange, status, headers, at.services.held());
    at.services.metrics().streamOpened();
  }

  @Override
  public void piece(ByteBuf piece) {
    out.write(piece);
  }

  @Override
  public void end(HttpHeaders trailers) {
    if (close()) {
      VerdictFields.strip(trailers);
      out.end(trailers);
      at.record.streamed(status);
    }
  }

  @Override
  public void failed(OriginResult.Failed failure) {
    if (close()) {
      at.record.originFailed(failure);
      out.abort();
      at.record.streamed(status);
    }
  }

  @Override
  public void refuse(Notice notice, String code) {
    breakOff();
  }

  @Override
  public void abandon() {
    if (close()) {
      out.close();
    }
  }

  @Override
  public void gateFailed(OnFailure policy, String id) {
    at.record.gateFailed(OnFailure.BLOCK, id, Leg.RESPONSE);
    breakOff();
  }

  @Override
  public void breakOff() {
    if (close()) {
      out.abort();
    }
  }

  private boolean close() {
    boolean first = !over;
    over = true;
    if (first) {
      at.services.metrics().streamClosed();
    }
    return first;
  }
}
