package dev.parlance.encoder.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.encoder.BuiltInModel;
import dev.parlance.encoder.NgramInput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TrainerTest {
  private static final Path LICENCE = Path.of("../LICENSE");
  private static final String TEXTS = "src/test/resources/dev/parlance/encoder/train";
  private static final Path STAMP = Path.of(TEXTS, "trained-from.sha256");
  private static final NgramInput INPUT = new NgramInput(NgramInput.FORM, 2_048, 128);

  @Test
  void theLossFalls() throws Exception {
    TrainingCorpus.Training training = TrainingCorpus.read(LICENCE).training(3);
    Trainer trainer = new Trainer(new Weights(2_048, 32, 3), INPUT);
    double first = 0.0;
    double last = 0.0;
    for (int i = 0; i < 1_500; i++) {
      double loss = trainer.learn(training.next());
      first += i < 300 ? loss : 0.0;
      last += i >= 1_200 ? loss : 0.0;
    }

    assertThat(last).isLessThan(0.85 * first);
  }

  @Test
  void theSameSeedGivesTheSameTable() throws Exception {
    TrainingCorpus corpus = TrainingCorpus.read(LICENCE);

    assertThat(BuildModel.train(corpus, INPUT, 100).values())
        .isEqualTo(BuildModel.train(corpus, INPUT, 100).values());
  }

  @Test
  void aRowInEightBitsIsNearWhatItWas() {
    float[] table = {0.5f, -1.0f, 0.25f, 0.0f, 0.0f, 0.0f};
    OnnxFile.QuantTable quantised = OnnxFile.QuantTable.of(table, 2, 3);

    for (int i = 0; i < table.length; i++) {
      float back = quantised.values()[i] * quantised.scales()[i / 3];
      assertThat(Math.abs(back - table[i])).isLessThanOrEqualTo(0.5f / 127);
    }
    assertThat(quantised.values()[1]).isEqualTo((byte) -127);
  }

  /**
   * Trains for some 15 seconds, so only where what it trains from or the model has changed since
   * that was done here, and always in continuous integration; docs/encoder-card.md says how to make
   * the files anew.
   */
  @Test
  void theCheckedInModelIsWhatTheTrainerMakes_toTheByte() throws Exception {
    String inputs = digestOfInputs();
    if ("true".equals(System.getenv("CI")) || !Files.readString(STAMP).strip().equals(inputs)) {
      Map<String, byte[]> trained = BuildModel.files(LICENCE);

      assertThat(trained).containsOnlyKeys(BuiltInModel.MODEL, BuiltInModel.MANIFEST);
      for (Map.Entry<String, byte[]> file : trained.entrySet()) {
        assertThat(Arrays.equals(BuiltInModel.file(file.getKey()), file.getValue()))
            .as("%s is what these texts, this licence and this trainer make", file.getKey())
            .isTrue();
      }
      assertThat(STAMP)
          .as("the model is up to date; write the digest of what it was made from there")
          .content()
          .isEqualTo(inputs + "\n");
    }
  }

  /** Of the trainer with all that it reads, and of the files it made. */
  private static String digestOfInputs() throws IOException {
    List<Path> files = new ArrayList<>(List.of(LICENCE));
    for (String folder : List.of("src/main", "src/test/java/dev/parlance/encoder/train", TEXTS)) {
      try (Stream<Path> found = Files.walk(Path.of(folder))) {
        found
            .filter(Files::isRegularFile)
            .filter(file -> !file.toString().endsWith("Test.java") && !file.equals(STAMP))
            .sorted()
            .forEach(files::add);
      }
    }
    StringBuilder digests = new StringBuilder();
    for (Path file : files) {
      digests.append(file).append(' ');
      digests.append(BuildModel.ModelManifest.sha256(Files.readAllBytes(file))).append('\n');
    }
    return BuildModel.ModelManifest.sha256(digests.toString().getBytes(StandardCharsets.UTF_8));
  }
}
