package dev.parlance.inject.webhook;

import dev.parlance.service.config.Listen;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.flow.FlowControlHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.timeout.ReadTimeoutHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * One listening port with bounded connections, bodies and times. Answers are computed on threads of
 * their own, so that a slow one holds up its connection only.
 */
final class HttpListener implements AutoCloseable {
  private static final int MAX_HEAD_BYTES = 8192;
  private static final int CHUNK_BYTES = 8192;
  private static final int BACKLOG = 128;
  private static final int THREADS = 2;
  private static final int QUEUED = 1024;
  private static final long HANDSHAKE_MS = 5_000;
  private static final long GRACE_MS = 5_000;

  private final Bounds bounds;
  private final Supplier<Optional<SslContext>> tls;
  private final boolean secure;
  private final Handler endpoint;
  private final Semaphore free;
  private final MultiThreadIoEventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final ThreadPoolExecutor workers =
      new ThreadPoolExecutor(
          THREADS,
          THREADS,
          0,
          TimeUnit.MILLISECONDS,
          new ArrayBlockingQueue<>(QUEUED),
          Thread.ofPlatform().daemon().name("parlance-inject-", 0).factory());
  private Optional<Channel> channel = Optional.empty();

  /**
   * Bounds of one port.
   *
   * @param connections most connections at a time; more are closed at once
   * @param bodyBytes largest body; more is answered with 413
   * @param silenceMs longest time without a byte from the other side
   */
  record Bounds(int connections, int bodyBytes, long silenceMs) {
    Bounds {
      if (connections < 1 || bodyBytes < 1 || silenceMs < 1) {
        throw new IllegalArgumentException("expected bounds of 1 or more");
      }
    }
  }

  private HttpListener(
      Bounds bounds, boolean secure, Supplier<Optional<SslContext>> tls, Handler endpoint) {
    this.bounds = bounds;
    this.secure = secure;
    this.tls = tls;
    this.endpoint = endpoint;
    this.free = new Semaphore(bounds.connections());
  }

  /** Opens a port with TLS; each connection takes the certificate there is when it comes. */
  static HttpListener secure(
      Listen listen, Bounds bounds, Supplier<Optional<SslContext>> tls, Handler endpoint)
      throws IOException {
    return new HttpListener(bounds, true, tls, endpoint).bind(listen);
  }

  /** Opens a port without TLS. */
  static HttpListener plain(Listen listen, Bounds bounds, Handler endpoint) throws IOException {
    return new HttpListener(bounds, false, Optional::empty, endpoint).bind(listen);
  }

  private HttpListener bind(Listen listen) throws IOException {
    ChannelFuture bound =
        new ServerBootstrap()
            .group(loops)
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(new Connections())
            .bind(new InetSocketAddress(listen.host(), listen.port()))
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      close();
      throw new IOException("cannot listen on " + listen + ": " + bound.cause(), bound.cause());
    }
    channel = Optional.of(bound.channel());
    return this;
  }

  /** The port that was taken. */
  int port() {
    return channel.map(open -> ((InetSocketAddress) open.localAddress()).getPort()).orElse(0);
  }

  /** Takes no more connections, ends what is under way, and is gone. */
  @Override
  public void close() {
    channel.ifPresent(open -> open.close().awaitUninterruptibly());
    workers.shutdown();
    try {
      if (!workers.awaitTermination(GRACE_MS, TimeUnit.MILLISECONDS)) {
        workers.shutdownNow();
      }
    } catch (InterruptedException e) {
      workers.shutdownNow();
      Thread.currentThread().interrupt();
    }
    loops.shutdownGracefully(0, GRACE_MS, TimeUnit.MILLISECONDS).awaitUninterruptibly();
  }

  private final class Connections extends ChannelInitializer<SocketChannel> {
    @Override
    protected void initChannel(SocketChannel connection) {
      if (!free.tryAcquire()) {
        var _ = connection.close();
        return;
      }
      connection.closeFuture().addListener(closed -> free.release());
      if (secure) {
        Optional<SslContext> context = tls.get();
        if (context.isEmpty()) {
          var _ = connection.close();
          return;
        }
        SslHandler handler = context.get().newHandler(connection.alloc());
        handler.setHandshakeTimeoutMillis(HANDSHAKE_MS);
        connection.pipeline().addLast(handler);
      }
      connection
          .pipeline()
          .addLast(new Silence(bounds.silenceMs()))
          .addLast(new HttpServerCodec(MAX_HEAD_BYTES, MAX_HEAD_BYTES, CHUNK_BYTES))
          .addLast(new HttpObjectAggregator(bounds.bodyBytes()))
          // One request of a connection at a time: the next waits here until the answer is written.
          .addLast(new FlowControlHandler())
          .addLast(new HttpExchange(endpoint, workers));
    }
  }

  /** Ends a connection whose other side is silent; not one that is waiting for our answer. */
  private static final class Silence extends ReadTimeoutHandler {
    Silence(long ms) {
      super(ms, TimeUnit.MILLISECONDS);
    }

    @Override
    protected void readTimedOut(ChannelHandlerContext context) throws Exception {
      if (context.channel().config().isAutoRead()) {
        super.readTimedOut(context);
      }
    }
  }

  /** What answers requests; called on a thread that may compute, one request at a time. */
  @FunctionalInterface
  interface Handler {
    Reply answer(Request request);
  }

  /**
   * A whole HTTP request.
   *
   * @param method its method
   * @param path its path, without query
   * @param contentType media type of the body, empty if unsaid
   * @param body its bytes; not copied
   */
  @SuppressWarnings("ArrayRecordComponent") // read once, never compared
  record Request(String method, String path, String contentType, byte[] body) {}

  /**
   * A whole HTTP answer.
   *
   * @param status HTTP status
   * @param contentType media type
   * @param body its bytes; not copied, so leave them alone
   */
  @SuppressWarnings("ArrayRecordComponent") // made once, written once, never compared
  public record Reply(int status, String contentType, byte[] body) {
    static Reply text(int status, String text) {
      return new Reply(
          status, "text/plain; charset=utf-8", (text + "\n").getBytes(StandardCharsets.UTF_8));
    }
  }
}
