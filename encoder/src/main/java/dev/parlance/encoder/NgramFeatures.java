package dev.parlance.encoder;

/**
 * What the model reads of a text: rows of its table, with weights.
 *
 * @param ids rows, each once, ascending; never empty
 * @param weights one for each; finite
 */
@SuppressWarnings("ArrayRecordComponent") // handed through, never compared
public record NgramFeatures(long[] ids, float[] weights) {
  /** Refuses impossible values. */
  public NgramFeatures {
    if (ids.length == 0 || ids.length != weights.length) {
      throw new IllegalArgumentException(
          "expected as many weights as ids, got " + weights.length + " and " + ids.length);
    }
  }
}
