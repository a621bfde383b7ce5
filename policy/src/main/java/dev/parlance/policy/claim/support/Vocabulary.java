package dev.parlance.policy.claim.support;

import dev.parlance.policy.claim.Thesaurus;
import dev.parlance.policy.claim.Units;
import dev.parlance.policy.claim.change.CriticalWords;
import dev.parlance.policy.claim.change.CriticalWords.WordClass;
import dev.parlance.policy.claim.value.ValueLexicon;

/**
 * What is known of single words, under the keys of one seed: shared by all estimators of a process,
 * since loading it takes a while. Immutable.
 */
public final class Vocabulary {
  /** Weight of a word that says little by itself, beside 1 of all others. */
  static final double FUNCTION_WEIGHT = 0.2;

  private static final String[] FIRST_PERSON = {
    "i",
    "me",
    "my",
    "mine",
    "myself",
    "we",
    "us",
    "our",
    "ours",
    "ourselves",
    "i'm",
    "i've",
    "i'd",
    "i'll",
    "im",
    "we've",
    "we're",
    "we'll"
  };

  private final long seed;
  private final Thesaurus thesaurus;
  private final CriticalWords critical;
  private final ValueLexicon values;
  private final long[] firstPerson = new long[FIRST_PERSON.length];

  /**
   * Loads the tables.
   *
   * @param seed keys the fingerprints; no result depends on it, so take it from a source that the
   *     authors of messages do not know
   */
  public Vocabulary(long seed) {
    this.seed = seed;
    Units units = new Units(seed);
    thesaurus = Thesaurus.load(units::keyOf);
    critical = CriticalWords.load(units::keyOf);
    values = ValueLexicon.load(seed);
    for (int i = 0; i < FIRST_PERSON.length; i++) {
      firstPerson[i] = units.keyOf(FIRST_PERSON[i]);
    }
  }

  long seed() {
    return seed;
  }

  ValueLexicon values() {
    return values;
  }

  Thesaurus thesaurus() {
    return thesaurus;
  }

  /**
   * A number for a word that is the same for all its forms: small for those of the thesaurus, else
   * its own fingerprint.
   */
  long lemma(long key) {
    int word = thesaurus.word(key);
    return word >= 0 ? word : key | Long.MIN_VALUE;
  }

  /** The word of a lemma in the thesaurus, or -1. */
  static int word(long lemma) {
    return lemma >= 0 ? (int) lemma : -1;
  }

  /** The classes of a word in the table of critical words. */
  int classes(long key) {
    return critical.classes(key);
  }

  /** {@link EvidenceIndex#FUNCTION} and so on, of the classes of a word. */
  static int kind(int classes) {
    if (classes == 0) {
      return 0;
    }
    return (CriticalWords.has(classes, WordClass.FUNCTION) ? EvidenceIndex.FUNCTION : 0)
        | (CriticalWords.has(classes, WordClass.NEGATION) ? EvidenceIndex.NEGATION : 0)
        | (CriticalWords.has(classes, WordClass.QUANTIFIER) ? EvidenceIndex.QUANTIFIER : 0);
  }

  int quantifier(long key) {
    return critical.group(key, WordClass.QUANTIFIER);
  }

  boolean isFirstPerson(long key) {
    for (long word : firstPerson) {
      if (word == key) {
        return true;
      }
    }
    return false;
  }
}
