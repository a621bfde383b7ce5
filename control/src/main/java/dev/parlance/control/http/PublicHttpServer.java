package dev.parlance.control.http;

import dev.parlance.control.config.ControlConfig;
import dev.parlance.control.config.ControlConfig.TlsFiles;
import dev.parlance.control.metrics.ControlMetrics;
import dev.parlance.ledger.log.LogReader;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.flow.FlowControlHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.timeout.ReadTimeoutHandler;
import io.netty.handler.timeout.WriteTimeoutHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** The HTTP listener: public reads only. */
public final class PublicHttpServer implements AutoCloseable {
  private static final int MOST_CONNECTIONS = 1_024;
  private static final int LINE_BYTES = 4_096;
  private static final int HEADER_BYTES = 8_192;
  private static final int IDLE_S = 30;
  private static final int THREADS = 4;
  private static final int QUIET_MS = 100;
  private static final int CLOSE_S = 5;

  private final EventLoopGroup loops;
  private final ExecutorService workers;
  private final Channel listener;

  private PublicHttpServer(EventLoopGroup loops, ExecutorService workers, Channel listener) {
    this.loops = loops;
    this.workers = workers;
    this.listener = listener;
  }

  /**
   * Listens.
   *
   * @param notReady why this replica cannot serve; empty if it can
   * @throws IOException if the address is taken or a TLS file cannot be used
   */
  public static PublicHttpServer open(
      ControlConfig config,
      Supplier<Optional<LogReader>> ledger,
      ControlMetrics metrics,
      Supplier<List<String>> notReady)
      throws IOException {
    Optional<SslContext> tls = tls(config.tls());
    Pages pages = new Pages(ledger, metrics, notReady);
    EventLoopGroup loops =
        new MultiThreadIoEventLoopGroup(
            2,
            Thread.ofPlatform().daemon(true).name("control-http-", 0).factory(),
            NioIoHandler.newFactory());
    ExecutorService workers =
        Executors.newFixedThreadPool(
            THREADS, Thread.ofPlatform().daemon(true).name("control-pages-", 0).factory());
    ChannelFuture bound =
        new ServerBootstrap()
            .group(loops)
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childHandler(new Connections(tls, pages, workers))
            .bind(new InetSocketAddress(config.http().host(), config.http().port()))
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      loops.shutdownGracefully(0, 0, TimeUnit.SECONDS).awaitUninterruptibly();
      workers.shutdownNow();
      throw new IOException("cannot listen on " + config.http(), bound.cause());
    }
    return new PublicHttpServer(loops, workers, bound.channel());
  }

  private static Optional<SslContext> tls(Optional<TlsFiles> files) throws IOException {
    if (files.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        SslContextBuilder.forServer(files.get().cert().toFile(), files.get().key().toFile())
            .build());
  }

  /** What stands in each connection. */
  private static final class Connections extends ChannelInitializer<SocketChannel> {
    private final Optional<SslContext> tls;
    private final Pages pages;
    private final ExecutorService workers;
    private final AtomicInteger open = new AtomicInteger();

    Connections(Optional<SslContext> tls, Pages pages, ExecutorService workers) {
      this.tls = tls;
      this.pages = pages;
      this.workers = workers;
    }

    @Override
    protected void initChannel(SocketChannel channel) {
      channel.closeFuture().addListener(_ -> open.decrementAndGet());
      if (open.incrementAndGet() > MOST_CONNECTIONS) {
        channel.unsafe().closeForcibly();
        return;
      }
      tls.ifPresent(context -> channel.pipeline().addLast(context.newHandler(channel.alloc())));
      channel
          .pipeline()
          .addLast(new ReadTimeoutHandler(IDLE_S))
          .addLast(new WriteTimeoutHandler(IDLE_S))
          .addLast(
              new HttpServerCodec(
                  new HttpDecoderConfig()
                      .setMaxInitialLineLength(LINE_BYTES)
                      .setMaxHeaderSize(HEADER_BYTES)))
          .addLast(new HttpObjectAggregator(1, true))
          // One request at a time: the next is handed on when the one before it is answered.
          .addLast(new FlowControlHandler())
          .addLast(new PageHandler(pages, workers));
    }
  }

  /** The port that is bound. */
  public int port() {
    return ((InetSocketAddress) listener.localAddress()).getPort();
  }

  @Override
  public void close() {
    listener.close().awaitUninterruptibly();
    loops
        .shutdownGracefully(QUIET_MS, TimeUnit.SECONDS.toMillis(CLOSE_S), TimeUnit.MILLISECONDS)
        .awaitUninterruptibly();
    workers.shutdownNow();
  }
}
