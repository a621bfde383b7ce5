package dev.parlance.encoder.train;

import dev.parlance.encoder.NgramInput;
import dev.parlance.encoder.NgramInput.NgramFeatures;
import java.util.ArrayList;
import java.util.List;

/**
 * Moves the vectors of texts that say the same together and those of others apart, until the
 * cosines are past the margins: for each item the loss is the mean of
 *
 * <ul>
 *   <li>{@code max(0, 0.97 - cos)^2} over every two texts that say the same,
 *   <li>{@code max(0, cos - 0.6)^2} over each of the first two with each that looks alike and says
 *       something else,
 *   <li>{@code max(0, cos - 0.2)^2} over the first with the text of the item before.
 * </ul>
 *
 * <p>Steps are sized by the mean square of all gradients a row has had (Adagrad with one number a
 * row).
 */
final class Trainer {
  private static final float SAME = 0.97f;
  private static final float OTHER = 0.6f;
  private static final float STRANGER = 0.2f;
  private static final float STEP = 0.03f;
  private static final float FACTOR_STEP = 0.004f;
  private static final float EPSILON = 1e-8f;

  private final Weights weights;
  private final NgramInput input;
  private final float[] squares;
  private final float[] factorSquares = new float[NgramInput.Family.values().length];
  private NgramFeatures before;

  Trainer(Weights weights, NgramInput input) {
    this.weights = weights;
    this.input = input;
    this.squares = new float[weights.concepts()];
    this.before = input.features("something else");
  }

  /** A text of the item that is being learned. */
  private static final class Text {
    private final NgramFeatures features;
    private final float[] unit;
    private final float length;
    private final float[] gradient;

    private Text(NgramFeatures features, float[] sum) {
      this.features = features;
      double squares = 0.0;
      for (float x : sum) {
        squares += (double) x * x;
      }
      length = (float) Math.max(Math.sqrt(squares), 1e-6);
      unit = sum;
      for (int k = 0; k < unit.length; k++) {
        unit[k] /= length;
      }
      gradient = new float[unit.length];
    }
  }

  /** Learns from an item; what it returns is the loss before. */
  double learn(Item item) {
    List<Text> same = item.same().stream().map(this::read).toList();
    List<Text> others = item.others().stream().map(other -> read(other.text())).toList();
    Text stranger = new Text(before, weights.sum(before));
    double loss = 0.0;
    int pairs = same.size() * (same.size() - 1) / 2 + 2 * others.size() + 1;
    for (int i = 0; i < same.size(); i++) {
      for (int j = i + 1; j < same.size(); j++) {
        loss += pull(same.get(i), same.get(j), pairs);
      }
    }
    for (Text other : others) {
      loss += push(same.get(0), other, OTHER, pairs) + push(same.get(1), other, OTHER, pairs);
    }
    loss += push(same.getFirst(), stranger, STRANGER, pairs);
    before = same.getFirst().features;
    List<Text> all = new ArrayList<>(same);
    all.addAll(others);
    all.add(stranger);
    all.forEach(this::apply);
    return loss;
  }

  private Text read(String text) {
    NgramFeatures features = input.features(text);
    return new Text(features, weights.sum(features));
  }

  private static double pull(Text a, Text b, int pairs) {
    float gap = SAME - cosine(a, b);
    if (gap <= 0.0f) {
      return 0.0;
    }
    descend(a, b, -2.0f * gap / pairs);
    return gap * gap / pairs;
  }

  private static double push(Text a, Text b, float most, int pairs) {
    float gap = cosine(a, b) - most;
    if (gap <= 0.0f) {
      return 0.0;
    }
    descend(a, b, 2.0f * gap / pairs);
    return gap * gap / pairs;
  }

  private static float cosine(Text a, Text b) {
    float dot = 0.0f;
    for (int k = 0; k < a.unit.length; k++) {
      dot += a.unit[k] * b.unit[k];
    }
    return dot;
  }

  /** Adds the gradient of the cosine, times a factor. */
  private static void descend(Text a, Text b, float factor) {
    float cosine = cosine(a, b);
    for (int k = 0; k < a.unit.length; k++) {
      a.gradient[k] += factor * (b.unit[k] - cosine * a.unit[k]) / a.length;
      b.gradient[k] += factor * (a.unit[k] - cosine * b.unit[k]) / b.length;
    }
  }

  private void apply(Text text) {
    int dim = weights.dim();
    float[] table = weights.table();
    float[] rowGradient = new float[dim];
    float[] factorGradients = new float[factorSquares.length];
    for (int i = 0; i < text.features.ids().length; i++) {
      long id = text.features.ids()[i];
      int family = weights.familyOf(id);
      int row = weights.sourceOf(id, family);
      int[] from = weights.from(family);
      float[] sign = weights.sign(family);
      float weight = text.features.weights()[i];
      float along = 0.0f;
      float mean = 0.0f;
      for (int k = 0; k < dim; k++) {
        float g = weight * sign[k] * text.gradient[k];
        along += g * table[row * dim + from[k]];
        rowGradient[k] = weights.factor(family) * g;
        mean += rowGradient[k] * rowGradient[k] / dim;
      }
      factorGradients[family] += along;
      if (Weights.learns(family) && mean > 0.0f) {
        squares[row] += mean;
        float step = STEP / (float) Math.sqrt(squares[row] + EPSILON);
        for (int k = 0; k < dim; k++) {
          table[row * dim + from[k]] -= step * rowGradient[k];
        }
      }
    }
    for (int family = 1; family < factorGradients.length; family++) {
      float g = factorGradients[family];
      factorSquares[family] += g * g;
      weights.moveFactor(
          family, -FACTOR_STEP * g / (float) Math.sqrt(factorSquares[family] + EPSILON));
    }
  }
}
