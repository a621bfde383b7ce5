package dev.parlance.loadtest;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.List;

/**
 * Ready-made requests, one per exchange, in which only the three places of the id change from one
 * use to the next. Ids have ten digits, so lengths never change.
 */
final class RequestBytes {
  /** The smallest id; the n-th request has this plus n. */
  static final long FIRST_ID = 1_000_000_000L;

  /** Digits of every id. */
  static final int ID_DIGITS = 10;

  private static final String ZERO_ID = "0".repeat(ID_DIGITS);

  private final List<byte[]> templates;
  private final List<int[]> slots;
  private final int[] bodyStarts;
  private final int[] responseBytes;
  private final H2Block fields;

  RequestBytes(List<Exchange> exchanges, int port, String path) {
    fields =
        H2Block.of(
            List.of(
                new H2Block.Field(3, ":method", ""), // POST
                new H2Block.Field(6, ":scheme", ""), // http
                new H2Block.Field(4, ":path", path),
                new H2Block.Field(1, ":authority", "127.0.0.1:" + port),
                new H2Block.Field(31, "content-type", "application/json"),
                new H2Block.Field(19, "accept", "application/json"),
                new H2Block.Field(0, "a2a-version", "1.0"),
                new H2Block.Field(58, "user-agent", "parlance-loadtest")));
    templates = exchanges.stream().map(exchange -> template(exchange, port, path)).toList();
    slots = templates.stream().map(RequestBytes::slots).toList();
    bodyStarts = templates.stream().mapToInt(RequestBytes::bodyStart).toArray();
    responseBytes = exchanges.stream().mapToInt(e -> e.responseBytes(ID_DIGITS)).toArray();
  }

  /** The header block of every request over HTTP/2. */
  H2Block fields() {
    return fields;
  }

  /** The whole request over HTTP/1.1 with this id; the caller owns it. */
  ByteBuf request(ByteBufAllocator alloc, long id) {
    int index = (int) (id % templates.size());
    byte[] template = templates.get(index);
    ByteBuf out = alloc.directBuffer(template.length);
    out.writeBytes(template);
    for (int slot : slots.get(index)) {
      Exchange.putDigits(out, slot, ID_DIGITS, id);
    }
    return out;
  }

  /** Size of the body of the request with this id. */
  int bodyBytes(long id) {
    int index = (int) (id % templates.size());
    return templates.get(index).length - bodyStarts[index];
  }

  /** Appends the body alone. */
  void writeBody(ByteBuf out, long id) {
    int index = (int) (id % templates.size());
    byte[] template = templates.get(index);
    int moved = out.writerIndex() - bodyStarts[index];
    out.writeBytes(template, bodyStarts[index], template.length - bodyStarts[index]);
    for (int slot : slots.get(index)) {
      Exchange.putDigits(out, slot + moved, ID_DIGITS, id);
    }
  }

  /** Size of the body that the upstream answers this id with. */
  int responseBytes(long id) {
    return responseBytes[(int) (id % responseBytes.length)];
  }

  private static byte[] template(Exchange exchange, int port, String path) {
    byte[] start =
        MessageFramer.ascii(
            Exchange.REQUEST_START
                + ZERO_ID
                + Exchange.REQUEST_MESSAGE
                + ZERO_ID
                + Exchange.FLOW
                + ZERO_ID
                + Exchange.AFTER_FLOW);
    byte[] tail = exchange.request().toArray();
    byte[] head =
        MessageFramer.ascii(
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
    int first = text.indexOf(Exchange.REQUEST_START) + Exchange.REQUEST_START.length();
    int second = first + ID_DIGITS + Exchange.REQUEST_MESSAGE.length();
    int third = second + ID_DIGITS + Exchange.FLOW.length();
    return new int[] {first, second, third};
  }
}
