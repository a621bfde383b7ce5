package dev.parlance.loadtest.load;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import java.io.IOException;

/** One keep-alive connection of HTTP/1.1 of a load phase. */
// Failed writes and closes show as channelInactive and exceptionCaught, never in their futures
// alone.
@SuppressWarnings("FutureReturnValueIgnored")
final class Http1LoadConnection extends MessageFramer implements LoadConnection {
  private static final byte[] SIGNAL = ascii("asp-signal");

  private final LoadRun run;
  private final Channel channel;
  private final Pending pending;
  private int status;
  private boolean judged;

  Http1LoadConnection(LoadRun run, Channel channel) {
    this.run = run;
    this.channel = channel;
    this.pending = new Pending(run, this);
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) throws Exception {
    super.channelActive(ctx);
    run.ready(this);
  }

  @Override
  public void send(long id, RequestBytes requests, long dueNs) {
    pending.begin(id, dueNs);
    channel.writeAndFlush(requests.request(channel.alloc(), id), channel.voidPromise());
  }

  @Override
  public Pending pending() {
    return pending;
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
    switch (pending.answered(status, judged, body, offset, length)) {
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
    pending.malformed();
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) throws Exception {
    super.channelInactive(ctx);
    pending.lost();
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
