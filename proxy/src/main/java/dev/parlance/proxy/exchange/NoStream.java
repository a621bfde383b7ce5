package dev.parlance.proxy.exchange;

import dev.parlance.proxy.config.OnFailure;
import dev.parlance.relay.api.OriginResult;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;

/** The rest of a stream that was refused at its head. */
final class NoStream implements StreamSink {
  @Override
  public void piece(ByteBuf piece) {
    piece.release();
  }

  @Override
  public void end(HttpHeaders trailers) {
    // The caller has been answered.
  }

  @Override
  public void failed(OriginResult.Failed failure) {
    // We broke it off ourselves.
  }

  @Override
  public void abandon() {
    // Nothing is held.
  }

  @Override
  public void gateFailed(OnFailure policy, String id) {
    // Nothing of it is read.
  }

  @Override
  public void breakOff() {
    // The caller has been answered.
  }
}
