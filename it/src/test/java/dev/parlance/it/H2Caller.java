package dev.parlance.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2GoAwayFrame;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.handler.codec.http2.Http2StreamChannelBootstrap;
import io.netty.handler.codec.http2.Http2StreamFrame;
import io.netty.util.ReferenceCountUtil;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** A client that speaks HTTP/2 by prior knowledge, on one connection, and keeps its GOAWAYs. */
final class H2Caller implements AutoCloseable {
  private final EventLoopGroup group =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final List<Integer> lastStreams = new CopyOnWriteArrayList<>();
  private final Channel connection;

  /** What came back on one stream. */
  record Reply(
      String status,
      String decision,
      String body,
      Map<String, String> trailers,
      List<String> fields) {}

  H2Caller(int port) {
    this(InetAddress.getLoopbackAddress(), port);
  }

  /** Connects from the network namespace of this thread. */
  H2Caller(InetAddress address, int port) {
    connection =
        new Bootstrap()
            .group(group)
            .channel(NioSocketChannel.class)
            .handler(
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channel
                        .pipeline()
                        .addLast(
                            Http2FrameCodecBuilder.forClient()
                                .initialSettings(Http2Settings.defaultSettings())
                                .build(),
                            new Http2MultiplexHandler(new ChannelInboundHandlerAdapter()),
                            new GoAways());
                  }
                })
            .connect(address, port)
            .syncUninterruptibly()
            .channel();
  }

  private final class GoAways extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      if (message instanceof Http2GoAwayFrame frame) {
        lastStreams.add(frame.lastStreamId());
      }
      ReferenceCountUtil.release(message);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      // What was under way on it is told by its streams.
      var _ = ctx.close();
    }
  }

  /** The last streams that the GOAWAYs named, in their order. */
  List<Integer> goAways() {
    return lastStreams;
  }

  /** Posts to the agent's A2A address. */
  CompletableFuture<Reply> post(String body) {
    return post("/a2a", "application/json", body.getBytes(UTF_8));
  }

  /** Posts anything. */
  CompletableFuture<Reply> post(String path, String contentType, byte[] body) {
    return send(
        new DefaultHttp2Headers()
            .method("POST")
            .scheme("http")
            .authority("agent.test")
            .path(path)
            .set("content-type", contentType)
            .set("a2a-version", "1.0"),
        body);
  }

  /** Sends any head, with a body if it has bytes. */
  CompletableFuture<Reply> send(Http2Headers head, byte[] body) {
    return send(head, body, new DefaultHttp2Headers());
  }

  /** The same with fields behind the body. */
  CompletableFuture<Reply> send(Http2Headers head, byte[] body, Http2Headers trailers) {
    CompletableFuture<Reply> reply = new CompletableFuture<>();
    new Http2StreamChannelBootstrap(connection)
        .handler(new Collector(reply))
        .open()
        .addListener(opened -> {
          if (!opened.isSuccess()) {
            reply.completeExceptionally(new IOException("no stream", opened.cause()));
            return;
          }
          Http2StreamChannel stream = (Http2StreamChannel) opened.getNow();
          boolean trailed = !trailers.isEmpty();
          var _ =
              stream.writeAndFlush(
                  new DefaultHttp2HeadersFrame(head, body.length == 0 && !trailed));
          if (body.length > 0) {
            var _ =
                stream.writeAndFlush(
                    new DefaultHttp2DataFrame(Unpooled.wrappedBuffer(body), !trailed));
          }
          if (trailed) {
            var _ = stream.writeAndFlush(new DefaultHttp2HeadersFrame(trailers, true));
          }
        });
    return reply;
  }

  private final class Collector extends SimpleChannelInboundHandler<Http2StreamFrame> {
    private final CompletableFuture<Reply> reply;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private String status = "";
    private String decision = "";
    private final Map<String, String> trailers = new HashMap<>();
    private final List<String> fields = new ArrayList<>();

    Collector(CompletableFuture<Reply> reply) {
      this.reply = reply;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, Http2StreamFrame frame)
        throws IOException {
      switch (frame) {
        case Http2HeadersFrame head -> {
          if (status.isEmpty()) {
            status = String.valueOf(head.headers().status());
            CharSequence id = head.headers().get("parlance-decision");
            decision = id == null ? "" : id.toString();
            head.headers().forEach(field -> fields.add(field.getKey() + ": " + field.getValue()));
          }
          if (head.isEndStream()) {
            head.headers()
                .forEach(
                    field -> trailers.put(field.getKey().toString(), field.getValue().toString()));
          }
          finish(head.isEndStream());
        }
        case Http2DataFrame data -> {
          data.content().readBytes(body, data.content().readableBytes());
          finish(data.isEndStream());
        }
        case Http2ResetFrame reset ->
            reply.completeExceptionally(new IOException("reset: " + reset.errorCode()));
        default -> {}
      }
    }

    private void finish(boolean endStream) {
      if (endStream) {
        reply.complete(new Reply(status, decision, body.toString(UTF_8), trailers, fields));
      }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
      reply.completeExceptionally(
          new IOException(
              "stream %s ended early with status '%s' and %d bytes, GOAWAYs %s"
                  .formatted(
                      ctx.channel() instanceof Http2StreamChannel stream ? stream.stream().id() : 0,
                      status,
                      body.size(),
                      lastStreams)));
    }
  }

  @Override
  public void close() {
    connection.close().awaitUninterruptibly();
    group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
