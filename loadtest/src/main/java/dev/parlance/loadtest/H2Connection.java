package dev.parlance.loadtest;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.collection.IntObjectMap;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;

/**
 * One end of an HTTP/2 connection (RFC 9113), for load generator and fake upstream: cuts frames,
 * keeps both sides' flow control, gathers bodies. Lean for the same reason as {@link
 * MessageFramer}; header blocks are decoded by Netty. Not for use against hostile peers.
 */
// Failed writes and closes show as channelInactive and exceptionCaught, never in their futures
// alone.
@SuppressWarnings("FutureReturnValueIgnored")
abstract class H2Connection extends ByteToMessageDecoder {
  /** Error code of a stream of which no more is wanted. */
  private static final int CANCEL = 8;

  private static final int SETTINGS_TABLE_SIZE = 1;
  private static final int SETTINGS_PUSH = 2;
  private static final int SETTINGS_STREAMS = 3;
  private static final int SETTINGS_WINDOW = 4;
  private static final int SETTINGS_FRAME_SIZE = 5;

  /** The standard's size of windows and of the table for header compression. */
  private static final int STANDARD_WINDOW = 65_535;

  private static final int STANDARD_TABLE = 4_096;

  /** Largest frame that everybody takes. */
  private static final int FRAME_BYTES = 16_384;

  /** No body is larger, so streams need no further window. */
  private static final int STREAM_WINDOW = 64 << 20;

  /** Room that the connection has for what comes in; renewed when half of it is used. */
  private static final int CONNECTION_WINDOW = 1 << 30;

  private final boolean client;
  private final DefaultHttp2HeadersDecoder fields = new DefaultHttp2HeadersDecoder(false);
  private final IntObjectMap<H2Stream> streams = new IntObjectHashMap<>();

  /** Those with something unsent, in the order in which it was given. */
  private final ArrayDeque<H2Stream> waiting = new ArrayDeque<>();

  private boolean prefaceSeen;
  private boolean settingsSeen;
  private int tableBytes = STANDARD_TABLE;
  private int peerStreamWindow = STANDARD_WINDOW;
  private int frameBytes = FRAME_BYTES;
  private long sendWindow = STANDARD_WINDOW;
  private int receivedBytes;
  private int blockStream;
  private boolean blockEnds;
  private ByteBuf block = Unpooled.EMPTY_BUFFER;

  H2Connection(boolean client) {
    this.client = client;
  }

  /** The peer's settings are known: from now on something may be sent. */
  abstract void onReady(ChannelHandlerContext ctx);

  /** The header block of a message has come in; trailers are not reported. */
  abstract void onHeaders(H2Stream stream, Http2Headers headers);

  /**
   * A message has come in to its end.
   *
   * @param body holds the body from {@code offset}; borrowed for the call
   */
  abstract void onMessage(
      ChannelHandlerContext ctx, H2Stream stream, ByteBuf body, int offset, int length);

  /** The peer has ended a stream before its end. */
  abstract void onReset(ChannelHandlerContext ctx, H2Stream stream);

  /** The peer will take no further streams. */
  abstract void onGoAway(ChannelHandlerContext ctx);

  /** What came in is no HTTP/2; the connection is closed afterwards. */
  abstract void onMalformed(ChannelHandlerContext ctx, String what);

  // ---- for those who send ----

  /** True if the peer keeps a table in which fields can be entered. */
  final boolean hasTable() {
    return tableBytes >= STANDARD_TABLE;
  }

  /** Opens a stream of our own. */
  final H2Stream open(int id) {
    H2Stream stream = new H2Stream(id, peerStreamWindow);
    streams.put(id, stream);
    return stream;
  }

  /** Forgets a stream; what comes for it from now on is left out. */
  final void forget(H2Stream stream) {
    if (stream.hasUnsent()) {
      waiting.remove(stream);
    }
    streams.remove(stream.id());
    stream.release();
  }

