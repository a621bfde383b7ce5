package dev.parlance.onnx;

/** Texts become rows. For any number of threads. */
public interface TextInput {
  /** A text's row; what is too long is cut. */
  Row read(String text);

  /** The longest row there is, with the largest number there is: what a model must take. */
  Row longest();

  /**
   * What a model takes for one text. Both arrays have one entry per token.
   *
   * @param ids numbers of tokens or n-grams, at least one
   * @param types segment of each token, for word pieces; empty for n-grams
   * @param weights weight of each n-gram; empty for word pieces
   */
  @SuppressWarnings("ArrayRecordComponent") // handed through, never compared
  record Row(long[] ids, long[] types, float[] weights) {
    /** Word pieces. */
    public static Row ofTokens(long[] ids, long[] types) {
      return new Row(ids, types, new float[0]);
    }

    /** N-grams. */
    public static Row ofNgrams(long[] ids, float[] weights) {
      return new Row(ids, new long[0], weights);
    }

    /** How many tokens or n-grams. */
    public int length() {
      return ids.length;
    }

    /** Its entries over and over, from another one on: a row to try a model with. */
    public Row repeated(int length, int shift) {
      long[] otherIds = new long[length];
      long[] otherTypes = new long[types.length == 0 ? 0 : length];
      float[] otherWeights = new float[weights.length == 0 ? 0 : length];
      for (int i = 0; i < length; i++) {
        int from = (i + shift) % ids.length;
        otherIds[i] = ids[from];
        if (otherTypes.length > 0) {
          otherTypes[i] = types[from];
        }
        if (otherWeights.length > 0) {
          otherWeights[i] = weights[from];
        }
      }
      return new Row(otherIds, otherTypes, otherWeights);
    }
  }
}
