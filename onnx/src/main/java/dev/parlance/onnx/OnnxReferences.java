package dev.parlance.onnx;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;

/**
 * Looks through an ONNX file for tensors whose values are elsewhere. The runtime would read such
 * files from wherever the model says, and they would be files that the manifest does not bind, so a
 * model that has them is refused.
 *
 * <p>Only the members that can hold a tensor are followed; field numbers are those of {@code
 * onnx.proto}.
 */
final class OnnxReferences {
  private static final int MAX_DEPTH = 64;
  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int BYTES = 2;
  private static final int FIXED32 = 5;

  /** In a tensor: its file, and the mark that it has one. */
  private static final int EXTERNAL_DATA = 13;

  private static final int DATA_LOCATION = 14;

  /** The messages on the way to a tensor, and the members that lead on. */
  private enum Message {
    MODEL,
    TRAINING,
    FUNCTION,
    GRAPH,
    NODE,
    ATTRIBUTE,
    SPARSE,
    TENSOR;

    Map<Integer, Message> members() {
      return switch (this) {
        case MODEL -> Map.of(7, GRAPH, 20, TRAINING, 25, FUNCTION);
        case TRAINING -> Map.of(1, GRAPH, 2, GRAPH);
        case FUNCTION -> Map.of(7, NODE, 11, ATTRIBUTE);
        case GRAPH -> Map.of(1, NODE, 5, TENSOR, 15, SPARSE);
        case NODE -> Map.of(5, ATTRIBUTE);
        case ATTRIBUTE ->
            Map.of(5, TENSOR, 6, GRAPH, 10, TENSOR, 11, GRAPH, 22, SPARSE, 23, SPARSE);
        case SPARSE -> Map.of(1, TENSOR, 2, TENSOR);
        case TENSOR -> Map.of();
      };
    }
  }

  private OnnxReferences() {}

  /** Refuses a model that refers to other files, and what is no ONNX file at all. */
  static void check(ByteBuffer model) throws ModelProblem {
    check(model.duplicate().order(ByteOrder.LITTLE_ENDIAN), Message.MODEL, 0);
  }

  private static void check(ByteBuffer in, Message message, int depth) throws ModelProblem {
    if (depth > MAX_DEPTH) {
      throw new ModelProblem(
          ModelFault.BAD_MODEL, "the model nests deeper than " + MAX_DEPTH + " levels");
    }
    Map<Integer, Message> members = message.members();
    while (in.hasRemaining()) {
      long key = varint(in);
      long field = key >>> 3;
      switch ((int) (key & 7)) {
        case VARINT -> {
          if (varint(in) != 0 && message == Message.TENSOR && field == DATA_LOCATION) {
            throw elsewhere();
          }
        }
        case FIXED64 -> skip(in, Long.BYTES);
        case FIXED32 -> skip(in, Integer.BYTES);
        case BYTES -> {
          if (message == Message.TENSOR && field == EXTERNAL_DATA) {
            throw elsewhere();
          }
          long length = varint(in);
          if (length < 0 || length > in.remaining()) {
            throw notOnnx();
          }
          Message inner = field > Integer.MAX_VALUE ? null : members.get((int) field);
          if (inner != null) {
            check(
                in.slice(in.position(), (int) length).order(ByteOrder.LITTLE_ENDIAN),
                inner,
                depth + 1);
          }
          skip(in, length);
        }
        default -> throw notOnnx();
      }
    }
  }

  private static void skip(ByteBuffer in, long count) throws ModelProblem {
    if (count > in.remaining()) {
      throw notOnnx();
    }
    in.position(in.position() + (int) count);
  }

  private static long varint(ByteBuffer in) throws ModelProblem {
    long value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      if (!in.hasRemaining()) {
        throw notOnnx();
      }
      byte next = in.get();
      value |= shift < 64 ? (next & 0x7fL) << shift : 0L;
      if (next >= 0) {
        return value;
      }
    }
    throw notOnnx();
  }

  private static ModelProblem elsewhere() {
    return new ModelProblem(
        ModelFault.BAD_MODEL,
        "the model keeps values in other files, expected one file with all of them");
  }

  private static ModelProblem notOnnx() {
    return new ModelProblem(ModelFault.BAD_MODEL, "the model is no ONNX file");
  }
}
