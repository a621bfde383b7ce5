package dev.parlance.loadtest;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.Http2Headers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** In which order answers share the window of a connection. */
class H2SendOrderTest {
  private static final int GET = 0x82;

  /** Answers the stream of each number with so many bytes. */
  private static final class Server extends H2Connection {
    private final Map<Integer, Integer> sizes;

    Server(Map<Integer, Integer> sizes) {
      super(false);
      this.sizes = sizes;
    }

    @Override
    void onReady(ChannelHandlerContext ctx) {}

    @Override
    void onHeaders(H2Stream stream, Http2Headers headers) {}

    @Override
    void onMessage(
        ChannelHandlerContext ctx, H2Stream stream, ByteBuf body, int offset, int length) {
      int size = sizes.getOrDefault(stream.id(), 0);
      ByteBuf head =
          H2Frames.headers(ctx.alloc(), stream.id(), Unpooled.wrappedBuffer(new byte[] {0}), size);
      send(ctx, stream, head, size, out -> out.writeZero(size));
    }

    @Override
    void onReset(ChannelHandlerContext ctx, H2Stream stream) {}

    @Override
    void onGoAway(ChannelHandlerContext ctx) {}

    @Override
    void onMalformed(ChannelHandlerContext ctx, String what) {
      throw new AssertionError(what);
    }
  }

  private record Data(int stream, int length, boolean ends) {}

  private static void settings(EmbeddedChannel channel, int streamWindow) {
    ByteBuf in = Unpooled.buffer().writeBytes(H2Frames.PREFACE);
    H2Frames.head(in, 6, H2Frames.SETTINGS, 0, 0);
    channel.writeInbound(in.writeShort(4).writeInt(streamWindow));
  }

  private static void ask(EmbeddedChannel channel, int... streams) {
    for (int stream : streams) {
      ByteBuf in = Unpooled.buffer();
      H2Frames.head(in, 1, H2Frames.HEADERS, H2Frames.END_HEADERS | H2Frames.END_STREAM, stream);
      channel.writeInbound(in.writeByte(GET));
    }
  }

  private static void room(EmbeddedChannel channel, int stream, int bytes) {
    channel.writeInbound(H2Frames.frame(channel.alloc(), H2Frames.WINDOW_UPDATE, stream, bytes));
  }

  /** The frames with content that were written since the last call, those in a row as one. */
  private static List<Data> written(EmbeddedChannel channel) {
    channel.flush();
    List<Data> frames = new ArrayList<>();
    for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
      while (out.isReadable()) {
        int length = out.readUnsignedMedium();
        int type = out.readUnsignedByte();
        int flags = out.readUnsignedByte();
        int stream = out.readInt();
        out.skipBytes(length);
        if (type == H2Frames.DATA) {
          boolean goesOn = !frames.isEmpty() && frames.getLast().stream() == stream;
          int before = goesOn ? frames.removeLast().length() : 0;
          frames.add(new Data(stream, before + length, (flags & H2Frames.END_STREAM) != 0));
        }
      }
      out.release();
    }
    return frames;
  }

  @Test
  void whoCameFirstGetsTheRoomFirst_alsoBeforeOneThatWouldFitAtOnce() {
    EmbeddedChannel channel =
        new EmbeddedChannel(
            new Server(new TreeMap<>(Map.of(1, 30_000, 3, 30_000, 5, 30_000, 7, 30_000, 9, 100))));
    settings(channel, 1 << 20);
    ask(channel, 1, 3, 5, 7);
    assertThat(written(channel))
        .containsExactly(
            new Data(1, 30_000, true), new Data(3, 30_000, true), new Data(5, 5_535, false));
    room(channel, 0, 10_000);
    ask(channel, 9);
    assertThat(written(channel)).containsExactly(new Data(5, 10_000, false));
    room(channel, 0, 1_000);
    assertThat(written(channel)).containsExactly(new Data(5, 1_000, false));
    room(channel, 0, 100_000);
    assertThat(written(channel))
        .containsExactly(
            new Data(5, 13_465, true), new Data(7, 30_000, true), new Data(9, 100, true));
    channel.finishAndReleaseAll();
  }

  @Test
  void aStreamWithoutRoomOfItsOwnHoldsUpNoOther() {
    EmbeddedChannel channel =
        new EmbeddedChannel(new Server(new TreeMap<>(Map.of(1, 2_000, 3, 900, 5, 0))));
    settings(channel, 1_000);
    ask(channel, 1, 3, 5);
    assertThat(written(channel))
        .containsExactly(new Data(1, 1_000, false), new Data(3, 900, true), new Data(5, 0, true));
    room(channel, 1, 5_000);
    assertThat(written(channel)).containsExactly(new Data(1, 1_000, true));
    channel.finishAndReleaseAll();
  }
}
