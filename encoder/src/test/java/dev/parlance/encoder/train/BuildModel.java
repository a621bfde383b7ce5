package dev.parlance.encoder.train;

import dev.parlance.encoder.BuiltInModel;
import dev.parlance.encoder.NgramInput;
import dev.parlance.encoder.NgramInput.NgramFeatures;
import dev.parlance.encoder.train.Item.Difference;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * The trainer's program: {@code BuildModel LICENSE FOLDER} trains the model and writes its files to
 * the folder. They are checked in; a test trains again and compares. The same inputs give the same
 * bytes, on every machine.
 */
public final class BuildModel {
  static final String ID = BuiltInModel.ID;
  static final int ROWS = 32_768;
  static final int DIM = 128;
  static final int MAX_TOKENS = 512;

  private static final int ITEMS = 24_000;
  private static final long SEED = 20_261;

  /**
   * Of the pairs of the middle part that look alike and say something else, at most this share may
   * be held to say the same.
   */
  private static final double MOST_MISTAKEN = 0.04;

  private BuildModel() {}

  /** Trains and writes. */
  public static void main(String[] args) throws IOException {
    if (args.length != 2) {
      throw new IllegalArgumentException("expected: BuildModel LICENSE FOLDER");
    }
    Path folder = Files.createDirectories(Path.of(args[1]));
    for (Map.Entry<String, byte[]> file : files(Path.of(args[0])).entrySet()) {
      Files.write(folder.resolve(file.getKey()), file.getValue());
    }
  }

  /** Trains; the files of the model by name. */
  static Map<String, byte[]> files(Path licence) throws IOException {
    TrainingCorpus corpus = TrainingCorpus.read(licence);
    NgramInput input = new NgramInput(NgramInput.FORM, ROWS, MAX_TOKENS);
    OnnxFile.QuantTable table = train(corpus, input, ITEMS);
    byte[] onnx = OnnxFile.of(table);
    float[] scales = OnnxFile.scaledUp(table.scales());
    double cosMin =
        cosMin(HeldOut.of(corpus, Split.DEV), text -> sum(table, scales, input.features(text)));
    return Map.of(
        BuiltInModel.MODEL,
        onnx,
        BuiltInModel.MANIFEST,
        new ModelManifest(ID, DIM, input, cosMin).json(onnx));
  }

  /** Trains on so many items. */
  static OnnxFile.QuantTable train(TrainingCorpus corpus, NgramInput input, int items) {
    Weights weights = new Weights(input.rows(), DIM, SEED);
    Trainer trainer = new Trainer(weights, input);
    TrainingCorpus.Training training = corpus.training(SEED);
    for (int i = 0; i < items; i++) {
      trainer.learn(training.next());
    }
    return OnnxFile.QuantTable.of(weights.modelTable(), input.rows(), DIM);
  }

  /**
   * The threshold, rounded up to hundredths: the least at which at most {@link #MOST_MISTAKEN} of
   * the look-alikes of one and two sentences reach it.
   */
  static double cosMin(HeldOut dev, HeldOut.Encoder encoder) {
    List<Double> lookAlikes = new ArrayList<>();
    for (Difference difference : Difference.values()) {
      if (difference != Difference.TOPIC) {
        lookAlikes.addAll(dev.cosines("1 other, " + difference, encoder));
        lookAlikes.addAll(dev.cosines("2 other, " + difference, encoder));
      }
    }
    lookAlikes.sort(null);
    int allowed = (int) (lookAlikes.size() * MOST_MISTAKEN);
    double least = lookAlikes.get(lookAlikes.size() - 1 - allowed);
    return (Math.floor(least * 100.0) + 1.0) / 100.0;
  }

  /** What the graph computes, before its length is brought to one. */
  static float[] sum(OnnxFile.QuantTable table, float[] scales, NgramFeatures features) {
    double[] sum = new double[table.dim()];
    for (int i = 0; i < features.ids().length; i++) {
      int row = (int) features.ids()[i];
      double factor = Math.rint(features.weights()[i] * scales[row]);
      for (int k = 0; k < sum.length; k++) {
        sum[k] += factor * table.values()[row * table.dim() + k];
      }
    }
    float[] rounded = new float[sum.length];
    for (int k = 0; k < sum.length; k++) {
      rounded[k] = (float) sum[k];
    }
    return rounded;
  }

  /**
   * The manifest of a model of this module: what it is, how texts get into it, and the digest of
   * its file.
   *
   * @param id of the encoder
   * @param dim length of its vectors
   * @param input how texts get into it
   * @param cosMin least cosine of texts that say the same
   */
  record ModelManifest(String id, int dim, NgramInput input, double cosMin) {
    /** Writes the manifest of that graph. */
    byte[] json(byte[] onnx) {
      String text =
          """
          {
            "format": "parlance-encoder-1",
            "id": "%s",
            "dim": %d,
            "tokenizer": "ngram",
            "pooling": "none",
            "maxTokens": %d,
            "cosMin": %s,
            "ngram": {"form": "%s", "rows": %d},
            "files": {"%s": "%s"}
          }
          """
              .formatted(
                  id,
                  dim,
                  input.maxTokens(),
                  Double.toString(cosMin),
                  input.form(),
                  input.rows(),
                  BuiltInModel.MODEL,
                  sha256(onnx));
      return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Hex SHA-256. */
    static String sha256(byte[] bytes) {
      try {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("every JDK has SHA-256", e);
      }
    }
  }
}
