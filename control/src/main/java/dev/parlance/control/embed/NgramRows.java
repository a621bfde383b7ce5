package dev.parlance.control.embed;

import dev.parlance.encoder.NgramInput;
import dev.parlance.encoder.NgramInput.NgramFeatures;
import dev.parlance.onnx.TextInput;
import dev.parlance.onnx.TextInput.Row;
import java.util.Arrays;

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
