package dev.parlance.relay.http2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.DecoratingHttp2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameTypes;
import io.netty.handler.codec.http2.Http2Stream;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Sees the head of every frame before Netty's decoder does, with the connection exactly as the
 * frame finds it. Charges what carries nothing to the {@link H2Budget}, and settles what becomes of
 * frames on streams that have ended (RFC 9113 section 5.1).
 */
public final class H2FrameGuard extends DecoratingHttp2ConnectionDecoder {
  private static final int HEAD_BYTES = 9;

  /** SETTINGS_MAX_FRAME_SIZE that we announce by saying nothing: the least. */
  private static final int MAX_FRAME_BYTES = 16_384;

  /** Shorter pieces of a body than this cost more to take apart than they carry. */
  private static final int SMALL_DATA_BYTES = 32;

  private static final int END_STREAM = 0x1;
  private static final int ACK = 0x1;
  private static final int END_HEADERS = 0x4;

  private final Http2Connection connection;
  private final H2Budget budget;
  private final H2FrameWriter writer;
  private final ClosedStreams closed = new ClosedStreams();
  private final boolean server;
  private H2Budget.@Nullable Excess excess;
  private boolean inHeaderBlock;
  private int headerBlockBytes;
  private int swallowedBlock;
  private boolean windowsMoved;
  private boolean dead;

  H2FrameGuard(
      Http2ConnectionDecoder decoder,
      Http2Connection connection,
      H2Budget budget,
      H2FrameWriter writer) {
    super(decoder);
    this.connection = connection;
    this.budget = budget;
    this.writer = writer;
    this.server = connection.isServer();
  }

  /** Reads nothing more: the connection is being ended. */
  void discardRest() {
    dead = true;
  }

  /** How the streams that ended lately did. */
  ClosedStreams closed() {
    return closed;
  }

  /** What the peer did too often, once it has. */
  Optional<H2Budget.Excess> excess() {
    return Optional.ofNullable(excess);
  }

  /** True while a header block has begun and not ended. */
  boolean inHeaderBlock() {
    return inHeaderBlock;
  }

  /** What has come of the header block that has begun last. */
  int headerBlockBytes() {
    return headerBlockBytes;
  }

  /** True if the peer has said something of its windows since the last call. */
  boolean windowsMoved() {
    boolean moved = windowsMoved;
    windowsMoved = false;
    return moved;
  }

  @Override
  public void decodeFrame(ChannelHandlerContext ctx, ByteBuf in, List<Object> out)
      throws Http2Exception {
    while (!dead && in.readableBytes() >= HEAD_BYTES) {
      int at = in.readerIndex();
      int length = in.getUnsignedMedium(at);
      if (length > MAX_FRAME_BYTES) {
        throw Http2Exception.connectionError(
            Http2Error.FRAME_SIZE_ERROR,
            "a frame of %d bytes, expected %d",
            length,
            MAX_FRAME_BYTES);
      }
      if (in.readableBytes() < HEAD_BYTES + length) {
        return;
      }
      frame(ctx, in.readSlice(HEAD_BYTES + length), out);
    }
    if (dead) {
      in.skipBytes(in.readableBytes());
    }
  }

  private void frame(ChannelHandlerContext ctx, ByteBuf frame, List<Object> out)
      throws Http2Exception {
    int at = frame.readerIndex();
    int length = frame.readableBytes() - HEAD_BYTES;
    byte type = frame.getByte(at + 3);
    int flags = frame.getByte(at + 4);
    int id = frame.getInt(at + 5) & Integer.MAX_VALUE;
    if (inHeaderBlock && type != Http2FrameTypes.CONTINUATION) {
      throw Http2Exception.connectionError(
          Http2Error.PROTOCOL_ERROR, "frame type %d inside a header block", type);
    }
    switch (type) {
      case Http2FrameTypes.DATA -> data(ctx, frame, length, flags, id, out);
      case Http2FrameTypes.HEADERS -> {
        budget.earn();
        headerBlockBytes = length;
        headers(ctx, frame, flags, id, out);
      }
      case Http2FrameTypes.CONTINUATION -> {
        headerBlockBytes += length;
        inHeaderBlock = (flags & END_HEADERS) == 0;
        if (swallowedBlock == 0) {
          super.decodeFrame(ctx, frame, out);
        } else {
          swallowing(ctx, frame, id, out);
        }
      }
      case Http2FrameTypes.RST_STREAM -> {
        reset(id);
        super.decodeFrame(ctx, frame, out);
      }
      case Http2FrameTypes.PUSH_PROMISE ->
          throw Http2Exception.connectionError(
              Http2Error.PROTOCOL_ERROR, "PUSH_PROMISE, which nobody allowed");
      case Http2FrameTypes.PING -> {
        pay(H2Budget.Excess.PING);
        super.decodeFrame(ctx, frame, out);
      }
      case Http2FrameTypes.SETTINGS -> {
        if ((flags & ACK) == 0) {
          pay(H2Budget.Excess.SETTINGS);
          windowsMoved = true;
        } else {
          pay(H2Budget.Excess.UNKNOWN_FRAME);
        }
        super.decodeFrame(ctx, frame, out);
      }
      case Http2FrameTypes.WINDOW_UPDATE -> {
        pay(H2Budget.Excess.WINDOW_UPDATE);
        windowsMoved = true;
        super.decodeFrame(ctx, frame, out);
      }
      case Http2FrameTypes.PRIORITY -> {
        pay(H2Budget.Excess.PRIORITY);
        super.decodeFrame(ctx, frame, out);
      }
      default -> {
        pay(H2Budget.Excess.UNKNOWN_FRAME);
        super.decodeFrame(ctx, frame, out);
      }
    }
  }

