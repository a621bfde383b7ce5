package dev.parlance.relay.net;

import io.netty.channel.Channel;

/** A client's connection, whatever it speaks, as its listener sees it. */
public interface AcceptedConnection {
  Channel channel();

  /**
   * Ends the connection as soon as nothing is lost by it. Called on its loop, once or more.
   *
   * @param noticeMs how long a request that its client sends without knowing of it is waited for at
   *     least
   */
  void drain(long noticeMs);
}
