package dev.parlance.encoder.train;

import java.util.List;

/**
 * Texts that say the same, and texts that say something else though they look alike.
 *
 * @param likeness how those that say the same differ in words
 * @param sentences claims in each text
 * @param same at least two
 * @param others each with what is different
 */
record Item(Likeness likeness, int sentences, List<String> same, List<Other> others) {
  Item {
    same = List.copyOf(same);
    others = List.copyOf(others);
    if (same.size() < 2) {
      throw new IllegalArgumentException("expected two texts that say the same, got " + same);
    }
  }

  /** A text that says something else. */
  record Other(Difference difference, String text) {}
}
