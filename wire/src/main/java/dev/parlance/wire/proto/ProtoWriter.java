package dev.parlance.wire.proto;

import dev.parlance.wire.bytes.Texts;
import dev.parlance.wire.bytes.WireFault;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonScanner;
import java.io.ByteArrayOutputStream;

/** Writes protobuf fields, one behind the other. */
public final class ProtoWriter {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream(128);

  public ProtoWriter string(int number, String value) {
    return bytes(number, Texts.utf8(value));
  }

  /** A string, bytes or a nested message. */
  public ProtoWriter bytes(int number, byte[] value) {
    write(varint(number << 3 | 2));
    write(varint(value.length));
    return write(value);
  }

  /** A nested message. */
  public ProtoWriter message(int number, ProtoWriter value) {
    return bytes(number, value.toBytes());
  }

  /** A boolean, an enum or a number. */
  public ProtoWriter number(int number, long value) {
    write(varint((long) number << 3));
    return write(varint(value));
  }

  public ProtoWriter real(int number, double value) {
    write(varint(number << 3 | 1));
    long bits = Double.doubleToLongBits(value);
    for (int i = 0; i < Long.BYTES; i++) {
      out.write((int) (bits >>> (8 * i)));
    }
    return this;
  }

  private ProtoWriter write(byte[] bytes) {
    out.write(bytes, 0, bytes.length);
    return this;
  }

  public byte[] toBytes() {
    return out.toByteArray();
  }

  /** A number in as few bytes as it takes. */
  public static byte[] varint(long value) {
    byte[] bytes = new byte[varintLength(value)];
    long rest = value;
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (i < bytes.length - 1 ? (rest & 0x7f) | 0x80 : rest);
      rest >>>= 7;
    }
    return bytes;
  }

  private static int varintLength(long value) {
    return value == 0 ? 1 : (70 - Long.numberOfLeadingZeros(value)) / 7;
  }

  /** A JSON object that we wrote ourselves, as a Struct. */
  public static byte[] struct(byte[] json) {
    return switch (JsonScanner.scan(json, JsonScanner.Limits.DEFAULT)) {
      case JsonScanner.Scanned(JsonDocument document) -> struct(document, document.root());
      case JsonScanner.Refused(WireFault _, String detail) ->
          throw new IllegalStateException("our own object is no JSON: " + detail);
    };
  }

  /** A JSON object as a Struct. */
  public static byte[] struct(JsonDocument json, int object) {
    ProtoWriter struct = new ProtoWriter();
    for (int name = json.first(object);
        name != JsonDocument.NONE;
        name = json.nextName(object, name)) {
      ProtoWriter entry = new ProtoWriter().string(1, json.string(name));
      struct.message(1, entry.bytes(2, value(json, name + 1)));
    }
    return struct.toBytes();
  }

  /** A JSON value as a Value. */
  public static byte[] value(JsonDocument json, int node) {
    ProtoWriter value = new ProtoWriter();
    if (json.isObject(node)) {
      value.bytes(5, struct(json, node));
    } else if (json.isArray(node)) {
      ProtoWriter list = new ProtoWriter();
      for (int at = json.first(node); at != JsonDocument.NONE; at = json.nextElement(node, at)) {
        list.bytes(1, value(json, at));
      }
      value.message(6, list);
    } else if (json.isString(node)) {
      value.string(3, json.string(node));
    } else if (json.isNumber(node)) {
      value.real(2, Double.parseDouble(json.raw(node)));
    } else if (json.isNull(node)) {
      value.number(1, 0);
    } else {
      value.number(4, json.isTrue(node) ? 1 : 0);
    }
    return value.toBytes();
  }
}
