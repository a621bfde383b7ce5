package dev.parlance.loadtest;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import java.io.IOException;

/** One keep-alive connection of a load phase, with at most one request under way. */
// Failed writes and closes show as channelInactive and exceptionCaught, never in their futures
// alone.
@SuppressWarnings("FutureReturnValueIgnored")
final class LoadConnection extends MessageFramer {
  private static final byte[] SIGNAL = ascii("asp-signal");

  private final LoadRun run;
  private final Channel channel;
  private boolean waiting;
  private boolean broken; // what still comes on this connection belongs to no request
  private long id;
  private long dueNs;
  private long sentNs;
  private int status;
  private boolean judged;

  LoadConnection(LoadRun run, Channel channel) {
    this.run = run;
    this.channel = channel;
  }

  /** Sends a request that was due at {@code dueNs}; only when not {@link #isWaiting()}. */
  void send(long nextId, RequestBytes requests, long nextDueNs) {
    waiting = true;
    id = nextId;
    dueNs = nextDueNs;
    sentNs = System.nanoTime();
    channel.writeAndFlush(requests.request(channel.alloc(), nextId), channel.voidPromise());
  }

  boolean isWaiting() {
    return waiting;
  }

  long id() {
    return id;
  }

  long dueNs() {
    return dueNs;
  }

  long sentNs() {
    return sentNs;
  }

  /** Ends the wait and closes; the close is reported as that of an idle connection. */
  void giveUp() {
    waiting = false;
    broken = true;
    channel.close();
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
    if (broken) {
      return;
    }
    if (!waiting) {
      broken = true;
      run.unsolicited();
      ctx.close();
      return;
    }
    JsonRpcHead head = JsonRpcHead.read(body, offset, length);
    Outcome outcome = run.judge(id, status, head, length);
    waiting = false;
    if (outcome.isFault() && outcome != Outcome.BAD_STATUS) {
      // Whatever comes next on this connection cannot be told apart from the missing answer.
      broken = true;
      run.ended(this, outcome, judged);
      ctx.close();
      return;
    }
    run.ended(this, outcome, judged);
    if (isClosing()) {
      ctx.close();
    } else {
      run.free(this);
    }
  }

  @Override
  void onMalformed(ChannelHandlerContext ctx, String what) {
    if (waiting) {
      waiting = false;
      broken = true;
      run.ended(this, Outcome.BAD_ANSWER, false);
    } else if (!broken) {
      run.unsolicited();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) throws Exception {
    super.channelInactive(ctx);
    if (waiting) {
      waiting = false;
      run.ended(this, Outcome.LOST, false);
    }
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
