package dev.parlance.loadtest.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.parlance.loadtest.load.ExchangeCorpus.CorpusPlan;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ExchangeCorpusTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Pattern CITATION = Pattern.compile("\\[Chunk c\\d+]");
  private static final double[] IDEAL = {0.45, 0.35, 0.03, 0.17};

  private static CorpusPlan plan(double answerKb, double ungrounded) {
    return new CorpusPlan(7, 64, 4.5, answerKb, ungrounded);
  }

  @ParameterizedTest
  @ValueSource(doubles = {1, 4.5, 100})
  void bodiesHaveAboutTheWantedSize_andAreValidJson(double answerKb) {
    for (SampleExchange exchange : ExchangeCorpus.build(plan(answerKb, 0))) {
      assertThat(exchange.responseBytes(10) / 1000.0).isCloseTo(answerKb, within(0.15 * answerKb));
      String request = exchange.requestBody(1_000_000_007L);
      assertThat(request.length() / 1000.0).isCloseTo(4.5, within(0.5));
      JsonNode message = JSON.readTree(request).at("/params/message");
      assertThat(message.at("/parts/0/text").asString()).isEqualTo(exchange.question());
      assertThat(message.path("contextId").asString()).isEqualTo("flow-1000000007");
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {1, 4.5, 100})
  void everyChunkEndsWithANonce_whoseDigitsAreWhereItSays(double answerKb) {
    for (SampleExchange exchange : ExchangeCorpus.build(plan(answerKb, 0.25))) {
      assertThat(exchange.context()).allMatch(chunk -> chunk.endsWith(SampleExchange.NONCE));
      assertThat(exchange.answer() + exchange.question()).doesNotContain("nonce");
      byte[] body = exchange.response().toArray();
      for (int slot : exchange.nonceSlots()) {
        for (int i = 0; i < SampleExchange.NONCE_DIGITS; i++) {
          assertThat(body[slot + i]).isEqualTo((byte) '0');
          body[slot + i] = '7';
        }
      }
      String changed = new String(body, java.nio.charset.StandardCharsets.US_ASCII);
      String nonce = SampleExchange.NONCE.replace('0', '7') + "\"";
      assertThat(changed.split(nonce, -1)).hasSize(exchange.context().size() + 1);
      assertThat(changed).doesNotContain(SampleExchange.NONCE);
    }
  }

  @Test
  void samePlan_givesSameBytes_andAnotherSeedGivesOthers() {
    List<SampleExchange> first = ExchangeCorpus.build(plan(4.5, 0.25));
    assertThat(ExchangeCorpus.build(plan(4.5, 0.25))).isEqualTo(first);
    assertThat(ExchangeCorpus.build(new CorpusPlan(8, 64, 4.5, 4.5, 0.25))).isNotEqualTo(first);
  }

  @Test
  void bodiesInRotationDiffer() {
    Set<SampleExchange.Bytes> bodies = new HashSet<>();
    ExchangeCorpus.build(plan(4.5, 0)).forEach(exchange -> bodies.add(exchange.response()));
    assertThat(bodies).hasSize(64);
  }

  @ParameterizedTest
  @ValueSource(doubles = {1, 4.5, 100})
  void groundedAnswers_driftLittleByThePapersEquations(double answerKb) {
    for (SampleExchange exchange : ExchangeCorpus.build(plan(answerKb, 0))) {
      assertThat(exchange.grounded()).isTrue();
      assertThat(drift(exchange)).as(exchange.answer()).isLessThanOrEqualTo(0.12);
    }
  }

  @Test
  void ungroundedShare_isExact_andThoseAnswersDriftPastEveryThreshold() {
    List<SampleExchange> ungrounded =
        ExchangeCorpus.build(plan(4.5, 0.25)).stream()
            .filter(exchange -> !exchange.grounded())
            .toList();
    assertThat(ungrounded).hasSize(16);
    assertThat(ungrounded).allSatisfy(exchange -> assertThat(drift(exchange)).isGreaterThan(0.22));
  }

  @Test
  void impossiblePlans_areRefused() {
    assertThatThrownBy(() -> plan(0.1, 0)).hasMessageContaining("0.8-1000");
    assertThatThrownBy(() -> plan(Double.NaN, 0)).hasMessageContaining("NaN");
    assertThatThrownBy(() -> plan(4.5, 1.5)).hasMessageContaining("[0,1]");
  }

  /**
   * Drift of the paper (equations 4 and 5), by a tokeniser of its own: ASCII is all there is here.
   */
  private static double drift(SampleExchange exchange) {
    boolean cited = CITATION.matcher(exchange.answer()).find();
    Set<String> answer = words(CITATION.matcher(exchange.answer()).replaceAll(" "));
    Set<String> context = words(String.join(" ", exchange.context()));
    Set<String> question = words(exchange.question());
    double size = answer.size();
    double inContext = answer.stream().filter(context::contains).count() / size;
    double inQuestion = answer.stream().filter(question::contains).count() / size;
    double novel =
        answer.stream().filter(w -> !context.contains(w) && !question.contains(w)).count() / size;
    double[] v = {inContext, cited ? 1 : 0, novel, inQuestion};
    double sum = 0;
    for (int i = 0; i < v.length; i++) {
      v[i] = Math.max(0.01, v[i]);
      sum += v[i];
    }
    double divergence = 0;
    for (int i = 0; i < v.length; i++) {
      double p = v[i] / sum;
      double middle = (p + IDEAL[i]) / 2;
      divergence += (p * log2(p / middle) + IDEAL[i] * log2(IDEAL[i] / middle)) / 2;
    }
    return Math.sqrt(divergence);
  }

  private static double log2(double x) {
    return Math.log(x) / Math.log(2);
  }

  private static Set<String> words(String text) {
    Set<String> words = new HashSet<>();
    for (String word : text.toLowerCase(Locale.ROOT).split("[^a-z0-9]+", -1)) {
      if (!word.isEmpty()) {
        words.add(word);
      }
    }
    return words;
  }
}
