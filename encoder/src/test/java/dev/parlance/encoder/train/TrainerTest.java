package dev.parlance.encoder.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.encoder.NgramInput;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrainerTest {
  private static final NgramInput INPUT = new NgramInput(NgramInput.FORM, 2_048, 128);

  @Test
  void theLossFalls() throws Exception {
    TrainingCorpus.Training training = TrainingCorpus.read(Path.of("../LICENSE")).training(3);
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
    TrainingCorpus corpus = TrainingCorpus.read(Path.of("../LICENSE"));

    assertThat(BuildModel.train(corpus, INPUT, 100).values())
        .isEqualTo(BuildModel.train(corpus, INPUT, 100).values());
  }

  @Test
  void aRowInEightBitsIsNearWhatItWas() {
    float[] table = {0.5f, -1.0f, 0.25f, 0.0f, 0.0f, 0.0f};
    QuantTable quantised = QuantTable.of(table, 2, 3);

    for (int i = 0; i < table.length; i++) {
      float back = quantised.values()[i] * quantised.scales()[i / 3];
      assertThat(Math.abs(back - table[i])).isLessThanOrEqualTo(0.5f / 127);
    }
    assertThat(quantised.values()[1]).isEqualTo((byte) -127);
  }

  @Test
  void theBuildStepDoesNothingIfNothingChangedAndEverythingIfATextDid(@TempDir Path folder)
      throws Exception {
    Path licence = Files.copy(Path.of("../LICENSE"), folder.resolve("LICENSE"));
    Path model = folder.resolve("dev/parlance/encoder/model");
    Files.createDirectories(model);
    Files.writeString(model.resolve("manifest.json"), "{}");
    Files.writeString(model.resolve("model.onnx"), "");
    Files.writeString(model.resolve("made-of"), BuildModel.digest(licence, folder));
    FileTime before = Files.getLastModifiedTime(model.resolve("made-of"));

    BuildModel.main(new String[] {licence.toString(), folder.toString()});

    assertThat(Files.readString(model.resolve("manifest.json"))).isEqualTo("{}");
    assertThat(Files.getLastModifiedTime(model.resolve("made-of"))).isEqualTo(before);
    String digest = BuildModel.digest(licence, folder);
    Files.writeString(licence, "changed", java.nio.file.StandardOpenOption.APPEND);
    assertThat(BuildModel.digest(licence, folder)).isNotEqualTo(digest);
  }
}
