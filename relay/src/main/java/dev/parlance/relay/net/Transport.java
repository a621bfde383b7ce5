package dev.parlance.relay.net;

import io.netty.channel.IoHandlerFactory;
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
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringDatagramChannel;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerSocketChannel;
import io.netty.channel.uring.IoUringSocketChannel;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How the event loops talk to the operating system. */
public enum Transport {
  /** Linux: submissions and completions in shared rings. Often forbidden in containers. */
  IO_URING,
  /** Linux: readiness of sockets. */
  EPOLL,
  /** Everywhere. */
  NIO;

  /** System property with {@code auto}, {@code io_uring}, {@code epoll} or {@code nio}. */
  static final String PROPERTY = "parlance.transport";

  private static final Logger LOG = LoggerFactory.getLogger(Transport.class);

  /** The one that is asked for by the system property, if this machine has it. */
  static Transport ofProcess() {
    return choose(System.getProperty(PROPERTY, "auto"));
  }

  /**
   * The one of this name if this machine has it, else the best of those that need not be asked for:
   * epoll, then NIO. {@code auto} never takes io_uring, see docs/decisions/0012-relay.md.
   */
  public static Transport choose(String name) {
    Optional<Transport> wanted =
        Arrays.stream(values()).filter(transport -> transport.code().equals(name)).findFirst();
    if (wanted.isPresent() && wanted.get().isAvailable()) {
      return wanted.get();
    }
    Transport usual = EPOLL.isAvailable() ? EPOLL : NIO;
    if (!name.equals("auto")) {
      LOG.warn("no transport {} on this machine, using {}", name, usual.code());
    }
    return usual;
  }

  /** The name, for settings and build information. */
  public String code() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Asks the kernel; the answer does not change while the process runs. */
  public boolean isAvailable() {
    return switch (this) {
      case IO_URING -> IoUring.isAvailable();
      case EPOLL -> Epoll.isAvailable();
      case NIO -> true;
    };
  }

  IoHandlerFactory ioHandlers() {
    return switch (this) {
      case IO_URING -> IoUringIoHandler.newFactory();
      case EPOLL -> KeptInEpoll.of(EpollIoHandler.newFactory());
      case NIO -> NioIoHandler.newFactory();
    };
  }

  Class<? extends ServerSocketChannel> serverChannel() {
    return switch (this) {
      case IO_URING -> IoUringServerSocketChannel.class;
      case EPOLL -> EpollServerSocketChannel.class;
      case NIO -> NioServerSocketChannel.class;
    };
  }

  Class<? extends SocketChannel> socketChannel() {
    return switch (this) {
      case IO_URING -> IoUringSocketChannel.class;
      case EPOLL -> EpollSocketChannel.class;
      case NIO -> NioSocketChannel.class;
    };
  }

  Class<? extends DatagramChannel> datagramChannel() {
    return switch (this) {
      case IO_URING -> IoUringDatagramChannel.class;
      case EPOLL -> EpollDatagramChannel.class;
      case NIO -> NioDatagramChannel.class;
    };
  }
}
