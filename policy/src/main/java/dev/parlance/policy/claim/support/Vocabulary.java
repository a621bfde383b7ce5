package dev.parlance.policy.claim.support;

import dev.parlance.policy.claim.Claims;
import dev.parlance.policy.claim.Thesaurus;
import dev.parlance.policy.claim.Units;
import dev.parlance.policy.claim.change.CriticalWords;
import dev.parlance.policy.claim.change.CriticalWords.WordClass;
import dev.parlance.policy.claim.change.FrameWords;
import dev.parlance.policy.claim.change.NormWords;
import dev.parlance.policy.claim.value.ValueLexicon;
import java.util.Arrays;

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

  /** Words that ask, and are no part of what a sentence would have to say to answer. */
  private static final String[] ASKING = {
    "what",
    "which",
    "who",
    "whom",
    "whose",
    "when",
    "where",
    "why",
    "how",
    "much",
    "many",
    "long",
    "often",
    "far",
    "can",
    "could",
    "should",
    "must",
    "may",
    "might",
    "will",
    "would",
    "shall",
    "was",
    "welche",
    "welcher",
    "welches",
    "wer",
    "wen",
    "wem",
    "wann",
    "wo",
    "warum",
    "wie",
    "viel",
    "viele",
    "lange",
    "oft",
    "quel",
    "quelle",
    "quels",
    "quelles",
    "qui",
    "que",
    "quoi",
    "quand",
    "o\u00f9",
    "pourquoi",
    "comment",
    "combien",
    "qu\u00e9",
    "cu\u00e1l",
    "qui\u00e9n",
    "cu\u00e1ndo",
    "d\u00f3nde",
    "c\u00f3mo",
    "cu\u00e1nto",
    "che",
    "quale",
    "chi",
    "quando",
    "dove",
    "perch\u00e9",
    "come",
    "quanto",
    "wat",
    "welk",
    "welke",
    "wie",
    "wanneer",
    "waar",
    "waarom",
    "hoe",
    "hoeveel"
  };

  private final long seed;
  private final Thesaurus thesaurus;
  private final CriticalWords critical;
  private final NormWords norms;
  private final FrameWords frames;
  private final ValueLexicon values;
  private final Claims claims;
  private final long[] firstPerson = new long[FIRST_PERSON.length];
  private final long[] asking;

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
    norms = new NormWords(units::keyOf);
    frames = new FrameWords(units::keyOf);
    values = ValueLexicon.load(seed);
    claims = new Claims(seed);
    for (int i = 0; i < FIRST_PERSON.length; i++) {
      firstPerson[i] = units.keyOf(FIRST_PERSON[i]);
    }
    asking = Arrays.stream(ASKING).mapToLong(units::keyOf).sorted().toArray();
  }

  /** What the keys of its words depend on. */
  public long seed() {
    return seed;
  }

  ValueLexicon values() {
    return values;
  }

  /** Claims with scratch of their own. */
  Claims claims() {
    return claims.another();
  }

  /** The words that it knows, by {@link Units#keyOf} of its seed. */
  public Thesaurus thesaurus() {
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

  boolean hasOpposite(long lemma) {
    return lemma >= 0 && thesaurus.firstOpposite((int) lemma) < thesaurus.endOpposite((int) lemma);
  }

  /** True if a lemma can be a verb. */
  boolean isVerb(long lemma) {
    return lemma >= 0 && (thesaurus.parts((int) lemma) & Thesaurus.VERB) != 0;
  }

  CriticalWords critical() {
    return critical;
  }

  NormWords norms() {
    return norms;
  }

  FrameWords frames() {
    return frames;
  }

  /** The classes of a word in the table of critical words. */
  long classes(long key) {
    return critical.classes(key);
  }

  /** {@link EvidenceIndex#FUNCTION} and so on, of the classes of a word. */
  static int kind(long classes) {
    if (classes == 0) {
      return 0;
    }
    return (CriticalWords.has(classes, WordClass.FUNCTION) ? EvidenceIndex.FUNCTION : 0)
        | (CriticalWords.has(classes, WordClass.NEGATION) ? EvidenceIndex.NEGATION : 0)
        | (CriticalWords.has(classes, WordClass.QUANTIFIER) ? EvidenceIndex.QUANTIFIER : 0)
        | (CriticalWords.has(classes, WordClass.CONDITION) ? EvidenceIndex.CONDITION : 0);
  }

  int quantifier(long key) {
    return critical.group(key, WordClass.QUANTIFIER);
  }

  boolean isAsking(long key) {
    return Arrays.binarySearch(asking, key) >= 0;
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
