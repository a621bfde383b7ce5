package dev.parlance.relay.client;

import dev.parlance.relay.api.AddressGuard;
import dev.parlance.relay.api.Destination;
import dev.parlance.relay.api.HttpMessageLimits;
import dev.parlance.relay.api.HttpProtocol;
import dev.parlance.relay.api.OpenCall;
import dev.parlance.relay.api.OriginCall;
import dev.parlance.relay.api.OriginReceiver;
import dev.parlance.relay.api.OriginReceiver.OriginResult;
import dev.parlance.relay.api.RelayEvents;
import dev.parlance.relay.api.Timeouts;
import dev.parlance.relay.api.WholeRequest;
import dev.parlance.relay.client.AbstractOriginCall.Ask;
import dev.parlance.relay.dns.DnsNames.NameServers;
import dev.parlance.relay.net.EventLoops;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.SocketChannel;
import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.dns.DnsAddressResolverGroup;
import io.netty.resolver.dns.DnsNameResolverBuilder;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Asks origins over HTTP/1.1 or HTTP/2. Connections live on the loop of whoever asks, and are kept
 * for the next request there; those of HTTP/2 are shared by many at once. Names are looked up
 * without blocking; every address is put to the {@link AddressGuard} before it is connected to.
 */
public final class OriginClient implements AutoCloseable {
  private static final int QUERY_TIMEOUT_MS = 2_000;
  private static final int MAX_TTL_S = 30;
  private static final int NEGATIVE_TTL_S = 2;

  final EventLoops loops;
  final RelayEvents events;
  private final AddressResolverGroup<InetSocketAddress> resolvers;
  private final Map<EventLoop, OriginPool> pools = new ConcurrentHashMap<>();
  private volatile AddressGuard guard;
  private volatile boolean givenUp;

  /** A client with the resolver of this machine's configuration. */
  public OriginClient(EventLoops loops, AddressGuard guard, RelayEvents events) {
    this(
        loops,
        guard,
        events,
        new DnsAddressResolverGroup(
            new DnsNameResolverBuilder()
                .datagramChannelType(loops.datagramChannel())
                .socketChannelType(loops.socketChannel())
                .nameServerProvider(NameServers.ofMachine())
                .queryTimeoutMillis(QUERY_TIMEOUT_MS)
                .ttl(0, MAX_TTL_S)
                .negativeTtl(NEGATIVE_TTL_S)));
  }

  OriginClient(
      EventLoops loops,
      AddressGuard guard,
      RelayEvents events,
      AddressResolverGroup<InetSocketAddress> resolvers) {
    this.loops = loops;
    this.guard = guard;
    this.events = events;
    this.resolvers = resolvers;
  }

  /** Replaces the guard, e.g. once the ports of our own listeners are known. */
  public void guardWith(AddressGuard replacement) {
    guard = replacement;
  }

  /**
   * Asks an origin. The request's body belongs to this call from now on.
   *
   * <p>A request is sent twice only if a kept connection turned out to be closed before any byte of
   * a response, and the method is idempotent or nothing had been written.
   *
   * @param loop where the connection lives and the receiver is called
   * @param receiver called on the loop
   */
  public OriginCall ask(
      EventLoop loop,
      Destination destination,
      WholeRequest request,
      HttpMessageLimits limits,
      Timeouts timeouts,
      OriginReceiver receiver) {
    return begin(loop, new Ask(destination, request, limits, timeouts, receiver, false, -1));
  }

  /**
   * Asks an origin with a body that follows piece by piece; such a request is sent once.
   *
   * @param request without a body
   * @param length of the body, if it was declared; else -1
   */
  public OpenCall open(
      EventLoop loop,
      Destination destination,
      WholeRequest request,
      long length,
      HttpMessageLimits limits,
      Timeouts timeouts,
      OriginReceiver receiver) {
    return begin(loop, new Ask(destination, request, limits, timeouts, receiver, true, length));
  }

  private AbstractOriginCall begin(EventLoop loop, Ask ask) {
    OriginPool pool = pool(loop);
    AbstractOriginCall call =
        ask.destination().protocol() == HttpProtocol.HTTP2
            ? new H2OriginCall(pool, ask)
            : new H1OriginCall(pool, ask);
    if (loop.inEventLoop()) {
      call.start();
    } else {
      loop.execute(call::start);
    }
    return call;
  }

  /** Connects to an origin for whoever speaks something else than HTTP with it. */
  public OriginConnector dial(
      EventLoop loop,
      Destination destination,
      int connectMs,
      Consumer<SocketChannel> pipeline,
      OriginConnector.Caller caller) {
    return new OriginConnector(pool(loop), destination, connectMs, pipeline, caller);
  }

  private OriginPool pool(EventLoop loop) {
    return pools.computeIfAbsent(loop, _ -> new OriginPool(this, loop));
  }

  AddressGuard guard() {
    return guard;
  }

  AddressResolver<InetSocketAddress> resolver(EventLoop loop) {
    return resolvers.getResolver(loop);
  }

  /**
   * Ends every call that is still under way, and every further one at once, with {@code
   * shutting_down}: whoever waits has the time to say so to his caller.
   */
  public void giveUp() {
    givenUp = true;
    closeAll(CloseReason.SHUTTING_DOWN);
  }

  boolean hasGivenUp() {
    return givenUp;
  }

  private void closeAll(CloseReason why) {
    pools.forEach((loop, pool) -> loop.execute(() -> pool.closeAll(why)));
  }

  /** Closes every connection; what is still asked fails with {@code origin_closed}. */
  @Override
  public void close() {
    closeAll(CloseReason.CLOSED);
    resolvers.close();
  }

  /** Why we close connections to origins that calls still use. */
  enum CloseReason {
    /** Nobody waits for what they bring. */
    CLOSED("origin_closed", "the client is shutting down"),
    /** The grace period of a sidecar that stops is nearly over. */
    SHUTTING_DOWN("shutting_down", "the sidecar stops and there was no answer in time");

    private final String code;
    private final String detail;

    CloseReason(String code, String detail) {
      this.code = code;
      this.detail = detail;
    }

    /** As in {@link OriginResult.Failed}. */
    String code() {
      return code;
    }

    String detail() {
      return detail;
    }
  }
}
