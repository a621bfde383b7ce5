package dev.parlance.relay.net;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoOps;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoOps;

/**
 * Netty's epoll handler, but a channel that waits for nothing stays in the epoll set.
 *
 * <p>Netty (4.2.18, 4.2.19) takes a channel without interest out of the set and goes on taking it
 * for a member of it, so that the next interest fails with ENOENT. A client that has ended its side
 * is such a channel: nothing more can come from it, and as long as its socket takes all that is
 * written nothing is waited for. The first write that has to wait then fails, and the client gets
 * half an answer. Here "nothing" is a mask of the edge trigger alone: the channel stays a member,
 * and an error or hang-up, which epoll always tells, is told once and not again and again.
 */
final class KeptInEpoll implements IoHandler {
  private final IoHandler netty;

  private KeptInEpoll(IoHandler netty) {
    this.netty = netty;
  }

  /** The same handlers, each wrapped. */
  static IoHandlerFactory of(IoHandlerFactory netty) {
    return executor -> new KeptInEpoll(netty.newHandler(executor));
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
