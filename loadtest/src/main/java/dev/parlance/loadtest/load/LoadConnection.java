package dev.parlance.loadtest.load;

import dev.parlance.loadtest.load.LoadResult.Outcome;
import dev.parlance.wire.api.Codec;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;
import java.io.IOException;

/**
 * One connection of a load phase as {@link LoadRun} sees it, with at most one request under way.
 */
interface LoadConnection {
  /** The request under way. */
  Pending pending();

  /** Where it runs. */
  Channel channel();

  /** Sends a request that was due at {@code dueNs}; only when not {@link #isWaiting()}. */
  void send(long id, RequestBytes requests, long dueNs);

  /** True while a request is under way. */
  default boolean isWaiting() {
    return pending().isWaiting();
  }

  /** When the last request was due. */
  default long dueNs() {
    return pending().dueNs();
  }

  /** When it was sent. */
  default long sentNs() {
    return pending().sentNs();
  }

  /** Ends the wait and closes; the close is reported as that of an idle connection. */
  default void giveUp() {
    pending().giveUp();
    var _ = channel().close();
  }

  /** The request that a connection of a load phase has under way, and what became of it. */
  final class Pending {
    private final LoadRun run;
    private final LoadConnection line;
    private boolean waiting;
    private boolean broken; // what still comes on this connection belongs to no request
    private long id;
    private long dueNs;
    private long sentNs;

    Pending(LoadRun run, LoadConnection line) {
      this.run = run;
      this.line = line;
    }

    /** What to do with the connection after an answer. */
    enum Next {
      /** It may carry the next request. */
      KEEP,
      /** Whatever comes next on it cannot be told apart from a missing answer. */
      CLOSE,
      /** It is to be closed already. */
      NOTHING
    }

    void begin(long nextId, long nextDueNs) {
      waiting = true;
      id = nextId;
      dueNs = nextDueNs;
      sentNs = System.nanoTime();
    }

    boolean isWaiting() {
      return waiting;
    }

    long dueNs() {
      return dueNs;
    }

    long sentNs() {
      return sentNs;
    }

    /** Nothing on this connection counts any more. */
    void giveUp() {
      waiting = false;
      broken = true;
    }

    /** An answer has come in. */
    Next answered(int status, boolean judged, ByteBuf body, int offset, int length) {
      if (broken) {
        return Next.NOTHING;
      }
      if (!waiting) {
        broken = true;
        run.unsolicited();
        return Next.CLOSE;
      }
      JsonRpcHead head = JsonRpcHead.read(body, offset, length);
      Outcome outcome = run.judge(id, status, head, length);
      waiting = false;
      broken = outcome.isFault() && outcome != Outcome.BAD_STATUS;
      run.ended(line, outcome, judged);
      return broken ? Next.CLOSE : Next.KEEP;
    }

    /** The peer sent what is no message. */
    void malformed() {
      if (waiting) {
        giveUp();
        run.ended(line, Outcome.BAD_ANSWER, false);
      } else if (!broken) {
        run.unsolicited();
      }
    }

    /** No answer will come. */
    void lost() {
      if (waiting) {
        waiting = false;
        run.ended(line, Outcome.LOST, false);
      }
    }
  }

  /** One keep-alive connection of HTTP/1.1 of a load phase. */
  // Failed writes and closes show as channelInactive and exceptionCaught, never in their futures
  // alone.
  @SuppressWarnings("FutureReturnValueIgnored")
  static final class Http1LoadConnection extends Http1Endpoint implements LoadConnection {
    private static final String SIGNAL = "asp-signal";

    private final LoadRun run;
    private final Channel channel;
    private final Pending pending;

    Http1LoadConnection(LoadRun run, Channel channel) {
      super(answers());
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
    void onMessage(ChannelHandlerContext ctx, HttpMessage head, ByteBuf body) {
      int status = head instanceof HttpResponse answer ? answer.status().code() : 0;
      boolean judged = head.headers().contains(SIGNAL);
      switch (pending.answered(status, judged, body, body.readerIndex(), body.readableBytes())) {
        case KEEP -> {
          if (!HttpUtil.isKeepAlive(head)) {
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
    void onMalformed() {
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

  /** One client connection of HTTP/2 of a load phase, with one stream at a time. */
  // Failed writes and closes show as channelInactive and exceptionCaught, never in their futures
  // alone.
  @SuppressWarnings("FutureReturnValueIgnored")
  static final class Http2LoadConnection extends Http2Endpoint implements LoadConnection {
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
}
