package dev.parlance.loadtest.load;

import dev.parlance.wire.api.Codec;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.ReadOnlyHttp2Headers;
import io.netty.util.AsciiString;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * An agent that answers at once: HTTP/1.1 with keep-alive and HTTP/2 by prior knowledge on the same
 * port, A2A v1.0 JSON-RPC {@code SendMessage}.
 *
 * <p>{@code POST /a2a/K} answers from corpus {@code K} (0 for any other path), with exchange {@code
 * id mod count}; the id is echoed as it came. {@code POST /a2a/K/new} does so with evidence that
 * never was before. {@code GET /stats} tells how many messages were answered.
 */
// Failed writes and closes show as channelInactive and exceptionCaught, never in their futures
// alone.
@SuppressWarnings("FutureReturnValueIgnored")
public final class FakeUpstream implements AutoCloseable {
  private static final byte[] OK =
      Http1Endpoint.ascii("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ");
  private static final byte[] HEAD_END = Http1Endpoint.ascii("\r\n\r\n");

  private static final AsciiString STATUS_OK = AsciiString.cached("200");
  private static final AsciiString CONTENT_TYPE = AsciiString.cached("content-type");
  private static final AsciiString JSON = AsciiString.cached("application/json");
  private static final AsciiString CONTENT_LENGTH = AsciiString.cached("content-length");

  private final LoadTransport transport = new LoadTransport();
  private final UpstreamAnswers answers;
  private final Channel listener;

  /** Listens on a loopback port; 0 takes a free one. */
  public FakeUpstream(int port, List<List<SampleExchange>> corpora) {
    answers = new UpstreamAnswers(corpora);
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
                    channel.pipeline().addLast(new FirstBytes());
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

  public int port() {
    return ((InetSocketAddress) listener.localAddress()).getPort();
  }

  /** How many messages were answered so far. */
  long answered() {
    return answers.answered();
  }

  @Override
  public void close() {
    listener.close().awaitUninterruptibly();
    transport.close();
    answers.release();
  }

  /** Looks whether a connection begins like HTTP/2 and hands it over with what has come in. */
  private final class FirstBytes extends ByteToMessageDecoder {
    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
      if (in.readableBytes() < 2) {
        return;
      }
      boolean isHttp2 = in.getByte(in.readerIndex() + 1) == 'R'; // "PRI", and not POST or GET
      ctx.pipeline().addLast(isHttp2 ? new Http2Connection() : new Http1Connection());
      ctx.pipeline().remove(this);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      ctx.close();
    }
  }

  private final class Http1Connection extends Http1Endpoint {
    Http1Connection() {
      super(requests());
    }

    @Override
    void onMessage(ChannelHandlerContext ctx, HttpMessage head, ByteBuf body) {
      if (!(head instanceof HttpRequest request)) {
        return; // nothing else comes out of a decoder of requests
      }
      if (request.method().equals(HttpMethod.GET)) {
        byte[] text = answers.stats();
        ctx.write(head(ctx, text.length, text.length).writeBytes(text), ctx.voidPromise());
      } else {
        answer(
            ctx,
            answers.to(
                JsonRpcHead.read(body, body.readerIndex(), body.readableBytes()),
                answers.corpus(request.uri()),
                Freshness.ofPath(request.uri())));
      }
      ctx.flush();
      if (!HttpUtil.isKeepAlive(head)) {
        ctx.close();
      }
    }

    private void answer(ChannelHandlerContext ctx, UpstreamAnswers.Answer answer) {
      int size = answer.size();
      if (answer.isFixed()) {
        byte[] start = answer.start();
        ctx.write(head(ctx, size, start.length).writeBytes(start), ctx.voidPromise());
        ctx.write(answer.fixedTail(), ctx.voidPromise());
      } else {
        ByteBuf out = head(ctx, size, size);
        answer.write(out);
        ctx.write(out, ctx.voidPromise());
      }
    }

    private static ByteBuf head(ChannelHandlerContext ctx, int length, int room) {
      ByteBuf out = ctx.alloc().directBuffer(OK.length + 16 + room);
      out.writeBytes(OK);
      out.writeCharSequence(Integer.toString(length), StandardCharsets.US_ASCII);
      return out.writeBytes(HEAD_END);
    }

    @Override
    void onMalformed() {
      // The peer sees the connection close; the load generator counts that as a lost request.
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      // Resets are everyday life between rounds; the other side counts what it lost.
      ctx.close();
    }
  }

  private final class Http2Connection extends Http2Endpoint {
    Http2Connection() {
      super(Codec.server());
    }

    @Override
    void onReady(ChannelHandlerContext ctx) {
      // A client speaks first.
    }

    @Override
    void onMessage(ChannelHandlerContext ctx, int stream, Http2Headers headers, ByteBuf body) {
      String path = headers.path() == null ? "" : headers.path().toString();
      UpstreamAnswers.Answer answer =
          answers.to(
              JsonRpcHead.read(body, body.readerIndex(), body.readableBytes()),
              answers.corpus(path),
              Freshness.ofPath(path));
      ByteBuf out = ctx.alloc().directBuffer(answer.size());
      answer.write(out);
      Http2Headers fields =
          ReadOnlyHttp2Headers.serverHeaders(
              false,
              STATUS_OK,
              CONTENT_TYPE,
              JSON,
              CONTENT_LENGTH,
              new AsciiString(Integer.toString(answer.size())));
      send(ctx, stream, fields, out); // flushed when all is read
    }

