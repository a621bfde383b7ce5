package dev.parlance.proxy.relay;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequestEncoder;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One question to an origin and everything done to get it answered. Lives on one event loop.
 *
 * <pre>
 * phase       event                          next
 * START       idle connection at hand        SENDING
 * START       none                           RESOLVING (a literal address: CONNECTING)
 * RESOLVING   addresses, some allowed        CONNECTING
 * CONNECTING  connected                      SENDING
 * CONNECTING  refused, another address left  CONNECTING
 * SENDING     written                        WAITING
 * SENDING,    lost before any byte on a      RESOLVING, once, only if repeating is safe
 *  WAITING     reused connection
 * any         answer, fault, time, cancel    DONE, the receiver is told exactly once
 * </pre>
 */
final class OriginAsk implements OriginCall {
  private static final Logger LOG = LoggerFactory.getLogger(OriginAsk.class);

  private static final int MAX_ADDRESSES = 3;

  /** Methods that may be repeated when it is not known whether the first one arrived. */
  private static final Set<HttpMethod> IDEMPOTENT =
      Set.of(
          HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS, HttpMethod.PUT, HttpMethod.DELETE);

  private static final Set<HttpMethod> BODY_EXPECTED =
      Set.of(HttpMethod.POST, HttpMethod.PUT, HttpMethod.PATCH);

  private enum Phase {
    START,
    RESOLVING,
    CONNECTING,
    SENDING,
    WAITING,
    DONE
  }

  private final OriginClient client;
  private final EventLoop loop;
  private final OriginPool pool;
  private final Destination destination;
  private final WholeRequest request;
  private final HttpMessageLimits limits;
  private final Timeouts timeouts;
  private final OriginReceiver receiver;
  private final Deadline deadline;
  private final Deque<InetSocketAddress> addresses = new ArrayDeque<>(MAX_ADDRESSES);

  private Phase phase = Phase.START;
  private @Nullable OriginConnection connection;
  private @Nullable ChannelFuture connecting;
  private int attempt;
  private boolean reused;
  private boolean sent;

  OriginAsk(
      OriginClient client,
      EventLoop loop,
      OriginPool pool,
      Destination destination,
      WholeRequest request,
      HttpMessageLimits limits,
      Timeouts timeouts,
      OriginReceiver receiver) {
    this.client = client;
    this.loop = loop;
    this.pool = pool;
    this.destination = destination;
    this.request = request;
    this.limits = limits;
    this.timeouts = timeouts;
    this.receiver = receiver;
    this.deadline = new Deadline(loop, this::timeOver);
  }

  void start() {
    if (phase != Phase.START) {
      return;
    }
    Optional<OriginConnection> idle = pool.take(destination);
    if (idle.isPresent()) {
      reused = true;
      client.events().originConnectionReused();
      send(idle.get());
    } else {
      resolve();
    }
  }

  /** True once the whole request is with the operating system. */
  boolean isWritten() {
    return phase == Phase.WAITING;
  }

  private void resolve() {
    if (pool.size() >= limits.connections()) {
      finish(failure("origin_limit", "no more connections to origins on this loop"));
      return;
    }
    phase = Phase.RESOLVING;
    deadline.set(timeouts.connectMs());
    Optional<InetAddress> literal = literal(destination.host());
    if (literal.isPresent()) {
      resolved(List.of(new InetSocketAddress(literal.get(), destination.port())));
      return;
    }
    client
        .resolver(loop)
        .resolveAll(InetSocketAddress.createUnresolved(destination.host(), destination.port()))
        .addListener((Future<List<InetSocketAddress>> found) -> {
          if (phase != Phase.RESOLVING) {
            return;
          }
          if (found.isSuccess()) {
            resolved(found.getNow());
          } else {
            finish(failure("unknown_host", "no address for " + destination.host()));
          }
        });
  }

  private static Optional<InetAddress> literal(String host) {
    boolean bracketed = host.startsWith("[") && host.endsWith("]");
    String text = bracketed ? host.substring(1, host.length() - 1) : host;
    byte[] address = NetUtil.createByteArrayFromIpAddressString(text);
    if (address == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(InetAddress.getByAddress(address));
    } catch (UnknownHostException e) {
      throw new IllegalStateException("four or sixteen bytes are always an address", e);
    }
  }

  private void resolved(List<InetSocketAddress> found) {
    String denied = "no address";
    List<InetSocketAddress> allowed = new ArrayList<>(MAX_ADDRESSES);
    for (InetSocketAddress address : found) {
      Optional<String> refusal = client.guard().refusal(address);
      if (refusal.isPresent()) {
        denied = refusal.get();
      } else if (allowed.size() < MAX_ADDRESSES) {
        allowed.add(address);
      }
    }
    if (allowed.isEmpty()) {
      finish(failure("destination_denied", denied));
      return;
    }
    addresses.addAll(allowed);
    connectNext();
  }

