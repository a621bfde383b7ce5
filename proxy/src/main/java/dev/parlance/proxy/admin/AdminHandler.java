package dev.parlance.proxy.admin;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
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
final class AdminHandler extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(AdminHandler.class);

  private static final AdminResponse FAILED =
      AdminResponse.error(500, "internal_error", "see the sidecar's log");

  private final Site site;
  private final Executor workers;
  private final int ownPort;
  private final int requestMs;
  private final Queue<FullHttpRequest> waiting = new ArrayDeque<>();
  private @Nullable Future<?> deadline;
  private boolean busy;

  AdminHandler(Site site, Executor workers, int ownPort, int requestMs) {
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
    String authorization = request.headers().get(HttpHeaderNames.AUTHORIZATION, "");
    switch (site.enter(request, ownPort)) {
      case AdminDoor.Entry.Out(AdminResponse response) -> send(ctx, response, false);
      case AdminDoor.Entry.In(AdminRequest in) -> {
        if (site.isQuick(in)) {
          AdminResponse response = answer(in, authorization);
          // Not inside this read: the read that asks for the next request would be lost.
          ctx.executor().execute(() -> send(ctx, response, keepAlive));
        } else {
          hand(ctx, in, authorization, keepAlive);
        }
      }
    }
  }

  private void hand(
      ChannelHandlerContext ctx, AdminRequest request, String authorization, boolean keepAlive) {
    try {
      workers.execute(() -> {
        // Also when an Error goes on its way: the client must not wait for ever.
        AdminResponse response = FAILED;
        try {
          response = answer(request, authorization);
        } finally {
          AdminResponse made = response;
          ctx.executor().execute(() -> send(ctx, made, keepAlive));
        }
      });
    } catch (RejectedExecutionException e) {
      send(ctx, AdminResponse.error(503, "stopping", "the sidecar stops"), false);
    }
  }

  private AdminResponse answer(AdminRequest request, String authorization) {
    try {
      return site.handle(request, authorization);
    } catch (RuntimeException e) {
      LOG.error("admin request failed: {} {}", request.method(), request.path(), e);
      return FAILED;
    }
  }

  private void send(ChannelHandlerContext ctx, AdminResponse response, boolean keepAlive) {
    FullHttpResponse http = encode(response);
    HttpUtil.setKeepAlive(http, keepAlive);
    ctx.writeAndFlush(http)
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

  static FullHttpResponse encode(AdminResponse response) {
    FullHttpResponse http =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1,
            HttpResponseStatus.valueOf(response.status()),
            Unpooled.wrappedBuffer(response.body()));
    HttpHeaders headers = http.headers();
    headers.set(HttpHeaderNames.CONTENT_TYPE, response.contentType());
    headers.set(HttpHeaderNames.CONTENT_LENGTH, response.body().length);
    headers.set(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_STORE);
    headers.set("x-content-type-options", "nosniff");
    headers.set("content-security-policy", "default-src 'none'");
    response.fields().forEach(headers::set);
    return http;
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (!(cause instanceof IOException)) {
      LOG.warn("admin connection closed", cause);
    }
    close(ctx.channel());
  }

  static void close(Channel channel) {
    channel.close().addListener(done -> LOG.debug("closed: {}", done.isSuccess()));
  }
}
