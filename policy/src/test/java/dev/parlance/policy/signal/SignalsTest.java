package dev.parlance.policy.signal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.parlance.policy.route.Profiles;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SignalsTest {
  private static final List<SignalWeights> WEIGHTS =
      List.of(SignalWeights.PAPER, Profiles.OVERLAP.weights());
  private static final double[] STRANGE = {
    Double.NaN,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    Double.MAX_VALUE,
    -Double.MAX_VALUE,
    Double.MIN_VALUE,
    -0.0,
    0.0,
    0.5,
    1.0,
    Math.nextUp(1.0)
  };

  private final SplittableRandom random = new SplittableRandom(11);

  @Test
  void anyFeatures_giveSignalsInBounds_andNeverNaN() {
    for (SignalWeights weights : WEIGHTS) {
      for (double oc : STRANGE) {
        for (double cite : STRANGE) {
          for (double n : STRANGE) {
            for (double oq : STRANGE) {
              for (double confidence : STRANGE) {
                Features features = new Features(oc, cite, n, oq);
                Signals signals = Signals.of(features, OptionalDouble.of(confidence), weights);
                assertThat(signals.valid()).isEqualTo(features.isFinite());
                assertThat(signals.certainty()).isBetween(0.0, 1.0);
                assertThat(signals.driftSqrtJsd()).isBetween(0.0, 1.0);
              }
            }
          }
        }
      }
    }
  }

  @Test
  void moreContextOverlap_neverLowersGrounding_moreNovelty_neverLowersStochasticity() {
    for (int i = 0; i < 100_000; i++) {
      SignalWeights weights = WEIGHTS.get(i % 2);
      Features f = randomFeatures();
      double more = random.nextDouble();
      Signals base = signals(f, weights);
      Signals overlap =
          signals(
              new Features(
                  Math.min(1, f.contextOverlap() + more),
                  f.citationScore(),
                  f.novelRatio(),
                  f.questionOverlap()),
              weights);
      Signals novel =
          signals(
              new Features(
                  f.contextOverlap(),
                  f.citationScore(),
                  Math.min(1, f.novelRatio() + more),
                  f.questionOverlap()),
              weights);
      Signals cited =
          signals(
              new Features(
                  f.contextOverlap(),
                  Math.min(1, f.citationScore() + more),
                  f.novelRatio(),
                  f.questionOverlap()),
              weights);
      assertThat(overlap.grounding()).isGreaterThanOrEqualTo(base.grounding());
      assertThat(overlap.stochasticity()).isEqualTo(base.stochasticity());
      assertThat(overlap.certainty()).isGreaterThanOrEqualTo(base.certainty());
      assertThat(novel.stochasticity()).isGreaterThanOrEqualTo(base.stochasticity());
      assertThat(novel.grounding()).isEqualTo(base.grounding());
      assertThat(novel.certainty()).isLessThanOrEqualTo(base.certainty());
      assertThat(cited.grounding()).isGreaterThanOrEqualTo(base.grounding());
      assertThat(cited.stochasticity()).isLessThanOrEqualTo(base.stochasticity());
    }
  }

  @Test
  void withTheDefaultWeights_moreNovelty_neverLowersDriftOfACitedAnswer() {
    SignalWeights weights = Profiles.OVERLAP.weights();
    for (int i = 0; i < 100_000; i++) {
      double oc = random.nextDouble();
      double oq = random.nextDouble();
      double n = random.nextDouble();
      double more = Math.min(1, n + random.nextDouble() / 50);
      double base = Drift.sqrtJsd(new Features(oc, 1, n, oq), weights);
      double drift = Drift.sqrtJsd(new Features(oc, 1, more, oq), weights);
      assertThat(drift).isGreaterThanOrEqualTo(base - 1e-12);
    }
  }

  @Test
  void divergence_isSymmetric_inZeroToOneBits_andZeroOnlyForEqualDistributions() {
    for (int i = 0; i < 100_000; i++) {
      double[] p = distribution();
      double[] q = distribution();
      double pq = Drift.jsdBase2(p, q);
      assertThat(pq).isCloseTo(Drift.jsdBase2(q, p), within(1e-15)).isBetween(0.0, 1.0);
      assertThat(Drift.jsdBase2(p, p)).isZero();
    }
    assertThat(Drift.jsdBase2(new double[] {1, 0, 0, 0}, new double[] {0, 1, 0, 0})).isEqualTo(1.0);
    assertThat(Drift.jsdBase2(new double[] {.5, .5, 0, 0}, new double[] {.5, 0, .5, 0}))
        .isCloseTo(0.5, within(1e-15));
  }

  @Test
  void drift_satisfiesTheTriangleInequality() {
    for (int i = 0; i < 50_000; i++) {
      double[] p = distribution();
      double[] q = distribution();
      double[] r = distribution();
      double direct = Math.sqrt(Drift.jsdBase2(p, r));
      double around = Math.sqrt(Drift.jsdBase2(p, q)) + Math.sqrt(Drift.jsdBase2(q, r));
      assertThat(direct).isLessThanOrEqualTo(around + 1e-12);
    }
  }

  @Test
  void invalidSignals_areTheWorst_andNothingElse() {
    assertThat(Signals.INVALID).isEqualTo(new Signals(0, 0, 1, 1, false));
    assertThatThrownBy(() -> new Signals(0, 0.1, 1, 1, false))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Signals(0, Double.NaN, 1, 1, true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("grounding");
  }

  @Test
  void featuresOfAFaultyEstimator_keepTheirFault_whenScoredAnew() {
    Counts counts = new Counts(1, 1, 0, 0, 0, 1, 0, List.of("9"), List.of());
    Features faulty = new Features(Double.NaN, Double.NaN, 0, 0);
    assertThat(new Measurement(counts, faulty).scoredBy(SignalWeights.PAPER).features())
        .isEqualTo(faulty);
    assertThat(
            Measurement.of(counts, SignalWeights.PAPER)
                .scoredBy(Profiles.OVERLAP.weights())
                .features())
        .isEqualTo(new Features(1, 0, 0, 0));
  }

  @Test
  void countsThatCannotBelongTogether_areRefused() {
    assertThatThrownBy(() -> new Counts(2, 3, 0, 0, 0, 0, 0, List.of(), List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("inContext 3");
    assertThatThrownBy(() -> new Counts(3, 1, 1, 0, 0, 0, 0, List.of(), List.of()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Counts(1, 1, 0, 0, 0, 0, 1, List.of(), List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private Features randomFeatures() {
    return new Features(
        random.nextDouble(), random.nextDouble(), random.nextDouble(), random.nextDouble());
  }

  private static Signals signals(Features features, SignalWeights weights) {
    return Signals.of(features, OptionalDouble.empty(), weights);
  }

  private double[] distribution() {
    double[] v = new double[4];
    double sum = 0;
    for (int i = 0; i < v.length; i++) {
      v[i] = random.nextInt(4) == 0 ? 0 : random.nextDouble();
      sum += v[i];
    }
    if (sum == 0) {
      return new double[] {1, 0, 0, 0};
    }
    for (int i = 0; i < v.length; i++) {
      v[i] /= sum;
    }
    return v;
  }
}
