package dev.parlance.proxy.admin;

import io.netty.handler.codec.http.FullHttpRequest;

/** What a {@link SmallServer} serves; knows nothing of sockets. */
interface Site {
  /**
   * Whether a request may come in at all.
   *
   * @param ownPort the port of the listener
   */
  AdminDoor.Entry enter(FullHttpRequest request, int ownPort);

  /** True if the answer needs no other thread: probes must not wait behind anything. */
  boolean isQuick(AdminRequest request);

  /**
   * The answer; may block unless {@link #isQuick}.
   *
   * @param authorization the Authorization field, empty if there is none
   */
  AdminResponse handle(AdminRequest request, String authorization);
}
