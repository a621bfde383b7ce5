package dev.parlance.policy.claim.support;

import dev.parlance.policy.claim.TableFile;
import dev.parlance.policy.claim.support.ClaimMeasure.Feature;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Turns the features of a claim into its support: a logistic function of their weighted sum, in
 * [0,1].
 *
 * <p>The weights were learned from texts labelled by people (docs/accuracy.md) and stand in {@code
 * support-weights.txt}, a feature a line; each has the sign of its feature, so that support is
 * monotone. Logarithms and powers are those of {@link StrictMath}: every machine computes the same
 * bits.
 */
@SuppressWarnings({
  "EnumOrdinal",
  "StringSplitter"
}) // index of an array that never leaves this process; lines of our own files
class SupportModel {
  /** What so many departures leave of a claim's support, none being the first. */
  private static final double[] AFTER = {1, 0.5, 0.25, 0.125};

  /** The model that is part of the program. */
  static final SupportModel LEARNED =
      parse(
          new String(
              TableFile.bytes(SupportModel.class, "support-weights.txt"), StandardCharsets.UTF_8));

  private final double bias;
  private final double[] weights;

  SupportModel(double bias, double[] weights) {
    this.bias = bias;
    this.weights = weights.clone();
    for (Feature feature : ClaimMeasure.FEATURES) {
      double weight = weights[feature.ordinal()];
      if (!(weight * feature.sign >= 0)) {
        throw new IllegalArgumentException(
            "weight of " + feature + " has the wrong sign: " + weight);
      }
    }
  }

  static SupportModel parse(String text) {
    double[] weights = new double[ClaimMeasure.FEATURES.length];
    Arrays.fill(weights, Double.NaN);
    double bias = Double.NaN;
    for (String line : text.split("\n")) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      int blank = line.indexOf(' ');
      double value = Double.parseDouble(line.substring(blank).trim());
      String name = line.substring(0, blank);
      if (name.equals("BIAS")) {
        bias = value;
      } else {
        weights[Feature.valueOf(name).ordinal()] = value;
      }
    }
    return new SupportModel(bias, weights);
  }

  /** The support of a claim with these features. */
  double support(double[] features) {
    double sum = bias;
    for (int i = 0; i < weights.length; i++) {
      sum += weights[i] * features[i];
    }
    return 1 / (1 + StrictMath.exp(-sum));
  }

  /** What is left of the support of a claim that departs so often from what it repeats. */
  double afterDepartures(double support, int departures) {
    return support * AFTER[Math.min(departures, AFTER.length - 1)];
  }
}
