package dev.parlance.control.embed;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import dev.parlance.control.embed.QueuedEmbedder.RowModel;
import dev.parlance.onnx.ModelFault;
import dev.parlance.onnx.ModelProblem;
import dev.parlance.onnx.OnnxColumns;
import dev.parlance.onnx.OnnxRuntime;
import dev.parlance.onnx.TextInput;
import dev.parlance.onnx.TextInput.Row;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * A model in ONNX Runtime.
 *
 * <p><b>Why a text has one vector, alone and with others.</b> A row is always filled up to the same
 * length. Beyond that the runtime may choose another way to multiply for one row than for several,
 * so when a model is loaded, rows are run alone and together; unless every bit is the same, texts
 * are never run together. A manifest can say that they never are.
 */
final class OnnxModel implements RowModel {
  /** Most rows in one run. */
  static final int MOST_ROWS = 32;

  /**
   * Most tokens in one run, unless a single row has more. Short texts cost less together; long ones
   * fill the processor by themselves, and together only wait for each other.
   */
  static final int MOST_CELLS = 512;

  private static final ModelFault FAULT = ModelFault.BAD_MODEL;
  private static final String PROBE =
      "Both parties keep a copy of this agreement for at least seven years after it has ended.";
  private static final double LEAST_NORM = 1e-9;

  private final OrtEnvironment environment;
  private final OrtSession session;
  private final EncoderManifest manifest;
  private final TextInput input;
  private final Set<String> inputs;
  private final String output;
  private final boolean isFilled;
  private boolean runsTogether;
  private float[] probe = new float[0];

  private OnnxModel(
      OrtEnvironment environment, OrtSession session, EncoderManifest manifest, TextInput input)
      throws ModelProblem, OrtException {
    this.environment = environment;
    this.session = session;
    this.manifest = manifest;
    this.input = input;
    inputs = inputs(session, manifest.input());
    output = OnnxOutputs.of(session).choose(manifest.pooling(), manifest.output()).name();
    // Without a mask a model would take what fills a row for text.
    isFilled =
        manifest.runsTogether()
            && (inputs.contains(OnnxColumns.MASK) || inputs.contains(OnnxColumns.WEIGHTS));
  }

  /**
   * Loads a model and tries it.
   *
   * @param model the file, outside the heap; not needed afterwards
   * @throws ModelProblem if the runtime or the model cannot be used
   */
  static OnnxModel load(EncoderManifest manifest, TextInput input, ByteBuffer model)
      throws ModelProblem {
    try {
      OrtSession session = OnnxRuntime.open(model);
      boolean isGood = false;
      try {
        OnnxModel loaded = new OnnxModel(OnnxRuntime.environment(), session, manifest, input);
        loaded.tryOut();
        isGood = true;
        return loaded;
      } finally {
        if (!isGood) {
          session.close();
        }
      }
    } catch (OrtException e) {
      throw new ModelProblem(FAULT, "the model cannot be loaded: " + e.getMessage());
    }
  }

  private static Set<String> inputs(OrtSession session, EncoderManifest.Input kind)
      throws ModelProblem, OrtException {
    return switch (kind) {
      case EncoderManifest.Input.WordPieces() ->
          OnnxColumns.inputs(
              session,
              Set.of(OnnxColumns.TOKEN_IDS),
              Set.of(OnnxColumns.TOKEN_IDS, OnnxColumns.MASK, OnnxColumns.TYPES));
      case EncoderManifest.Input.Ngrams _ -> {
        Set<String> both = Set.of(OnnxColumns.NGRAM_IDS, OnnxColumns.WEIGHTS);
        yield OnnxColumns.inputs(session, both, both);
      }
    };
  }

  private void tryOut() throws ModelProblem {
    run(List.of(input.longest()));
    probe = run(List.of(read(PROBE))).getFirst();
    double sum = 0.0;
    for (float x : probe) {
      sum += (double) x * x;
    }
    if (!(Math.sqrt(sum) >= LEAST_NORM) || Double.isInfinite(sum)) {
      throw new ModelProblem(FAULT, "the model gives a plain sentence no vector");
    }
    runsTogether = manifest.runsTogether() && isSameTogether(12) && isSameTogether(60);
  }

