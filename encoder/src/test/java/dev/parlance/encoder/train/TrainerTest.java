package dev.parlance.encoder.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.encoder.BuiltInModel;
import dev.parlance.encoder.NgramInput;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

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
    OnnxFile.QuantTable quantised = OnnxFile.QuantTable.of(table, 2, 3);

    for (int i = 0; i < table.length; i++) {
      float back = quantised.values()[i] * quantised.scales()[i / 3];
      assertThat(Math.abs(back - table[i])).isLessThanOrEqualTo(0.5f / 127);
    }
    assertThat(quantised.values()[1]).isEqualTo((byte) -127);
  }

  /** Trains for some 15 seconds; docs/encoder-card.md says how to make the files anew. */
  @Test
  void theCheckedInModelIsWhatTheTrainerMakes_toTheByte() throws Exception {
    Map<String, byte[]> trained = BuildModel.files(Path.of("../LICENSE"));

    assertThat(trained).containsOnlyKeys(BuiltInModel.MODEL, BuiltInModel.MANIFEST);
    for (Map.Entry<String, byte[]> file : trained.entrySet()) {
      assertThat(Arrays.equals(BuiltInModel.file(file.getKey()), file.getValue()))
          .as("%s is what these texts, this licence and this trainer make", file.getKey())
          .isTrue();
    }
  }
}
