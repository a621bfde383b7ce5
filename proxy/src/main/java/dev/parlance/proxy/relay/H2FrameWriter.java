package dev.parlance.proxy.relay;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.DefaultHttp2FrameWriter;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.collection.IntObjectHashMap;

/** Writes frames and counts what of each stream has left the windows of the peer. */
final class H2FrameWriter extends DefaultHttp2FrameWriter {
  private final H2Budget budget;
  private final IntObjectHashMap<Long> writtenBytes = new IntObjectHashMap<>();

  H2FrameWriter(H2Budget budget) {
    super(new H2HeadersEncoder());
    this.budget = budget;
  }

  @Override
  public ChannelFuture writeData(
      ChannelHandlerContext ctx,
      int streamId,
      ByteBuf data,
      int padding,
      boolean endStream,
      ChannelPromise promise) {
    if (data.isReadable()) {
      budget.earn();
      writtenBytes.merge(streamId, (long) data.readableBytes(), Long::sum);
    }
    return super.writeData(ctx, streamId, data, padding, endStream, promise);
  }

  @Override
  public ChannelFuture writeHeaders(
      ChannelHandlerContext ctx,
      int streamId,
      Http2Headers headers,
      int padding,
      boolean endStream,
      ChannelPromise promise) {
    budget.earn();
    return super.writeHeaders(ctx, streamId, headers, padding, endStream, promise);
  }

  /** Bytes of this stream's body that the peer's windows have let through. */
  long writtenBytes(int streamId) {
    Long written = writtenBytes.get(streamId);
    return written == null ? 0 : written;
  }

  /** The stream has ended. */
  void forget(int streamId) {
    writtenBytes.remove(streamId);
  }
}
