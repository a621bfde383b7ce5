package dev.parlance.encoder.train;

/**
 * When or how long.
 *
 * @param kind which
 * @param number of the bound; 0 without one
 * @param unit of the bound, plural; empty without one
 * @param event with article; empty without one
 */
record Adjunct(Kind kind, int number, String unit, String event) {
  /** Kinds of adjuncts. */
  enum Kind {
    NONE,
    AT_MOST,
    AT_LEAST,
    BEFORE,
    AFTER,
    AT_MOST_AFTER
  }

  static final Adjunct NONE = new Adjunct(Kind.NONE, 0, "", "");

  boolean hasNumber() {
    return number > 0;
  }

  Adjunct withNumber(int other) {
    return new Adjunct(kind, other, unit, event);
  }

  /** The other direction, or itself if it has none. */
  Adjunct turned() {
    return switch (kind) {
      case AT_MOST -> new Adjunct(Kind.AT_LEAST, number, unit, event);
      case AT_LEAST -> new Adjunct(Kind.AT_MOST, number, unit, event);
      case BEFORE -> new Adjunct(Kind.AFTER, number, unit, event);
      case AFTER -> new Adjunct(Kind.BEFORE, number, unit, event);
      case NONE, AT_MOST_AFTER -> this;
    };
  }
}
