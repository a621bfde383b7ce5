package dev.parlance.loadtest;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * An agent that answers at once: HTTP/1.1 with keep-alive, A2A v1.0 JSON-RPC {@code SendMessage}.
 *
 * <p>{@code POST /a2a/K} answers from corpus {@code K} (0 for any other path), with exchange {@code
 * id mod count}; the id is echoed as it came. {@code GET /stats} tells how many messages were
 * answered.
 */
// Failed writes and closes show as channelInactive and exceptionCaught, never in their futures
// alone.
@SuppressWarnings("FutureReturnValueIgnored")
final class FakeUpstream implements AutoCloseable {
  private static final byte[] OK =
      MessageFramer.ascii("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ");
  private static final byte[] HEAD_END = MessageFramer.ascii("\r\n\r\n");
  private static final byte[] PATH = MessageFramer.ascii("POST /a2a/");
  private static final byte[] START = MessageFramer.ascii(Exchange.RESPONSE_START);
  private static final byte[] MESSAGE = MessageFramer.ascii(Exchange.RESPONSE_MESSAGE);
  private static final byte[] FLOW = MessageFramer.ascii(Exchange.FLOW);
  private static final byte[] AFTER_FLOW = MessageFramer.ascii(Exchange.AFTER_FLOW);

  private final Transport transport = new Transport();
  private final LongAdder answered = new LongAdder();
  private final List<List<ByteBuf>> tails;
  private final Channel listener;

  /** Listens on a loopback port; 0 takes a free one. */
  FakeUpstream(int port, List<List<Exchange>> corpora) {
    if (corpora.isEmpty() || corpora.size() > 10) {
      throw new IllegalArgumentException("expected 1-10 corpora, got " + corpora.size());
    }
    tails = corpora.stream().map(FakeUpstream::tails).toList();
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(transport.group())
            .channel(transport.serverChannel())
            .option(ChannelOption.SO_BACKLOG, 1024)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channel.pipeline().addLast(new Connection());
                  }
                });
    try {
      listener =
          bootstrap
              .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
              .syncUninterruptibly()
              .channel();
    } catch (RuntimeException e) {
      transport.close();
      throw e;
    }
  }

  int port() {
    return ((InetSocketAddress) listener.localAddress()).getPort();
  }

  /** How many messages were answered so far. */
  long answered() {
    return answered.sum();
  }

  @Override
  public void close() {
    listener.close().awaitUninterruptibly();
    transport.close();
  }

  /** Unreleasable, so that a failed write never frees what the next answer needs. */
  private static List<ByteBuf> tails(List<Exchange> corpus) {
    return corpus.stream()
        .map(exchange -> exchange.response().toArray())
        .map(bytes ->
            Unpooled.unreleasableBuffer(Unpooled.directBuffer(bytes.length).writeBytes(bytes)))
        .toList();
  }

  private final class Connection extends MessageFramer {
    private int corpus;
    private boolean stats;

    @Override
    void onHead(byte[] bytes, int length) {
      stats = bytes[0] == 'G';
      int at = PATH.length;
      boolean named = length > at && Arrays.equals(bytes, 0, at, PATH, 0, at);
      int digit = named ? bytes[at] - '0' : -1;
      corpus = digit >= 0 && digit < tails.size() ? digit : 0;
    }

    @Override
    boolean bodyIsOptional() {
      return true;
    }

    @Override
    void onMessage(ChannelHandlerContext ctx, ByteBuf body, int offset, int length) {
      if (stats) {
        write(ctx, "{\"answered\":" + answered.sum() + "}");
        return;
      }
      JsonRpcHead head = JsonRpcHead.read(body, offset, length);
      if (head.kind() != JsonRpcHead.Kind.CALL || head.rawId().isEmpty()) {
        write(
            ctx,
            "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600,\"message\":\"Invalid"
                + " Request\"}}");
        return;
      }
      answered.increment();
      answer(ctx, head);
    }

    private void answer(ChannelHandlerContext ctx, JsonRpcHead head) {
      List<ByteBuf> choice = tails.get(corpus);
      long number = head.id() >= 0 ? head.id() : head.rawId().hashCode() & Integer.MAX_VALUE;
      ByteBuf tail = choice.get((int) (number % choice.size()));
      byte[] rawId = head.rawId().getBytes(StandardCharsets.UTF_8);
      byte[] suffix = Long.toString(number).getBytes(StandardCharsets.US_ASCII);
      int length =
          START.length
              + rawId.length
              + MESSAGE.length
              + FLOW.length
              + AFTER_FLOW.length
              + 2 * suffix.length
              + tail.readableBytes();
      ByteBuf start = ctx.alloc().directBuffer(320 + rawId.length);
      start.writeBytes(OK);
      start.writeCharSequence(Integer.toString(length), StandardCharsets.US_ASCII);
      start.writeBytes(HEAD_END).writeBytes(START).writeBytes(rawId).writeBytes(MESSAGE);
      start.writeBytes(suffix).writeBytes(FLOW).writeBytes(suffix).writeBytes(AFTER_FLOW);
      ctx.write(start, ctx.voidPromise());
      ctx.write(tail.duplicate(), ctx.voidPromise());
      flush(ctx);
    }

    private void write(ChannelHandlerContext ctx, String json) {
      byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
      ByteBuf out = ctx.alloc().directBuffer(OK.length + 16 + bytes.length);
      out.writeBytes(OK);
      out.writeCharSequence(Integer.toString(bytes.length), StandardCharsets.US_ASCII);
      out.writeBytes(HEAD_END).writeBytes(bytes);
      ctx.write(out, ctx.voidPromise());
      flush(ctx);
    }

    private void flush(ChannelHandlerContext ctx) {
      ctx.flush();
      if (isClosing()) {
        ctx.close();
      }
    }

    @Override
    void onMalformed(ChannelHandlerContext ctx, String what) {
      // The peer sees the connection close; the load generator counts that as a lost request.
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      // Resets are everyday life between rounds; the other side counts what it lost.
      ctx.close();
    }
  }
}
