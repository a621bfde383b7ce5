package dev.parlance.service.http;

import dev.parlance.service.IoWords;
import dev.parlance.service.config.HostPort;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.timeout.WriteTimeoutHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A listener for a few clients with small questions: an event loop of its own, and workers for
 * everything that may block, so that neither a slow client nor a long search holds up a probe or a
 * message.
 */
public final class SmallServer implements AutoCloseable {
  private static final int HEADER_BYTES = 8_192;
  private static final int HANDSHAKE_MS = 5_000;
  private static final int WRITE_MS = 30_000;
  private static final long STOP_MS = 5_000;

  /** What becomes of a connection past the limit. */
  public enum Past {
    /** It is closed. */
    REFUSED,
    /**
     * The oldest one is closed: strangers who hold connections open must not keep the kubelet from
     * getting its answer, because it would end the process.
     */
    FIRST_OUT
  }

  /**
   * Bounds.
   *
   * @param connections most at a time, 1 or more
   * @param past what becomes of a further one
   * @param lineBytes longest request line
   * @param bodyBytes largest body of a request
   * @param requestMs time for a whole request, also idle
   * @param graceMs how long answers under way have at the end
   */
  public record Bounds(
      int connections, Past past, int lineBytes, int bodyBytes, int requestMs, int graceMs) {}

  private final Site site;
  private final Bounds bounds;
  private final Optional<Supplier<Optional<SslContext>>> tls;
  private final EventLoopGroup loops;
  private final ExecutorService workers;

  /** In the order of their coming; touched on the only loop. */
  private final Set<Channel> clients = new LinkedHashSet<>();

  private final Channel listener;

  /**
   * Listens from now on.
   *
   * @param name of its threads
   * @param tls with TLS: the certificate that the next connection gets; without one it is closed
   * @param workers where slow answers are made; ended with the server
   * @throws IOException if it cannot listen there
   */
  public SmallServer(
      String name,
      InetSocketAddress address,
      Site site,
      Bounds bounds,
      Optional<Supplier<Optional<SslContext>>> tls,
      ExecutorService workers)
      throws IOException {
    this.site = site;
    this.bounds = bounds;
    this.tls = tls;
    this.workers = workers;
    loops =
        new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory(name, true), NioIoHandler.newFactory());
    try {
      ServerBootstrap bootstrap =
          new ServerBootstrap()
              .group(loops)
              .channel(NioServerSocketChannel.class)
              .option(ChannelOption.SO_REUSEADDR, true)
              .childOption(ChannelOption.AUTO_READ, false)
              .childHandler(
                  new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                      accept(channel);
                    }
                  });
      listener = bootstrap.bind(address).syncUninterruptibly().channel();
    } catch (RuntimeException e) {
      stopThreads();
      throw e;
    } catch (Throwable e) {
      // Netty throws the bind failure unchecked as it is.
      stopThreads();
      String at = HostPort.format(address.getHostString(), address.getPort());
      throw new IOException("cannot listen on " + at + ": " + IoWords.why(e), e);
    }
  }

  private void accept(SocketChannel channel) {
    if (clients.size() >= bounds.connections()) {
      switch (bounds.past()) {
        case REFUSED -> {
          SmallHandler.close(channel);
          return;
        }
        case FIRST_OUT -> {
          Channel oldest = clients.iterator().next();
          clients.remove(oldest);
          SmallHandler.close(oldest);
        }
      }
    }
    if (tls.isPresent()) {
      Optional<SslContext> context = tls.get().get();
      if (context.isEmpty()) {
        SmallHandler.close(channel);
        return;
      }
      SslHandler handler = context.get().newHandler(channel.alloc());
      handler.setHandshakeTimeoutMillis(HANDSHAKE_MS);
      channel.pipeline().addLast(handler);
    }
    clients.add(channel);
    channel.closeFuture().addListener(_ -> clients.remove(channel));
    HttpDecoderConfig decoder =
        new HttpDecoderConfig()
            .setMaxInitialLineLength(bounds.lineBytes())
            .setMaxHeaderSize(HEADER_BYTES);
    channel
        .pipeline()
        .addLast(
            new WriteTimeoutHandler(WRITE_MS, TimeUnit.MILLISECONDS),
            new HttpServerCodec(decoder),
            new Whole(bounds.bodyBytes()),
            new SmallHandler(site, workers, channel.localAddress().getPort(), bounds.requestMs()));
  }

  /** Puts requests together up to a size, and says so in the site's words past it. */
  private final class Whole extends HttpObjectAggregator {
    Whole(int maxBytes) {
      super(maxBytes, true);
    }

    @Override
    protected void handleOversizedMessage(ChannelHandlerContext ctx, HttpMessage oversized) {
      ctx.writeAndFlush(site.tooLarge(bounds.bodyBytes()).encode(false))
          .addListener(ChannelFutureListener.CLOSE);
    }
  }

  /** The address it listens on. */
  public InetSocketAddress address() {
    return (InetSocketAddress) listener.localAddress();
  }

  /** Stops listening, closes every client and ends its threads. */
  @Override
  public void close() {
    listener.close().syncUninterruptibly();
    if (bounds.graceMs() > 0) {
      workers.shutdown();
      try {
        var _ = workers.awaitTermination(bounds.graceMs(), TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    loops
        .next()
        .submit(() -> Set.copyOf(clients).forEach(SmallHandler::close))
        .awaitUninterruptibly(STOP_MS);
    stopThreads();
  }

  private void stopThreads() {
    workers.shutdownNow();
    loops.shutdownGracefully(0, STOP_MS, TimeUnit.MILLISECONDS).awaitUninterruptibly(STOP_MS);
  }
}
