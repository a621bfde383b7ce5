package dev.parlance.control.http;

import dev.parlance.control.http.Pages.Page;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers one request after the other; pages are made on other threads, they may wait. */
final class PageHandler extends SimpleChannelInboundHandler<FullHttpRequest> {
  private static final Logger log = LoggerFactory.getLogger(PageHandler.class);

  private final Pages pages;
  private final ExecutorService workers;

  PageHandler(Pages pages, ExecutorService workers) {
    this.pages = pages;
    this.workers = workers;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
    // The next request waits until this one is answered.
    context.channel().config().setAutoRead(false);
    boolean isHead = request.method().equals(HttpMethod.HEAD);
    boolean isKept = HttpUtil.isKeepAlive(request);
    if (request.decoderResult().isFailure()) {
      send(context, Page.text(400, "bad request"), isHead, false);
      return;
    }
    if (!isHead && !request.method().equals(HttpMethod.GET)) {
      send(context, Page.text(405, "GET and HEAD only"), false, isKept);
      return;
    }
    String uri = request.uri();
    try {
      workers.execute(() -> send(context, page(uri), isHead, isKept));
    } catch (RejectedExecutionException _) {
      send(context, Page.text(503, "this replica stops"), isHead, false);
    }
  }

  private Page page(String uri) {
    try {
      return pages.at(uri);
    } catch (RuntimeException e) {
      log.atError().setCause(e).log("a page could not be made");
      return Page.text(500, "see the log of this replica");
    }
  }

  private static void send(
      ChannelHandlerContext context, Page page, boolean isHead, boolean isKept) {
    FullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1,
            HttpResponseStatus.valueOf(page.status()),
            isHead ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(page.body()));
    response
        .headers()
        .set(HttpHeaderNames.CONTENT_TYPE, page.type())
        .set(HttpHeaderNames.CACHE_CONTROL, page.caching())
        .set(HttpHeaderNames.CONTENT_LENGTH, page.body().length)
        .set("X-Content-Type-Options", "nosniff");
    HttpUtil.setKeepAlive(response, isKept);
    context
        .writeAndFlush(response)
        .addListener(
            isKept
                ? (ChannelFutureListener) _ -> context.channel().config().setAutoRead(true)
                : ChannelFutureListener.CLOSE)
        .addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    log.atDebug().setCause(cause).log("a connection failed");
    context.close().addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
  }
}
