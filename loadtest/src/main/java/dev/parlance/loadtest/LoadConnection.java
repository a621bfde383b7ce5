package dev.parlance.loadtest;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import java.io.IOException;

/** One keep-alive connection of HTTP/1.1 of a load phase. */
// Failed writes and closes show as channelInactive and exceptionCaught, never in their futures
// alone.
@SuppressWarnings("FutureReturnValueIgnored")
final class LoadConnection extends MessageFramer implements LoadLine {
  private static final byte[] SIGNAL = ascii("asp-signal");

  private final LoadRun run;
  private final Channel channel;
  private final Waiting waiting;
  private int status;
  private boolean judged;

  LoadConnection(LoadRun run, Channel channel) {
    this.run = run;
    this.channel = channel;
    this.waiting = new Waiting(run, this);
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) throws Exception {
    super.channelActive(ctx);
    run.ready(this);
  }

  @Override
  public void send(long id, RequestBytes requests, long dueNs) {
    waiting.begin(id, dueNs);
    channel.writeAndFlush(requests.request(channel.alloc(), id), channel.voidPromise());
  }

  @Override
  public Waiting waiting() {
    return waiting;
  }

  @Override
  public Channel channel() {
    return channel;
  }

  @Override
  void onHead(byte[] bytes, int length) {
    // "HTTP/1.1 200"
    status = length > 12 ? (bytes[9] - '0') * 100 + (bytes[10] - '0') * 10 + (bytes[11] - '0') : 0;
    judged = false;
    for (int i = 1; i < length - SIGNAL.length && !judged; i++) {
      judged = bytes[i - 1] == '\n' && startsWith(bytes, i, length, SIGNAL);
    }
  }

  @Override
  boolean bodyIsOptional() {
    return false;
  }

  @Override
  void onMessage(ChannelHandlerContext ctx, ByteBuf body, int offset, int length) {
    switch (waiting.answered(status, judged, body, offset, length)) {
      case KEEP -> {
        if (isClosing()) {
          ctx.close();
        } else {
          run.free(this);
        }
      }
      case CLOSE -> ctx.close();
      case NOTHING -> {}
    }
  }

  @Override
  void onMalformed(ChannelHandlerContext ctx, String what) {
    waiting.malformed();
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) throws Exception {
    super.channelInactive(ctx);
    waiting.lost();
    run.closed(this);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (!(cause instanceof IOException)) {
      run.fail(cause); // a bug of ours, and no figure after it is worth anything
    }
    ctx.close(); // after a reset channelInactive counts what it cost
  }
}
