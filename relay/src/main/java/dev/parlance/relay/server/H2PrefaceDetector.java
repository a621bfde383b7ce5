package dev.parlance.relay.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.Http2CodecUtil;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the first bytes of a connection: with the preface of HTTP/2 (RFC 9113 section 3.4) the
 * channel is made to speak it; with the first byte that differs everything goes on as HTTP/1.1. It
 * stands in front of the HTTP/1.1 handlers and is gone once it knows.
 */
final class H2PrefaceDetector extends ChannelInboundHandlerAdapter {
  private final ByteBuf preface = Http2CodecUtil.connectionPrefaceBuf();
  private final Runnable begun;
  private final Runnable toHttp2;
  private @Nullable ByteBuf held;

  /**
   * @param begun told when there are bytes that may be the beginning of a preface
   * @param toHttp2 puts the handler of HTTP/2 in the place of those behind this one
   */
  H2PrefaceDetector(Runnable begun, Runnable toHttp2) {
    this.begun = begun;
    this.toHttp2 = toHttp2;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (!(message instanceof ByteBuf bytes)) {
      ctx.fireChannelRead(message);
      return;
    }
    ByteBuf all = held == null ? bytes : ctx.alloc().buffer().writeBytes(held).writeBytes(bytes);
    if (held != null) {
      held.release();
      bytes.release();
      held = null;
    }
    int length = Math.min(all.readableBytes(), preface.readableBytes());
    boolean same = true;
    for (int i = 0; i < length && same; i++) {
      same = all.getByte(all.readerIndex() + i) == preface.getByte(i);
    }
    if (same && length < preface.readableBytes()) {
      held = all;
      begun.run();
      return;
    }
    if (same) {
      toHttp2.run();
    }
    ctx.fireChannelRead(all);
    ctx.pipeline().remove(this);
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    preface.release();
    if (held != null) {
      held.release();
      held = null;
    }
  }
}
