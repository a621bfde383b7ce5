package dev.parlance.onnx;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.TensorInfo;
import dev.parlance.onnx.EntailmentManifest.Label;
import dev.parlance.onnx.EntailmentManifest.Tokenizer;
import dev.parlance.onnx.ModelFiles.FolderFiles;
import dev.parlance.onnx.TextInput.Row;
import dev.parlance.policy.signal.EntailmentScores;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A classifier that reads two texts and says whether the second one follows from the first: a model
 * in ONNX Runtime with its tokenizer.
 *
 * <p>One pair a run: models with integer weights give a text other numbers when others run beside
 * it. For any number of threads, until it is closed.
 */
public final class EntailmentModel implements PairClassifier {
  private static final ModelFault FAULT = ModelFault.BAD_MODEL;
  private static final String LOGITS = "logits";
  private static final long[] SHAPE = {1, Label.values().length};

  private final OrtSession session;
  private final EntailmentManifest manifest;
  private final String manifestSha256;
  private final WordPiece tokenizer;
  private final Set<String> inputs;
  private final String output;

  private EntailmentModel(
      OrtSession session, EntailmentManifest manifest, String manifestSha256, WordPiece tokenizer)
      throws ModelProblem, OrtException {
    this.session = session;
    this.manifest = manifest;
    this.manifestSha256 = manifestSha256;
    this.tokenizer = tokenizer;
    inputs =
        OnnxColumns.inputs(
            session,
            Set.of(OnnxColumns.TOKEN_IDS),
            Set.of(OnnxColumns.TOKEN_IDS, OnnxColumns.MASK, OnnxColumns.TYPES));
    output = output(session.getOutputInfo(), manifest.output());
  }

  /**
   * Loads the model of a folder and tries it on its longest input and on a pair of sentences.
   *
   * @throws ModelProblem if a file is missing, is another one than the manifest binds, or cannot be
   *     used as the manifest says
   */
  public static EntailmentModel load(Path dir) throws ModelProblem {
    FolderFiles files = new FolderFiles(dir);
    try (Arena arena = Arena.ofConfined()) {
      ByteBuffer bytes = files.read(EntailmentManifest.NAME, ModelFiles.MAX_MANIFEST, arena);
      EntailmentManifest manifest = EntailmentManifest.read(ModelFiles.copied(bytes));
      WordPiece tokenizer = tokenizer(files, manifest, arena);
      ByteBuffer model =
          files.checked(
              EntailmentManifest.MODEL,
              manifest.files().get(EntailmentManifest.MODEL),
              ModelFiles.MAX_MODEL,
              arena);
      return open(model, manifest, ModelFiles.sha256(bytes), tokenizer);
    } catch (OrtException e) {
      throw new ModelProblem(FAULT, "the model cannot be loaded: " + e.getMessage());
    } catch (OutOfMemoryError e) {
      throw new ModelProblem(
          ModelFault.TOO_LARGE, "there is not enough memory for the model: " + e.getMessage());
    }
  }

  private static WordPiece tokenizer(FolderFiles files, EntailmentManifest manifest, Arena arena)
      throws ModelProblem {
    Tokenizer kind = manifest.tokenizer();
    byte[] bytes =
        ModelFiles.copied(
            files.checked(
                kind.file(), manifest.files().get(kind.file()), ModelFiles.MAX_TOKENIZER, arena));
    return switch (kind) {
      case JSON -> TokenizerFile.ofPairs(bytes, manifest.maxTokens());
      case VOCABULARY -> TokenizerFile.ofVocabulary(bytes, manifest.lowers(), manifest.maxTokens());
    };
  }

  private static EntailmentModel open(
      ByteBuffer bytes, EntailmentManifest manifest, String manifestSha256, WordPiece tokenizer)
      throws ModelProblem, OrtException {
    OrtSession session = OnnxRuntime.open(bytes);
    boolean isGood = false;
    try {
      EntailmentModel model = new EntailmentModel(session, manifest, manifestSha256, tokenizer);
      EntailmentScores _ = model.run(tokenizer.longest());
      if (model.classify("A door is open.", "The door is not closed.").isEmpty()) {
        throw new ModelProblem(
            ModelFault.BAD_MANIFEST, "maxTokens: there is no room for two short sentences");
      }
      isGood = true;
      return model;
    } finally {
      if (!isGood) {
        session.close();
      }
    }
  }

  private static String output(Map<String, NodeInfo> found, Optional<String> named)
      throws ModelProblem {
    String name = named.orElse(found.size() == 1 ? found.keySet().iterator().next() : LOGITS);
    NodeInfo node = found.get(name);
    if (node == null) {
      throw new ModelProblem(
          FAULT,
          "the model's outputs are "
              + new TreeSet<>(found.keySet())
              + ", expected "
              + name
              + "; the manifest can name another");
    }
    if (!(node.getInfo() instanceof TensorInfo tensor)
        || tensor.type != OnnxJavaType.FLOAT
        || tensor.getShape().length != SHAPE.length
        || (tensor.getShape()[1] != -1 && tensor.getShape()[1] != SHAPE[1])) {
      throw new ModelProblem(
          FAULT,
          "the model's output "
              + name
              + " is "
              + node.getInfo()
              + ", expected FLOAT with one row of "
              + SHAPE[1]
              + " numbers for each pair");
    }
    return name;
  }

  /** What its manifest calls it. */
  public String id() {
    return manifest.id();
  }

  /** Hex SHA-256 of its manifest, which binds every file of it. */
  public String manifestSha256() {
    return manifestSha256;
  }

  @Override
  public Optional<EntailmentScores> classify(String evidence, String claim) throws ModelProblem {
    Optional<Row> row = tokenizer.read(evidence, claim);
    return row.isEmpty() ? Optional.empty() : Optional.of(run(row.get()));
  }

  private EntailmentScores run(Row row) throws ModelProblem {
    try (OnnxColumns columns =
            OnnxColumns.of(OnnxRuntime.environment(), inputs, List.of(row), row.length());
        OrtSession.Result result = session.run(columns.tensors(), Set.of(output))) {
      if (!(result.get(0) instanceof OnnxTensor tensor)
          || !Arrays.equals(tensor.getInfo().getShape(), SHAPE)) {
        throw new ModelProblem(FAULT, "the model's output is no row of " + SHAPE[1] + " numbers");
      }
      return scores(tensor.getFloatBuffer());
    } catch (OrtException e) {
      throw new ModelProblem(FAULT, "the model cannot be run: " + e.getMessage());
    }
  }

  /** Logits to likelihoods. */
  private EntailmentScores scores(FloatBuffer logits) throws ModelProblem {
    double[] weights = new double[Label.values().length];
    double largest = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < weights.length; i++) {
      weights[i] = logits.get(i);
      if (!Double.isFinite(weights[i])) {
        throw new ModelProblem(FAULT, "the model's output is not finite");
      }
      largest = Math.max(largest, weights[i]);
    }
    double sum = 0.0;
    for (int i = 0; i < weights.length; i++) {
      weights[i] = StrictMath.exp(weights[i] - largest);
      sum += weights[i];
    }
    return new EntailmentScores(
        weights[manifest.labels().indexOf(Label.ENTAILMENT)] / sum,
        weights[manifest.labels().indexOf(Label.NEUTRAL)] / sum,
        weights[manifest.labels().indexOf(Label.CONTRADICTION)] / sum);
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
