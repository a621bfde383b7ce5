package dev.parlance.policy.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.parlance.policy.claim.support.ClaimsEstimator;
import dev.parlance.policy.claim.support.Vocabulary;
import dev.parlance.policy.header.AspHeader;
import dev.parlance.policy.header.HexDigit;
import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Assumption;
import dev.parlance.policy.route.Decision;
import dev.parlance.policy.route.Judge;
import dev.parlance.policy.route.Profile;
import dev.parlance.policy.route.Profiles;
import dev.parlance.policy.route.Verdict;
import dev.parlance.policy.signal.Counts;
import dev.parlance.policy.signal.Features;
import dev.parlance.policy.signal.MarkedAnswer;
import dev.parlance.policy.signal.Marks;
import dev.parlance.policy.signal.Measurement;
import dev.parlance.policy.signal.Signals;
import dev.parlance.policy.signal.TokenOverlapEstimator;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

class GoldenVectorsTest {
  /** What is asked of drift; the files allow 1e-9. */
  private static final double DRIFT_TOLERANCE = 1e-12;

  /** Below this, drift is the root of a difference of rounding errors, here and in the files. */
  private static final double DRIFT_OF_NOTHING = 1e-6;

  private static final ClaimsEstimator CLAIMS = new ClaimsEstimator(new Vocabulary(20260731L));

  private final Judge judge = new Judge(new TokenOverlapEstimator(20260731L));

  static Stream<Golden.Vector> features() {
    return Golden.vectors("asp-features");
  }

  static Stream<Golden.Vector> routing() {
    return Golden.vectors("asp-routing");
  }

  static Stream<Golden.Vector> hex() {
    return Golden.vectors("asp-hex");
  }

  static Stream<Golden.Vector> headers() {
    return Golden.vectors("asp-header");
  }

