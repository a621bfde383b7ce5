package dev.parlance.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.parlance.onnx.testing.ClassifierFolder;
import dev.parlance.onnx.testing.Graph;
import dev.parlance.onnx.testing.TestTokenizer;
import dev.parlance.policy.signal.EntailmentScores;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class EntailmentModelTest {
  private static final int CLASSES = 3;

  @TempDir Path temp;
  private Path dir = Path.of("");

  @BeforeEach
  void folder() throws IOException {
    dir = ClassifierFolder.at(temp.resolve("model"));
  }

  private EntailmentModel load() {
    try {
      return EntailmentModel.load(dir);
    } catch (ModelProblem e) {
      throw new AssertionError(e.fault() + " " + e.detail(), e);
    }
  }

  private ModelProblem refused() {
    return catchThrowableOfType(ModelProblem.class, () -> EntailmentModel.load(dir));
  }

  private void change(String file, String from, String to) throws IOException {
    String text = Files.readString(dir.resolve(file));
    assertThat(text).contains(from);
    Files.writeString(dir.resolve(file), text.replace(from, to));
  }

  @Test
  void scores_standUnderTheLabelsOfTheManifest() throws Exception {
    try (EntailmentModel model = load()) {
      EntailmentScores entailed = model.classify("both parties", "hello you").orElseThrow();
      assertThat(entailed.entailment()).isGreaterThan(0.99);
      EntailmentScores contradicted = model.classify("both parties", "zz you").orElseThrow();
      assertThat(contradicted.contradiction()).isGreaterThan(0.99);
      EntailmentScores neutral = model.classify("both parties", "you").orElseThrow();
      assertThat(neutral.neutral()).isBetween(0.7, 0.8);
    }
    change("manifest.json", "\"entailment\", \"neutral\"", "\"neutral\", \"entailment\"");
    try (EntailmentModel model = load()) {
      assertThat(model.classify("both", "hello").orElseThrow().neutral()).isGreaterThan(0.99);
    }
  }

  @Test
  void evidence_isCut_andAClaimNeverIs() throws Exception {
    try (EntailmentModel model = load()) {
      String evidence = "you ".repeat(10_000);
      assertThat(model.classify(evidence + "hello", "are you").orElseThrow().entailment())
          .isLessThan(0.2);
      assertThat(model.classify("hello " + evidence, "are you").orElseThrow().entailment())
          .isGreaterThan(0.99);
      assertThat(model.classify("hello", "you ".repeat(30))).isPresent();
      assertThat(model.classify("hello", "you ".repeat(31))).isEmpty();
      assertThat(model.classify("", "").orElseThrow().neutral()).isBetween(0.7, 0.8);
    }
  }

  @Test
  void vocabTxt_isReadAsWell() throws IOException {
    try (EntailmentModel model = load()) {
      assertThat(model.id()).isEqualTo("test");
    }
    Files.write(dir.resolve("vocab.txt"), TestTokenizer.VOCABULARY);
    change(
        "manifest.json",
        "\"tokenizer.json\": \"" + ClassifierFolder.sha256(dir, "tokenizer.json"),
        "\"vocab.txt\": \"" + ClassifierFolder.sha256(dir, "vocab.txt"));
    assertThat(refused().detail()).contains("lowercase");
    change("manifest.json", "\"maxTokens\"", "\"lowercase\": true, \"maxTokens\"");
    try (EntailmentModel model = load()) {
      assertThat(model.classify("you", "HELLO").orElseThrow().entailment()).isGreaterThan(0.99);
    } catch (ModelProblem e) {
      throw new AssertionError(e.detail(), e);
    }
    Files.write(dir.resolve("vocab.txt"), List.of("[PAD]", "[UNK]", "[CLS]"));
    assertThat(refused().fault()).isEqualTo(ModelFault.DIGEST_DIFFERS);
  }

  @ParameterizedTest
  @CsvSource({
    "model.onnx, DIGEST_DIFFERS",
    "tokenizer.json, DIGEST_DIFFERS",
    "manifest.json, BAD_MANIFEST"
  })
  void anotherFileThanTheManifestBinds_isRefused(String file, ModelFault fault) throws IOException {
    byte[] bytes = Files.readAllBytes(dir.resolve(file));
    bytes[bytes.length / 2] ^= 1;
    if (file.equals("manifest.json")) {
      bytes[0] = ' ';
    }
    Files.write(dir.resolve(file), bytes);
    assertThat(refused().fault()).isEqualTo(fault);
    assertThat(refused().detail()).contains(file);
    Files.delete(dir.resolve(file));
    assertThat(refused().fault()).isEqualTo(ModelFault.UNREADABLE);
    assertThat(refused().detail()).contains(file);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "parlance-entailment-1~parlance-entailment-2",
        "\"neutral\"~\"entailment\"",
        "\"neutral\"~\"other\"",
        ", \"neutral\"~",
        "\"id\": \"test\"~\"id\": \" \"",
        "\"maxTokens\": 64~\"maxTokens\": 15",
        "\"maxTokens\": 64~\"maxTokens\": 513",
        "\"maxTokens\": 64~\"maxTokens\": 64, \"lowercase\": true",
        "tokenizer.json~tokenizer.model",
        "\"model.onnx\": \"~\"model.onnx\": \"A",
      })
  void manifest_withAnotherForm_isRefused(String change) throws IOException {
    List<String> halves = List.of(change.split("~", -1));
    change("manifest.json", halves.getFirst(), halves.getLast());
    assertThat(refused().fault()).isEqualTo(ModelFault.BAD_MANIFEST);
    assertThat(refused().detail()).startsWith("manifest.json");
  }

  @Test
  void model_withOtherInputsOrOutputs_isRefused() throws IOException {
    int words = TestTokenizer.VOCABULARY.size();
    float[][] logits = new float[words][CLASSES];
    List<byte[]> bad =
        List.of(
            Graph.classifier(logits).input("position_ids", Graph.INT64).bytes(),
            Graph.classifier(new float[words][2]).bytes(),
            Graph.classifier(new float[words - 1][CLASSES]).bytes(),
            Graph.tokens(words, CLASSES, "input_ids", "attention_mask").bytes(),
            Graph.classifier(logits).tableElsewhere("far", 1, 1, "other.bin").bytes(),
            "no model".getBytes(StandardCharsets.UTF_8));
    List<String> why = List.of("inputs", "numbers", "run", "numbers", "other files", "no ONNX");
    for (int i = 0; i < bad.size(); i++) {
      Files.write(dir.resolve("model.onnx"), bad.get(i));
      ClassifierFolder.seal(dir);
      ModelProblem problem = refused();
      assertThat(problem.fault()).isEqualTo(ModelFault.BAD_MODEL);
      assertThat(problem.detail()).contains(why.get(i));
    }
  }

  @Test
  void whatIsNoNumber_isAProblem_andNoAnswer() throws Exception {
    float[][] logits = new float[TestTokenizer.VOCABULARY.size()][CLASSES];
    logits[TestTokenizer.VOCABULARY.indexOf("want")][0] = Float.NaN;
    ClassifierFolder.at(dir, Graph.classifier(logits).bytes());
    try (EntailmentModel model = load()) {
      ModelProblem problem =
          catchThrowableOfType(ModelProblem.class, () -> model.classify("you", "want"));
      assertThat(problem.detail()).contains("not finite");
      assertThat(model.classify("you", "you")).isPresent();
    }
  }
}
