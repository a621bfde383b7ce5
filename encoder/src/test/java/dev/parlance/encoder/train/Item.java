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

  /** How two texts that say the same differ in their words. */
  enum Likeness {
    /** The same words in another order or form, with other closed words. */
    REORDERED,
    /** Also other verbs and nouns, which the trainer has seen mean the same. */
    LEARNED_WORDS,
    /** Also other verbs that it has never seen. */
    NEW_WORDS,
    /** Constructions that neither the rules nor the trainer know. */
    FREE
  }

  /** What makes two texts say different things. */
  enum Difference {
    /** One denies what the other says. */
    NEGATION,
    /** Must and may; must not and need not. */
    MODALITY,
    /** Another number. */
    NUMBER,
    /** Someone or something else. */
    ENTITY,
    /** Who does it and to whom. */
    ROLE,
    /** At least and at most; before and after. */
    DIRECTION,
    /** The opposite verb. */
    OPPOSITE,
    /** Something else altogether. */
    TOPIC
  }
}