  /**
   * Sends a body to the end of its stream, as far as windows allow; the rest follows when they do.
   * Bodies share the window of the connection in the order in which they were given: otherwise one
   * that waits would be overtaken for as long as others come. Does not flush.
   *
   * @param head frames to send before it, with room for a frame of this size; given away
   * @param size of the body
   * @param writer appends the body to a buffer
   */
  final void send(
      ChannelHandlerContext ctx,
      H2Stream stream,
      ByteBuf head,
      int size,
      Consumer<ByteBuf> writer) {
    if (size == 0 || (waiting.isEmpty() && size <= room(stream))) {
      // The usual case: all in one buffer and copied once.
      H2Frames.head(head, size, H2Frames.DATA, H2Frames.END_STREAM, stream.id());
      writer.accept(head);
      sendWindow -= size;
      stream.window -= size;
      ctx.write(head, ctx.voidPromise());
      sent(stream);
      return;
    }
    ctx.write(head, ctx.voidPromise());
    ByteBuf body = ctx.alloc().directBuffer(size);
    writer.accept(body);
    stream.unsent = body;
    waiting.add(stream);
    pump(ctx);
  }

  /** Sends what windows have room for; a stream without room of its own holds up no other. */
  private void pump(ChannelHandlerContext ctx) {
    Iterator<H2Stream> next = waiting.iterator();
    while (next.hasNext() && sendWindow > 0) {
      H2Stream stream = next.next();
      pump(ctx, stream);
      if (!stream.hasUnsent()) {
        next.remove();
      }
    }
  }

  /** The largest frame that may be sent on a stream now. */
  private long room(H2Stream stream) {
    return Math.min(Math.min(sendWindow, stream.window), frameBytes);
  }

  private void pump(ChannelHandlerContext ctx, H2Stream stream) {
    ByteBuf rest = stream.unsent;
    while (rest.isReadable()) {
      long room = room(stream);
      if (room <= 0) {
        return;
      }
      int size = (int) Math.min(room, rest.readableBytes());
      sendWindow -= size;
      stream.window -= size;
      ByteBuf frame = ctx.alloc().directBuffer(H2Frames.FRAME_HEAD + size);
      H2Frames.head(
          frame,
          size,
          H2Frames.DATA,
          rest.readableBytes() == size ? H2Frames.END_STREAM : 0,
          stream.id());
      frame.writeBytes(rest, size);
      ctx.write(frame, ctx.voidPromise());
    }
    if (stream.hasUnsent()) {
      stream.releaseUnsent();
      sent(stream);
    }
  }

  /** The whole of a message is sent. */
  private void sent(H2Stream stream) {
    if (!client) {
      forget(stream);
    }
  }

  /** Ends a stream of which no more is wanted. */
  final void reset(ChannelHandlerContext ctx, H2Stream stream) {
    forget(stream);
    ctx.writeAndFlush(
        H2Frames.frame(ctx.alloc(), H2Frames.RST_STREAM, stream.id(), CANCEL), ctx.voidPromise());
  }

  // ---- what comes in ----

  @Override
  public void channelActive(ChannelHandlerContext ctx) throws Exception {
    greet(ctx);
    super.channelActive(ctx);
  }

  /** Sends our preface. */
  final void greet(ChannelHandlerContext ctx) {
    ByteBuf out = ctx.alloc().directBuffer(128);
    if (client) {
      out.writeBytes(H2Frames.PREFACE);
    }
    H2Frames.head(out, 12, H2Frames.SETTINGS, 0, 0);
    if (client) {
      out.writeShort(SETTINGS_PUSH).writeInt(0);
    } else {
      out.writeShort(SETTINGS_STREAMS).writeInt(1024);
    }
    out.writeShort(SETTINGS_WINDOW).writeInt(STREAM_WINDOW);
    H2Frames.head(out, 4, H2Frames.WINDOW_UPDATE, 0, 0);
    out.writeInt(CONNECTION_WINDOW - STANDARD_WINDOW);
    ctx.writeAndFlush(out, ctx.voidPromise());
  }

