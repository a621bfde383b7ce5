package dev.parlance.loadtest;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.collection.IntObjectMap;
import java.util.List;

/** An HTTP/2 connection of a fake upstream; many requests may be under way on it. */
// Failed writes and closes show as channelInactive and exceptionCaught, never in their futures
// alone.
@SuppressWarnings("FutureReturnValueIgnored")
final class H2UpstreamConnection extends H2Connection {
  private static final H2Block OK =
      H2Block.of(
          List.of(
              new H2Block.Field(8, ":status", ""), // 200
              new H2Block.Field(31, "content-type", "application/json")));

  private final Answers answers;
  private final IntObjectMap<String> paths = new IntObjectHashMap<>();
  private boolean isFirst = true;

  H2UpstreamConnection(Answers answers) {
    super(false);
    this.answers = answers;
  }

  @Override
  void onReady(ChannelHandlerContext ctx) {
    // A client speaks first.
  }

  @Override
  void onHeaders(H2Stream stream, Http2Headers headers) {
    CharSequence path = headers.path();
    paths.put(stream.id(), path == null ? "" : path.toString());
  }

  @Override
  void onMessage(ChannelHandlerContext ctx, H2Stream stream, ByteBuf body, int offset, int length) {
    String asked = paths.remove(stream.id());
    String path = asked == null ? "" : asked;
    Answers.Answer answer =
        answers.to(
            JsonRpcHead.read(body, offset, length), answers.corpus(path), Freshness.ofPath(path));
    ByteBuf block = OK.choose(hasTable(), isFirst);
    isFirst = false;
    ByteBuf head = H2Frames.headers(ctx.alloc(), stream.id(), block, answer.size());
    send(ctx, stream, head, answer.size(), answer::write); // flushed when all is read
  }

  @Override
  void onReset(ChannelHandlerContext ctx, H2Stream stream) {
    paths.remove(stream.id());
  }

  @Override
  void onGoAway(ChannelHandlerContext ctx) {
    // The client closes the connection when it has its answers.
  }

  @Override
  void onMalformed(ChannelHandlerContext ctx, String what) {
    // The peer sees the connection close; the load generator counts that as a lost request.
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    ctx.close();
  }
}
