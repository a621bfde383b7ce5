package dev.parlance.proxy.exchange;

import dev.parlance.proxy.config.OnFailure;
import dev.parlance.relay.api.OriginReceiver.BodySink;
import dev.parlance.relay.api.OriginReceiver.OriginResult;
import dev.parlance.wire.api.Notice;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;

/** Takes an answer that passes piece by piece, to its end or to a refusal in its middle. */
interface StreamSink extends BodySink {
  /** The rest of it does not go on; the caller is told so in its own protocol. */
  void refuse(Notice notice, String code);

  /** The caller has gone. */
  void abandon();

  /** The gate has a fault; the route's {@code onError} says what becomes of the stream. */
  void gateFailed(OnFailure policy, String id);

  /** The last resort: everything is released, and the caller cannot take the stream for whole. */
  void breakOff();

  /** The rest of a stream that was refused at its head: nothing of it is held, read or passed. */
  StreamSink NONE =
      new StreamSink() {
        @Override
        public void piece(ByteBuf piece) {
          piece.release();
        }

        @Override
        public void end(HttpHeaders trailers) {}

        @Override
        public void failed(OriginResult.Failed failure) {}

        @Override
        public void refuse(Notice notice, String code) {}

        @Override
        public void abandon() {}

        @Override
        public void gateFailed(OnFailure policy, String id) {}

        @Override
        public void breakOff() {}
      };
}
