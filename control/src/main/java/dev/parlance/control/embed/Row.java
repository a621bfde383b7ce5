package dev.parlance.control.embed;

/**
 * What a model takes for one text. Both arrays have one entry per token.
 *
 * @param ids numbers of tokens or n-grams, at least one
 * @param types segment of each token, for word pieces; empty for n-grams
 * @param weights weight of each n-gram; empty for word pieces
 */
@SuppressWarnings("ArrayRecordComponent") // handed through, never compared
record Row(int[] ids, int[] types, float[] weights) {
  static Row ofTokens(int[] ids, int[] types) {
    return new Row(ids, types, new float[0]);
  }

  static Row ofNgrams(int[] ids, float[] weights) {
    return new Row(ids, new int[0], weights);
  }

  int length() {
    return ids.length;
  }
}
