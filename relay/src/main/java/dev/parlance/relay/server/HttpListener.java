package dev.parlance.relay.server;

import dev.parlance.relay.api.Destination;
import dev.parlance.relay.api.ExchangeHandler;
import dev.parlance.relay.api.ExchangeHandler.Rejection;
import dev.parlance.relay.api.HttpMessageLimits;
import dev.parlance.relay.api.InterceptionPolicy;
import dev.parlance.relay.api.RelayEvents;
import dev.parlance.relay.api.Timeouts;
import dev.parlance.relay.api.TlsPolicy;
import dev.parlance.relay.client.OriginClient;
import dev.parlance.relay.net.EventLoops;
import dev.parlance.relay.net.OriginalDestination;
import dev.parlance.relay.net.RequestMemory;
import dev.parlance.relay.server.ConnectionCounts.Admission;
import dev.parlance.relay.server.OpaqueTunnel.FirstByte;
import dev.parlance.relay.tls.TlsDetector;
import dev.parlance.relay.tls.TlsGate;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts strict HTTP/1.1, and HTTP/2 from clients that begin with its preface, and hands whole
 * requests to a handler. One listener binds once; it ends by {@link #drain} or {@link #close}.
 */
public final class HttpListener implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HttpListener.class);

  private static final int BACKLOG = 1024;

  /**
   * The kernel takes this much more than the peer has room for, where it can be told so: else it
   * would take megabytes of a stream for every client that does not read.
   */
  private static final long UNSENT_BYTES = 128 * 1024;

  /** A fatal alert of TLS 1.0 to 1.2 (RFC 8446 section 6): access denied. */
  private static final byte[] TLS_ACCESS_DENIED = {21, 3, 3, 0, 2, 2, 49};

  private static final int FORBIDDEN = 403;

  private final EventLoops loops;
  private final Setup setup;
  private final Set<AcceptedConnection> connections = ConcurrentHashMap.newKeySet();
  private final ConnectionCounts counts;
  private final CompletableFuture<Integer> drained = new CompletableFuture<>();
  private @Nullable Interception interception;
  private @Nullable TlsPolicy security;
  private @Nullable OriginClient tunnels;
  private volatile @Nullable Channel server;
  private volatile boolean draining;
  private volatile long closesNs;
  private volatile boolean accepting = true;
  private volatile int cutConnections;

  /** A listener that is not bound yet. */
  public HttpListener(
      EventLoops loops,
      HttpMessageLimits limits,
      Timeouts timeouts,
      ExchangeHandler handler,
      RelayEvents events) {
    this(loops, limits, RequestMemory.ofHeap(), timeouts, handler, events);
  }

  public HttpListener(
      EventLoops loops,
      HttpMessageLimits limits,
      RequestMemory memory,
      Timeouts timeouts,
      ExchangeHandler handler,
      RelayEvents events) {
    this.loops = loops;
    this.setup =
        new Setup(limits, memory, memory.another(), timeouts, handler, events, () -> draining);
    this.counts = new ConnectionCounts(limits);
  }

  /**
   * Connections are redirected here by the kernel from now on; called before {@link #bind}.
   *
   * @param origins connects to where unread connections were going
   * @throws IOException if the transport cannot tell where connections were going
   */
  public void intercept(InterceptionPolicy rules, OriginClient origins) throws IOException {
    if (server != null) {
      throw new IllegalStateException("this listener is bound already");
    }
    if (!loops.knowsOriginalDestinations()) {
      throw new IOException(
          "transparent: true needs Linux with the transport epoll or io_uring, this is "
              + loops.transport());
    }
    interception = new Interception(rules, origins);
  }

  /**
   * Clients may ask for tunnels from now on, which the handler allows or not; called before {@link
   * #bind}.
   *
   * @param origins connects to where they lead
   */
  public void tunnel(OriginClient origins) {
    tunnels = origins;
  }

  /**
   * Connections are encrypted as this policy says from now on; called before {@link #bind}. They
   * end, as by {@link #drain}, when the certificate of their client expires.
   */
  public void secure(TlsPolicy policy) {
    if (server != null) {
      throw new IllegalStateException("this listener is bound already");
    }
    security = policy;
  }

  /**
   * What every connection of a listener is served with.
   *
   * @param memory for the requests that are whole or have bodies to come, of all connections
   *     together
   * @param heads for long heads that are not whole yet; one that is slow keeps no body waiting
   * @param ends true as soon as the listener drains, before each connection is told
   */
  record Setup(
      HttpMessageLimits limits,
      RequestMemory memory,
      RequestMemory heads,
      Timeouts timeouts,
      ExchangeHandler handler,
      RelayEvents events,
      BooleanSupplier ends) {}

  private record Interception(InterceptionPolicy rules, OriginClient origins) {}

  /**
   * Most connections of a listener that may use so many file descriptors, with one to an origin for
   * each and those that are told that they are too many; at least 1.
   */
  public static int connectionsWithin(int descriptors) {
    int polite = Math.min(ConnectionCounts.POLITE_REFUSALS, descriptors / 3);
    return Math.max(1, (descriptors - polite) / 2);
  }

  /**
   * Binds and begins to accept.
   *
   * @param host address of a card, e.g. 127.0.0.1
   * @param port 0 for any free one
   * @return the port that was bound
   */
  public int bind(String host, int port) throws IOException {
    if (server != null) {
      throw new IllegalStateException("this listener is bound already");
    }
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(loops.group())
            .channel(loops.serverChannel())
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.SO_KEEPALIVE, true)
            // A client that shuts its side in the middle of a request is told so.
            .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
            .childOption(
                ChannelOption.WRITE_BUFFER_WATER_MARK,
                new WriteBufferWaterMark(32 * 1024, 64 * 1024))
            .handler(new AcceptFailures())
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    accept(channel);
                  }
                });
    if (loops.isEpoll()) {
      bootstrap.childOption(EpollChannelOption.TCP_NOTSENT_LOWAT, UNSENT_BYTES);
    }
    ChannelFuture bound = bootstrap.bind(new InetSocketAddress(host, port)).awaitUninterruptibly();
    if (!bound.isSuccess()) {
      throw new IOException(
          "cannot listen on " + host + ":" + port + ": " + bound.cause().getMessage(),
          bound.cause());
    }
    server = bound.channel();
    return ((InetSocketAddress) bound.channel().localAddress()).getPort();
  }

  private void accept(SocketChannel channel) {
    InetSocketAddress client = channel.remoteAddress();
    if (client == null) {
      EventLoops.close(channel); // it has gone
      return;
    }
    Admission admission = counts.came(client.getAddress());
    channel.closeFuture().addListener(_ -> counts.left(client.getAddress(), admission));
    boolean refused = admission != Admission.TAKEN;
    if (refused) {
      setup.events().connectionRefused(admission.code());
    }
    if (admission == Admission.FULL_UNTOLD || admission == Admission.ADDRESS_FULL_UNTOLD) {
      EventLoops.close(channel);
      return;
    }
    Interception redirected = interception;
    boolean known = false;
    if (redirected != null && !refused) {
      Optional<InetSocketAddress> original = OriginalDestination.find(channel);
      known = original.isPresent();
      switch (redirected.rules().accepted(original, channel.localAddress())) {
        case InterceptionPolicy.Action.Intercept() -> {}
        case InterceptionPolicy.Action.PassThrough(String reason) -> {
          InetSocketAddress to = original.orElseThrow();
          tunnel(
              channel,
              redirected.origins(),
              reason,
              destination(to),
              destination(to).toString(),
              Unpooled.EMPTY_BUFFER);
          setup.events().connectionOpened();
          return;
        }
        case InterceptionPolicy.Action.Refuse closed -> {
          turnAway(channel, closed);
          return;
        }
      }
    }
    H1ServerConnection connection =
        new H1ServerConnection(channel, setup, self -> ended(self, refused));
    channel.pipeline().addLast(connection);
    OriginClient leads = tunnels;
    if (leads != null) {
      connection.tunnels((reason, to, first) -> {
        channel.pipeline().remove(connection); // what looks at first bytes has gone, or is going
        tunnel(channel, leads, reason, to, to.toString(), first);
        connections.remove(connection);
      });
    }
    if (!refused) {
      channel
          .pipeline()
          .addFirst(
              new H2PrefaceDetector(connection::headStarted, () -> toHttp2(channel, connection)));
      if (redirected != null && known && redirected.rules().looks()) {
        channel
            .pipeline()
            .addFirst(
                new FirstByte((form, first) -> look(channel, connection, redirected, form, first)));
      }
    }
    TlsPolicy policy = security;
    if (policy != null && !refused) {
      channel
          .pipeline()
          .addFirst(
              new TlsDetector(
                  policy,
                  setup.events(),
                  (result, protocol) -> {
                    if (result.equals(TlsGate.OK)) {
                      encrypted(channel, connection, protocol);
                    }
                  }));
    }
    connections.add(connection);
    if (refused) {
      connection.refuse(
          admission == Admission.FULL
              ? new Rejection(503, "connections", "connection_limit", "too many connections")
              : new Rejection(
                  503,
                  "connections",
                  "address_connections",
                  "too many connections of this address"));
    } else {
      setup.events().connectionOpened();
      if (draining) {
        connection.drain(noticeLeftMs());
      }
    }
  }

  private long noticeLeftMs() {
    return Math.max(0, TimeUnit.NANOSECONDS.toMillis(closesNs - System.nanoTime()));
  }

  /** Over TLS the client says beforehand what it speaks (ALPN), and is held to it. */
  private void encrypted(SocketChannel channel, H1ServerConnection http1, String protocol) {
    channel.pipeline().remove(H2PrefaceDetector.class);
    if (protocol.equals(ApplicationProtocolNames.HTTP_2)) {
      toHttp2(channel, http1);
    }
    TlsGate.atExpiry(
        channel,
        () ->
            connections.stream()
                .filter(one -> one.channel().equals(channel))
                .forEach(one -> one.drain(0)));
  }

  private void toHttp2(SocketChannel channel, H1ServerConnection http1) {
    http1.handOver();
    channel.pipeline().remove(http1);
    H2ServerConnection connection =
        H2ServerConnection.install(
            channel, setup, Optional.ofNullable(tunnels), self -> ended(self, false));
    connections.add(connection);
    connections.remove(http1);
    if (draining) {
      connection.drain(noticeLeftMs());
    }
  }

  /** Not HTTP; a handshake may say whom its client wants to talk to. */
  private void look(
      SocketChannel channel,
      H1ServerConnection http1,
      Interception redirected,
      InterceptionPolicy.Form form,
      ByteBuf first) {
    InetSocketAddress to = OriginalDestination.of(channel).orElseThrow();
    if (form == InterceptionPolicy.Form.TLS) {
      channel
          .pipeline()
          .addFirst(
              new ServerNameReader(
                  redirected.rules(),
                  to,
                  (name, passage) ->
                      unreadable(
                          channel, http1, redirected, form, name, passage, Unpooled.EMPTY_BUFFER)));
      channel.pipeline().remove(FirstByte.class);
      channel.pipeline().fireChannelRead(first);
    } else {
      redirected
          .rules()
          .unreadable(
              channel.eventLoop(),
              to,
              form,
              Optional.empty(),
              passage ->
                  unreadable(channel, http1, redirected, form, Optional.empty(), passage, first));
    }
  }

  /** Not HTTP: on, unread, or no further. */
  private void unreadable(
      SocketChannel channel,
      H1ServerConnection http1,
      Interception redirected,
      InterceptionPolicy.Form form,
      Optional<String> serverName,
      InterceptionPolicy.Action passage,
      ByteBuf first) {
    switch (passage) {
      case InterceptionPolicy.Action.PassThrough(String reason) -> {
        http1.handOver();
        unread(channel, http1);
        Destination to = destination(OriginalDestination.of(channel).orElseThrow());
        String named = serverName.map(name -> name + ":" + to.port()).orElse(to.toString());
        tunnel(channel, redirected.origins(), reason, to, named, first);
        connections.remove(http1);
      }
      case InterceptionPolicy.Action.Refuse closed -> {
        first.release();
        http1.handOver(); // which reads none of it
        if (form == InterceptionPolicy.Form.TLS) {
          channel
              .writeAndFlush(Unpooled.wrappedBuffer(TLS_ACCESS_DENIED))
              .addListener(done -> LOG.debug("told: {}", done.isSuccess()));
        }
        turnAway(channel, closed);
      }
      case InterceptionPolicy.Action.Intercept() -> {
        channel.pipeline().context(FirstByte.class).fireChannelRead(first);
        channel.pipeline().remove(FirstByte.class);
      }
    }
  }

  /** The handlers of HTTP leave the channel. */
  private static void unread(SocketChannel channel, H1ServerConnection http1) {
    channel.pipeline().remove(http1);
    if (channel.pipeline().get(H2PrefaceDetector.class) != null) {
      channel.pipeline().remove(H2PrefaceDetector.class);
    }
    if (channel.pipeline().get(FirstByte.class) != null) {
      channel.pipeline().remove(FirstByte.class);
    }
  }

  private static Destination destination(InetSocketAddress to) {
    return new Destination(to.getAddress().getHostAddress(), to.getPort());
  }

  private void tunnel(
      SocketChannel channel,
      OriginClient origins,
      String reason,
      Destination to,
      String named,
      ByteBuf first) {
    setup.events().opaqueConnection(reason, named);
    connections.add(
        OpaqueTunnel.open(
            channel,
            first,
            origins,
            to,
            setup.timeouts().connectMs(),
            switch (reason) {
              case "connect" -> OpaqueTunnel.Told.ALL;
              case "upgrade", "body" -> OpaqueTunnel.Told.FAILURE;
              default -> OpaqueTunnel.Told.NOTHING;
            },
            self -> ended(self, false)));
  }

  private void turnAway(SocketChannel channel, InterceptionPolicy.Action.Refuse closed) {
    setup
        .handler()
        .onRejected(new Rejection(FORBIDDEN, "interception", closed.code(), closed.detail()))
        .body()
        .release();
    EventLoops.close(channel);
  }

  private void ended(AcceptedConnection connection, boolean refused) {
    connections.remove(connection);
    if (!refused) {
      setup.events().connectionClosed();
    }
    checkDrained();
  }

  /** Connections that are open now. */
  public int connections() {
    return connections.size();
  }

  /** As {@link #drain(Duration, Duration)}, without a notice. */
  public CompletableFuture<Integer> drain(Duration grace) {
    return drain(Duration.ZERO, grace);
  }

  /**
   * Lets exchanges in flight finish, each of which closes its connection by its response, then
   * stops accepting and closes what is idle.
   *
   * @param notice how long new connections are still taken: whoever sends them learns only now that
   *     this sidecar stops
   * @param grace how long to wait, the notice included, before what is left is cut
   * @return completes when no connection is left, with the number that had to be cut
   */
  public CompletableFuture<Integer> drain(Duration notice, Duration grace) {
    closesNs = System.nanoTime() + notice.toNanos();
    draining = true;
    Channel bound = server;
    if (bound == null) {
      drained.complete(0);
      return drained;
    }
    ScheduledFuture<?> timer =
        loops.next().schedule(this::cut, grace.toMillis(), TimeUnit.MILLISECONDS);
    // before the port is closed: who sees it closed finds that every answer closes its connection
    drainAll();
    if (notice.isZero()) {
      stopAccepting(bound);
    } else {
      ScheduledFuture<?> _ =
          loops
              .next()
              .schedule(() -> stopAccepting(bound), notice.toMillis(), TimeUnit.MILLISECONDS);
    }
    return drained.whenComplete((_, _) -> timer.cancel(false));
  }

  private void stopAccepting(Channel bound) {
    bound
        .close()
        .addListener(_ -> {
          accepting = false;
          drainAll();
          checkDrained();
        });
  }

  private void drainAll() {
    for (AcceptedConnection connection : connections) {
      connection.channel().eventLoop().execute(() -> connection.drain(noticeLeftMs()));
    }
  }

  private void cut() {
    if (drained.isDone()) {
      return;
    }
    accepting = false;
    List<AcceptedConnection> left = List.copyOf(connections);
    cutConnections = left.size();
    for (AcceptedConnection connection : left) {
      EventLoops.close(connection.channel());
    }
    checkDrained();
  }

  private void checkDrained() {
    if (draining && !accepting && connections.isEmpty()) {
      drained.complete(cutConnections);
    }
  }

  /** Closes the listener and every connection now. */
  @Override
  public void close() {
    draining = true;
    Channel bound = server;
    if (bound != null) {
      bound.close().awaitUninterruptibly();
    }
    for (AcceptedConnection connection : connections) {
      connection.channel().close().awaitUninterruptibly();
    }
  }

  /** The address of a channel's peer, without its port; empty if it is gone. */
  static String peer(Channel channel) {
    return channel.remoteAddress() instanceof InetSocketAddress address
            && address.getAddress() != null
        ? address.getAddress().getHostAddress()
        : "";
  }

  /** A client's connection, whatever it speaks, as its listener sees it. */
  public interface AcceptedConnection {
    Channel channel();

    /** The address of the client, without its port; empty if it is gone. */
    default String peer() {
      return HttpListener.peer(channel());
    }

    /**
     * Ends the connection as soon as nothing is lost by it. Called on its loop, once or more.
     *
     * @param noticeMs how long a request that its client sends without knowing of it is waited for
     *     at least
     */
    void drain(long noticeMs);
  }
}