    @Override
    void onReset(ChannelHandlerContext ctx, int stream) {
      // Netty has forgotten what was to be sent.
    }

    @Override
    void onGoAway(ChannelHandlerContext ctx, int lastStream) {
      // The client closes the connection when it has its answers.
    }

    @Override
    void onMalformed() {
      // The peer sees the connection close; the load generator counts that as a lost request.
    }

    @Override
    void onFailure(Throwable cause) {
      // Resets are everyday life between rounds; the other side counts what it lost.
    }
  }

  /** What a fake upstream answers, whatever protocol it is asked in. */
  static final class UpstreamAnswers {
    private static final byte[] START = Http1Endpoint.ascii(SampleExchange.RESPONSE_START);
    private static final byte[] MESSAGE = Http1Endpoint.ascii(SampleExchange.RESPONSE_MESSAGE);
    private static final byte[] FLOW = Http1Endpoint.ascii(SampleExchange.FLOW);
    private static final byte[] AFTER_FLOW = Http1Endpoint.ascii(SampleExchange.AFTER_FLOW);
    private static final byte[] INVALID =
        Http1Endpoint.ascii(
            "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600,\"message\":\"Invalid"
                + " Request\"}}");

    private final LongAdder answered = new LongAdder();
    private final AtomicLong nonce = new AtomicLong();
    private final List<List<Tail>> corpora;

    /**
     * The end of an answer.
     *
     * @param bytes unreleasable, so that a failed write never frees what the next answer needs
     * @param nonceSlots where its nonces are
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Tail(ByteBuf bytes, int[] nonceSlots) {}

    UpstreamAnswers(List<List<SampleExchange>> corpora) {
      if (corpora.isEmpty() || corpora.size() > 10) {
        throw new IllegalArgumentException("expected 1-10 corpora, got " + corpora.size());
      }
      this.corpora =
          corpora.stream()
              .map(corpus -> corpus.stream().map(UpstreamAnswers::tail).toList())
              .toList();
    }

    private static Tail tail(SampleExchange exchange) {
      byte[] bytes = exchange.response().toArray();
      return new Tail(
          Unpooled.unreleasableBuffer(Unpooled.directBuffer(bytes.length).writeBytes(bytes)),
          exchange.nonceSlots());
    }

    /** Frees the answers, once nothing writes them any more. */
    void release() {
      corpora.stream().flatMap(List::stream).forEach(tail -> tail.bytes().unwrap().release());
    }

    /** How many messages were answered so far. */
    long answered() {
      return answered.sum();
    }

    /** The corpus that a request target names; 0 where it names none. */
    int corpus(String path) {
      String prefix = "/a2a/";
      int digit = path.startsWith(prefix) && path.length() > prefix.length() ? path.charAt(5) : -1;
      return digit >= '0' && digit - '0' < corpora.size() ? digit - '0' : 0;
    }

    /** One answer: {@code start} is its beginning and {@code tail} stays whose it is. */
    static final class Answer {
      private final byte[] start;
      private final ByteBuf tail;
      private final int[] nonceSlots;
      private final long nonce;

      private Answer(byte[] start, ByteBuf tail, int[] nonceSlots, long nonce) {
        this.start = start;
        this.tail = tail;
        this.nonceSlots = nonceSlots;
        this.nonce = nonce;
      }

      int size() {
        return start.length + tail.readableBytes();
      }

      /** True if the bytes behind the beginning are the same every time. */
      boolean isFixed() {
        return nonceSlots.length == 0;
      }

      byte[] start() {
        return start.clone();
      }

      /** What is the same every time; only to be written. */
      ByteBuf fixedTail() {
        return tail.duplicate();
      }

      /** Appends the whole of it. */
      void write(ByteBuf out) {
        out.writeBytes(start);
        int at = out.writerIndex();
        out.writeBytes(tail, tail.readerIndex(), tail.readableBytes());
        for (int slot : nonceSlots) {
          SampleExchange.putDigits(out, at + slot, SampleExchange.NONCE_DIGITS, nonce);
        }
      }
    }

    /** The answer to a message. */
    Answer to(JsonRpcHead head, int corpus, Freshness evidence) {
      if (head.kind() != JsonRpcHead.Kind.CALL || head.rawId().isEmpty()) {
        return new Answer(INVALID, Unpooled.EMPTY_BUFFER, new int[0], 0);
      }
      answered.increment();
      List<Tail> choice = corpora.get(corpus);
      long number = head.id() >= 0 ? head.id() : head.rawId().hashCode() & Integer.MAX_VALUE;
      Tail tail = choice.get((int) (number % choice.size()));
      byte[] rawId = head.rawId().getBytes(StandardCharsets.UTF_8);
      byte[] suffix = Http1Endpoint.ascii(Long.toString(number));
      byte[] start = joined(START, rawId, MESSAGE, suffix, FLOW, suffix, AFTER_FLOW);
      return evidence == Freshness.NEW
          ? new Answer(start, tail.bytes(), tail.nonceSlots(), nonce.incrementAndGet())
          : new Answer(start, tail.bytes(), new int[0], 0);
    }

    private static byte[] joined(byte[]... parts) {
      int size = 0;
      for (byte[] part : parts) {
        size += part.length;
      }
      byte[] whole = new byte[size];
      int at = 0;
      for (byte[] part : parts) {
        System.arraycopy(part, 0, whole, at, part.length);
        at += part.length;
      }
      return whole;
    }

    /** How many were answered, as JSON. */
    byte[] stats() {
      return Http1Endpoint.ascii("{\"answered\":" + answered() + "}");
    }
  }
}
