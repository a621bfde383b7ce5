package dev.parlance.encoder.train;

import dev.parlance.encoder.NgramInput.Family;
import dev.parlance.encoder.NgramInput.NgramFeatures;
import java.util.SplittableRandom;

/**
 * The model while it is trained: a vector for every concept, fixed random vectors for pairs and
 * letters, and a factor for every family.
 *
 * <p>The vector of a concept stands in the text's sum three times: as it is, turned one way with
 * the sign of the stance, turned another way with the sign of the side. The turns are fixed
 * shuffles of its entries with random signs, so what is learned of a word in one family holds in
 * all, and the three do not disturb each other more than random vectors do.
 *
 * <p>Plain float arithmetic in a fixed order: the same seed gives the same bits on every machine.
 */
final class Weights {
  private static final Family[] FAMILIES = Family.values();

  private final int rows;
  private final int dim;

  /** Vectors of the concepts, and behind them those of pairs and letters, by row. */
  private final float[] table;

  private final float[] factors = {1.0f, 0.8f, 0.6f, 0.4f, 0.3f};

  /** For each family, entry k of a turned vector comes from that entry of the vector. */
  private final int[][] from;

  /** For each family, with that sign. */
  private final float[][] sign;

  private final int concepts;

  Weights(int rows, int dim, long seed) {
    this.rows = rows;
    this.dim = dim;
    this.concepts = Family.CONCEPT.rowCount(rows);
    SplittableRandom random = new SplittableRandom(seed);
    table = new float[rows * dim];
    float scale = (float) (1.0 / Math.sqrt(dim));
    for (int i = 0; i < table.length; i++) {
      table[i] = scale * bell(random);
    }
    from = new int[FAMILIES.length][dim];
    sign = new float[FAMILIES.length][dim];
    for (int family = 0; family < FAMILIES.length; family++) {
      boolean turned = FAMILIES[family] == Family.STANCE || FAMILIES[family] == Family.SIDE;
      int[] order = from[family];
      for (int k = 0; k < dim; k++) {
        order[k] = k;
        sign[family][k] = turned && random.nextBoolean() ? -1.0f : 1.0f;
      }
      for (int k = dim - 1; turned && k > 0; k--) {
        int other = random.nextInt(k + 1);
        int kept = order[k];
        order[k] = order[other];
        order[other] = kept;
      }
    }
  }

  /** Twelve uniform numbers: a bell curve without logarithms, the same on every machine. */
  private static float bell(SplittableRandom random) {
    double sum = -6.0;
    for (int i = 0; i < 12; i++) {
      sum += random.nextDouble();
    }
    return (float) sum;
  }

  int dim() {
    return dim;
  }

  int concepts() {
    return concepts;
  }

  float factor(int family) {
    return factors[family];
  }

  /** Changes a factor, within (0.05, 3). */
  void moveFactor(int family, float by) {
    factors[family] = Math.clamp(factors[family] + by, 0.05f, 3.0f);
  }

  float[] table() {
    return table;
  }

  int[] from(int family) {
    return from[family];
  }

  float[] sign(int family) {
    return sign[family];
  }

  /** The family of a row. */
  int familyOf(long row) {
    int family = FAMILIES.length - 1;
    while (row < FAMILIES[family].firstRow(rows)) {
      family--;
    }
    return family;
  }

  /** The row of {@link #table()} that a row of the model is made of. */
  int sourceOf(long row, int family) {
    return (int) (family < 3 ? row - FAMILIES[family].firstRow(rows) : row);
  }

  /** True if training moves the vectors of that family. */
  static boolean learns(int family) {
    return family < 3;
  }

  /** The sum of a text's vectors. */
  float[] sum(NgramFeatures features) {
    float[] sum = new float[dim];
    for (int i = 0; i < features.ids().length; i++) {
      int family = familyOf(features.ids()[i]);
      int at = sourceOf(features.ids()[i], family) * dim;
      float weight = features.weights()[i] * factors[family];
      int[] order = from[family];
      float[] signs = sign[family];
      for (int k = 0; k < dim; k++) {
        sum[k] += weight * signs[k] * table[at + order[k]];
      }
    }
    return sum;
  }

  /** The model's table. */
  float[] modelTable() {
    float[] model = new float[rows * dim];
    for (int row = 0; row < rows; row++) {
      int family = familyOf(row);
      int at = sourceOf(row, family) * dim;
      for (int k = 0; k < dim; k++) {
        model[row * dim + k] = factors[family] * sign[family][k] * table[at + from[family][k]];
      }
    }
    return model;
  }
}
