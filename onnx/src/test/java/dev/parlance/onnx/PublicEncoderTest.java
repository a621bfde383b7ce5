package dev.parlance.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.parlance.onnx.testing.ClassifierFolder;
import dev.parlance.onnx.testing.Graph;
import dev.parlance.policy.signal.EntailmentScores;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A public encoder with weights of eight bits, and its tokenizer, as they are published. It has no
 * head for classes: it gets one of made-up weights, so its scores mean nothing here, but all of the
 * model runs.
 */
final class PublicEncoderTest {
  private static final String NAME = "/all-minilm-l6-v2-q";
  private static final int DIM = 384;
  private static final long CLS = 101;
  private static final long SEP = 102;

  @TempDir static Path temp;

  @BeforeAll
  static void folder() throws IOException {
    Files.write(temp.resolve("model.onnx"), Graph.headed(file(".onnx"), DIM, 3));
    Files.write(temp.resolve("tokenizer.json"), file("-tokenizer.json"));
    ClassifierFolder.seal(temp);
  }

  private static byte[] file(String end) throws IOException {
    try (InputStream in = PublicEncoderTest.class.getResourceAsStream(NAME + end)) {
      if (in == null) {
        throw new IOException("there is no " + NAME + end);
      }
      return in.readAllBytes();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "hello, 7592",
    "Hello World!, 7592 2088 999",
    "the cat is not here., 1996 4937 2003 2025 2182 1012",
    "embeddings, 7861 8270 4667 2015",
    "tokenization, 19204 3989",
    "caf\u00E9, 7668",
    "'', ''",
  })
  void tokenizer_givesTheNumbersOfThePublishedVocabulary(String text, String ids) throws Exception {
    WordPiece tokenizer = TokenizerFile.ofPairs(file("-tokenizer.json"), 64);
    long[] expected =
        ids.isEmpty()
            ? new long[0]
            : List.of(ids.split(" ")).stream().mapToLong(Long::parseLong).toArray();
    assertThat(tokenizer.read(text).ids())
        .isEqualTo(
            LongStream.concat(
                    LongStream.of(CLS),
                    LongStream.concat(LongStream.of(expected), LongStream.of(SEP)))
                .toArray());
    TextInput.Row pair = tokenizer.read("world", text).orElseThrow();
    assertThat(pair.ids()).startsWith(CLS, 2088, SEP).endsWith(SEP).hasSize(4 + expected.length);
    assertThat(pair.types()).startsWith(0, 0, 0).endsWith(1);
    assertThat(LongStream.of(pair.types()).sum()).isEqualTo(expected.length + 1);
  }

  @Test
  void encoderWithoutHead_isRefused() throws Exception {
    Path bare = Files.createDirectory(temp.resolve("bare"));
    Files.write(bare.resolve("model.onnx"), file(".onnx"));
    Files.copy(temp.resolve("tokenizer.json"), bare.resolve("tokenizer.json"));
    ClassifierFolder.seal(bare);
    ModelProblem problem =
        catchThrowableOfType(ModelProblem.class, () -> EntailmentModel.load(bare));
    assertThat(problem.fault()).isEqualTo(ModelFault.BAD_MODEL);
    assertThat(problem.detail()).contains("expected FLOAT with one row of 3 numbers");
  }

  @Test
  void scores_areTheSameAlwaysAndOnEveryThread() throws Exception {
    List<String> claims =
        List.of("The pump holds 5 litres.", "It was closed in May.", "Nobody has signed.");
    try (EntailmentModel model = EntailmentModel.load(temp)) {
      List<EntailmentScores> alone =
          claims.stream().map(claim -> classified(model, claim)).toList();
      assertThat(Set.copyOf(alone)).hasSize(claims.size());
      for (EntailmentScores scores : alone) {
        assertThat(scores.entailment() + scores.neutral() + scores.contradiction())
            .isBetween(0.999_999, 1.000_001);
      }
      Set<EntailmentScores> together = ConcurrentHashMap.newKeySet();
      IntStream.range(0, 12)
          .parallel()
          .forEach(i -> together.add(classified(model, claims.get(i % claims.size()))));
      assertThat(together).containsExactlyInAnyOrderElementsOf(alone);
    }
  }

  private static EntailmentScores classified(EntailmentModel model, String claim) {
    try {
      return model
          .classify("The pump was closed in May and holds five litres.", claim)
          .orElseThrow();
    } catch (ModelProblem e) {
      throw new AssertionError(e.detail(), e);
    }
  }
}
