package dev.parlance.policy.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.parlance.policy.core.Bound;
import dev.parlance.policy.core.Bounds;
import dev.parlance.policy.core.CertificationParams;
import dev.parlance.policy.core.Certifier;
import dev.parlance.policy.core.EValues;
import dev.parlance.policy.core.Tally;
import dev.parlance.policy.core.TermDecision;
import dev.parlance.policy.core.TermVerdict;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** The vectors of the stimulus-meaning model; tolerances are those of the files. */
class StimulusVectorsTest {
  private static final double TOLERANCE = 1e-9;

  static Stream<Golden.Vector> bounds() {
    return Golden.vectors("stim-wilson");
  }

  static Stream<Golden.Vector> rejected() {
    return Golden.vectors("stim-reject");
  }

  static Stream<Golden.Vector> largestCounts() {
    return Golden.vectors("stim-cmax");
  }

  static Stream<Golden.Vector> runs() {
    return Golden.vectors("stim-certify");
  }

  static Stream<Golden.Vector> evidence() {
    return Golden.vectors("stim-evalue");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("bounds")
  void counts_giveTheirBounds(Golden.Vector vector) {
    int c = vector.in().get("c").asInt();
    int k = vector.in().get("k").asInt();
    double delta = vector.in().get("delta").asDouble();
    JsonNode out = vector.out();
    assertThat(Bounds.zOf(delta)).isCloseTo(out.get("z").asDouble(), within(TOLERANCE));
    assertThat(Bounds.wilsonUpper(c, k, delta))
        .isCloseTo(out.get("wilson_upper").asDouble(), within(TOLERANCE));
    assertThat(Bounds.exactUpper(c, k, delta))
        .isCloseTo(out.get("clopper_pearson_upper").asDouble(), within(TOLERANCE));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rejected")
  void impossibleArguments_areRefused(Golden.Vector vector) {
    int c = vector.in().get("c").asInt();
    int k = vector.in().get("k").asInt();
    double delta = vector.in().get("delta").asDouble();
    assertThat(vector.out().get("error").asBoolean()).isTrue();
    assertThatThrownBy(() -> Bounds.wilsonUpper(c, k, delta))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Bounds.exactUpper(c, k, delta))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> EValues.upper(c, k, delta))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("largestCounts")
  void certification_toleratesSoManyContradictions(Golden.Vector vector) {
    int k = vector.in().get("k").asInt();
    double tau = vector.in().get("tau").asDouble();
    double delta = vector.in().get("delta").asDouble();
    JsonNode out = vector.out();
    int wilson = largest(k, new CertificationParams(tau, delta, 0.0, Bound.WILSON));
    int exact = largest(k, new CertificationParams(tau, delta, 0.0, Bound.EXACT));
    assertThat(wilson).isEqualTo(out.get("cmax_wilson").asInt());
    assertThat(exact).isEqualTo(out.get("cmax_clopper_pearson").asInt());
    assertThat(atMost(wilson, k, tau))
        .isCloseTo(out.get("false_cert_prob_wilson").asDouble(), within(TOLERANCE));
    assertThat(atMost(exact, k, tau))
        .isCloseTo(out.get("false_cert_prob_clopper_pearson").asDouble(), within(TOLERANCE))
        .isLessThanOrEqualTo(delta);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("runs")
  void verdicts_giveTheDecision(Golden.Vector vector) {
    JsonNode in = vector.in();
    JsonNode out = vector.out();
    Tally tally =
        Tally.of(verdicts(in.get("agent1").asString()), verdicts(in.get("agent2").asString()));
    assertThat(tally)
        .isEqualTo(new Tally(out.get("n_aud").asInt(), out.get("k").asInt(), out.get("c").asInt()));
    assertThat(tally.coverage()).isEqualTo(out.get("s").asDouble());

    TermDecision wilson = Certifier.decide(tally, params(in, Bound.WILSON));
    assertThat(wilson.isCertified()).isEqualTo(out.get("certified").asBoolean());
    assertThat(wilson.upper()).isCloseTo(out.get("u").asDouble(), within(TOLERANCE));
    TermDecision exact = Certifier.decide(tally, params(in, Bound.EXACT));
    assertThat(exact.isCertified()).isEqualTo(out.get("certified_clopper_pearson").asBoolean());
    assertThat(exact.upper()).isCloseTo(out.get("u_clopper_pearson").asDouble(), within(TOLERANCE));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("evidence")
  void counts_giveTheirEvidence(Golden.Vector vector) {
    int c = vector.in().get("c").asInt();
    int k = vector.in().get("k").asInt();
    double tau = vector.in().get("tau").asDouble();
    assertEvidence(EValues.logCertify(c, k, tau), vector.out().get("log_e_certify").asDouble());
    assertEvidence(EValues.logDrift(c, k, tau), vector.out().get("log_e_drift").asDouble());
  }

  private static void assertEvidence(double actual, double expected) {
    assertThat(actual).isCloseTo(expected, within(1e-6));
    assertThat(actual).isCloseTo(expected, within(1e-9 * Math.max(1.0, Math.abs(expected))));
  }

  private static CertificationParams params(JsonNode in, Bound bound) {
    return new CertificationParams(
        in.get("tau").asDouble(), in.get("delta").asDouble(), in.get("rho_min").asDouble(), bound);
  }

  private static List<TermVerdict> verdicts(String letters) {
    return letters.chars().mapToObj(c -> TermVerdict.ofLetter((char) c).orElseThrow()).toList();
  }

  /** The largest number of contradictions that certifies, -1 if none does. */
  private static int largest(int k, CertificationParams params) {
    int c = -1;
    while (c < k && Certifier.decide(new Tally(k, k, c + 1), params).isCertified()) {
      c++;
    }
    return c;
  }

  /** P(Bin(k,p) <= c), term by term from zero. */
  private static double atMost(int c, int k, double p) {
    double term = Math.pow(1.0 - p, k);
    double sum = 0.0;
    for (int j = 0; j <= c; j++) {
      sum += term;
      term *= (k - j) * p / ((j + 1) * (1.0 - p));
    }
    return sum;
  }
}