  /** True if rows of about this length have the same vectors alone and with others. */
  private boolean isSameTogether(int length) throws ModelProblem {
    List<Row> rows = new ArrayList<>();
    List<float[]> alone = new ArrayList<>();
    Row text = read(PROBE);
    for (int shift = 0; shift < 8; shift++) {
      Row row = text.repeated(Math.min(length, input.longest().length()), shift);
      rows.add(row);
      alone.add(run(List.of(row)).getFirst());
    }
    for (int together : new int[] {2, 3, 8}) {
      List<float[]> vectors = run(rows.subList(0, together));
      for (int i = 0; i < together; i++) {
        if (!Arrays.equals(vectors.get(i), alone.get(i))) {
          return false;
        }
      }
    }
    return true;
  }

  @Override
  public Row read(String text) {
    return input.read(text);
  }

  @Override
  public int filledLength(Row row) {
    int length = row.length();
    if (!isFilled) {
      return length;
    }
    int step = length <= 128 ? 16 : 64;
    int filled = (length + step - 1) / step * step;
    return row.weights().length > 0 ? filled : Math.min(filled, manifest.maxTokens());
  }

  @Override
  public int mostRows(int filledLength) {
    return runsTogether ? Math.clamp(MOST_CELLS / filledLength, 1, MOST_ROWS) : 1;
  }

  @Override
  public List<float[]> run(List<Row> rows) throws ModelProblem {
    int length = filledLength(rows.getFirst());
    try (OnnxColumns columns = OnnxColumns.of(environment, inputs, rows, length);
        OrtSession.Result result = session.run(columns.tensors(), Set.of(output))) {
      if (!(result.get(0) instanceof OnnxTensor tensor)) {
        throw new ModelProblem(FAULT, "the model's output is no tensor");
      }
      long[] shape = tensor.getInfo().getShape();
      boolean isPooled = manifest.pooling() == EncoderManifest.Pooling.NONE;
      long[] expected =
          isPooled
              ? new long[] {rows.size(), manifest.dim()}
              : new long[] {rows.size(), length, manifest.dim()};
      if (!Arrays.equals(shape, expected)) {
        throw new ModelProblem(
            FAULT,
            "the model's output has the form "
                + Arrays.toString(shape)
                + ", expected "
                + Arrays.toString(expected));
      }
      FloatBuffer values = tensor.getFloatBuffer();
      List<float[]> vectors = new ArrayList<>(rows.size());
      for (int i = 0; i < rows.size(); i++) {
        int at = Math.toIntExact((long) i * manifest.dim() * (isPooled ? 1 : length));
        vectors.add(vector(values, at, rows.get(i).length()));
      }
      return vectors;
    } catch (OrtException e) {
      throw new ModelProblem(FAULT, "the model cannot be run: " + e.getMessage());
    }
  }

  /** One text's vector; sums are taken in order and in double, the same on every machine. */
  private float[] vector(FloatBuffer values, int at, int tokens) {
    int dim = manifest.dim();
    float[] vector = new float[dim];
    switch (manifest.pooling()) {
      case NONE, CLS -> values.get(at, vector);
      case MEAN -> {
        double[] sums = new double[dim];
        for (int token = 0; token < tokens; token++) {
          int from = at + token * dim;
          for (int i = 0; i < dim; i++) {
            sums[i] += values.get(from + i);
          }
        }
        for (int i = 0; i < dim; i++) {
          vector[i] = (float) (sums[i] / tokens);
        }
      }
    }
    if (manifest.normalizes()) {
      normalize(vector);
    }
    return vector;
  }

  private static void normalize(float[] vector) {
    double sum = 0.0;
    for (float x : vector) {
      sum += (double) x * x;
    }
    double norm = Math.sqrt(sum);
    if (norm > 0.0) {
      for (int i = 0; i < vector.length; i++) {
        vector[i] = (float) (vector[i] / norm);
      }
    }
  }

  @Override
  public boolean stillWorks() {
    try {
      return Arrays.equals(probe, run(List.of(read(PROBE))).getFirst());
    } catch (ModelProblem | RuntimeException _) {
      return false;
    }
  }

  @Override
  public void close() {
    try {
      session.close();
    } catch (OrtException e) {
      throw new IllegalStateException("the session cannot be closed", e);
    }
  }
}
