package dev.parlance.policy.commit;

import java.util.Arrays;
import java.util.Optional;

/**
 * A direction in whole numbers: each entry is rint(x / |x| * 32767). All geometry of a round is
 * done on these, so that every machine comes to the same result.
 */
public final class QuantVector {
  /** What length 1 becomes. */
  public static final int SCALE = 32_767;

  private static final double LEAST_NORM = 1e-9;

  private final short[] entries;

  private QuantVector(short[] entries) {
    this.entries = entries;
  }

  /**
   * Quantises a vector (step 2).
   *
   * @param dim the length it must have
   * @return empty if it has another length, an entry or norm that is not finite, or a norm below
   *     1e-9
   */
  public static Optional<QuantVector> of(double[] vector, int dim) {
    if (vector.length != dim) {
      return Optional.empty();
    }
    double sum = 0.0;
    for (double x : vector) {
      sum += x * x;
    }
    double norm = Math.sqrt(sum);
    // A sum that is finite has finite entries only.
    if (!(norm >= LEAST_NORM) || Double.isInfinite(norm)) {
      return Optional.empty();
    }
    short[] entries = new short[dim];
    for (int i = 0; i < dim; i++) {
      entries[i] = (short) Math.rint(vector[i] / norm * SCALE);
    }
    return Optional.of(new QuantVector(entries));
  }

  /**
   * From 16-bit big-endian entries, as the ledger keeps them.
   *
   * @return empty if the bytes are no direction: an odd number, none, an entry of -32768, or all 0
   */
  public static Optional<QuantVector> ofBytes(byte[] bytes) {
    if (bytes.length == 0 || bytes.length % 2 != 0) {
      return Optional.empty();
    }
    short[] entries = new short[bytes.length / 2];
    boolean isZero = true;
    for (int i = 0; i < entries.length; i++) {
      entries[i] = (short) ((bytes[2 * i] << 8) | (bytes[2 * i + 1] & 0xff));
      if (entries[i] == Short.MIN_VALUE) {
        return Optional.empty();
      }
      isZero &= entries[i] == 0;
    }
    return isZero ? Optional.empty() : Optional.of(new QuantVector(entries));
  }

  /** Its entries as 16-bit big-endian numbers. */
  public byte[] toBytes() {
    byte[] bytes = new byte[2 * entries.length];
    for (int i = 0; i < entries.length; i++) {
      bytes[2 * i] = (byte) (entries[i] >> 8);
      bytes[2 * i + 1] = (byte) entries[i];
    }
    return bytes;
  }

  /** Number of entries. */
  public int dim() {
    return entries.length;
  }

  /** One entry, in [-32767,32767]. */
  public int at(int index) {
    return entries[index];
  }

  /** Integer dot product with a vector of the same length. */
  public long dot(QuantVector other) {
    long sum = 0;
    for (int i = 0; i < entries.length; i++) {
      sum += (long) entries[i] * other.entries[i];
    }
    return sum;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof QuantVector vector && Arrays.equals(entries, vector.entries);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(entries);
  }

  @Override
  public String toString() {
    return "QuantVector" + Arrays.toString(entries);
  }
}
