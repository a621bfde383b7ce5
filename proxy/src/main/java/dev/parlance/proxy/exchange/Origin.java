package dev.parlance.proxy.exchange;

import dev.parlance.relay.api.Destination;
import dev.parlance.relay.api.HttpMessageLimits;
import dev.parlance.relay.api.OriginCall;
import dev.parlance.relay.api.OriginReceiver;
import dev.parlance.relay.api.Timeouts;
import dev.parlance.relay.api.WholeRequest;
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
