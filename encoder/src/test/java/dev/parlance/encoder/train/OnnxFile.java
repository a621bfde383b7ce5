package dev.parlance.encoder.train;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Writes the model as an ONNX file (IR version 8, operator set 13).
 *
 * <pre>
 * ids     [batch, features] int64 -- Gather(table) -- Cast -- vectors [batch, features, dim] double
 *                               `--- Gather(scales) -- factors [batch, features]
 * weights [batch, features] float -- Mul(factors) -- Round -- Cast -- Unsqueeze -- row [batch, 1, features]
 * MatMul(row, vectors) -- Squeeze -- Cast -- LpNormalization -- embedding [batch, dim] float
 * </pre>
 *
 * <p>The scales are 2<sup>24</sup> times those of the table, so the row is of whole numbers, as the
 * table is: their products and sums are exact in double, and the order in which the runtime adds
 * them, which changes with the size of the batch, changes nothing. A text has the same vector alone
 * and in a batch.
 *
 * <p>Field numbers are those of {@code onnx.proto}.
 */
final class OnnxFile {
  private static final int FLOAT = 1;
  private static final int INT8 = 3;
  private static final int INT64 = 7;
  private static final int DOUBLE = 11;
  private static final long IR_VERSION = 8;
  private static final long OPERATOR_SET = 13;

  /** What weights are multiplied with before they are rounded. */
  private static final float WHOLE = 1 << 24;

  private static final int NODE = 1;
  private static final int INITIALIZER = 5;
  private static final int INPUT = 11;
  private static final int OUTPUT = 12;

  private OnnxFile() {}

  /** The file of a model with that table. */
  static byte[] of(QuantTable table) {
    long rows = table.rows();
    long dim = table.dim();
    Message graph =
        new Message()
            .message(NODE, node("Gather", "entries", "table", "ids"))
            .message(NODE, withNumber(node("Cast", "vectors", "entries"), "to", DOUBLE))
            .message(NODE, node("Gather", "factors", "scales", "ids"))
            .message(NODE, node("Mul", "scaled", "weights", "factors"))
            .message(NODE, node("Round", "whole", "scaled"))
            .message(NODE, withNumber(node("Cast", "exact", "whole"), "to", DOUBLE))
            .message(NODE, node("Unsqueeze", "row", "exact", "features_axis"))
            .message(NODE, node("MatMul", "product", "row", "vectors"))
            .message(NODE, node("Squeeze", "squeezed", "product", "features_axis"))
            .message(NODE, withNumber(node("Cast", "sum", "squeezed"), "to", FLOAT))
            .message(
                NODE,
                withNumber(
                    withNumber(node("LpNormalization", "embedding", "sum"), "axis", -1), "p", 2))
            .text(2, "parlance-ngram")
            .message(INITIALIZER, tensor("table", INT8, table.values(), rows, dim))
            .message(INITIALIZER, tensor("scales", FLOAT, floats(scaledUp(table.scales())), rows))
            .message(INITIALIZER, tensor("features_axis", INT64, longs(1), 1))
            .message(INPUT, value("ids", INT64, name("batch"), name("features")))
            .message(INPUT, value("weights", FLOAT, name("batch"), name("features")))
            .message(OUTPUT, value("embedding", FLOAT, name("batch"), size(dim)));
    return new Message()
        .number(1, IR_VERSION)
        .text(2, "parlance-encoder")
        .message(7, graph)
        .message(8, new Message().text(1, "").number(2, OPERATOR_SET))
        .toByteArray();
  }

  /** Scales as the graph has them: exact, because it is a power of two. */
  static float[] scaledUp(float[] scales) {
    float[] up = scales.clone();
    for (int i = 0; i < up.length; i++) {
      up[i] *= WHOLE;
    }
    return up;
  }

  private static Message node(String operator, String output, String... inputs) {
    Message node = new Message();
    for (String input : inputs) {
      node.text(1, input);
    }
    return node.text(2, output).text(3, output).text(4, operator);
  }

  private static Message withNumber(Message node, String attribute, long value) {
    int typeOfNumber = 2;
    return node.message(
        5, new Message().text(1, attribute).number(3, value).number(20, typeOfNumber));
  }

  private static Message tensor(String name, int type, byte[] raw, long... dims) {
    Message tensor = new Message();
    for (long dim : dims) {
      tensor.number(1, dim);
    }
    return tensor.number(2, type).text(8, name).bytes(9, raw);
  }

  private static Message value(String name, int type, Message... dims) {
    Message shape = new Message();
    for (Message dim : dims) {
      shape.message(1, dim);
    }
    Message tensorType = new Message().number(1, type).message(2, shape);
    return new Message().text(1, name).message(2, new Message().message(1, tensorType));
  }

  private static Message size(long value) {
    return new Message().number(1, value);
  }

  private static Message name(String value) {
    return new Message().text(2, value);
  }

  private static byte[] floats(float[] values) {
    ByteBuffer bytes =
        ByteBuffer.allocate(values.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (float value : values) {
      bytes.putFloat(value);
    }
    return bytes.array();
  }

  private static byte[] longs(long value) {
    return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
  }

  /**
   * Writes protocol buffer messages field by field; as much of the format as an ONNX file needs.
   */
  static final class Message {
    private static final int VARINT = 0;
    private static final int LENGTH_DELIMITED = 2;
    private static final int FIXED_32 = 5;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    /** A number. */
    Message number(int field, long value) {
      varint(((long) field << 3) | VARINT);
      varint(value);
      return this;
    }

    /** A float. */
    Message real(int field, float value) {
      varint(((long) field << 3) | FIXED_32);
      int bits = Float.floatToIntBits(value);
      for (int shift = 0; shift < 32; shift += 8) {
        out.write(bits >>> shift);
      }
      return this;
    }

    /** Bytes. */
    Message bytes(int field, byte[] value) {
      varint(((long) field << 3) | LENGTH_DELIMITED);
      varint(value.length);
      out.writeBytes(value);
      return this;
    }

    /** A string. */
    Message text(int field, String value) {
      return bytes(field, value.getBytes(StandardCharsets.UTF_8));
    }

    /** A message. */
    Message message(int field, Message value) {
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

  /**
   * A table of vectors in eight bits: entry (r, k) is {@code scales[r] * values[r * dim + k]}.
   *
   * @param rows number of vectors
   * @param dim length of each
   * @param values in [-127, 127], row by row
   * @param scales one for each row, not negative
   */
  @SuppressWarnings("ArrayRecordComponent") // written to a file, never compared
  record QuantTable(int rows, int dim, byte[] values, float[] scales) {
    private static final int LARGEST = 127;

    QuantTable {
      if (values.length != rows * dim || scales.length != rows) {
        throw new IllegalArgumentException("expected " + rows + " rows of " + dim);
      }
    }

    /** Rounds a table; the largest entry of each row becomes 127. */
    static QuantTable of(float[] table, int rows, int dim) {
      byte[] values = new byte[rows * dim];
      float[] scales = new float[rows];
      for (int row = 0; row < rows; row++) {
        float largest = 0.0f;
        for (int k = 0; k < dim; k++) {
          largest = Math.max(largest, Math.abs(table[row * dim + k]));
        }
        if (largest > 0.0f) {
          scales[row] = largest / LARGEST;
          for (int k = 0; k < dim; k++) {
            values[row * dim + k] = (byte) Math.rint(table[row * dim + k] / scales[row]);
          }
        }
      }
      return new QuantTable(rows, dim, values, scales);
    }
  }
}
