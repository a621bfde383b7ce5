package dev.parlance.encoder.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.encoder.BuiltInModel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What the built model can and cannot tell apart, on texts whose templates, nouns, names and
 * numbers it was not trained on. Prints the table of {@code docs/encoder-card.md}; fails if the
 * model got worse than the card says.
 */
class HeldOutQualityTest {
  private static final Map<String, float[]> VECTORS = new HashMap<>();
  private static TestModel model;
  private static HeldOut test;
  private static double cosMin;

  @BeforeAll
  static void encodeAll() throws Exception {
    model = TestModel.builtIn();
    test = HeldOut.of(TrainingCorpus.read(Path.of("../LICENSE")), Split.TEST);
    Matcher found =
        Pattern.compile("\"cosMin\": ([0-9.]+)")
            .matcher(new String(BuiltInModel.file(BuiltInModel.MANIFEST), StandardCharsets.UTF_8));
    assertThat(found.find()).isTrue();
    cosMin = Double.parseDouble(found.group(1));
    System.out.println("| kind | n | p05 | p50 | p95 | at least " + cosMin + " |");
    System.out.println("| --- | --- | --- | --- | --- | --- |");
    for (String kind : test.pairs().keySet()) {
      List<Double> cosines = test.cosines(kind, HeldOutQualityTest::encode);
      int n = cosines.size();
      System.out.printf(
          Locale.ROOT,
          "| %s | %d | %.2f | %.2f | %.2f | %.1f %% |%n",
          kind.toLowerCase(Locale.ROOT).replace('_', ' '),
          n,
          cosines.get(n / 20),
          cosines.get(n / 2),
          cosines.get(n * 19 / 20),
          100.0 * test.rate(kind, cosMin, HeldOutQualityTest::encode));
    }
  }

  @AfterAll
  static void close() throws Exception {
    model.close();
  }

  private static float[] encode(String text) {
    return VECTORS.computeIfAbsent(text, model::embed);
  }

  private static double rate(String kind) {
    return test.rate(kind, cosMin, HeldOutQualityTest::encode);
  }

  @Test
  void theSameClaimInAnotherOrderOrWithLearnedWordsMostlyAgrees() {
    assertThat(rate("1 same, REORDERED")).isGreaterThan(0.84);
    assertThat(rate("1 same, LEARNED_WORDS")).isGreaterThan(0.65);
    assertThat(rate("2 same, REORDERED")).isGreaterThan(0.72);
    assertThat(rate("2 same, LEARNED_WORDS")).isGreaterThan(0.62);
  }

  @Test
  void aSentenceThatDeniesTheOtherNeverAgrees() {
    assertThat(rate("1 other, NEGATION")).isZero();
    assertThat(rate("1 other, MODALITY")).isZero();
    assertThat(rate("2 other, NEGATION")).isLessThan(0.01);
    assertThat(rate("licence other, NEGATION")).isZero();
    assertThat(rate("own text other, NEGATION")).isZero();
  }

  @Test
  void aSentenceWithAnotherNumberPartyOrDirectionRarelyAgrees() {
    assertThat(rate("1 other, NUMBER")).isLessThan(0.04);
    assertThat(rate("1 other, ENTITY")).isLessThan(0.02);
    assertThat(rate("1 other, ROLE")).isLessThan(0.04);
    assertThat(rate("1 other, DIRECTION")).isLessThan(0.06);
    assertThat(rate("1 other, OPPOSITE")).isLessThan(0.09);
    assertThat(rate("1 other, TOPIC")).isZero();
  }

  @Test
  void theLongerTheTextTheLessOneChangeCounts() {
    assertThat(rate("2 other, NUMBER")).isLessThan(0.15);
    assertThat(rate("2 other, ENTITY")).isLessThan(0.14);
    assertThat(rate("3 other, NEGATION")).isLessThan(0.02);
    assertThat(rate("3 other, TOPIC")).isZero();
  }

  /** The rules of the input alone, with random vectors, at their own threshold. */
  @Test
  void trainingIsWhatBringsOtherWordsTogether() throws Exception {
    TrainingCorpus corpus = TrainingCorpus.read(Path.of("../LICENSE"));
    OnnxFile.QuantTable random = BuildModel.train(corpus, TestModel.INPUT, 0);
    float[] scales = OnnxFile.scaledUp(random.scales());
    HeldOut.Encoder untrained =
        text -> BuildModel.sum(random, scales, TestModel.INPUT.features(text));
    double own = BuildModel.cosMin(HeldOut.of(corpus, Split.DEV), untrained);
    double rate = test.rate("1 same, LEARNED_WORDS", own, untrained);
    System.out.printf(Locale.ROOT, "untrained: at least %.2f: %.1f %%%n", own, 100.0 * rate);

    assertThat(rate("1 same, LEARNED_WORDS")).isGreaterThan(rate + 0.2);
  }
}
