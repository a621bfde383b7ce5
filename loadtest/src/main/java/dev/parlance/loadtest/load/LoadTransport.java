package dev.parlance.loadtest.load;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.util.concurrent.TimeUnit;

/**
 * One event loop and the channel types that go with it. Epoll where there is one, because its
 * timers wake up to the microsecond and an open loop needs that; NIO, which rounds to milliseconds,
 * elsewhere.
 */
final class LoadTransport implements AutoCloseable {
  private final MultiThreadIoEventLoopGroup group;
  private final boolean epoll = Epoll.isAvailable();

  LoadTransport() {
    IoHandlerFactory factory = epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    group = new MultiThreadIoEventLoopGroup(1, factory);
  }

  MultiThreadIoEventLoopGroup group() {
    return group;
  }

  EventLoop loop() {
    return group.next();
  }

  Class<? extends Channel> clientChannel() {
    return epoll ? EpollSocketChannel.class : NioSocketChannel.class;
  }

  Class<? extends ServerChannel> serverChannel() {
    return epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
  }

  /** {@code epoll} or {@code nio}. */
  String name() {
    return epoll ? "epoll" : "nio";
  }

  @Override
  public void close() {
    group.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
