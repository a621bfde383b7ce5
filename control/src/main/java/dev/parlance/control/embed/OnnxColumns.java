package dev.parlance.control.embed;

import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import dev.parlance.control.embed.TextInput.Row;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The inputs of one run, outside the heap: one matrix [rows, length] for each input that the model
 * has. What a row leaves open is filled with 0, and its mask is 0 there.
 *
 * <pre>
 * word pieces  input_ids  attention_mask  token_type_ids   int64; the latter two if the model has them
 * n-grams      ids                                         int64
 *              weights                                     float
 * </pre>
 */
final class OnnxColumns implements AutoCloseable {
  static final String TOKEN_IDS = "input_ids";
  static final String MASK = "attention_mask";
  static final String TYPES = "token_type_ids";
  static final String NGRAM_IDS = "ids";
  static final String WEIGHTS = "weights";

  private final Arena arena = Arena.ofConfined();
  private final Map<String, OnnxTensor> tensors = new HashMap<>();

  private OnnxColumns() {}

  /** Fills in rows. */
  static OnnxColumns of(OrtEnvironment environment, Set<String> names, List<Row> rows, int length)
      throws OrtException {
    OnnxColumns columns = new OnnxColumns();
    boolean isWhole = false;
    try {
      for (String name : names) {
        columns.add(environment, name, rows, length);
      }
      isWhole = true;
      return columns;
    } finally {
      if (!isWhole) {
        columns.close();
      }
    }
  }

  Map<String, OnnxTensor> tensors() {
    return tensors;
  }

  private void add(OrtEnvironment environment, String name, List<Row> rows, int length)
      throws OrtException {
    boolean isFloat = name.equals(WEIGHTS);
    long cells = (long) rows.size() * length;
    // Comes zeroed.
    MemorySegment memory =
        isFloat
            ? arena.allocate(ValueLayout.JAVA_FLOAT, cells)
            : arena.allocate(ValueLayout.JAVA_LONG, cells);
    for (int i = 0; i < rows.size(); i++) {
      Row row = rows.get(i);
      long at = (long) i * length;
      if (isFloat) {
        MemorySegment.copy(
            row.weights(), 0, memory, ValueLayout.JAVA_FLOAT, at * Float.BYTES, row.length());
      } else if (name.equals(MASK)) {
        for (int j = 0; j < row.length(); j++) {
          memory.setAtIndex(ValueLayout.JAVA_LONG, at + j, 1L);
        }
      } else {
        long[] values = name.equals(TYPES) ? row.types() : row.ids();
        MemorySegment.copy(values, 0, memory, ValueLayout.JAVA_LONG, at * Long.BYTES, row.length());
      }
    }
    ByteBuffer bytes = memory.asByteBuffer().order(ByteOrder.nativeOrder());
    tensors.put(
        name,
        OnnxTensor.createTensor(
            environment,
            bytes,
            new long[] {rows.size(), length},
            isFloat ? OnnxJavaType.FLOAT : OnnxJavaType.INT64));
  }

  @Override
  public void close() {
    tensors.values().forEach(OnnxTensor::close);
    arena.close();
  }
}
