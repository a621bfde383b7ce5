package dev.parlance.encoder.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.encoder.BuiltInModel;
import java.io.FileNotFoundException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BuiltModelTest {
  @Test
  void theManifestNamesTheFormTheModelAndItsDigest_andTheCardTheDigest() throws Exception {
    String manifest = new String(BuiltInModel.file(BuiltInModel.MANIFEST), StandardCharsets.UTF_8);
    byte[] model = BuiltInModel.file(BuiltInModel.MODEL);

    assertThat(manifest)
        .contains("\"format\": \"parlance-encoder-1\"")
        .contains("\"id\": \"parlance-ngram-1\"")
        .contains("\"dim\": 128")
        .contains(
            "\"files\": {\"model.onnx\": \"" + BuildModel.ModelManifest.sha256(model) + "\"}");
    assertThat(model).hasSizeLessThan(5 << 20);
    assertThat(Path.of("../docs/encoder-card.md"))
        .content()
        .contains("`" + BuildModel.ModelManifest.sha256(model) + "`");
  }

  @Test
  void aFileThatTheBuildDidNotMakeIsMissingByName() {
    assertThatThrownBy(() -> BuiltInModel.file("tokenizer.json"))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContaining("tokenizer.json");
  }

  @Test
  void aTextHasTheSameUnitVectorAloneAndInBatchesOfAnyShapeToTheLastBit() throws Exception {
    List<String> texts = texts();
    SplittableRandom random = new SplittableRandom(3);
    try (TestModel model = TestModel.builtIn()) {
      List<float[]> alone = new ArrayList<>();
      for (String text : texts) {
        alone.add(model.embed(text));
      }
      for (int round = 0; round < 40; round++) {
        List<Integer> picked = random.ints(random.nextInt(1, 17), 0, texts.size()).boxed().toList();
        float[][] batch = model.embed(picked.stream().map(texts::get).toList());
        for (int i = 0; i < batch.length; i++) {
          assertThat(batch[i])
              .as(texts.get(picked.get(i)))
              .containsExactly(alone.get(picked.get(i)));
        }
      }
      for (float[] vector : alone) {
        double squares = 0.0;
        for (float x : vector) {
          squares += (double) x * x;
        }
        assertThat(squares).isBetween(0.9999, 1.0001);
      }
    }
  }

  @Test
  void whatTheGraphComputesIsWhatTheThresholdWasChosenWith() throws Exception {
    SplittableRandom random = new SplittableRandom(9);
    float[] rows = new float[BuildModel.ROWS * BuildModel.DIM];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = (float) random.nextDouble(-1.0, 1.0);
    }
    OnnxFile.QuantTable table = OnnxFile.QuantTable.of(rows, BuildModel.ROWS, BuildModel.DIM);
    String text = "The licensee must keep the notice for at least thirty (30) days.";
    try (TestModel model = new TestModel(OnnxFile.of(table))) {
      float[] vector = model.embed(text);
      float[] sum =
          BuildModel.sum(table, OnnxFile.scaledUp(table.scales()), TestModel.INPUT.features(text));
      double length = 0.0;
      for (float x : sum) {
        length += (double) x * x;
      }
      for (int k = 0; k < sum.length; k++) {
        assertThat((double) vector[k])
            .isCloseTo(sum[k] / Math.sqrt(length), org.assertj.core.data.Offset.offset(1e-6));
      }
    }
  }

  @Test
  void aTextWithoutAWordHasNoDirection() throws Exception {
    try (TestModel model = TestModel.builtIn()) {
      for (String text : List.of("", "  \n", "...", "\uD800")) {
        for (float x : model.embed(text)) {
          assertThat(x == 0.0f || Float.isNaN(x)).as(text).isTrue();
        }
      }
    }
  }

  /** Of one word, of some, and of more than are read. */
  private static List<String> texts() {
    List<String> texts = new ArrayList<>(List.of("Zebra", "30 days"));
    SplittableRandom random = new SplittableRandom(5);
    for (int words = 2; words < 700; words += 23) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < words; i++) {
        text.append((char) ('a' + random.nextInt(26))).append(random.nextInt(50)).append("ab ");
        text.append(i % 7 == 0 ? ". " : "");
      }
      texts.add(text.toString());
    }
    return texts;
  }
}
