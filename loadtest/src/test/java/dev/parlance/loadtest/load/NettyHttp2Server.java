package dev.parlance.loadtest.load;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;

/** A server of HTTP/2 that is Netty's own and not ours: what it takes for right is right. */
// A failed write shows as a request without an answer, which the tests count.
@SuppressWarnings("FutureReturnValueIgnored")
final class NettyHttp2Server implements AutoCloseable {
  /** What one request gets. */
  @FunctionalInterface
  interface Script {
    /**
     * FakeUpstream.UpstreamAnswers.
     *
     * @param n the how many-th request it is, from 1
     * @param id its JSON-RPC id
     */
    void answer(int n, long id, Http2Headers asked, ChannelHandlerContext stream);
  }

  private final LoadTransport transport = new LoadTransport();
  private final AtomicInteger requests = new AtomicInteger();
  private final Channel listener;

  /**
   * Listens on a free port.
   *
   * @param window room of a stream, in bytes
   */
  NettyHttp2Server(int window, int tableBytes, Script script) {
    listener =
        new ServerBootstrap()
            .group(transport.group())
            .channel(transport.serverChannel())
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channel
                        .pipeline()
                        .addLast(
                            Http2FrameCodecBuilder.forServer()
                                .initialSettings(
                                    new Http2Settings()
                                        .initialWindowSize(window)
                                        .headerTableSize(tableBytes))
                                .build(),
                            new Http2MultiplexHandler(
                                new ChannelInitializer<Channel>() {
                                  @Override
                                  protected void initChannel(Channel stream) {
                                    stream.pipeline().addLast(new Answering(script));
                                  }
                                }));
                  }
                })
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .syncUninterruptibly()
            .channel();
  }

  int port() {
    return ((InetSocketAddress) listener.localAddress()).getPort();
  }

  /** Writes a whole answer, in frames of at most {@code piece} bytes. */
  static void write(ChannelHandlerContext stream, String status, String body, int piece) {
    stream.write(
        new DefaultHttp2HeadersFrame(
            new DefaultHttp2Headers()
                .status(status)
                .add("content-type", "application/json")
                .add("asp-signal", "[@C:F]")));
    for (int from = 0; from < body.length(); from += piece) {
      int to = Math.min(body.length(), from + piece);
      ByteBuf bytes = Unpooled.wrappedBuffer(Http1Endpoint.ascii(body.substring(from, to)));
      stream.write(new DefaultHttp2DataFrame(bytes, to == body.length()));
    }
    stream.flush();
  }

  /** A result with this id that is long enough. */
  static String result(long id, int length) {
    return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":\"" + "x".repeat(length) + "\"}";
  }

  @Override
  public void close() {
    listener.close().awaitUninterruptibly();
    transport.close();
  }

  private final class Answering extends ChannelInboundHandlerAdapter {
    private final Script script;
    private final ByteBuf body = Unpooled.buffer();
    private Http2Headers headers = new DefaultHttp2Headers();

    Answering(Script script) {
      this.script = script;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      switch (message) {
        case Http2HeadersFrame frame -> headers = frame.headers();
        case Http2DataFrame data -> {
          body.writeBytes(data.content());
          boolean ends = data.isEndStream();
          data.release();
          if (ends) {
            JsonRpcHead head = JsonRpcHead.read(body, 0, body.readableBytes());
            script.answer(requests.incrementAndGet(), head.id(), headers, ctx);
          }
        }
        default -> io.netty.util.ReferenceCountUtil.release(message);
      }
    }
  }
}
