package dev.parlance.encoder.train;

import dev.parlance.encoder.BuiltInModel;
import dev.parlance.encoder.NgramInput;
import dev.parlance.encoder.NgramInput.NgramFeatures;
import dev.parlance.encoder.train.Item.Difference;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The build step: {@code BuildModel LICENSE CLASSES} trains the model and writes its files to
 * {@code CLASSES/dev/parlance/encoder/model}. It does nothing if they are there and were made of
 * the same classes, texts and licence. The same inputs give the same bytes, on every machine.
 */
public final class BuildModel {
  static final String ID = "parlance-ngram-1";
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

  private static final String PACKAGE = "dev/parlance/encoder";
  private static final String MADE_OF = "made-of";

  private BuildModel() {}

  /** Builds. */
  public static void main(String[] args) throws IOException {
    if (args.length != 2) {
      throw new IllegalArgumentException("expected: BuildModel LICENSE CLASSES");
    }
    Path licence = Path.of(args[0]);
    Path classes = Path.of(args[1]);
    Path folder = classes.resolve(PACKAGE).resolve("model");
    String madeOf = digest(licence, classes);
    if (upToDate(folder, madeOf)) {
      return;
    }
    Files.createDirectories(folder);
    Files.deleteIfExists(folder.resolve(MADE_OF));
    TrainingCorpus corpus = TrainingCorpus.read(licence);
    NgramInput input = new NgramInput(NgramInput.FORM, ROWS, MAX_TOKENS);
    QuantTable table = train(corpus, input, ITEMS);
    byte[] onnx = OnnxFile.of(table);
    float[] scales = OnnxFile.scaledUp(table.scales());
    double cosMin =
        cosMin(HeldOut.of(corpus, Split.DEV), text -> sum(table, scales, input.features(text)));
    write(folder.resolve(BuiltInModel.MODEL), onnx);
    write(
        folder.resolve(BuiltInModel.MANIFEST),
        new ModelManifest(ID, DIM, input, cosMin).json(onnx));
    write(folder.resolve(MADE_OF), madeOf.getBytes(StandardCharsets.UTF_8));
  }

  /** Trains on so many items. */
  static QuantTable train(TrainingCorpus corpus, NgramInput input, int items) {
    Weights weights = new Weights(input.rows(), DIM, SEED);
    Trainer trainer = new Trainer(weights, input);
    TrainingCorpus.Training training = corpus.training(SEED);
    for (int i = 0; i < items; i++) {
      trainer.learn(training.next());
    }
    return QuantTable.of(weights.modelTable(), input.rows(), DIM);
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
  static float[] sum(QuantTable table, float[] scales, NgramFeatures features) {
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

  private static boolean upToDate(Path folder, String madeOf) throws IOException {
    Path stamp = folder.resolve(MADE_OF);
    return Files.exists(folder.resolve(BuiltInModel.MODEL))
        && Files.exists(folder.resolve(BuiltInModel.MANIFEST))
        && Files.exists(stamp)
        && Files.readString(stamp).equals(madeOf);
  }

  /** Digest of everything that the model is made of: the licence, our classes, the texts. */
  static String digest(Path licence, Path classes) throws IOException {
    StringBuilder all = new StringBuilder(ModelManifest.sha256(Files.readAllBytes(licence)));
    Path made = classes.resolve(PACKAGE).resolve("model");
    try (Stream<Path> files = Files.walk(classes.resolve(PACKAGE))) {
      List<Path> inputs =
          files
              .filter(Files::isRegularFile)
              .filter(file -> !file.startsWith(made))
              .sorted()
              .toList();
      for (Path file : inputs) {
        all.append(' ').append(classes.relativize(file)).append(' ');
        all.append(ModelManifest.sha256(Files.readAllBytes(file)));
      }
    }
    return ModelManifest.sha256(all.toString().getBytes(StandardCharsets.UTF_8));
  }

  /** Whole or not at all. */
  private static void write(Path file, byte[] bytes) throws IOException {
    Path fresh = Path.of(file + ".new");
    Files.write(fresh, bytes);
    Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }
}
