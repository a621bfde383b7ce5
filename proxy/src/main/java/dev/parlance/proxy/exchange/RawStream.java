package dev.parlance.proxy.exchange;

import dev.parlance.proxy.config.OnFailure;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.relay.api.OriginResult;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;

/** A stream that nobody reads and the route lets pass: its bytes go on as they come. */
final class RawStream implements StreamSink {
  private final Case at;
  private final int status;
  private final Outlet out;
  private boolean over;

  RawStream(Case at, Turn turn, int status, HttpHeaders headers) {
    this.at = at;
    this.status = status;
    this.out = new Outlet(at.answer, turn, status, headers, at.services.held());
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
      at.trail.streamed(status);
    }
  }

  @Override
  public void failed(OriginResult.Failed failure) {
    if (close()) {
      at.trail.originFailed(failure);
      out.abort();
      at.trail.streamed(status);
    }
  }

  @Override
  public void abandon() {
    if (close()) {
      out.close();
    }
  }

  @Override
  public void gateFailed(OnFailure policy, String id) {
    at.trail.gateFailed(OnFailure.BLOCK, id, Leg.RESPONSE);
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
