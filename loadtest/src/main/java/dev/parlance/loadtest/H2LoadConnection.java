package dev.parlance.loadtest;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.IOException;

/** One connection of HTTP/2 of a load phase, with one stream at a time. */
// Failed writes and closes show as channelInactive and exceptionCaught, never in their futures
// alone.
@SuppressWarnings("FutureReturnValueIgnored")
final class H2LoadConnection extends H2Connection implements LoadLine {
  private static final String SIGNAL = "asp-signal";

  /** Past this no new stream can be opened. */
  private static final int LAST_STREAM = Integer.MAX_VALUE - 2;

  private final LoadRun run;
  private final Channel channel;
  private final H2Block fields;
  private final Waiting waiting;
  private int nextStream = 1;
  private H2Stream stream = new H2Stream(0, 0);
  private boolean closing;
  private int status;
  private boolean judged;

  H2LoadConnection(LoadRun run, Channel channel, H2Block fields) {
    super(true);
    this.run = run;
    this.channel = channel;
    this.fields = fields;
    this.waiting = new Waiting(run, this);
  }

  @Override
  void onReady(ChannelHandlerContext ctx) {
    run.ready(this);
  }

  @Override
  public void send(long id, RequestBytes requests, long dueNs) {
    waiting.begin(id, dueNs);
    status = 0;
    judged = false;
    stream = open(nextStream);
    nextStream += 2;
    closing |= nextStream >= LAST_STREAM;
    ByteBuf block = fields.choose(hasTable(), stream.id() == 1);
    int size = requests.bodyBytes(id);
    ByteBuf head = H2Frames.headers(channel.alloc(), stream.id(), block, size);
    ChannelHandlerContext ctx = channel.pipeline().context(this);
    send(ctx, stream, head, size, out -> requests.writeBody(out, id));
    ctx.flush();
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
  void onHeaders(H2Stream from, Http2Headers headers) {
    CharSequence text = headers.status();
    status = text == null ? 0 : number(text);
    judged = headers.contains(SIGNAL);
  }

  private static int number(CharSequence text) {
    int value = 0;
    for (int i = 0; i < text.length() && i < 4; i++) {
      value = value * 10 + (text.charAt(i) - '0');
    }
    return value;
  }

  @Override
  void onMessage(ChannelHandlerContext ctx, H2Stream from, ByteBuf body, int offset, int length) {
    Waiting.Next next = waiting.answered(status, judged, body, offset, length);
    if (from.hasUnsent()) {
      reset(ctx, from); // answered before all of it was sent
    } else {
      forget(from);
    }
    switch (next) {
      case KEEP -> free(ctx);
      case CLOSE -> ctx.close();
      case NOTHING -> {}
    }
  }

  private void free(ChannelHandlerContext ctx) {
    if (closing) {
      ctx.close();
    } else {
      run.free(this);
    }
  }

  @Override
  void onReset(ChannelHandlerContext ctx, H2Stream from) {
    boolean isCurrent = from == stream && waiting.isWaiting();
    if (isCurrent) {
      waiting.lost();
      free(ctx);
    }
  }

  @Override
  void onGoAway(ChannelHandlerContext ctx) {
    closing = true;
    if (!waiting.isWaiting()) {
      ctx.close();
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
    if (cause instanceof DecoderException && cause.getCause() instanceof Http2Exception) {
      waiting.malformed(); // a header block that cannot be read
    } else if (!(cause instanceof IOException)) {
      run.fail(cause); // a bug of ours, and no figure after it is worth anything
    }
    ctx.close(); // after a reset channelInactive counts what it cost
  }
}
