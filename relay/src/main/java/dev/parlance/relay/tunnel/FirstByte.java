package dev.parlance.relay.tunnel;

import dev.parlance.relay.api.InterceptionPolicy;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Looks at the first byte of a redirected connection. A request of HTTP begins with a letter; some
 * servers forgive line breaks, blanks and other visible characters before it. All of those go to
 * the strict reader, so that nothing which anybody might take for HTTP passes as something else.
 * Stands in front of the handlers of HTTP and is gone once it knows.
 */
public final class FirstByte extends ChannelInboundHandlerAdapter {
  private static final int TLS_HANDSHAKE = 22;

  /** Takes a connection that is not HTTP. */
  public interface Otherwise {
    /**
     * Takes over the channel.
     *
     * @param first what has been read, which it owns from now on
     */
    void take(InterceptionPolicy.Form form, ByteBuf first);
  }

  private final Otherwise otherwise;

  public FirstByte(Otherwise otherwise) {
    this.otherwise = otherwise;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (!(message instanceof ByteBuf bytes)) {
      ctx.fireChannelRead(message);
      return;
    }
    if (!bytes.isReadable()) {
      bytes.release();
      return;
    }
    int first = bytes.getUnsignedByte(bytes.readerIndex());
    if (mayBeHttp(first)) {
      ctx.fireChannelRead(bytes);
      ctx.pipeline().remove(this);
      return;
    }
    otherwise.take(
        first == TLS_HANDSHAKE ? InterceptionPolicy.Form.TLS : InterceptionPolicy.Form.OTHER,
        bytes);
  }

  static boolean mayBeHttp(int octet) {
    return (octet >= 0x20 && octet < 0x7f) || (octet >= 0x09 && octet <= 0x0d);
  }
}
