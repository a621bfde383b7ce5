package dev.parlance.relay.http2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.DefaultHttp2FrameWriter;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameTypes;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.collection.IntObjectHashMap;

/**
 * Writes frames and counts what of each stream has left the windows of the peer. A header block and
 * a short piece of a body leave in one buffer each, head and all.
 */
public final class H2FrameWriter extends DefaultHttp2FrameWriter {
  private static final int HEAD_BYTES = 9;
  private static final int END_STREAM = 0x1;
  private static final int END_HEADERS = 0x4;

  /** Room for the block of most messages. */
  private static final int BLOCK_BYTES = 503;

  /** Up to here a copy costs less than one more buffer to gather. */
  private static final int COPIED_BYTES = 8 * 1024;

  private final H2Budget budget;
  private final H2HeadersEncoder blocks;
  private final IntObjectHashMap<Long> writtenBytes = new IntObjectHashMap<>();

  H2FrameWriter(H2Budget budget) {
    this(budget, new H2HeadersEncoder());
  }

  private H2FrameWriter(H2Budget budget, H2HeadersEncoder blocks) {
    super(blocks);
    this.budget = budget;
    this.blocks = blocks;
  }

  @Override
  public ChannelFuture writeData(
      ChannelHandlerContext ctx,
      int streamId,
      ByteBuf data,
      int padding,
      boolean endStream,
      ChannelPromise promise) {
    int length = data.readableBytes();
    if (length > 0) {
      budget.earn();
      writtenBytes.merge(streamId, (long) length, Long::sum);
    }
    if (padding > 0 || length > Math.min(COPIED_BYTES, maxFrameSize())) {
      return super.writeData(ctx, streamId, data, padding, endStream, promise);
    }
    ByteBuf frame = ctx.alloc().ioBuffer(HEAD_BYTES + length);
    head(frame, length, Http2FrameTypes.DATA, endStream ? END_STREAM : 0, streamId);
    frame.writeBytes(data);
    data.release();
    return ctx.write(frame, promise);
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
    ByteBuf frame = ctx.alloc().ioBuffer(HEAD_BYTES + BLOCK_BYTES).writerIndex(HEAD_BYTES);
    try {
      blocks.encodeHeaders(streamId, headers, frame);
    } catch (Http2Exception e) {
      frame.release();
      return promise.setFailure(e);
    }
    int end = frame.writerIndex();
    if (padding > 0 || end - HEAD_BYTES > maxFrameSize()) {
      frame.release();
      blocks.repeatable();
      return super.writeHeaders(ctx, streamId, headers, padding, endStream, promise);
    }
    int flags = END_HEADERS | (endStream ? END_STREAM : 0);
    head(frame.writerIndex(0), end - HEAD_BYTES, Http2FrameTypes.HEADERS, flags, streamId);
    return ctx.write(frame.writerIndex(end), promise);
  }

  /** RFC 9113 section 4.1. */
  private static void head(ByteBuf frame, int length, byte type, int flags, int streamId) {
    frame.writeMedium(length).writeByte(type).writeByte(flags).writeInt(streamId);
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
