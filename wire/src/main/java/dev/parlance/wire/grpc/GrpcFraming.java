package dev.parlance.wire.grpc;

import dev.parlance.wire.api.Frame;
import dev.parlance.wire.api.ResponseHead;
import dev.parlance.wire.api.StreamFraming;
import dev.parlance.wire.bytes.BodyDecoder;
import dev.parlance.wire.bytes.Edit;
import dev.parlance.wire.bytes.HeaderLookup;
import dev.parlance.wire.bytes.Splicer;
import dev.parlance.wire.bytes.Texts;
import dev.parlance.wire.bytes.WireFault;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Cuts a gRPC body into messages.
 *
 * <pre>
 * +------+-----------------+---------------------
 * | flag | length, 4 bytes | message
 * +------+-----------------+---------------------
 *   0: as it is   1: compressed as grpc-encoding says   else: refused
 * </pre>
 *
 * <p>Memory grows with what has arrived, not with the length that a prefix promises. Messages that
 * one read completes are inflated at once, so that a fault in one is found before the next is
 * looked at; together they keep to twice the bound of one.
 */
public final class GrpcFraming implements StreamFraming {
  public static final int PREFIX_BYTES = 5;

  /** The default bound of one message, compressed or not. */
  public static final int MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

  private static final int MAX_RATIO = 100;
  private static final int FIRST_BYTES = 512;
  private static final byte[] NOTHING = new byte[0];

  private final String encoding;
  private final int maxMessageBytes;
  private final ArrayDeque<Message> frames = new ArrayDeque<>();

  /** The unfinished frame: its bytes, how many there are, and how many there must be. */
  private byte[] frame = new byte[FIRST_BYTES];

  private int filled;
  private int whole = PREFIX_BYTES;
  private boolean inMessage;

  /** Bytes of the inflated messages that nobody has taken. */
  private long inflatedBytes;

  private Optional<StreamFraming.Fault> fault = Optional.empty();

  /**
   * Frames for one stream.
   *
   * @param encoding value of {@code grpc-encoding}, empty if there is none
   * @param maxMessageBytes largest message, before and after inflation
   */
  public GrpcFraming(Optional<String> encoding, int maxMessageBytes) {
    this.encoding = encoding.orElse("").strip().toLowerCase(Locale.ROOT);
    this.maxMessageBytes = maxMessageBytes;
  }

  /** Frames of an answer, within the bound of its events. */
  public static GrpcFraming of(ResponseHead head) {
    return new GrpcFraming(head.fields().first("grpc-encoding"), head.eventBytes());
  }

  @Override
  public Optional<StreamFraming.Fault> feed(ByteBuf bytes) {
    int at = bytes.readerIndex();
    int end = at + bytes.readableBytes();
    while (at < end && fault.isEmpty()) {
      int piece = Math.min(whole - filled, end - at);
      makeRoom(filled + piece);
      bytes.getBytes(at, frame, filled, piece);
      filled += piece;
      at += piece;
      if (filled == whole) {
        finishPiece();
      }
    }
    return fault;
  }

  private void makeRoom(int needed) {
    if (needed > frame.length) {
      frame = Arrays.copyOf(frame, Math.min(whole, Math.max(needed, 2 * frame.length)));
    }
  }

  /** The prefix is there, or the message is. */
  private void finishPiece() {
    if (!inMessage) {
      fault = prefixFault(frame, encoding, maxMessageBytes);
      whole = PREFIX_BYTES + (fault.isEmpty() ? length(frame) : 0);
      inMessage = true;
    }
    if (fault.isPresent() || filled < whole) {
      return;
    }
    byte[] bytes = Arrays.copyOf(frame, whole);
    if (frame.length > FIRST_BYTES) {
      frame = new byte[FIRST_BYTES];
    }
    filled = 0;
    whole = PREFIX_BYTES;
    inMessage = false;
    switch (taken(bytes, encoding, maxMessageBytes)) {
      case Body.None() -> throw new IllegalStateException("a frame is a message");
      case Body.One(Message done, boolean _) -> {
        frames.add(done);
        inflatedBytes += done.inflatedBytes();
        if (inflatedBytes > 2L * maxMessageBytes) {
          fault =
              Optional.of(
                  new StreamFraming.Fault(
                      WireFault.INFLATION_LIMIT,
                      "messages of one read inflate to more than "
                          + 2L * maxMessageBytes
                          + " bytes"));
        }
      }
      case Body.Refused(StreamFraming.Fault broken) -> fault = Optional.of(broken);
    }
  }

  @Override
  public Optional<Frame> next() {
    Optional<Message> first = Optional.ofNullable(frames.poll());
    first.ifPresent(taken -> inflatedBytes -= taken.inflatedBytes());
    return first.map(Frame.class::cast);
  }

  @Override
  public Optional<StreamFraming.Fault> end() {
    if (fault.isEmpty() && filled > 0) {
      fault = Optional.of(cutShort(whole - filled));
    }
    return fault;
  }

  @Override
  public byte[] frame(byte[] payload) {
    return framed(payload);
  }

  /** HTTP/2 has its own pings, and a message without bytes is a message to gRPC. */
  @Override
  public byte[] heartbeat() {
    return NOTHING;
  }

  /** A message in a frame without compression. */
  public static byte[] framed(byte[] message) {
    byte[] framed = new byte[PREFIX_BYTES + message.length];
    putLength(framed, message.length);
    System.arraycopy(message, 0, framed, PREFIX_BYTES, message.length);
    return framed;
  }

