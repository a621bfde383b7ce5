package dev.parlance.wire.proto;

import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.bytes.Utf8;
import dev.parlance.wire.bytes.WireFault;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads a protobuf message by a {@link ProtoType}, in one pass, and writes down where the known
 * fields lie.
 *
 * <p>Stricter than the encoding's definition where receivers are known to disagree. A singular
 * field that stands twice is refused: some parsers take the last one, some merge messages, some
 * keep the first. So are two members of a oneof, a known field in another wire type (unknown to one
 * parser, a value to the next), groups, numbers that are longer than they need to be or too large
 * for their type (cut off by some), and text that is not UTF-8.
 *
 * <p>Unknown fields are stepped over, as every receiver does. Long text in them is reported all the
 * same, see {@link ProtoSideText}.
 */
public final class ProtoScanner {
  /** What most parsers allow too. */
  static final int MAX_DEPTH = 100;

  private static final int MAX_VARINT_BYTES = 10;

  /** What came of scanning a protobuf message. */
  public sealed interface Scan {}

  /**
   * A message as we accept it.
   *
   * @param message where everything lies
   * @param beside texts in fields that the sidecar does not know, in order
   */
  public record Scanned(ProtoMessage message, List<Utf8Span> beside) implements Scan {
    /** Takes a copy of the texts. */
    public Scanned {
      beside = List.copyOf(beside);
    }
  }

  /**
   * Not protobuf as we accept it.
   *
   * @param fault the kind of fault
   * @param detail for the peer, with a byte offset and never with text of the body
   */
  public record Refused(WireFault fault, String detail) implements Scan {
    /** The same as the outcome of reading a message. */
    public <V> Reading<V> asReading() {
      return new Reading.Malformed<>(fault, detail);
    }
  }

  private final byte[] body;
  private final int maxFields;
  private final ProtoSideText beside;
  private int fields;
  private int at;
  private long varint;
  private Optional<Refused> refused = Optional.empty();

  private ProtoScanner(byte[] body, int maxFields) {
    this.body = body;
    this.maxFields = maxFields;
    this.beside = new ProtoSideText(body);
  }

  /**
   * Scans a whole message.
   *
   * @param body kept by what was found
   * @param maxFields most fields, nested ones included
   */
  public static Scan scan(byte[] body, ProtoType type, int maxFields) {
    ProtoScanner scanner = new ProtoScanner(body, maxFields);
    ProtoMessage message = scanner.message(type, body.length, 1);
    List<Utf8Span> texts = scanner.beside.texts();
    return scanner.refused.<Scan>map(fault -> fault).orElseGet(() -> new Scanned(message, texts));
  }

  /** Reads from here to {@code end}. */
  private ProtoMessage message(ProtoType type, int end, int depth) {
    int start = at;
    List<ProtoMessage.Field> found = new ArrayList<>();
    long seen = 0;
    boolean chosen = false;
    if (depth > MAX_DEPTH) {
      refuse(WireFault.PROTOBUF_LIMIT, "messages nested deeper than " + MAX_DEPTH);
    }
    while (at < end && refused.isEmpty()) {
      int tagStart = at;
      int tag = tag(end);
      fields++;
      if (fields > maxFields) {
        refuse(WireFault.PROTOBUF_LIMIT, "more than " + maxFields + " fields");
      }
      Optional<ProtoType.Field> known =
          refused.isEmpty() ? type.field(tag >>> 3) : Optional.empty();
      if (known.isEmpty()) {
        skip(tag & 7, end, type);
        continue;
      }
      ProtoType.Field field = known.get();
      if ((tag & 7) != field.kind().wireType()) {
        bad("field " + field.number() + " of " + type + " in wire type " + (tag & 7), tagStart);
      } else if (!field.repeated() && (seen & 1L << field.number()) != 0) {
        bad("field " + field.number() + " of " + type + " stands twice", tagStart);
      } else if (field.choice() && chosen) {
        bad("two members of the oneof of " + type, tagStart);
      } else {
        field(field, tagStart, end, depth, found);
      }
      seen |= 1L << field.number();
      chosen |= field.choice();
    }
    return new ProtoMessage(type, body, start, end, List.copyOf(found));
  }

