package dev.parlance.encoder.train;

import dev.parlance.encoder.train.ClaimWords.Deed;
import java.util.List;
import java.util.Locale;

/**
 * What a sentence says, apart from its words.
 *
 * @param mood what it says of the deed
 * @param deed what is done
 * @param opposite true if the deed's opposite is meant
 * @param doer who does it
 * @param object to whom or what
 * @param count how many of it; 0 for the one
 * @param when when or how long
 */
record Claim(
    Mood mood, Deed deed, boolean opposite, Noun doer, Noun object, int count, Adjunct when) {
  Claim withMood(Mood other) {
    return new Claim(other, deed, opposite, doer, object, count, when);
  }

  Claim withDoer(Noun other) {
    return new Claim(mood, deed, opposite, other, object, count, when);
  }

  Claim withObject(Noun other) {
    return new Claim(mood, deed, opposite, doer, other, count, when);
  }

  Claim withCount(int other) {
    return new Claim(mood, deed, opposite, doer, object, other, when);
  }

  Claim withWhen(Adjunct other) {
    return new Claim(mood, deed, opposite, doer, object, count, other);
  }

  Claim turned() {
    return new Claim(mood, deed, !opposite, doer, object, count, when);
  }

  /** Doer and object in each other's place. */
  Claim swapped() {
    return new Claim(mood, deed, opposite, object, doer, count, when);
  }

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

  /** What a claim says of its deed. */
  enum Mood {
    MUST,
    MAY,
    MUSTNOT,
    NEEDNOT,
    FACT,
    FACTNOT;

    /** The mood's name in the file of templates. */
    String label() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Moods that deny this one. */
    List<Mood> denials() {
      return switch (this) {
        case MUST -> List.of(MUSTNOT, NEEDNOT);
        case MAY -> List.of(MUSTNOT);
        case MUSTNOT -> List.of(MUST, MAY);
        case NEEDNOT -> List.of(MUST);
        case FACT -> List.of(FACTNOT);
        case FACTNOT -> List.of(FACT);
      };
    }

    /** Moods that are neither this one nor its denial: another force with the same sign. */
    List<Mood> otherForces() {
      return switch (this) {
        case MUST -> List.of(MAY);
        case MAY -> List.of(MUST);
        case MUSTNOT -> List.of(NEEDNOT);
        case NEEDNOT -> List.of(MUSTNOT);
        case FACT, FACTNOT -> List.of();
      };
    }
  }

  /**
   * Something named in a claim.
   *
   * @param words words for it in the singular, with article; the first is the common one
   * @param plural without article; empty for someone
   */
  record Noun(List<String> words, String plural) {
    Noun {
      words = List.copyOf(words);
    }
  }
}
