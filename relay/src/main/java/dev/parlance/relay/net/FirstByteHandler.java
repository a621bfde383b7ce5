package dev.parlance.relay.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/** A handler that tells by the first byte of a connection who is to have it. */
public abstract class FirstByteHandler extends ChannelInboundHandlerAdapter {
  /**
   * The connection has begun. Until this handler has gone from the pipeline it is called again.
   *
   * @param octet the first byte
   * @param bytes what has come, the first byte included; the receiver's
   */
  protected abstract void begun(ChannelHandlerContext ctx, int octet, ByteBuf bytes);

  @Override
  public final void channelRead(ChannelHandlerContext ctx, Object message) {
    if (!(message instanceof ByteBuf bytes)) {
      ctx.fireChannelRead(message);
    } else if (bytes.isReadable()) {
      begun(ctx, bytes.getUnsignedByte(bytes.readerIndex()), bytes);
    } else {
      bytes.release();
    }
  }
}