  @Override
  protected final void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out)
      throws Http2Exception {
    if (!client && !prefaceSeen) {
      if (in.readableBytes() < H2Frames.PREFACE.length) {
        return;
      }
      in.skipBytes(H2Frames.PREFACE.length);
      prefaceSeen = true;
    }
    if (in.readableBytes() < H2Frames.FRAME_HEAD) {
      return;
    }
    int at = in.readerIndex();
    int length = in.getUnsignedMedium(at);
    if (length > FRAME_BYTES) {
      malformed(ctx, in, "a frame of " + length + " bytes");
      return;
    }
    if (in.readableBytes() < H2Frames.FRAME_HEAD + length) {
      return;
    }
    int type = in.getUnsignedByte(at + 3);
    int flags = in.getUnsignedByte(at + 4);
    int stream = in.getInt(at + 5) & Integer.MAX_VALUE;
    in.skipBytes(H2Frames.FRAME_HEAD + length);
    frame(ctx, in, new Frame(type, flags, stream, at + H2Frames.FRAME_HEAD, length));
  }

  /** Where a frame's payload is. */
  private record Frame(int type, int flags, int stream, int start, int length) {
    boolean has(int flag) {
      return (flags & flag) != 0;
    }
  }

  private void frame(ChannelHandlerContext ctx, ByteBuf in, Frame frame) throws Http2Exception {
    switch (frame.type()) {
      case H2Frames.DATA -> data(ctx, in, frame);
      case H2Frames.HEADERS, H2Frames.CONTINUATION -> block(ctx, in, frame);
      case H2Frames.RST_STREAM -> {
        H2Stream stream = streams.get(frame.stream());
        if (stream != null) {
          forget(stream);
          onReset(ctx, stream);
        }
      }
      case H2Frames.SETTINGS -> {
        if (!frame.has(H2Frames.ACK)) {
          settings(ctx, in, frame);
        }
      }
      case H2Frames.PUSH_PROMISE -> malformed(ctx, in, "a promise that we never asked for");
      case H2Frames.PING -> {
        if (!frame.has(H2Frames.ACK)) {
          ByteBuf answer = ctx.alloc().directBuffer(H2Frames.FRAME_HEAD + 8);
          H2Frames.head(answer, 8, H2Frames.PING, H2Frames.ACK, 0);
          ctx.write(answer.writeBytes(in, frame.start(), 8), ctx.voidPromise());
        }
      }
      case H2Frames.GOAWAY -> onGoAway(ctx);
      case H2Frames.WINDOW_UPDATE -> {
        int more = in.getInt(frame.start()) & Integer.MAX_VALUE;
        H2Stream stream = streams.get(frame.stream());
        if (frame.stream() == 0) {
          sendWindow += more;
          pump(ctx);
        } else if (stream != null) {
          stream.window += more;
          pump(ctx);
        }
      }
      default -> {} // priorities and what nobody knows
    }
  }

  private void settings(ChannelHandlerContext ctx, ByteBuf in, Frame frame) {
    for (int at = frame.start(); at + 6 <= frame.start() + frame.length(); at += 6) {
      int value = in.getInt(at + 2);
      switch (in.getUnsignedShort(at)) {
        case SETTINGS_TABLE_SIZE -> tableBytes = value;
        case SETTINGS_FRAME_SIZE -> frameBytes = Math.min(value, 1 << 20);
        case SETTINGS_WINDOW -> {
          int change = value - peerStreamWindow;
          peerStreamWindow = value;
          streams.values().forEach(stream -> stream.window += change);
        }
        default -> {} // the others do not matter to what we send
      }
    }
    ByteBuf ack = ctx.alloc().directBuffer(H2Frames.FRAME_HEAD);
    H2Frames.head(ack, 0, H2Frames.SETTINGS, H2Frames.ACK, 0);
    ctx.write(ack, ctx.voidPromise());
    pump(ctx);
    if (!settingsSeen) {
      settingsSeen = true;
      onReady(ctx);
    }
  }

  private void data(ChannelHandlerContext ctx, ByteBuf in, Frame frame) {
    receivedBytes += frame.length();
    if (receivedBytes > CONNECTION_WINDOW / 2) {
      ctx.write(
          H2Frames.frame(ctx.alloc(), H2Frames.WINDOW_UPDATE, 0, receivedBytes), ctx.voidPromise());
      receivedBytes = 0;
    }
    H2Stream stream = streams.get(frame.stream());
    if (stream == null) {
      return; // a stream that was given up
    }
    int start = frame.start();
    int length = frame.length();
    if (frame.has(H2Frames.PADDED)) {
      length -= 1 + in.getUnsignedByte(start);
      start++;
    }
    if (length < 0 || stream.receivedBytes() + length > STREAM_WINDOW) {
      malformed(ctx, in, "padding or body of a wrong length");
    } else if (!frame.has(H2Frames.END_STREAM)) {
      stream.receive(ctx.alloc(), in, start, length);
    } else if (stream.receivedBytes() == 0) {
      onMessage(ctx, stream, in, start, length);
    } else {
      stream.receive(ctx.alloc(), in, start, length);
      onMessage(ctx, stream, stream.received(), 0, stream.receivedBytes());
    }
  }

  private void block(ChannelHandlerContext ctx, ByteBuf in, Frame frame) throws Http2Exception {
    int start = frame.start();
    int length = frame.length();
    if (frame.type() == H2Frames.HEADERS) {
      blockStream = frame.stream();
      blockEnds = frame.has(H2Frames.END_STREAM);
      if (frame.has(H2Frames.PADDED)) {
        length -= 1 + in.getUnsignedByte(start);
        start++;
      }
      if (frame.has(H2Frames.PRIORITY)) {
        start += 5;
        length -= 5;
      }
    }
    if (length < 0) {
      malformed(ctx, in, "padding of a wrong length");
      return;
    }
    if (frame.has(H2Frames.END_HEADERS) && !block.isReadable()) {
      fields(ctx, in.slice(start, length));
      return;
    }
    if (!block.isReadable()) {
      block = ctx.alloc().buffer();
    }
    block.writeBytes(in, start, length);
    if (frame.has(H2Frames.END_HEADERS)) {
      ByteBuf whole = block;
      block = Unpooled.EMPTY_BUFFER;
      try {
        fields(ctx, whole);
      } finally {
        whole.release();
      }
    }
  }

  private void fields(ChannelHandlerContext ctx, ByteBuf fieldBlock) throws Http2Exception {
    // Read in any case, since the table has to stay in step.
    Http2Headers headers = fields.decodeHeaders(blockStream, fieldBlock);
    H2Stream stream = streams.get(blockStream);
    if (stream == null) {
      if (client || blockStream % 2 == 0) {
        return; // a stream that was given up
      }
      stream = open(blockStream);
    }
    CharSequence status = headers.status();
    boolean interim = status != null && status.length() == 3 && status.charAt(0) == '1';
    if (!stream.hasHeaders && !interim) {
      stream.hasHeaders = true;
      onHeaders(stream, headers);
    }
    if (blockEnds) {
      onMessage(ctx, stream, stream.received(), 0, stream.receivedBytes());
    }
  }

  private void malformed(ChannelHandlerContext ctx, ByteBuf in, String what) {
    in.skipBytes(in.readableBytes());
    onMalformed(ctx, what);
    ctx.close();
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) throws Exception {
    ctx.flush();
    super.channelReadComplete(ctx);
  }

  @Override
  protected void handlerRemoved0(ChannelHandlerContext ctx) {
    List.copyOf(streams.values()).forEach(this::forget);
    block.release();
    block = Unpooled.EMPTY_BUFFER;
  }
}
