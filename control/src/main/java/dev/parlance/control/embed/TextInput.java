package dev.parlance.control.embed;

import dev.parlance.encoder.NgramInput.NgramFeatures;
import dev.parlance.encoder.NgramInput;
import java.util.Arrays;

/** Texts become rows. For any number of threads. */
interface TextInput {
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
    static Row ofTokens(long[] ids, long[] types) {
      return new Row(ids, types, new float[0]);
    }

    static Row ofNgrams(long[] ids, float[] weights) {
      return new Row(ids, new long[0], weights);
    }

    int length() {
      return ids.length;
    }

    /** Its entries over and over, from another one on: a row to try a model with. */
    Row repeated(int length, int shift) {
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

  /**
   * Rows of hashed n-grams.
   *
   * @param input the rules
   */
  record NgramRows(NgramInput input) implements TextInput {
    @Override
    public Row read(String text) {
      NgramFeatures features = input.features(text);
      return Row.ofNgrams(features.ids(), features.weights());
    }

    @Override
    public Row longest() {
      long[] ids = new long[input.maxTokens()];
      float[] weights = new float[ids.length];
      Arrays.fill(ids, input.rows() - 1L);
      Arrays.fill(weights, 1.0f);
      return Row.ofNgrams(ids, weights);
    }
  }
}