  private static void putLength(byte[] prefix, int length) {
    prefix[1] = (byte) (length >>> 24);
    prefix[2] = (byte) (length >>> 16);
    prefix[3] = (byte) (length >>> 8);
    prefix[4] = (byte) length;
  }

  /** The four bytes of a length. */
  public static byte[] lengthBytes(int length) {
    byte[] prefix = new byte[PREFIX_BYTES];
    putLength(prefix, length);
    return Arrays.copyOfRange(prefix, 1, PREFIX_BYTES);
  }

  private static int length(byte[] prefix) {
    return (prefix[1] & 0xff) << 24
        | (prefix[2] & 0xff) << 16
        | (prefix[3] & 0xff) << 8
        | (prefix[4] & 0xff);
  }

  /** What a unary body holds. */
  public sealed interface Body {
    /**
     * One message.
     *
     * @param frame it, with its prefix
     * @param compressed true if it was, so that it cannot be edited where it stands
     */
    record One(Message frame, boolean compressed) implements Body {}

    /** No message, as where the answer is an error. */
    record None() implements Body {}

    /** Anything else. */
    record Refused(StreamFraming.Fault fault) implements Body {}
  }

  /** Reads a body of at most one message. */
  public static Body unary(byte[] body, HeaderLookup fields, int maxMessageBytes) {
    if (body.length == 0) {
      return new Body.None();
    }
    if (body.length < PREFIX_BYTES) {
      return new Body.Refused(cutShort(PREFIX_BYTES - body.length));
    }
    String encoding = fields.first("grpc-encoding").orElse("").strip().toLowerCase(Locale.ROOT);
    Optional<StreamFraming.Fault> fault = prefixFault(body, encoding, maxMessageBytes);
    if (fault.isPresent()) {
      return new Body.Refused(fault.get());
    }
    int rest = body.length - PREFIX_BYTES - length(body);
    if (rest < 0) {
      return new Body.Refused(cutShort(-rest));
    }
    if (rest > 0) {
      return new Body.Refused(
          new StreamFraming.Fault(
              WireFault.BAD_FRAME, rest + " bytes behind the message of a call that has one"));
    }
    return taken(body, encoding, maxMessageBytes);
  }

  private static StreamFraming.Fault cutShort(int missing) {
    return new StreamFraming.Fault(
        WireFault.INCOMPLETE, "the body ends " + missing + " bytes before the end of a message");
  }

  private static Optional<StreamFraming.Fault> prefixFault(
      byte[] prefix, String encoding, int most) {
    int flag = prefix[0];
    int length = length(prefix);
    if (flag != 0 && flag != 1) {
      return refused(WireFault.BAD_FRAME, "flag " + (flag & 0xff) + "; expected 0 or 1");
    }
    if (length < 0 || length > most) {
      return refused(
          WireFault.BODY_TOO_LARGE,
          "message of " + Integer.toUnsignedString(length) + " bytes; expected at most " + most);
    }
    if (flag == 1 && (encoding.isEmpty() || encoding.equals("identity"))) {
      return refused(WireFault.BAD_FRAME, "compressed message without grpc-encoding");
    }
    return flag == 1 && !encoding.equals("gzip")
        ? refused(
            WireFault.BAD_CODING,
            "grpc-encoding " + Texts.printable(encoding, 40) + "; expected identity or gzip")
        : Optional.empty();
  }

  private static Optional<StreamFraming.Fault> refused(WireFault fault, String detail) {
    return Optional.of(new StreamFraming.Fault(fault, detail));
  }

  /** A frame whose prefix is good, inflated if it has to be. */
  private static Body taken(byte[] frame, String encoding, int most) {
    if (frame[0] == 0) {
      return new Body.One(new Message(frame, Optional.empty()), false);
    }
    byte[] packed = Arrays.copyOfRange(frame, PREFIX_BYTES, frame.length);
    return switch (BodyDecoder.decode(List.of(encoding), packed, most, MAX_RATIO)) {
      case BodyDecoder.Decoding.Decoded(byte[] message, boolean _) ->
          new Body.One(new Message(frame, Optional.of(message)), true);
      case BodyDecoder.Decoding.Refused(WireFault fault, String detail) ->
          new Body.Refused(new StreamFraming.Fault(fault, detail));
    };
  }

  /** One gRPC message with its prefix (gRPC over HTTP/2, Length-Prefixed-Message). */
  public static final class Message implements Frame {
    private final byte[] bytes;

    /**
     * The message without its compression; empty if it had none and stands in the frame as it is.
     */
    private final Optional<byte[]> inflated;

    public Message(byte[] bytes, Optional<byte[]> inflated) {
      this.bytes = bytes;
      this.inflated = inflated;
    }

    @Override
    public byte[] bytes() {
      return bytes;
    }

    /** The message; a frame has one always, be it empty. */
    public byte[] message() {
      return inflated.orElseGet(
          () -> Arrays.copyOfRange(bytes, GrpcFraming.PREFIX_BYTES, bytes.length));
    }

    /** Bytes that inflation brought into memory. */
    int inflatedBytes() {
      return inflated.map(message -> message.length).orElse(0);
    }

    @Override
    public Optional<byte[]> payload() {
      return Optional.of(message());
    }

    /** The edited message in a frame without compression. */
    @Override
    public byte[] edited(List<Edit> edits) {
      return edits.isEmpty() ? bytes : GrpcFraming.framed(Splicer.applyToBytes(message(), edits));
    }
  }
}
