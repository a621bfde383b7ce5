package dev.parlance.encoder.train;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Writes protocol buffer messages field by field; as much of the format as an ONNX file needs. */
final class ProtoWriter {
  private static final int VARINT = 0;
  private static final int LENGTH_DELIMITED = 2;
  private static final int FIXED_32 = 5;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  /** A number. */
  public ProtoWriter number(int field, long value) {
    varint(((long) field << 3) | VARINT);
    varint(value);
    return this;
  }

  /** A float. */
  public ProtoWriter real(int field, float value) {
    varint(((long) field << 3) | FIXED_32);
    int bits = Float.floatToIntBits(value);
    for (int shift = 0; shift < 32; shift += 8) {
      out.write(bits >>> shift);
    }
    return this;
  }

  /** Bytes. */
  public ProtoWriter bytes(int field, byte[] value) {
    varint(((long) field << 3) | LENGTH_DELIMITED);
    varint(value.length);
    out.writeBytes(value);
    return this;
  }

  /** A string. */
  ProtoWriter text(int field, String value) {
    return bytes(field, value.getBytes(StandardCharsets.UTF_8));
  }

  /** A message. */
  public ProtoWriter message(int field, ProtoWriter value) {
    return bytes(field, value.toByteArray());
  }

  /** What was written. */
  byte[] toByteArray() {
    return out.toByteArray();
  }

  private void varint(long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      out.write((int) ((rest & 0x7f) | 0x80));
      rest >>>= 7;
    }
    out.write((int) rest);
  }
}
