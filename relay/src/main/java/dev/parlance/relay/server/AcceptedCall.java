package dev.parlance.relay.server;

import dev.parlance.relay.api.ServerCall;
import dev.parlance.relay.api.TlsPeer;
import dev.parlance.relay.net.OriginalDestination;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.net.InetSocketAddress;
import java.util.Optional;

/** One call of a client as its connection knows it, in whichever version of HTTP. */
abstract class AcceptedCall implements ServerCall {
  private final Channel channel;

  AcceptedCall(Channel channel) {
    this.channel = channel;
  }

  @Override
  public final EventLoop loop() {
    return channel.eventLoop();
  }

  @Override
  public final Optional<String> connection() {
    return Optional.of(channel.id().asShortText());
  }

  @Override
  public final String peer() {
    return HttpListener.peer(channel);
  }

  @Override
  public final Optional<InetSocketAddress> originalDestination() {
    return OriginalDestination.of(channel);
  }

  @Override
  public final int localPort() {
    return OriginalDestination.localPort(channel);
  }

  @Override
  public final Optional<TlsPeer> tls() {
    return TlsPeer.of(channel);
  }
}
