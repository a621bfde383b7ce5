package dev.parlance.proxy.act;

import dev.parlance.proxy.relay.Destination;
import dev.parlance.proxy.relay.HttpMessageLimits;
import dev.parlance.proxy.relay.OriginCall;
import dev.parlance.proxy.relay.OriginReceiver;
import dev.parlance.proxy.relay.Timeouts;
import dev.parlance.proxy.relay.WholeRequest;
import io.netty.channel.EventLoop;

/** Asks the other side of a direction, as {@code OriginClient.ask} does. */
@FunctionalInterface
public interface Origin {
  /**
   * Asks.
   *
   * @param loop where the receiver is called
   * @param request its body belongs to this call from now on
   * @param receiver takes the answer; may be called before this returns
   */
  OriginCall ask(
      EventLoop loop,
      Destination destination,
      WholeRequest request,
      HttpMessageLimits limits,
      Timeouts timeouts,
      OriginReceiver receiver);
}
