package dev.parlance.relay.net;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoOps;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollIoOps;
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
      case EPOLL -> PersistentEpoll.of(EpollIoHandler.newFactory());
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

  /**
   * Netty's epoll handler, but a channel that waits for nothing stays in the epoll set.
   *
   * <p>Netty (4.2.18, 4.2.19) takes a channel without interest out of the set and goes on taking it
   * for a member of it, so that the next interest fails with ENOENT. A client that has ended its
   * side is such a channel: nothing more can come from it, and as long as its socket takes all that
   * is written nothing is waited for. The first write that has to wait then fails, and the client
   * gets half an answer. Here "nothing" is a mask of the edge trigger alone: the channel stays a
   * member, and an error or hang-up, which epoll always tells, is told once and not again and
   * again.
   */
  private static final class PersistentEpoll implements IoHandler {
    private final IoHandler netty;

    private PersistentEpoll(IoHandler netty) {
      this.netty = netty;
    }

    /** The same handlers, each wrapped. */
    static IoHandlerFactory of(IoHandlerFactory netty) {
      return executor -> new PersistentEpoll(netty.newHandler(executor));
    }

    @Override
    public void initialize() {
      netty.initialize();
    }

    @Override
    public int run(IoHandlerContext context) {
      return netty.run(context);
    }

    @Override
    public void prepareToDestroy() {
      netty.prepareToDestroy();
    }

    @Override
    public void destroy() {
      netty.destroy();
    }

    @Override
    public IoRegistration register(IoHandle handle) throws Exception {
      return new Member(netty.register(handle));
    }

    @Override
    public void wakeup() {
      netty.wakeup();
    }

    @Override
    public boolean isCompatible(Class<? extends IoHandle> handleType) {
      return netty.isCompatible(handleType);
    }

    /** A channel in the set. */
    private record Member(IoRegistration netty) implements IoRegistration {
      @Override
      @SuppressWarnings("TypeParameterUnusedInFormals") // Netty's
      public <T> T attachment() {
        return netty.attachment();
      }

      @Override
      public long submit(IoOps ops) {
        return netty.submit(ops.equals(EpollIoOps.NONE) ? EpollIoOps.EPOLLET : ops);
      }

      @Override
      public boolean isValid() {
        return netty.isValid();
      }

      @Override
      public boolean cancel() {
        return netty.cancel();
      }
    }
  }
}