  private void data(
      ChannelHandlerContext ctx, ByteBuf frame, int length, int flags, int id, List<Object> out)
      throws Http2Exception {
    if (length == 0 && (flags & END_STREAM) == 0) {
      pay(H2Budget.Excess.EMPTY_DATA);
    } else if (length < SMALL_DATA_BYTES) {
      pay(H2Budget.Excess.SMALL_DATA);
    } else {
      budget.earn();
    }
    if (!hasEnded(id)) {
      super.decodeFrame(ctx, frame, out);
      return;
    }
    pay(H2Budget.Excess.CLOSED_STREAM);
    verifyMayStillCome(id);
    // The stream is gone, but its bytes count against the window of the connection.
    frame.skipBytes(HEAD_BYTES);
    flowController().receiveFlowControlledFrame(null, frame, 0, false);
  }

  private void headers(
      ChannelHandlerContext ctx, ByteBuf frame, int flags, int id, List<Object> out)
      throws Http2Exception {
    inHeaderBlock = (flags & END_HEADERS) == 0;
    if (hasEnded(id)) {
      pay(H2Budget.Excess.CLOSED_STREAM);
      verifyMayStillCome(id);
      swallowedBlock = id;
      swallowing(ctx, frame, id, out);
      return;
    }
    Http2Stream stream = connection.stream(id);
    boolean halfClosed =
        stream != null && server && stream.state() == Http2Stream.State.HALF_CLOSED_REMOTE;
    try {
      super.decodeFrame(ctx, frame, out);
    } catch (Http2Exception e) {
      if (halfClosed && Http2Exception.isStreamError(e)) {
        throw Http2Exception.streamError(
            id, Http2Error.STREAM_CLOSED, e, "HEADERS behind the end of stream %d", id);
      }
      throw e;
    }
  }

  /** The block changes the state of the compression, so it is decoded although nobody wants it. */
  private void swallowing(ChannelHandlerContext ctx, ByteBuf frame, int id, List<Object> out)
      throws Http2Exception {
    try {
      super.decodeFrame(ctx, frame, out);
    } catch (Http2Exception e) {
      if (!Http2Exception.isStreamError(e) || Http2Exception.streamId(e) != id) {
        throw e;
      }
    }
    if (!inHeaderBlock) {
      swallowedBlock = 0;
    }
  }

  private boolean hasEnded(int id) {
    return id != 0 && connection.stream(id) == null && connection.streamMayHaveExisted(id);
  }

  private void verifyMayStillCome(int id) throws Http2Exception {
    switch (closed.of(id)) {
      case RESET_BY_US -> {}
      case FINISHED ->
          throw Http2Exception.connectionError(
              Http2Error.STREAM_CLOSED, "a frame behind the end of stream %d", id);
      case NEVER_OPENED ->
          throw Http2Exception.connectionError(
              Http2Error.PROTOCOL_ERROR, "stream %d is below one that is open", id);
    }
  }

  private void reset(int id) throws Http2Exception {
    if (id == 0) {
      return; // which the decoder refuses
    }
    Http2Stream stream = connection.stream(id);
    if (stream == null) {
      // Whoever resets what was answered at once asks for as much work as one who does not wait.
      boolean known = connection.streamMayHaveExisted(id);
      boolean finished = known && closed.of(id) == ClosedStreams.Ending.FINISHED;
      pay(finished ? H2Budget.Excess.RESET : H2Budget.Excess.CLOSED_STREAM);
    } else if (server && writer.writtenBytes(id) == 0) {
      // It cannot have seen anything of the answer.
      pay(H2Budget.Excess.RESET);
    }
  }

  void pay(H2Budget.Excess kind) throws Http2Exception {
    if (!budget.pay(kind)) {
      excess = kind;
      throw Http2Exception.connectionError(
          Http2Error.ENHANCE_YOUR_CALM, "too many frames: %s", kind.code());
    }
  }

  /**
   * How the streams that ended lately did, so that frames which were under way when we gave a
   * stream up can be told from frames of a peer that does not keep to the protocol. Bounded: of
   * streams long past only their number is known.
   */
  static final class ClosedStreams {
    /** How a stream that is no longer there came to be so. */
    enum Ending {
      /** It ran its course, or the peer gave it up: nothing more may come. */
      FINISHED,
      /** We gave it up: the peer may not know it yet. */
      RESET_BY_US,
      /** It was never opened; its number was skipped. */
      NEVER_OPENED
    }

    private static final int REMEMBERED = 512;

    private final int[] ids = new int[REMEMBERED];
    private final Ending[] endings = new Ending[REMEMBERED];
    private int count;
    private int next;
    private int highest;
    private int oldestForgotten;

    void opened(int id) {
      if (id <= highest && at(id) >= 0) {
        return;
      }
      if (count == REMEMBERED) {
        oldestForgotten = ids[next];
      } else {
        count++;
      }
      ids[next] = id;
      endings[next] = Ending.FINISHED;
      next = (next + 1) % REMEMBERED;
      highest = Math.max(highest, id);
    }

    void resetByUs(int id) {
      opened(id);
      endings[at(id)] = Ending.RESET_BY_US;
    }

    /** The ending of a stream whose number is not above the highest one used. */
    Ending of(int id) {
      int at = at(id);
      if (at >= 0) {
        return endings[at];
      }
      return id > oldestForgotten ? Ending.NEVER_OPENED : Ending.FINISHED;
    }

    /** Where a stream is remembered; -1 if it is not. Whoever asks mostly asks for a late one. */
    private int at(int id) {
      for (int back = 1; back <= count; back++) {
        int at = (next + REMEMBERED - back) % REMEMBERED;
        if (ids[at] == id) {
          return at;
        }
      }
      return -1;
    }
  }
}
