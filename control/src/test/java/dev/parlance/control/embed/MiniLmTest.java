package dev.parlance.control.embed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.parlance.control.config.ControlConfigLoader;
import dev.parlance.control.config.RoundsSettings.EncoderChoice;
import dev.parlance.control.embed.Embedder.Embedding;
import dev.parlance.control.embed.Embedder.EncoderListener;
import dev.parlance.control.embed.EncoderStatus.EncoderInfo;
import dev.parlance.control.testing.PublicMiniLm;
import dev.parlance.onnx.ModelFault;
import dev.parlance.service.config.ConfigResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code encoder: minilm} with the files as they are published. */
final class MiniLmTest {
  @TempDir private static Path files = Path.of("");
  private static Embedder embedder = Embedders.open(new EncoderChoice.Off(), 1, 1, listener());

  @BeforeAll
  static void open() throws Exception {
    embedder = Embedders.open(PublicMiniLm.in(files), 2, 64, listener());
  }

  @AfterAll
  static void close() {
    embedder.close();
  }

  private static EncoderListener listener() {
    return EncoderListener.NONE;
  }

  private static float[] vector(String text) {
    return switch (embedder.embed(text).toCompletableFuture().join()) {
      case Embedding.Encoded(float[] vector) -> vector;
      case Embedding.Refused refused -> throw new AssertionError(refused.toString());
    };
  }

  private static double cosine(String one, String other) {
    float[] a = vector(one);
    float[] b = vector(other);
    return IntStream.range(0, a.length).mapToDouble(i -> (double) a[i] * b[i]).sum();
  }

  @Test
  void oneLineOfTheConfigurationNamesIt() {
    var read = ControlConfigLoader.parse("rounds: {encoder: minilm}", Path.of("/etc/parlance"));
    assertThat(read)
        .isInstanceOfSatisfying(
            ConfigResult.Loaded.class,
            loaded ->
                assertThat(String.valueOf(loaded.config()))
                    .contains("encoder=" + EncoderChoice.MiniLm.installed()));
  }

  @Test
  void itIsWhatItsManifestSays() {
    assertThat(embedder.status()).isInstanceOf(EncoderStatus.Ready.class);
    if (embedder.status() instanceof EncoderStatus.Ready(EncoderInfo info)) {
      assertThat(info.id()).isEqualTo("all-MiniLM-L6-v2");
      assertThat(info.dim()).isEqualTo(384);
      // Its cosines do not tell a turned meaning from a paraphrase.
      assertThat(info.cosMin()).isEmpty();
      assertThat(info.topicCosMin()).isPresent();
    }
  }

  /** The cosines that are published for the encoder's example. */
  @Test
  void itsVectorsAreThoseOfThePublishedEncoder() {
    String happy = "That is a happy person";
    assertThat(cosine(happy, "That is a happy dog")).isCloseTo(0.695, within(0.001));
    assertThat(cosine(happy, "That is a very happy person")).isCloseTo(0.943, within(0.001));
    assertThat(cosine(happy, "Today is a sunny day")).isCloseTo(0.257, within(0.001));
  }

  @Test
  void aTextHasOneVector_aloneAmongOthersAndFromEveryThread() {
    List<String> texts =
        IntStream.range(0, 24)
            .mapToObj(i -> "The pump " + "of the upper station ".repeat(i % 7) + "failed.")
            .toList();
    List<float[]> alone = texts.stream().map(MiniLmTest::vector).toList();
    List<Embedding> together = embedder.embed(texts).toCompletableFuture().join();
    for (int i = 0; i < texts.size(); i++) {
      assertThat(together.get(i)).isInstanceOf(Embedding.Encoded.class);
      if (together.get(i) instanceof Embedding.Encoded(float[] vector)) {
        assertThat(vector).isEqualTo(alone.get(i));
      }
    }
  }

  @Test
  void withoutItsFiles_itSaysHowToGetThem(@TempDir Path empty) {
    try (Embedder none =
        Embedders.open(new EncoderChoice.MiniLm(empty), 1, 1, EncoderListener.NONE)) {
      assertThat(none.status()).isInstanceOf(EncoderStatus.Failed.class);
      if (none.status() instanceof EncoderStatus.Failed(ModelFault fault, String detail)) {
        assertThat(fault).isEqualTo(ModelFault.UNREADABLE);
        assertThat(detail).contains("is not there", "bin/minilm");
      }
    }
  }

  @Test
  void anotherModelInItsPlace_isRefused(@TempDir Path other) throws Exception {
    Files.copy(files.resolve("tokenizer.json"), other.resolve("tokenizer.json"));
    Files.write(other.resolve("model.onnx"), new byte[] {1, 2, 3});
    try (Embedder none =
        Embedders.open(new EncoderChoice.MiniLm(other), 1, 1, EncoderListener.NONE)) {
      assertThat(Optional.of(none.status()))
          .get()
          .isInstanceOfSatisfying(
              EncoderStatus.Failed.class,
              failed -> assertThat(failed.fault()).isEqualTo(ModelFault.DIGEST_DIFFERS));
    }
  }
}
