package dev.parlance.proxy.admin;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.timeout.WriteTimeoutHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * A listener for a few clients with small questions: an event loop of its own, and virtual threads
 * for everything that may block, so that neither a slow client nor a long search holds up a probe
 * or a message.
 */
final class SmallServer implements AutoCloseable {
  private static final int REQUEST_LINE_BYTES = 4_096;
  private static final int HEADER_BYTES = 8_192;
  private static final int WRITE_MS = 30_000;
  private static final long STOP_MS = 5_000;

  /** What becomes of a connection past the limit. */
  enum Past {
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
   * @param bodyBytes largest body of a request
   * @param requestMs time for a whole request, also idle
   */
  record Bounds(int connections, Past past, int bodyBytes, int requestMs) {}

  private final EventLoopGroup loops;
  private final ExecutorService workers;

  /** In the order of their coming; touched on the only loop. */
  private final Set<Channel> clients = new LinkedHashSet<>();

  private final Channel listener;

  /** Listens from now on. */
  SmallServer(String name, InetSocketAddress address, Site site, Bounds bounds) throws IOException {
    loops =
        new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory(name, true), NioIoHandler.newFactory());
    workers = Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name(name + "-", 0).factory());
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
                      accept(channel, site, bounds);
                    }
                  });
      listener = bootstrap.bind(address).syncUninterruptibly().channel();
    } catch (RuntimeException e) {
      stopThreads();
      throw e;
    } catch (Throwable e) {
      // Netty throws the bind failure unchecked as it is.
      stopThreads();
      throw new IOException("cannot listen on " + address + ": " + e.getMessage(), e);
    }
  }

  private void accept(SocketChannel channel, Site site, Bounds bounds) {
    if (clients.size() >= bounds.connections()) {
      switch (bounds.past()) {
        case REFUSED -> {
          AdminHandler.close(channel);
          return;
        }
        case FIRST_OUT -> {
          Channel oldest = clients.iterator().next();
          clients.remove(oldest);
          AdminHandler.close(oldest);
        }
      }
    }
    clients.add(channel);
    channel.closeFuture().addListener(_ -> clients.remove(channel));
    HttpDecoderConfig decoder =
        new HttpDecoderConfig()
            .setMaxInitialLineLength(REQUEST_LINE_BYTES)
            .setMaxHeaderSize(HEADER_BYTES);
    channel
        .pipeline()
        .addLast(
            new WriteTimeoutHandler(WRITE_MS, TimeUnit.MILLISECONDS),
            new HttpServerCodec(decoder),
            new AdminAggregator(bounds.bodyBytes()),
            new AdminHandler(site, workers, channel.localAddress().getPort(), bounds.requestMs()));
  }

  /** The address it listens on. */
  InetSocketAddress address() {
    return (InetSocketAddress) listener.localAddress();
  }

  /** Stops listening, closes every client and ends its threads. */
  @Override
  public void close() {
    listener.close().syncUninterruptibly();
    loops
        .next()
        .submit(() -> Set.copyOf(clients).forEach(AdminHandler::close))
        .awaitUninterruptibly(STOP_MS);
    stopThreads();
  }

  private void stopThreads() {
    workers.shutdownNow();
    loops.shutdownGracefully(0, STOP_MS, TimeUnit.MILLISECONDS).awaitUninterruptibly(STOP_MS);
  }
}
