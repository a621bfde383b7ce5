package dev.parlance.encoder.train;

import dev.parlance.encoder.BuiltInModel;
import dev.parlance.encoder.NgramInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;

/**
 * The build step: {@code BuildModel LICENSE CLASSES} trains the model and writes its files to
 * {@code CLASSES/dev/parlance/encoder/model}.
 */
public final class BuildModel {
  private static final int ROWS = 32_768;
  private static final int DIM = 128;
  private static final int MAX_TOKENS = 512;

  private BuildModel() {}

  /** Builds. */
  public static void main(String[] args) throws IOException {
    if (args.length != 2) {
      throw new IllegalArgumentException("expected: BuildModel LICENSE CLASSES");
    }
    Path folder = Path.of(args[1]).resolve("dev/parlance/encoder/model");
    Files.createDirectories(folder);
    SplittableRandom random = new SplittableRandom(1);
    float[] table = new float[ROWS * DIM];
    for (int i = 0; i < table.length; i++) {
      table[i] = (float) random.nextDouble(-1.0, 1.0);
    }
    byte[] onnx = OnnxFile.of(QuantTable.of(table, ROWS, DIM));
    ModelManifest manifest =
        new ModelManifest(
            "parlance-ngram-1", DIM, new NgramInput(NgramInput.FORM, ROWS, MAX_TOKENS), 0.8);
    Files.write(folder.resolve(BuiltInModel.MODEL), onnx);
    Files.write(folder.resolve(BuiltInModel.MANIFEST), manifest.json(onnx));
  }
}
