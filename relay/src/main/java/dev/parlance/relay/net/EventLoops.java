package dev.parlance.relay.net;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads that do all network work: one group for listeners and origins, one thread per core,
 * so that a message stays on one thread from its first byte to its last. epoll where the machine
 * has it, NIO elsewhere, io_uring where the system property {@code parlance.transport} asks for it.
 */
public final class EventLoops implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EventLoops.class);

  private static final long SHUTDOWN_S = 5;

  /** Netty's own property, for an operator who looks for a leak. */
  private static final String LEAK_DETECTION = "io.netty.leakDetection.level";

  private final EventLoopGroup group;
  private final Transport transport;

  private EventLoops(EventLoopGroup group, Transport transport) {
    this.group = group;
    this.transport = transport;
  }

  /** One thread per core that this process may use. */
  public static EventLoops start() {
    // One buffer in 128 with the stack of its maker is 5 % of all CPU; the tests look at every one.
    if (System.getProperty(LEAK_DETECTION) == null) {
      ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
    }
    return start(Runtime.getRuntime().availableProcessors());
  }

  /** As many threads as asked for, at least one. */
  public static EventLoops start(int threads) {
    return start(threads, Transport.ofProcess());
  }

  public static EventLoops start(int threads, Transport transport) {
    if (threads < 1) {
      throw new IllegalArgumentException("expected at least one thread, got " + threads);
    }
    return new EventLoops(
        new MultiThreadIoEventLoopGroup(
            threads, new DefaultThreadFactory("parlance-io"), transport.ioHandlers()),
        transport);
  }

  /** Closes a channel; whether that works is of interest to nobody but a debugger. */
  public static void close(Channel channel) {
    channel.close().addListener(done -> LOG.debug("closed {}: {}", channel, done.isSuccess()));
  }

  /** The group, for timers and other channels. */
  public EventLoopGroup group() {
    return group;
  }

  /** One of the loops, in turn. */
  public EventLoop next() {
    return group.next();
  }

  /** {@code io_uring}, {@code epoll} or {@code nio}, for build information. */
  public String transport() {
    return transport.code();
  }

  /** True if a listener can ask the kernel where a redirected connection was going. */
  public boolean knowsOriginalDestinations() {
    return switch (transport) {
      case EPOLL, IO_URING -> true;
      case NIO -> false;
    };
  }

  public boolean isEpoll() {
    return transport == Transport.EPOLL;
  }

  public Class<? extends ServerSocketChannel> serverChannel() {
    return transport.serverChannel();
  }

  public Class<? extends SocketChannel> socketChannel() {
    return transport.socketChannel();
  }

  public Class<? extends DatagramChannel> datagramChannel() {
    return transport.datagramChannel();
  }

  /**
   * Ends the threads; what has been written is sent, whatever is still connected is cut. Waits at
   * most five seconds for threads that are busy and as long for their end.
   */
  @Override
  public void close() {
    if (!group.isShuttingDown()) {
      // The end of a loop closes its channels before it runs its tasks: from now on nothing waits.
      List<Future<?>> finished = new ArrayList<>();
      group.forEach(loop -> finished.add(loop.submit(FlushCoalescer::finish)));
      long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(SHUTDOWN_S);
      for (Future<?> loop : finished) {
        loop.awaitUninterruptibly(endNs - System.nanoTime(), TimeUnit.NANOSECONDS);
      }
    }
    group.shutdownGracefully(0, SHUTDOWN_S, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
