package dev.parlance.control.round;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.control.config.RoundsSettings.ReaderSettings;
import dev.parlance.control.round.PairReader.Reading;
import dev.parlance.onnx.ModelFault;
import dev.parlance.onnx.ModelProblem;
import dev.parlance.onnx.PairClassifier;
import dev.parlance.onnx.testing.ClassifierFolder;
import dev.parlance.policy.signal.EntailmentScores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PairReaderTest {
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);

  @TempDir private Path dir;

  private static ReaderSettings settings(Path dir) {
    return new ReaderSettings(dir, 60_000, 0.9);
  }

  private static Reading read(PairReader reader, String one, String other) {
    return reader.read(one, other, System.nanoTime() + PATIENCE_NS);
  }

  /** A classifier that says of two texts what a test wants, one way. */
  private record Says(EntailmentScores forth, EntailmentScores back) implements PairClassifier {
    @Override
    public Optional<EntailmentScores> classify(String evidence, String claim) {
      return Optional.of(evidence.compareTo(claim) < 0 ? forth : back);
    }

    @Override
    public void close() {}
  }

  @ParameterizedTest
  @CsvSource({
    ".95, .01, .95, .01, SAME",
    ".95, .01, .60, .01, OPEN",
    ".95, .01, .01, .95, CONTRADICTED",
    ".01, .95, .95, .01, CONTRADICTED",
    ".40, .40, .40, .40, OPEN",
  })
  void wordCounts_whereItIsCertain_andEntailmentOnlyBothWays(
      double entails, double contradicts, double entailsBack, double contradictsBack, Reading word)
      throws Exception {
    Says says =
        new Says(
            new EntailmentScores(entails, 0, contradicts),
            new EntailmentScores(entailsBack, 0, contradictsBack));
    try (PairReader reader = new PairReader(says, "00", settings(dir))) {
      assertThat(read(reader, "a", "b")).isEqualTo(word);
      assertThat(read(reader, "b", "a")).isEqualTo(word);
    }
  }

  @Test
  void model_isReadFromItsFolder_andSaysNothingOfWhatIsTooLong() throws Exception {
    try (PairReader reader = PairReader.open(settings(ClassifierFolder.at(dir)))) {
      assertThat(reader.manifestSha256()).isEqualTo(ClassifierFolder.sha256(dir, "manifest.json"));
      assertThat(read(reader, "both parties keep a copy hello", "hello")).isEqualTo(Reading.SAME);
      assertThat(read(reader, "both parties", "zz")).isEqualTo(Reading.CONTRADICTED);
      assertThat(read(reader, "both parties", "a copy")).isEqualTo(Reading.OPEN);
      assertThat(read(reader, "hello " + "copy ".repeat(40), "hello")).isEqualTo(Reading.OPEN);
    }
  }

  @Test
  void folderThatIsNotAsItsManifestSays_isRefused() throws Exception {
    Files.write(ClassifierFolder.at(dir).resolve("model.onnx"), new byte[] {1});
    assertThatThrownBy(() -> PairReader.open(settings(dir)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("rounds.reader: digest_differs");
  }

  @Test
  void whatIsNotThereInTime_isLate_andWhatFailsIsBroken() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    PairClassifier held =
        new PairClassifier() {
          @Override
          public Optional<EntailmentScores> classify(String evidence, String claim)
              throws ModelProblem {
            try {
              gate.await();
            } catch (InterruptedException _) {
              Thread.currentThread().interrupt();
            }
            throw new ModelProblem(ModelFault.BAD_MODEL, "it broke");
          }

          @Override
          public void close() {}
        };
    try (PairReader reader = new PairReader(held, "00", settings(dir))) {
      assertThat(reader.read("a", "b", System.nanoTime())).isEqualTo(Reading.LATE);
      gate.countDown();
      assertThat(read(reader, "a", "b")).isEqualTo(Reading.BROKEN);
    }
  }
}
