package dev.parlance.loadtest.load;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** What a fake upstream answers, whatever protocol it is asked in. */
final class UpstreamAnswers {
  private static final byte[] START = MessageFramer.ascii(SampleExchange.RESPONSE_START);
  private static final byte[] MESSAGE = MessageFramer.ascii(SampleExchange.RESPONSE_MESSAGE);
  private static final byte[] FLOW = MessageFramer.ascii(SampleExchange.FLOW);
  private static final byte[] AFTER_FLOW = MessageFramer.ascii(SampleExchange.AFTER_FLOW);
  private static final byte[] INVALID =
      MessageFramer.ascii(
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
    byte[] suffix = MessageFramer.ascii(Long.toString(number));
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
    return MessageFramer.ascii("{\"answered\":" + answered() + "}");
  }
}
