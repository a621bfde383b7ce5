package dev.parlance.encoder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class BuiltInModelTest {
  @Test
  void theManifestNamesTheFormTheModelAndItsDigest() throws Exception {
    String manifest = new String(BuiltInModel.file(BuiltInModel.MANIFEST), StandardCharsets.UTF_8);
    byte[] model = BuiltInModel.file(BuiltInModel.MODEL);
    String digest = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(model));

    assertThat(manifest)
        .contains("\"format\": \"parlance-encoder-1\"")
        .contains("\"id\": \"parlance-ngram-1\"")
        .contains("\"files\": {\"model.onnx\": \"" + digest + "\"}");
    assertThat(model).hasSizeLessThan(5 << 20);
  }

  @Test
  void aFileThatTheBuildDidNotMakeIsMissingByName() {
    assertThatThrownBy(() -> BuiltInModel.file("tokenizer.json"))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContaining("tokenizer.json");
  }

  @Test
  void theModelGivesUnitVectorsAloneAndInABatchToTheLastBit() throws Exception {
    List<String> texts =
        List.of(
            "The licensee must keep the notice.",
            "Derivative works may be sold for 30 euros, and within ten days at most, it says.",
            "Zebra");
    try (TestModel model = TestModel.builtIn()) {
      float[][] batch = model.embed(texts);
      for (int i = 0; i < texts.size(); i++) {
        float[] alone = model.embed(List.of(texts.get(i)))[0];
        double squares = 0.0;
        for (float x : alone) {
          squares += (double) x * x;
        }

        assertThat(batch[i]).as(texts.get(i)).containsExactly(alone);
        assertThat(squares).isBetween(0.9999, 1.0001);
      }
    }
  }
}
