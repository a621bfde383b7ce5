package dev.parlance.encoder.train;

/**
 * A table of vectors in eight bits: entry (r, k) is {@code scales[r] * values[r * dim + k]}.
 *
 * @param rows number of vectors
 * @param dim length of each
 * @param values in [-127, 127], row by row
 * @param scales one for each row, not negative
 */
@SuppressWarnings("ArrayRecordComponent") // written to a file, never compared
record QuantTable(int rows, int dim, byte[] values, float[] scales) {
  private static final int LARGEST = 127;

  QuantTable {
    if (values.length != rows * dim || scales.length != rows) {
      throw new IllegalArgumentException("expected " + rows + " rows of " + dim);
    }
  }

  /** Rounds a table; the largest entry of each row becomes 127. */
  static QuantTable of(float[] table, int rows, int dim) {
    byte[] values = new byte[rows * dim];
    float[] scales = new float[rows];
    for (int row = 0; row < rows; row++) {
      float largest = 0.0f;
      for (int k = 0; k < dim; k++) {
        largest = Math.max(largest, Math.abs(table[row * dim + k]));
      }
      if (largest > 0.0f) {
        scales[row] = largest / LARGEST;
        for (int k = 0; k < dim; k++) {
          values[row * dim + k] = (byte) Math.rint(table[row * dim + k] / scales[row]);
        }
      }
    }
    return new QuantTable(rows, dim, values, scales);
  }
}