  static Stream<Golden.Vector> texts() {
    return Golden.vectors("asp-text");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("features")
  void features_giveSignalsHeaderAndRoute(Golden.Vector vector) {
    JsonNode in = vector.in();
    JsonNode out = vector.out();
    Profile profile = Golden.profile(in);
    Features features =
        new Features(
            Golden.number(in.get("o_c")),
            Golden.number(in.get("s_cite")),
            Golden.number(in.get("n")),
            Golden.number(in.get("o_q")));
    OptionalDouble confidence =
        in.has("c_conf")
            ? OptionalDouble.of(Golden.number(in.get("c_conf")))
            : OptionalDouble.empty();

    Signals signals = Signals.of(features, confidence, profile.weights());
    Decision decision = Judge.route(signals, in.get("E").asInt(), profile);

    assertSignals(signals, out);
    assertThat(signals.valid()).isEqualTo(out.get("valid").asBoolean());
    assertThat(header(signals).text()).isEqualTo(out.get("header").asString());
    assertThat(HexDigit.character(header(signals).certaintyDigit()))
        .hasToString(out.get("hexC").asString());
    assertThat(HexDigit.character(header(signals).groundingDigit()))
        .hasToString(out.get("hexG").asString());
    assertThat(HexDigit.character(header(signals).stochasticityDigit()))
        .hasToString(out.get("hexS").asString());
    assertDecision(decision, out);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("routing")
  void signals_takeTheirRoute(Golden.Vector vector) {
    JsonNode in = vector.in();
    Decision decision =
        Judge.route(
            Golden.number(in.get("g")),
            Golden.number(in.get("s")),
            Golden.number(in.get("d")),
            in.get("E").asInt(),
            Golden.profile(in));
    assertDecision(decision, vector.out());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("hex")
  void values_areQuantised(Golden.Vector vector) {
    int digit = HexDigit.digit(Golden.number(vector.in().get("x")));
    assertThat(HexDigit.character(digit)).hasToString(vector.out().get("hex").asString());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("headers")
  void headers_areReadStrictlyAndWrittenCanonically(Golden.Vector vector) {
    JsonNode out = vector.out();
    Optional<AspHeader> read = AspHeader.parse(vector.in().get("header").asString());
    assertThat(read.isPresent()).isEqualTo(out.get("accept").asBoolean());
    read.ifPresent(header -> {
      assertThat(HexDigit.character(header.certaintyDigit())).hasToString(out.get("C").asString());
      assertThat(HexDigit.character(header.groundingDigit())).hasToString(out.get("G").asString());
      assertThat(HexDigit.character(header.stochasticityDigit()))
          .hasToString(out.get("S").asString());
      List<Assumption> expected = new ArrayList<>();
      out.get("A")
          .forEach(pair ->
              expected.add(
                  new Assumption(
                      Assumption.Basis.valueOf(pair.get(0).asString()), pair.get(1).asString())));
      assertThat(header.assumptions()).isEqualTo(expected);
      assertThat(header.text()).isEqualTo(out.get("canonical").asString());
    });
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("texts")
  void marksOfTexts_addUpToTheLoggedCounts(Golden.Vector vector) {
    AgentMessage message = Golden.message(vector.in());

    MarkedAnswer counted = new TokenOverlapEstimator(20260731L).mark(message);
    MarkedAnswer judged = CLAIMS.mark(message);

    assertThat(counted.measurement().counts().tokens())
        .isEqualTo(vector.out().get("tokens").asInt());
    assertThat(counted.measurement().counts().novel()).isEqualTo(vector.out().get("novel").asInt());
    Marks.assertAddUp(counted, message);
    Marks.assertAddUp(judged, message);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("texts")
  void texts_giveCountsFeaturesSignalsAndRoute(Golden.Vector vector) {
    JsonNode in = vector.in();
    JsonNode out = vector.out();
    AgentMessage message = Golden.message(in);

    Verdict verdict = judge.score(message, Profiles.ASP_PAPER, in.get("E").asInt());

    Measurement measurement = verdict.measurement().orElseThrow();
    Counts counts = measurement.counts();
    assertThat(counts.tokens()).isEqualTo(out.get("tokens").asInt());
    assertThat(counts.inContext()).isEqualTo(out.get("inContext").asInt());
    assertThat(counts.novel()).isEqualTo(out.get("novel").asInt());
    assertThat(counts.inQuestion()).isEqualTo(out.get("inQuestion").asInt());
    assertThat(counts.citedIds()).isEqualTo(Golden.strings(out.get("citedIds")));
    assertThat(counts.validIds()).isEqualTo(Golden.strings(out.get("validIds")));
    assertThat(measurement.features())
        .isEqualTo(
            new Features(
                out.get("o_c").asDouble(),
                out.get("s_cite").asDouble(),
                out.get("n").asDouble(),
                out.get("o_q").asDouble()));
    assertSignals(verdict.signals().orElseThrow(), out);
    assertThat(verdict.header().orElseThrow().text()).isEqualTo(out.get("header").asString());
    assertDecision(verdict.decision(), out);
  }

  private static void assertSignals(Signals signals, JsonNode out) {
    assertThat(signals.grounding()).isEqualTo(out.get("g").asDouble());
    assertThat(signals.stochasticity()).isEqualTo(out.get("s").asDouble());
    assertThat(signals.certainty()).isEqualTo(out.get("c").asDouble());
    double drift = out.get("d").asDouble();
    assertThat(signals.driftSqrtJsd())
        .isCloseTo(drift, within(drift < DRIFT_OF_NOTHING ? DRIFT_OF_NOTHING : DRIFT_TOLERANCE));
  }

  private static AspHeader header(Signals signals) {
    return AspHeader.of(
        signals.certainty(), signals.grounding(), signals.stochasticity(), List.of());
  }

  private static void assertDecision(Decision decision, JsonNode out) {
    assertThat(Golden.route(decision)).isEqualTo(out.get("route").asString());
    assertThat(Golden.reasons(decision)).isEqualTo(Golden.strings(out.get("reasons")));
  }
}
