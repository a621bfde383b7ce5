package dev.parlance.encoder;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Locale;
import java.util.TreeMap;

/**
 * Turns a text into the rows of the model's table that stand for it.
 *
 * @param form version of these rules, {@link #FORM}
 * @param rows rows of the model's table, a multiple of 16
 * @param maxTokens words read; what is longer is cut
 */
public record NgramInput(String form, int rows, int maxTokens) {
  /** The one version there is. */
  public static final String FORM = "ngram-1";

  /** Refuses impossible values. */
  public NgramInput {
    if (!form.equals(FORM)) {
      throw new IllegalArgumentException("expected the form \"ngram-1\", got \"" + form + "\"");
    }
    if (rows < 256 || rows > 1 << 20 || rows % 16 != 0) {
      throw new IllegalArgumentException(
          "expected 256 to 1048576 rows, a multiple of 16, got " + rows);
    }
    if (maxTokens < 1 || maxTokens > 8_192) {
      throw new IllegalArgumentException("expected maxTokens of 1 to 8192, got " + maxTokens);
    }
  }

  /** The features of a text; a text without a word has the single row 0 of weight 0. */
  public NgramFeatures features(String text) {
    String plain = Normalizer.normalize(text, Normalizer.Form.NFKC).toLowerCase(Locale.ROOT);
    TreeMap<Long, Float> found = new TreeMap<>();
    int words = 0;
    for (String word : plain.split("[^\\p{L}\\p{N}]+", -1)) {
      if (!word.isEmpty() && words++ < maxTokens) {
        found.merge(Math.floorMod(hash(word), (long) rows), 1.0f, Float::sum);
      }
    }
    if (found.isEmpty()) {
      return new NgramFeatures(new long[1], new float[1]);
    }
    long[] ids = new long[found.size()];
    float[] weights = new float[found.size()];
    int i = 0;
    for (var entry : found.entrySet()) {
      ids[i] = entry.getKey();
      weights[i++] = entry.getValue();
    }
    return new NgramFeatures(ids, weights);
  }

  private static long hash(String word) {
    long h = 0xcbf29ce484222325L;
    for (byte b : word.getBytes(StandardCharsets.UTF_8)) {
      h = (h ^ (b & 0xff)) * 0x100000001b3L;
    }
    return h ^ (h >>> 29);
  }
}
