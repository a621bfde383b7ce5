package dev.parlance.relay.api;

import io.netty.buffer.ByteBuf;

/** A request that is under way to an origin while its body still comes. */
public interface OpenCall extends OriginCall {
  /**
   * Sends a piece of the body. Only on the loop of the call.
   *
   * @param piece which belongs to the call from now on; may be empty
   * @param last true if the body is whole with it
   * @param taken run once the network has it, or nothing comes of it any more: then the next may
   *     come
   */
  void send(ByteBuf piece, boolean last, Runnable taken);
}