  private void field(
      ProtoType.Field field, int tagStart, int end, int depth, List<ProtoMessage.Field> found) {
    int valueStart = at;
    switch (field.kind()) {
      case BOOL, INT32, INT64, ENUM -> {
        number(field, end);
        found.add(
            new ProtoMessage.Field(
                field, tagStart, valueStart, valueStart, at, varint, Optional.empty()));
      }
      case DOUBLE -> {
        if (end - at < Long.BYTES) {
          bad("a double is cut short", at);
          return;
        }
        long bits = 0;
        for (int i = Long.BYTES - 1; i >= 0; i--) {
          bits = bits << 8 | (body[at + i] & 0xff);
        }
        at += Long.BYTES;
        found.add(
            new ProtoMessage.Field(
                field, tagStart, valueStart, valueStart, at, bits, Optional.empty()));
      }
      case STRING, BYTES, MESSAGE -> {
        int contentEnd = lengthEnd(end);
        if (refused.isPresent()) {
          return;
        }
        int start = at;
        Optional<ProtoMessage> nested = Optional.empty();
        switch (field.kind()) {
          case MESSAGE -> nested = Optional.of(message(field.nested(), contentEnd, depth + 1));
          case STRING -> utf8(field, contentEnd);
          case BYTES, BOOL, INT32, INT64, ENUM, DOUBLE -> at = contentEnd;
        }
        found.add(
            new ProtoMessage.Field(field, tagStart, valueStart, start, contentEnd, 0, nested));
      }
    }
  }

  private void number(ProtoType.Field field, int end) {
    int start = at;
    varint(end);
    boolean fits =
        switch (field.kind()) {
          case BOOL -> varint == 0 || varint == 1;
          case INT32, ENUM -> varint == (int) varint;
          case INT64, STRING, BYTES, MESSAGE, DOUBLE -> true;
        };
    if (refused.isEmpty() && !fits) {
      bad("field " + field.number() + " is too large for its type", start);
    }
  }

  private void utf8(ProtoType.Field field, int end) {
    int invalid = Utf8.firstInvalid(body, at, end);
    if (invalid >= 0) {
      refuse(
          WireFault.BAD_ENCODING,
          "invalid UTF-8 at byte " + invalid + " in field " + field.number());
    }
    at = end;
  }

  /** Steps over a field that is not known. */
  private void skip(int wireType, int end, ProtoType type) {
    if (refused.isPresent()) {
      return;
    }
    switch (wireType) {
      case 0 -> varint(end);
      case 1 -> step(Long.BYTES, end);
      case 2 -> {
        int contentEnd = lengthEnd(end);
        if (refused.isEmpty()) {
          if (!type.isOpaque()) {
            beside.add(at, contentEnd);
          }
          at = contentEnd;
        }
      }
      case 5 -> step(Integer.BYTES, end);
      case 3, 4 -> bad("a group", at);
      default -> bad("wire type " + wireType, at);
    }
  }

  private void step(int bytes, int end) {
    if (end - at < bytes) {
      bad("a number is cut short", at);
    } else {
      at += bytes;
    }
  }

  private int tag(int end) {
    int start = at;
    varint(end);
    if (refused.isEmpty() && (varint >>> 3 == 0 || varint >>> 32 != 0)) {
      bad("a field number out of range", start);
    }
    return (int) varint;
  }

  /** Reads a length; where the content ends. */
  private int lengthEnd(int end) {
    int start = at;
    varint(end);
    if (refused.isEmpty() && (varint < 0 || varint > end - at)) {
      bad("a length past the end of the message", start);
    }
    return refused.isEmpty() ? at + (int) varint : at;
  }

  private void varint(int end) {
    int start = at;
    long value = 0;
    int shift = 0;
    while (at < end && at - start < MAX_VARINT_BYTES) {
      byte b = body[at++];
      value |= (long) (b & 0x7f) << shift;
      shift += 7;
      if (b >= 0) {
        boolean padded = b == 0 && at - start > 1;
        boolean overflows = at - start == MAX_VARINT_BYTES && b > 1;
        if (padded || overflows) {
          bad("a number that is longer than it needs to be", start);
        }
        varint = value;
        return;
      }
    }
    varint = 0;
    bad("a number without an end", start);
  }

  private void bad(String what, int offset) {
    refuse(WireFault.BAD_PROTOBUF, what + " at byte " + offset);
  }

  private void refuse(WireFault fault, String detail) {
    if (refused.isEmpty()) {
      refused = Optional.of(new Refused(fault, detail));
    }
  }
}
