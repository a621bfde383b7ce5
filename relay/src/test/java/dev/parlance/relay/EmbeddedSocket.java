package dev.parlance.relay;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.DefaultSocketChannelConfig;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.SocketChannelConfig;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import org.jspecify.annotations.Nullable;

/** A connection that only exists in memory, for handlers that are made for sockets. */
public final class EmbeddedSocket extends EmbeddedChannel implements SocketChannel {
  /** Has no initial value: the constructor of the parent asks for it already. */
  private @Nullable SocketChannelConfig socketConfig;

  public EmbeddedSocket(ChannelHandler... handlers) {
    super(handlers);
  }

  @Override
  public SocketChannelConfig config() {
    SocketChannelConfig found = socketConfig;
    if (found == null) {
      found = new DefaultSocketChannelConfig(this, new Socket());
      socketConfig = found;
    }
    return found;
  }

  @Override
  @SuppressWarnings("NullAway") // a connection that nobody accepted
  public ServerSocketChannel parent() {
    return null;
  }

  @Override
  public InetSocketAddress localAddress() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
  }

  @Override
  public InetSocketAddress remoteAddress() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 2);
  }

  @Override
  public boolean isInputShutdown() {
    return !isActive();
  }

  @Override
  public ChannelFuture shutdownInput() {
    return newSucceededFuture();
  }

  @Override
  public ChannelFuture shutdownInput(ChannelPromise promise) {
    return promise.setSuccess();
  }

  @Override
  public boolean isOutputShutdown() {
    return !isActive();
  }

  @Override
  public ChannelFuture shutdownOutput() {
    return newSucceededFuture();
  }

  @Override
  public ChannelFuture shutdownOutput(ChannelPromise promise) {
    return promise.setSuccess();
  }

  @Override
  public boolean isShutdown() {
    return !isActive();
  }

  @Override
  public ChannelFuture shutdown() {
    return newSucceededFuture();
  }

  @Override
  public ChannelFuture shutdown(ChannelPromise promise) {
    return promise.setSuccess();
  }
}
