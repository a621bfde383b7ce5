package dev.parlance.loadtest.load;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Ready-made requests, one per exchange, in which only the three places of the id change from one
 * use to the next. Ids have ten digits, so lengths never change.
 */
public final class RequestBytes {
  /** The smallest id; the n-th request has this plus n. */
  public static final long FIRST_ID = 1_000_000_000L;

  /** Digits of every id. */
  static final int ID_DIGITS = 10;

  private static final String ZERO_ID = "0".repeat(ID_DIGITS);

  private final List<byte[]> templates;
  private final List<int[]> slots;
  private final int[] bodyStarts;
  private final int[] responseBytes;
  private final List<Http2Headers> headers;

  RequestBytes(List<SampleExchange> exchanges, int port, String path) {
    templates = exchanges.stream().map(exchange -> template(exchange, port, path)).toList();
    slots = templates.stream().map(RequestBytes::slots).toList();
    bodyStarts = templates.stream().mapToInt(RequestBytes::bodyStart).toArray();
    headers = IntStream.range(0, bodyStarts.length).mapToObj(i -> headers(i, port, path)).toList();
    responseBytes = exchanges.stream().mapToInt(e -> e.responseBytes(ID_DIGITS)).toArray();
  }

  private Http2Headers headers(int index, int port, String path) {
    return new DefaultHttp2Headers(false)
        .method("POST")
        .scheme("http")
        .path(path)
        .authority("127.0.0.1:" + port)
        .add("content-type", "application/json")
        .add("accept", "application/json")
        .add("a2a-version", "1.0")
        .add("user-agent", "parlance-loadtest")
        .addInt("content-length", templates.get(index).length - bodyStarts[index]);
  }

  /** The header fields over HTTP/2 of the request with this id. */
  Http2Headers headers(long id) {
    return headers.get((int) (id % headers.size()));
  }

  /** The whole request over HTTP/1.1 with this id; the caller owns it. */
  ByteBuf request(ByteBufAllocator alloc, long id) {
    int index = (int) (id % templates.size());
    byte[] template = templates.get(index);
    ByteBuf out = alloc.directBuffer(template.length);
    out.writeBytes(template);
    for (int slot : slots.get(index)) {
      SampleExchange.putDigits(out, slot, ID_DIGITS, id);
    }
    return out;
  }

  /** The body alone of the request with this id; the caller owns it. */
  ByteBuf body(ByteBufAllocator alloc, long id) {
    return request(alloc, id).skipBytes(bodyStarts[(int) (id % templates.size())]);
  }

  /** Size of the body that the upstream answers this id with. */
  int responseBytes(long id) {
    return responseBytes[(int) (id % responseBytes.length)];
  }

  private static byte[] template(SampleExchange exchange, int port, String path) {
    byte[] start =
        Http1Endpoint.ascii(
            SampleExchange.REQUEST_START
                + ZERO_ID
                + SampleExchange.REQUEST_MESSAGE
                + ZERO_ID
                + SampleExchange.FLOW
                + ZERO_ID
                + SampleExchange.AFTER_FLOW);
    byte[] tail = exchange.request().toArray();
    byte[] head =
        Http1Endpoint.ascii(
            "POST "
                + path
                + " HTTP/1.1\r\nHost: 127.0.0.1:"
                + port
                + "\r\nContent-Type: application/json\r\nAccept: application/json\r\n"
                + "A2A-Version: 1.0\r\nUser-Agent: parlance-loadtest\r\nContent-Length: "
                + (start.length + tail.length)
                + "\r\n\r\n");
    byte[] whole = new byte[head.length + start.length + tail.length];
    System.arraycopy(head, 0, whole, 0, head.length);
    System.arraycopy(start, 0, whole, head.length, start.length);
    System.arraycopy(tail, 0, whole, head.length + start.length, tail.length);
    return whole;
  }

  private static int bodyStart(byte[] template) {
    String text = new String(template, java.nio.charset.StandardCharsets.US_ASCII);
    return text.indexOf("\r\n\r\n") + 4;
  }

  private static int[] slots(byte[] template) {
    String text = new String(template, java.nio.charset.StandardCharsets.US_ASCII);
    int first = text.indexOf(SampleExchange.REQUEST_START) + SampleExchange.REQUEST_START.length();
    int second = first + ID_DIGITS + SampleExchange.REQUEST_MESSAGE.length();
    int third = second + ID_DIGITS + SampleExchange.FLOW.length();
    return new int[] {first, second, third};
  }
}
