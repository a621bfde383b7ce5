package dev.parlance.relay.http1;

import dev.parlance.relay.net.FlushRound;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.handler.codec.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The pieces of HTTP/1.1 messages, put on a channel without a copy of what is in them. */
public final class WireWrites {
  private static final ByteBuf LINE_END = constant("\r\n");
  private static final ByteBuf LAST_CHUNK = constant("0\r\n\r\n");

  private WireWrites() {}

  private static ByteBuf constant(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    return Unpooled.unreleasableBuffer(
        Unpooled.directBuffer(bytes.length).writeBytes(bytes).asReadOnly());
  }

  /**
   * Writes two buffers, which it owns, in one go.
   *
   * @return done when both are with the operating system
   */
  public static ChannelFuture both(Channel channel, ByteBuf first, ByteBuf second) {
    queue(channel, first);
    return last(channel, second);
  }

  /**
   * Writes the last buffer of a message, which it owns; the message goes to the socket with what
   * else is written in this round of the loop.
   *
   * @return done when all of it is with the operating system
   */
  public static ChannelFuture last(Channel channel, ByteBuf bytes) {
    ChannelFuture written = channel.write(bytes);
    FlushRound.later(channel);
    return written;
  }

  /** Queues a buffer whose fate shows in what is written behind it. */
  private static void queue(Channel channel, ByteBuf bytes) {
    var _ = channel.write(bytes);
  }

  /** A body of one chunk, which it owns, between its head and the fields behind it. */
  static ChannelFuture oneChunk(Channel channel, ByteBuf head, ByteBuf data, HttpHeaders trailers) {
    queue(channel, head);
    if (data.isReadable()) {
      var _ = chunk(channel, data);
    } else {
      data.release();
    }
    return last(channel, lastChunk(channel, trailers));
  }

  /** Queues one chunk, which it owns and which is not empty: an empty one would be the last. */
  public static ChannelFuture chunk(Channel channel, ByteBuf data) {
    byte[] size = Integer.toHexString(data.readableBytes()).getBytes(StandardCharsets.US_ASCII);
    queue(
        channel,
        channel.alloc().ioBuffer(size.length + 2).writeBytes(size).writeByte('\r').writeByte('\n'));
    queue(channel, data);
    return channel.write(LINE_END.duplicate());
  }

  /** The last chunk and the fields behind it. */
  public static ByteBuf lastChunk(Channel channel, HttpHeaders trailers) {
    if (trailers.isEmpty()) {
      return LAST_CHUNK.duplicate();
    }
    HeadWriter last = HeadWriter.lastChunk();
    for (Map.Entry<String, String> field : trailers) {
      last.field(field.getKey(), field.getValue());
    }
    return last.end(channel.alloc());
  }
}
