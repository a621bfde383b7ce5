package dev.parlance.loadtest.load;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;
import java.io.IOException;

/** One client connection of HTTP/2 of a load phase, with one stream at a time. */
// Failed writes and closes show as channelInactive and exceptionCaught, never in their futures
// alone.
@SuppressWarnings("FutureReturnValueIgnored")
final class Http2LoadConnection extends Http2Endpoint implements LoadConnection {
  private static final String SIGNAL = "asp-signal";

  /** Past this no new stream can be opened. */
  private static final int LAST_STREAM = Integer.MAX_VALUE - 2;

  private final LoadRun run;
  private final Channel channel;
  private final Pending pending;
  private int stream;
  private boolean closing;

  Http2LoadConnection(LoadRun run, Channel channel) {
    super(Codec.client());
    this.run = run;
    this.channel = channel;
    this.pending = new Pending(run, this);
  }

  @Override
  void onReady(ChannelHandlerContext ctx) {
    run.ready(this);
  }

  @Override
  public void send(long id, RequestBytes requests, long dueNs) {
    pending.begin(id, dueNs);
    stream = connection().local().incrementAndGetNextStreamId();
    closing |= stream >= LAST_STREAM;
    ChannelHandlerContext ctx = channel.pipeline().context(this);
    send(ctx, stream, requests.headers(id), requests.body(channel.alloc(), id));
    flush(ctx);
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
  void onMessage(ChannelHandlerContext ctx, int from, Http2Headers headers, ByteBuf body) {
    CharSequence text = headers.status();
    int status = text == null ? 0 : number(text);
    Pending.Next next =
        pending.answered(
            status, headers.contains(SIGNAL), body, body.readerIndex(), body.readableBytes());
    Http2Stream answered = connection().stream(from);
    if (answered != null && answered.state() == Http2Stream.State.OPEN) {
      // Answered before all of it was sent.
      resetStream(ctx, from, Http2Error.CANCEL.code(), ctx.newPromise());
    }
    switch (next) {
      case KEEP -> free(ctx);
      case CLOSE -> ctx.close();
      case NOTHING -> {}
    }
  }

  private static int number(CharSequence text) {
    int value = 0;
    for (int i = 0; i < text.length() && i < 4; i++) {
      value = value * 10 + (text.charAt(i) - '0');
    }
    return value;
  }

  private void free(ChannelHandlerContext ctx) {
    if (closing) {
      ctx.close();
    } else {
      run.free(this);
    }
  }

  @Override
  void onReset(ChannelHandlerContext ctx, int from) {
    if (from == stream && pending.isWaiting()) {
      pending.lost();
      free(ctx);
    }
  }

  @Override
  void onGoAway(ChannelHandlerContext ctx, int lastStream) {
    closing = true;
    if (!pending.isWaiting() || stream > lastStream) {
      ctx.close(); // channelInactive counts what it cost
    }
  }

  @Override
  void onMalformed() {
    pending.malformed();
  }

  @Override
  void onFailure(Throwable cause) {
    if (!(cause instanceof IOException)) {
      run.fail(cause); // a bug of ours, and no figure after it is worth anything
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) throws Exception {
    super.channelInactive(ctx);
    pending.lost();
    run.closed(this);
  }
}
