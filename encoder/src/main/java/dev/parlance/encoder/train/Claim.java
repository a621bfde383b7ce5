package dev.parlance.encoder.train;

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
}
