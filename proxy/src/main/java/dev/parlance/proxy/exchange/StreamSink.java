package dev.parlance.proxy.exchange;

import dev.parlance.proxy.config.OnFailure;
import dev.parlance.relay.api.BodySink;

/** An answer that passes piece by piece. */
interface StreamSink extends BodySink {
  /** The caller has gone. */
  void abandon();

  /** The gate has a fault; the route's {@code onError} says what becomes of the stream. */
  void gateFailed(OnFailure policy, String id);

  /** The last resort: everything is released, and the caller cannot take the stream for whole. */
  void breakOff();
}
