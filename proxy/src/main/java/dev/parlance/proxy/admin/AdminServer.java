package dev.parlance.proxy.admin;

import dev.parlance.proxy.config.Listen;
import dev.parlance.proxy.config.Loopback;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.timeout.WriteTimeoutHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * The admin listener, on loopback only: health, metrics, configuration, decisions, review. It has
 * an event loop of its own and gives everything that may block to virtual threads, so that neither
 * a slow client nor a long log scan holds up a probe or a message.
 *
 * <table>
 *   <caption>Limits</caption>
 *   <tr><td>connections</td><td>256</td><td>a further one is closed</td></tr>
 *   <tr><td>request line, headers, body</td><td>4 KiB, 8 KiB, 1 MiB</td><td>400, 400, 413</td></tr>
 *   <tr><td>time for a whole request, also idle</td><td>15 s</td><td>closed</td></tr>
 *   <tr><td>time to take an answer</td><td>30 s</td><td>closed</td></tr>
 * </table>
 */
public final class AdminServer implements AutoCloseable {
  private static final int CONNECTIONS = 256;
  private static final int REQUEST_LINE_BYTES = 4_096;
  private static final int HEADER_BYTES = 8_192;
  private static final int REQUEST_MS = 15_000;
  private static final int WRITE_MS = 30_000;
  private static final long STOP_MS = 5_000;

  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(
          1, new DefaultThreadFactory("parlance-admin", true), NioIoHandler.newFactory());
  private final ExecutorService workers =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("parlance-admin-", 0).factory());
  private final ChannelGroup clients = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
  private final Channel listener;

  private AdminServer(InetSocketAddress address, AdminApi api, int requestMs) throws IOException {
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
                      accept(channel, api, requestMs);
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

  /** Listens; refuses an address that is not loopback. */
  public static AdminServer start(Listen listen, AdminPorts ports, AdminToken token)
      throws IOException {
    return start(listen, ports, token, REQUEST_MS);
  }

  static AdminServer start(Listen listen, AdminPorts ports, AdminToken token, int requestMs)
      throws IOException {
    return new AdminServer(loopback(listen), new AdminApi(ports, token), requestMs);
  }

  private static InetSocketAddress loopback(Listen listen) throws IOException {
    String problem = "the admin listener takes loopback addresses only, got " + listen.host();
    if (!Loopback.isLoopback(listen.host())) {
      throw new IOException(problem);
    }
    try {
      InetAddress address = InetAddress.getByName(listen.host());
      if (!address.isLoopbackAddress()) {
        throw new IOException(problem + ", which is " + address.getHostAddress());
      }
      return new InetSocketAddress(address, listen.port());
    } catch (UnknownHostException e) {
      throw new IOException("unknown host " + listen.host(), e);
    }
  }

  private void accept(SocketChannel channel, AdminApi api, int requestMs) {
    if (clients.size() >= CONNECTIONS) {
      AdminHandler.close(channel);
      return;
    }
    clients.add(channel);
    HttpDecoderConfig decoder =
        new HttpDecoderConfig()
            .setMaxInitialLineLength(REQUEST_LINE_BYTES)
            .setMaxHeaderSize(HEADER_BYTES);
    channel
        .pipeline()
        .addLast(
            new WriteTimeoutHandler(WRITE_MS, TimeUnit.MILLISECONDS),
            new HttpServerCodec(decoder),
            new AdminAggregator(),
            new AdminHandler(api, workers, channel.localAddress().getPort(), requestMs));
  }

  /** The port it listens on. */
  public int port() {
    return address().getPort();
  }

  /** The address it listens on. */
  public InetSocketAddress address() {
    return (InetSocketAddress) listener.localAddress();
  }

  /** Stops listening, closes every client and ends its threads. */
  @Override
  public void close() {
    listener.close().syncUninterruptibly();
    clients.close().awaitUninterruptibly(STOP_MS);
    stopThreads();
  }

  private void stopThreads() {
    workers.shutdownNow();
    loops.shutdownGracefully(0, STOP_MS, TimeUnit.MILLISECONDS).awaitUninterruptibly(STOP_MS);
  }
}
