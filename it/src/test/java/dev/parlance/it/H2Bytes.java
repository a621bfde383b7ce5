package dev.parlance.it;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.DefaultHttp2FrameReader;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameAdapter;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One stream of HTTP/2 as it stood on the wire, without its framing.
 *
 * @param request the caller's side of it
 * @param response the other side of it
 */
record H2Bytes(Side request, Side response) {
  private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII);

  /**
   * One direction.
   *
   * @param fields head and trailers, pseudo fields too
   * @param body content of the data frames
   */
  @SuppressWarnings("ArrayRecordComponent") // read only, and compared as bytes where it matters
  record Side(Map<String, String> fields, byte[] body) {}

  /** True if a connection that begins so is one of HTTP/2. */
  static boolean isPreface(byte[] sent) {
    return sent.length >= PREFACE.length
        && Arrays.equals(Arrays.copyOf(sent, PREFACE.length), PREFACE);
  }

  /** The streams of a connection, in the order of their numbers. */
  static List<H2Bytes> streams(byte[] up, byte[] down) throws IOException {
    Map<Integer, Gathered> asked =
        read(Unpooled.wrappedBuffer(up, PREFACE.length, up.length - PREFACE.length));
    Map<Integer, Gathered> answered = read(Unpooled.wrappedBuffer(down));
    return asked.entrySet().stream()
        .map(one ->
            new H2Bytes(
                one.getValue().side(), answered.getOrDefault(one.getKey(), new Gathered()).side()))
        .toList();
  }

  private static Map<Integer, Gathered> read(ByteBuf bytes) throws IOException {
    Map<Integer, Gathered> streams = new TreeMap<>();
    EmbeddedChannel channel = new EmbeddedChannel(new ChannelInboundHandlerAdapter());
    try (DefaultHttp2FrameReader reader = new DefaultHttp2FrameReader()) {
      ChannelHandlerContext context = channel.pipeline().firstContext();
      Listener listener = new Listener(streams);
      while (bytes.isReadable()) {
        int before = bytes.readableBytes();
        reader.readFrame(context, bytes, listener);
        if (bytes.readableBytes() == before) {
          break; // the rest of a frame has not come
        }
      }
    } catch (Http2Exception e) {
      throw new IOException("not HTTP/2", e);
    } finally {
      bytes.release();
      var _ = channel.finishAndReleaseAll();
    }
    return streams;
  }

  private static final class Gathered {
    private final Map<String, String> fields = new TreeMap<>();
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();

    private Side side() {
      return new Side(Map.copyOf(fields), body.toByteArray());
    }
  }

  private static final class Listener extends Http2FrameAdapter {
    private final Map<Integer, Gathered> streams;

    private Listener(Map<Integer, Gathered> streams) {
      this.streams = streams;
    }

    private Gathered of(int stream) {
      return streams.computeIfAbsent(stream, _ -> new Gathered());
    }

    @Override
    public int onDataRead(
        ChannelHandlerContext ctx, int stream, ByteBuf data, int padding, boolean last) {
      int length = data.readableBytes();
      byte[] content = new byte[length];
      data.readBytes(content);
      of(stream).body.writeBytes(content);
      return length + padding;
    }

    @Override
    public void onHeadersRead(
        ChannelHandlerContext ctx, int stream, Http2Headers headers, int padding, boolean last) {
      headers.forEach(
          field -> of(stream).fields.put(field.getKey().toString(), field.getValue().toString()));
    }

    @Override
    public void onHeadersRead(
        ChannelHandlerContext ctx,
        int stream,
        Http2Headers headers,
        int dependency,
        short weight,
        boolean exclusive,
        int padding,
        boolean last) {
      onHeadersRead(ctx, stream, headers, padding, last);
    }
  }
}
