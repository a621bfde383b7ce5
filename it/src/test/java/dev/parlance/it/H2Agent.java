package dev.parlance.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2StreamFrame;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** An agent that speaks nothing but HTTP/2, by prior knowledge, and always says the same. */
final class H2Agent implements AutoCloseable {
  private final EventLoopGroup group =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final String answer;
  private final Optional<Http2Headers> trailers;
  private final Channel server;

  /** Listens on all cards of the network namespace of this thread. */
  H2Agent(int port, String answer) {
    this(port, answer, Optional.empty());
  }

  /** One that calls its answer gRPC if there are trailers behind it. */
  H2Agent(int port, String answer, Optional<Http2Headers> trailers) {
    this.answer = answer;
    this.trailers = trailers;
    server =
        new ServerBootstrap()
            .group(group)
            .channel(NioServerSocketChannel.class)
            .childHandler(
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channel
                        .pipeline()
                        .addLast(
                            Http2FrameCodecBuilder.forServer().build(),
                            new Http2MultiplexHandler(
                                new ChannelInitializer<>() {
                                  @Override
                                  protected void initChannel(Channel stream) {
                                    stream.pipeline().addLast(new Answering());
                                  }
                                }));
                  }
                })
            .bind(port)
            .syncUninterruptibly()
            .channel();
  }

  int port() {
    return ((InetSocketAddress) server.localAddress()).getPort();
  }

  /** Bodies that came whole, each with the fields behind it. */
  List<String> asked() {
    return asked;
  }

  private final class Answering extends SimpleChannelInboundHandler<Http2StreamFrame> {
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private boolean hasHead;

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, Http2StreamFrame frame)
        throws IOException {
      switch (frame) {
        case Http2DataFrame data -> {
          data.content().readBytes(body, data.content().readableBytes());
          if (data.isEndStream()) {
            answer(ctx);
          }
        }
        case Http2HeadersFrame fields when !hasHead && !fields.isEndStream() -> hasHead = true;
        case Http2HeadersFrame fields when hasHead -> {
          fields
              .headers()
              .forEach(field ->
                  body.writeBytes(
                      ("\n" + field.getKey() + ": " + field.getValue()).getBytes(UTF_8)));
          answer(ctx);
        }
        default -> {}
      }
    }

    private void answer(ChannelHandlerContext ctx) {
      asked.add(body.toString(UTF_8));
      var _ =
          ctx.write(
              new DefaultHttp2HeadersFrame(
                  new DefaultHttp2Headers()
                      .status("200")
                      .set(
                          "content-type",
                          trailers.isPresent() ? "application/grpc" : "application/json")));
      if (trailers.isPresent()) {
        var _ = ctx.writeAndFlush(new DefaultHttp2HeadersFrame(trailers.get(), true));
      } else {
        var _ =
            ctx.writeAndFlush(
                new DefaultHttp2DataFrame(Unpooled.copiedBuffer(answer, UTF_8), true));
      }
    }
  }

  @Override
  public void close() {
    server.close().awaitUninterruptibly();
    group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
