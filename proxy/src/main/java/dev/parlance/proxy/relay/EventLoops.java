package dev.parlance.proxy.relay;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * The threads that do all network work: one group for listeners and origins, one thread per core,
 * so that a message stays on one thread from its first byte to its last. epoll where the machine
 * has it, NIO elsewhere.
 */
public final class EventLoops implements AutoCloseable {
  private static final long SHUTDOWN_S = 5;

  private final EventLoopGroup group;
  private final boolean epoll;

  private EventLoops(EventLoopGroup group, boolean epoll) {
    this.group = group;
    this.epoll = epoll;
  }

  /** One thread per core that this process may use. */
  public static EventLoops start() {
    return start(Runtime.getRuntime().availableProcessors());
  }

  /** As many threads as asked for, at least one. */
  public static EventLoops start(int threads) {
    return start(threads, Epoll.isAvailable());
  }

  static EventLoops start(int threads, boolean epoll) {
    if (threads < 1) {
      throw new IllegalArgumentException("expected at least one thread, got " + threads);
    }
    IoHandlerFactory io = epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    return new EventLoops(
        new MultiThreadIoEventLoopGroup(threads, new DefaultThreadFactory("parlance-io"), io),
        epoll);
  }

  /** The group, for timers and other channels. */
  public EventLoopGroup group() {
    return group;
  }

  /** One of the loops, in turn. */
  public EventLoop next() {
    return group.next();
  }

  /** {@code epoll} or {@code nio}, for build information. */
  public String transport() {
    return epoll ? "epoll" : "nio";
  }

  boolean isEpoll() {
    return epoll;
  }

  Class<? extends ServerSocketChannel> serverChannel() {
    return epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
  }

  Class<? extends SocketChannel> socketChannel() {
    return epoll ? EpollSocketChannel.class : NioSocketChannel.class;
  }

  Class<? extends DatagramChannel> datagramChannel() {
    return epoll ? EpollDatagramChannel.class : NioDatagramChannel.class;
  }

  /** Ends the threads; whatever is still connected is cut. Waits at most five seconds. */
  @Override
  public void close() {
    group.shutdownGracefully(0, SHUTDOWN_S, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