  private void connectNext() {
    phase = Phase.CONNECTING;
    deadline.set(timeouts.connectMs());
    InetSocketAddress address = addresses.remove();
    ConnectionInitializer initializer = new ConnectionInitializer();
    pool.connectStarted();
    ChannelFuture future =
        new Bootstrap()
            .group(loop)
            .channel(client.loops().socketChannel())
            .option(ChannelOption.TCP_NODELAY, true)
            .option(ChannelOption.SO_KEEPALIVE, true)
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, timeouts.connectMs())
            .handler(initializer)
            .connect(address);
    connecting = future;
    attempt++;
    int mine = attempt;
    future.addListener((ChannelFuture done) -> {
      pool.connectEnded();
      OriginConnection made = initializer.made;
      if (phase != Phase.CONNECTING || attempt != mine) {
        closeQuietly(done);
      } else if (done.isSuccess() && made != null) {
        connecting = null;
        send(made);
      } else {
        connectFailed(done.cause());
      }
    });
  }

  private static void closeQuietly(ChannelFuture done) {
    done.channel().close().addListener(closed -> LOG.debug("closed: {}", closed.isSuccess()));
  }

  private void connectFailed(@Nullable Throwable cause) {
    connecting = null;
    if (!addresses.isEmpty()) {
      connectNext();
      return;
    }
    String code = cause instanceof ConnectTimeoutException ? "connect_timeout" : "connect_refused";
    finish(failure(code, cause == null ? "no connection" : String.valueOf(cause.getMessage())));
  }

  private void send(OriginConnection to) {
    phase = Phase.SENDING;
    connection = to;
    if (!to.isActive()) {
      lost(false, "closed before the request was written");
      return;
    }
    deadline.set(timeouts.writeMs());
    sent = true;
    to.send(this, message(), limits.bodyBytes())
        .addListener(done -> {
          if (connection != to || phase != Phase.SENDING) {
            return;
          }
          if (done.isSuccess()) {
            phase = Phase.WAITING;
            deadline.set(timeouts.responseMs());
          } else {
            to.close();
            lost(false, String.valueOf(done.cause().getMessage()));
          }
        });
  }

  private FullHttpRequest message() {
    ByteBuf body = request.body().retainedDuplicate();
    HttpHeaders headers = DefaultHttpHeadersFactory.headersFactory().newHeaders();
    headers.set(HttpHeaderNames.HOST, request.authority());
    HttpHeaders kept =
        FieldRules.endToEnd(request.headers(), FieldRules.connectionTokens(request.headers()));
    kept.remove(HttpHeaderNames.HOST);
    kept.remove(HttpHeaderNames.EXPECT);
    headers.add(kept);
    if (body.isReadable() || BODY_EXPECTED.contains(request.method())) {
      headers.set(HttpHeaderNames.CONTENT_LENGTH, Integer.toString(body.readableBytes()));
    }
    return new DefaultFullHttpRequest(
        HttpVersion.HTTP_1_1,
        request.method(),
        request.target(),
        body,
        headers,
        EmptyHttpHeaders.INSTANCE);
  }

  /** The connection has nothing more to say to this ask. */
  void detach() {
    connection = null;
  }

  /** Takes a whole response, which it owns. */
  void answered(WholeResponse response) {
    if (phase == Phase.DONE) {
      response.body().release();
      return;
    }
    finish(new OriginResult.Answered(response));
  }

  void failed(String code, String detail) {
    finish(failure(code, detail));
  }

  /** The connection ended before the response did. */
  void lost(boolean sawBytes, String detail) {
    connection = null;
    if (phase == Phase.DONE) {
      return;
    }
    if (sawBytes) {
      finish(failure("response_incomplete", detail));
    } else if (reused && (!sent || IDEMPOTENT.contains(request.method()))) {
      reused = false;
      sent = false;
      resolve();
    } else {
      finish(failure("origin_closed", detail));
    }
  }

  @Override
  public void pauseReading() {
    // An answer that is gathered whole is bounded by its size.
  }

  @Override
  public void resumeReading() {
    // Nothing was paused.
  }

  @Override
  public void cancel() {
    if (loop.inEventLoop()) {
      finish(failure("cancelled", "given up by the caller"));
    } else {
      loop.execute(this::cancel);
    }
  }

  private void timeOver() {
    switch (phase) {
      case RESOLVING -> finish(failure("unknown_host", "the look-up took too long"));
      case CONNECTING -> {
        ChannelFuture late = connecting;
        if (late != null && !addresses.isEmpty()) {
          connectNext();
          closeQuietly(late);
        } else {
          finish(failure("connect_timeout", "no connection in time"));
        }
      }
      case SENDING -> finish(failure("response_timeout", "the request was not taken in time"));
      case WAITING -> finish(failure("response_timeout", "no whole response in time"));
      case START, DONE -> {}
    }
  }

  private OriginResult.Failed failure(String code, String detail) {
    return new OriginResult.Failed(code, sent, detail);
  }

  private void finish(OriginResult result) {
    if (phase == Phase.DONE) {
      return;
    }
    phase = Phase.DONE;
    deadline.cancel();
    OriginConnection used = connection;
    connection = null;
    if (used != null) {
      used.close();
    }
    ChannelFuture pending = connecting;
    connecting = null;
    if (pending != null) {
      closeQuietly(pending);
    }
    request.body().release();
    try {
      receiver.done(result);
    } catch (RuntimeException e) {
      // A bug of the receiver's; it must not be taken for a fault of the connection.
      LOG.error("the receiver of an origin's result failed", e);
    }
  }

  /** Builds the pipeline and remembers the connection at its end. */
  private final class ConnectionInitializer extends ChannelInitializer<SocketChannel> {
    private @Nullable OriginConnection made;

    @Override
    protected void initChannel(SocketChannel channel) {
      OriginConnection fresh =
          new OriginConnection(channel, destination, pool, limits, client.events());
      made = fresh;
      channel.pipeline().addLast(fresh.decoder(), new HttpRequestEncoder(), fresh);
    }
  }
}
