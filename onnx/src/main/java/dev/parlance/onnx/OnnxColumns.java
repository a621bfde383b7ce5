package dev.parlance.onnx;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.TensorInfo;
import dev.parlance.onnx.TextInput.Row;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

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
public final class OnnxColumns implements AutoCloseable {
  public static final String TOKEN_IDS = "input_ids";
  public static final String MASK = "attention_mask";
  public static final String TYPES = "token_type_ids";
  public static final String NGRAM_IDS = "ids";
  public static final String WEIGHTS = "weights";

  private final Arena arena = Arena.ofConfined();
  private final Map<String, OnnxTensor> tensors = new HashMap<>();

  private OnnxColumns() {}

  /**
   * The inputs that a model has.
   *
   * @param required which it must have
   * @param allowed which it may have
   * @throws ModelProblem if it has others, or of another form than a matrix of free size
   */
  public static Set<String> inputs(OrtSession session, Set<String> required, Set<String> allowed)
      throws ModelProblem, OrtException {
    Map<String, NodeInfo> found = session.getInputInfo();
    if (!found.keySet().containsAll(required) || !allowed.containsAll(found.keySet())) {
      throw new ModelProblem(
          ModelFault.BAD_MODEL,
          "the model's inputs are "
              + new TreeSet<>(found.keySet())
              + ", expected "
              + new TreeSet<>(required)
              + " of "
              + new TreeSet<>(allowed));
    }
    for (NodeInfo each : found.values()) {
      OnnxJavaType type = each.getName().equals(WEIGHTS) ? OnnxJavaType.FLOAT : OnnxJavaType.INT64;
      if (!(each.getInfo() instanceof TensorInfo tensor)
          || tensor.type != type
          || !Arrays.equals(tensor.getShape(), new long[] {-1, -1})) {
        throw new ModelProblem(
            ModelFault.BAD_MODEL,
            "the model's input "
                + each.getName()
                + " is "
                + each.getInfo()
                + ", expected "
                + type
                + " with two free dimensions");
      }
    }
    return Set.copyOf(found.keySet());
  }

  /** Fills in rows. */
  public static OnnxColumns of(
      OrtEnvironment environment, Set<String> names, List<Row> rows, int length)
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

  /** By the names of the inputs. */
  public Map<String, OnnxTensor> tensors() {
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
