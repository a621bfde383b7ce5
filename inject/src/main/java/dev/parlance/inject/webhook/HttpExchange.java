package dev.parlance.inject.webhook;

import dev.parlance.inject.webhook.HttpListener.Handler;
import dev.parlance.inject.webhook.HttpListener.Reply;
import dev.parlance.inject.webhook.HttpListener.Request;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
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
import io.netty.handler.timeout.ReadTimeoutException;
import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whole requests of one connection to whole answers. */
final class HttpExchange extends SimpleChannelInboundHandler<FullHttpRequest> {
  private static final Logger LOG = LoggerFactory.getLogger(HttpExchange.class);

  private final Handler endpoint;
  private final Executor workers;

  HttpExchange(Handler endpoint, Executor workers) {
    this.endpoint = endpoint;
    this.workers = workers;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
    boolean isBad = request.decoderResult().isFailure();
    boolean goesOn = HttpUtil.isKeepAlive(request) && !isBad;
    boolean withBody = !request.method().equals(HttpMethod.HEAD);
    if (isBad) {
      write(context, Reply.text(400, "bad request"), goesOn, withBody);
      return;
    }
    String target = request.uri();
    int query = target.indexOf('?');
    Request whole =
        new Request(
            request.method().name(),
            query < 0 ? target : target.substring(0, query),
            request.headers().get(HttpHeaderNames.CONTENT_TYPE, ""),
            ByteBufUtil.getBytes(request.content()));
    context.channel().config().setAutoRead(false);
    try {
      workers.execute(() -> {
        Reply reply = answer(whole);
        context
            .executor()
            .execute(() -> {
              write(context, reply, goesOn, withBody);
              context.channel().config().setAutoRead(true);
            });
      });
    } catch (RejectedExecutionException e) {
      write(context, Reply.text(503, "too busy"), false, withBody);
    }
  }

  private static void write(
      ChannelHandlerContext context, Reply reply, boolean goesOn, boolean withBody) {
    ByteBuf body = withBody ? Unpooled.wrappedBuffer(reply.body()) : Unpooled.EMPTY_BUFFER;
    FullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(reply.status()), body);
    response.headers().set(HttpHeaderNames.CONTENT_TYPE, reply.contentType());
    response.headers().set(HttpHeaderNames.CONTENT_LENGTH, reply.body().length);
    response.headers().set("X-Content-Type-Options", "nosniff");
    if (!goesOn) {
      response.headers().set(HttpHeaderNames.CONNECTION, "close");
    }
    var written = context.writeAndFlush(response);
    if (!goesOn) {
      written.addListener(ChannelFutureListener.CLOSE);
    }
  }

  private Reply answer(Request request) {
    try {
      return endpoint.answer(request);
    } catch (RuntimeException e) {
      // Never an answer that could be taken for a yes.
      LOG.error("a request failed", e);
      return Reply.text(500, "internal error");
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof IOException
        || cause instanceof ReadTimeoutException
        || cause.getCause() instanceof SSLException) {
      LOG.debug("connection ended: {}", cause.toString());
    } else {
      LOG.warn("connection failed", cause);
    }
    var _ = context.close();
  }
}
