package dev.parlance.cli.offline;

import dev.parlance.policy.commit.QuantVector;
import java.util.Optional;

/** What rounds make of an encoder's vectors. */
final class VectorJson {
  private VectorJson() {}

  /** The direction, as the ledger would keep it; empty if there is none. */
  static Optional<QuantVector> of(float[] vector) {
    double[] wide = new double[vector.length];
    for (int i = 0; i < wide.length; i++) {
      wide[i] = vector[i];
    }
    return QuantVector.of(wide, wide.length);
  }

  /** The cosine of two directions of the same length, in [-1,1]. */
  static double cosine(QuantVector a, QuantVector b) {
    return Math.clamp(a.dot(b) / Math.sqrt((double) a.dot(a) * b.dot(b)), -1.0, 1.0);
  }
}
