package dev.parlance.service.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.timeout.TimeoutException;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client of a small server, one request at a time: reading stops while a request is worked on,
 * so answers keep the order of the requests and a client cannot pile up work beyond what one read
 * brought. Whoever does not bring a whole request in time is closed.
 *
 * <p>Netty's own FlowControlHandler is not used for this: where one head takes several reads, it
 * forgets (4.2.18) that a message was asked for.
 */
final class SmallHandler extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(SmallHandler.class);

  private final Site site;
  private final Executor workers;
  private final int ownPort;
  private final int requestMs;
  private final Queue<FullHttpRequest> waiting = new ArrayDeque<>();
  private @Nullable Future<?> deadline;
  private boolean busy;

  SmallHandler(Site site, Executor workers, int ownPort, int requestMs) {
    this.site = site;
    this.workers = workers;
    this.ownPort = ownPort;
    this.requestMs = requestMs;
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    await(ctx);
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    stopWaiting();
    for (FullHttpRequest request = waiting.poll(); request != null; request = waiting.poll()) {
      request.release();
    }
  }

  private void await(ChannelHandlerContext ctx) {
    deadline =
        ctx.executor().schedule(() -> close(ctx.channel()), requestMs, TimeUnit.MILLISECONDS);
    ctx.read();
  }

  private void stopWaiting() {
    Future<?> running = deadline;
    if (running != null) {
      running.cancel(false);
      deadline = null;
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (!(message instanceof FullHttpRequest request)) {
      ReferenceCountUtil.release(message);
      return;
    }
    if (busy) {
      waiting.add(request);
    } else {
      take(ctx, request);
    }
  }

  private void take(ChannelHandlerContext ctx, FullHttpRequest request) {
    busy = true;
    stopWaiting();
    try {
      serve(ctx, request);
    } finally {
      request.release();
    }
  }

  private void next(ChannelHandlerContext ctx) {
    busy = false;
    FullHttpRequest request = waiting.poll();
    if (request == null) {
      await(ctx);
    } else {
      take(ctx, request);
    }
  }

  private void serve(ChannelHandlerContext ctx, FullHttpRequest request) {
    boolean keepAlive = HttpUtil.isKeepAlive(request) && request.decoderResult().isSuccess();
    switch (site.enter(request, ownPort)) {
      case Site.Entry.Refused(HttpReply reply) -> send(ctx, reply, false);
      case Site.Entry.Quick(Supplier<HttpReply> answer) -> {
        HttpReply reply = made(answer);
        // Not inside this read: the read that asks for the next request would be lost.
        ctx.executor().execute(() -> send(ctx, reply, keepAlive));
      }
      case Site.Entry.Slow(Supplier<HttpReply> answer) -> hand(ctx, answer, keepAlive);
      case Site.Entry.Streamed(HttpReply head, Consumer<ReplyStream> begin) -> {
        begin.accept(new ReplyStream(ctx.channel(), head));
        ctx.read(); // only so that the client's end is noticed: busy until then
      }
    }
  }

  private void hand(ChannelHandlerContext ctx, Supplier<HttpReply> answer, boolean keepAlive) {
    try {
      workers.execute(() -> {
        // Also when an Error goes on its way: the client must not wait for ever.
        HttpReply reply = site.failed();
        try {
          reply = made(answer);
        } finally {
          answer(ctx, reply, keepAlive);
        }
      });
    } catch (RejectedExecutionException e) {
      send(ctx, site.busy(), false);
    }
  }

  /** Of a worker. Where the loop has ended, the client's connection has, too. */
  private void answer(ChannelHandlerContext ctx, HttpReply reply, boolean keepAlive) {
    try {
      ctx.executor().execute(() -> send(ctx, reply, keepAlive));
    } catch (RejectedExecutionException e) {
      LOG.debug("an answer came after the end", e);
    }
  }

  private HttpReply made(Supplier<HttpReply> answer) {
    try {
      return answer.get();
    } catch (RuntimeException e) {
      // Never an answer that could be taken for a yes.
      LOG.error("a request failed", e);
      return site.failed();
    }
  }

  private void send(ChannelHandlerContext ctx, HttpReply reply, boolean keepAlive) {
    ctx.writeAndFlush(reply.encode(keepAlive))
        .addListener(
            (ChannelFutureListener)
                written -> {
                  if (written.isSuccess() && keepAlive) {
                    next(ctx);
                  } else {
                    close(ctx.channel());
                  }
                });
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (cause instanceof IOException
        || cause instanceof TimeoutException
        || cause.getCause() instanceof SSLException) {
      LOG.debug("connection ended: {}", cause.toString());
    } else {
      LOG.warn("connection failed", cause);
    }
    close(ctx.channel());
  }

  static void close(Channel channel) {
    channel.close().addListener(done -> LOG.debug("closed: {}", done.isSuccess()));
  }
}
