package dev.parlance.relay.client;

import dev.parlance.relay.api.AddressGuard;
import dev.parlance.relay.api.Destination;
import dev.parlance.relay.api.OriginReceiver.OriginResult;
import dev.parlance.relay.api.TlsPolicy;
import dev.parlance.relay.net.Deadline;
import dev.parlance.relay.net.EventLoops;
import dev.parlance.relay.tls.TlsGate;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Resolves and connects to an origin: to one allowed address after the other, until one takes the
 * connection. Lives on one event loop and tells exactly once what came of it, unless stopped.
 */
public final class OriginConnector {
  private static final int MAX_ADDRESSES = 3;

  /** Who wants the connection. */
  public interface Caller {
    /** Takes the connection. */
    void connected(Channel channel);

    /**
     * There is no connection.
     *
     * @param code as in {@link OriginResult.Failed}
     */
    void notConnected(String code, String detail);
  }

  private enum Phase {
    RESOLVING,
    CONNECTING,
    OVER
  }

  private final OriginPool pool;
  private final Destination destination;
  private final int connectMs;
  private final Consumer<SocketChannel> pipeline;
  private final Caller caller;
  private final Deadline deadline;
  private final Deque<InetSocketAddress> addresses = new ArrayDeque<>(MAX_ADDRESSES);

  private Phase phase = Phase.RESOLVING;
  private @Nullable ChannelFuture connecting;
  private int attempt;

  /**
   * @param pipeline builds the pipeline of a fresh channel, one for every attempt
   */
  OriginConnector(
      OriginPool pool,
      Destination destination,
      int connectMs,
      Consumer<SocketChannel> pipeline,
      Caller caller) {
    this.pool = pool;
    this.destination = destination;
    this.connectMs = connectMs;
    this.pipeline = pipeline;
    this.caller = caller;
    this.deadline = new Deadline(pool.loop, this::timeOver);
  }

  public void start() {
    deadline.set(connectMs);
    Optional<InetAddress> literal = destination.address().or(() -> literal(destination.host()));
    if (literal.isPresent()) {
      resolved(List.of(new InetSocketAddress(literal.get(), destination.port())));
      return;
    }
    pool.client
        .resolver(pool.loop)
        .resolveAll(InetSocketAddress.createUnresolved(destination.host(), destination.port()))
        .addListener((Future<List<InetSocketAddress>> found) -> {
          if (phase != Phase.RESOLVING) {
            return;
          }
          if (found.isSuccess()) {
            resolved(found.getNow());
          } else {
            fail("unknown_host", "no address for " + destination.host());
          }
        });
  }

  /** Gives up without a word. */
  public void stop() {
    phase = Phase.OVER;
    deadline.cancel();
    ChannelFuture pending = connecting;
    connecting = null;
    if (pending != null) {
      EventLoops.close(pending.channel());
    }
  }

  private static Optional<InetAddress> literal(String host) {
    boolean bracketed = host.startsWith("[") && host.endsWith("]");
    String text = bracketed ? host.substring(1, host.length() - 1) : host;
    byte[] address = NetUtil.createByteArrayFromIpAddressString(text);
    return Optional.ofNullable(address).map(AddressGuard::address);
  }

  private void resolved(List<InetSocketAddress> found) {
    String denied = "no address";
    List<InetSocketAddress> allowed = new ArrayList<>(MAX_ADDRESSES);
    for (InetSocketAddress address : found) {
      Optional<String> refusal = pool.client.guard().refusal(address);
      if (refusal.isPresent()) {
        denied = refusal.get();
      } else if (allowed.size() < MAX_ADDRESSES) {
        allowed.add(address);
      }
    }
    if (allowed.isEmpty()) {
      fail("destination_denied", denied);
      return;
    }
    addresses.addAll(allowed);
    connectNext();
  }

  private void connectNext() {
    phase = Phase.CONNECTING;
    deadline.set(connectMs);
    InetSocketAddress address = addresses.remove();
    attempt++;
    int mine = attempt;
    Optional<TlsPolicy> policy = destination.tls();
    Optional<SslContext> context = policy.flatMap(TlsPolicy::context);
    if (policy.isPresent() && context.isEmpty()) {
      fail("tls_no_identity", "there is nothing to encrypt with");
      return;
    }
    pool.connectStarted();
    ChannelFuture future =
        new Bootstrap()
            .group(pool.loop)
            .channel(pool.client.loops.socketChannel())
            .option(ChannelOption.TCP_NODELAY, true)
            // An origin that takes no more of a request may have answered it: read on.
            .option(ChannelOption.AUTO_CLOSE, false)
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 0) // the time is ours, see Deadline
            .handler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    pipeline.accept(channel);
                    context.ifPresent(now -> encrypt(channel, now, policy.orElseThrow(), mine));
                  }
                })
            .connect(address);
    connecting = future;
    future.addListener((ChannelFuture done) -> {
      pool.connectEnded();
      if (phase != Phase.CONNECTING || attempt != mine) {
        EventLoops.close(done.channel());
      } else if (!done.isSuccess()) {
        connectFailed("connect_refused", String.valueOf(done.cause().getMessage()));
      } else if (policy.isEmpty()) {
        pool.client.events.handshake("clear_text");
        connected(done.channel());
      } else {
        deadline.clear(); // a handshake has a time of its own, see TlsGate
      }
    });
  }

  /** Nothing is sent before the origin is known to be the one that is meant. */
  private void encrypt(SocketChannel channel, SslContext context, TlsPolicy policy, int mine) {
    TlsGate.toOrigin(
        channel,
        context.newHandler(channel.alloc(), destination.host(), destination.port()),
        policy,
        pool.client.events,
        (result, detail) -> {
          if (phase != Phase.CONNECTING || attempt != mine) {
            EventLoops.close(channel);
          } else if (result.equals(TlsGate.OK)) {
            connected(channel);
          } else {
            connectFailed(result.equals("timeout") ? "connect_timeout" : "tls_" + result, detail);
          }
        });
  }

  private void connected(Channel channel) {
    connecting = null;
    over();
    caller.connected(channel);
  }

  private void connectFailed(String code, String detail) {
    connecting = null;
    if (addresses.isEmpty()) {
      fail(code, detail);
    } else {
      connectNext();
    }
  }

  private void timeOver() {
    switch (phase) {
      case RESOLVING -> fail("unknown_host", "the look-up took too long");
      case CONNECTING -> {
        ChannelFuture late = connecting;
        if (late != null && !addresses.isEmpty()) {
          connectNext();
          EventLoops.close(late.channel());
        } else {
          fail("connect_timeout", "no connection in time");
        }
      }
      case OVER -> {}
    }
  }

  private void over() {
    phase = Phase.OVER;
    deadline.cancel();
  }

  private void fail(String code, String detail) {
    stop();
    caller.notConnected(code, detail);
  }
}
