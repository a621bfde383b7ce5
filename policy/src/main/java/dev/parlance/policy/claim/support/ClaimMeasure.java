package dev.parlance.policy.claim.support;

import static dev.parlance.policy.claim.support.BestSentence.SAME;

import dev.parlance.policy.claim.Thesaurus;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntPredicate;

/**
 * Measures how a claim stands to the evidence: a vector of features, and the sentence of the
 * evidence that carries it best.
 *
 * <p>Every feature is monotone: a word that the evidence does not have raises none of those that
 * speak for the claim and lowers none that speaks against it. The work is linear in the claim, with
 * bounds on how many places of the evidence are looked at. Reusable, for one thread.
 */
@SuppressWarnings("EnumOrdinal") // index of an array that never leaves this process
final class ClaimMeasure {
  /** What is measured of a claim; the sign says whether it speaks for (+1) or against (-1) it. */
  enum Feature {
    /** Share of its words in the sentence that has most of them, in any form or derived. */
    BEST(1),
    /** The same, synonyms counted. */
    BEST_SYNONYMS(1),
    /** The same of that sentence with two on each side. */
    WINDOW(1),
    /** Share of its words anywhere in the evidence, synonyms counted. */
    ALL(1),
    /** Share of words in the sentence, each by the length of the run it is part of. */
    BEST_FRAGMENTS(1),
    /** The same over all of the evidence. */
    FRAGMENTS(1),
    /** Length of the longest run, as a share of the claim. */
    LONGEST(1),
    /** Share of the pairs of neighbours that are neighbours in the evidence. */
    PAIRS(1),
    /** Nouns without any counterpart. */
    NOUNS(-1),
    /** Verbs without any counterpart. */
    VERBS(-1),
    /** Adjectives and adverbs without any counterpart. */
    QUALITIES(-1),
    /** Words that no thesaurus has and the evidence neither: names mostly. */
    NAMES(-1),
    /** Numbers that the evidence does not have. */
    NUMBERS(-1),
    /** Numbers and names, together. */
    SINGULAR(-1),
    /** Negations beyond those of the evidence around. */
    NEGATIONS(-1),
    /** Words whose opposite stands in the best sentence. */
    OPPOSITES(-1),
    /** Words whose opposite stands elsewhere in the evidence. */
    OPPOSITES_FAR(-1),
    /** Quantifiers that the evidence has nowhere. */
    QUANTIFIERS(-1),
    /** Speaks of itself, and the evidence does not. */
    FIRST_PERSON(-1),
    /** Words that neither evidence nor question have. */
    NEW(-1),
    /** Share of words without any counterpart. */
    MISSING(-1),
    /** Longest run of words without any counterpart. */
    GAP(-1),
    /** Share of words that stand within {@value #NEAR_UNITS} units of the evidence together. */
    TOGETHER(1);

    final int sign;

    Feature(int sign) {
      this.sign = sign;
    }
  }

  static final Feature[] FEATURES = Feature.values();

  /** So near to the words of a claim a condition is one on it. */
  private static final int CONDITION_REACH = 3;

  /** A sentence with this share of a claim has all of it. */
  private static final double ALL_OF_IT = 0.9;

  /** With so much of a claim in the evidence, a name out of the question is put in there. */
  private static final double ECHO_NEAR = 0.5;

  /** A sentence with this share of a claim is about the same. */
  private static final double SAME_MATTER = 0.65;

  /** So many units of the evidence are near to one another. */
  static final int NEAR_UNITS = 40;

  private static final int MAX_PLACES = 32;
  private static final int MAX_VOTES = 100;
  private static final int MAX_SINGULAR = 6;

  private static final double[] SATURATED = new double[64];

  static {
    for (int i = 0; i < SATURATED.length; i++) {
      SATURATED[i] = 1 - StrictMath.pow(0.6, i);
    }
  }

  private final Thesaurus thesaurus;
  private final EvidenceIndex evidence;
  private final ClaimWords claim;
  private final BestSentence sentence;
  private final SharedRuns runs;
  private final SentencesAlike alike;

  private int opposed;
  private boolean conditionLeftOut;
  private int longestGap;
  private int longestGapFirst;
  private int longestGapLast;

  private final double[] features = new double[FEATURES.length];

  ClaimMeasure(Vocabulary vocabulary, EvidenceIndex evidence) {
    thesaurus = vocabulary.thesaurus();
    this.evidence = evidence;
    claim = new ClaimWords(evidence);
    sentence = new BestSentence(claim, thesaurus, evidence);
    runs = new SharedRuns(claim, evidence);
    alike = new SentencesAlike(claim, sentence, evidence);
  }

  /** The sentence of the evidence that carries the claim best, or {@link EvidenceIndex#NONE}. */
  int bestSentence() {
    return sentence.sentence();
  }

  /**
   * Writes where the sentences begin and end that have most of the rarer words of the claim, the
   * best one first, and 1 of those with a word that denies, else 0.
   *
   * @param into takes these three of each, of as many as it has room for
   * @return how many they are
   */
  int nearest(int[] into) {
    int best = sentence.sentence();
    int count = best == EvidenceIndex.NONE ? 0 : put(best, 0, into);
    for (int i = 0; i < sentence.candidates() && 3 * count < into.length; i++) {
      if (sentence.candidate(i) != best) {
        count = put(sentence.candidate(i), count, into);
      }
    }
    return count;
  }

  private int put(int at, int count, int[] into) {
    into[3 * count] = evidence.begin(at);
    into[3 * count + 1] = evidence.end(at);
    into[3 * count + 2] = evidence.denies(at) ? 1 : 0;
    return count + 1;
  }

  /** The features, by {@link Feature#ordinal}; overwritten by the next claim. */
  double[] features() {
    return features;
  }

  double feature(Feature feature) {
    return features[feature.ordinal()];
  }

  /**
   * True if the evidence has the words of the claim, but these chunks have less than half of those.
   */
  boolean isElsewhere(BitSet chunks) {
    int there = 0;
    int content = 0;
    for (int i = 0; i < claim.count; i++) {
      if (claim.weights[i] < 1.0 || claim.firstPlaces[i] < 0) {
        continue;
      }
      content++;
      int left = MAX_VOTES;
      for (int p = claim.firstPlaces[i]; p >= 0 && left-- > 0; p = evidence.next(p)) {
        if (chunks.get(evidence.chunkOf(evidence.sentence(p)))) {
          there++;
          break;
        }
      }
    }
    return content > 1 && 2 * there < content;
  }

  /**
   * Measures the units {@code first} to {@code after}.
   *
   * @param parts which of them belong to the claim
   * @param carried those that are known to be carried: values, whatever their notation
   * @param question what was asked
   */
  void measure(
      TextWords words,
      int first,
      int after,
      IntPredicate parts,
      BitSet carried,
      EvidenceIndex question) {
    claim.read(words, first, after, parts, carried);
    Arrays.fill(features, 0.0);
    sentence.choose();
    double within = runs.within(sentence.sentence());
    double anywhere = runs.anywhere();
    // Where no sentence is best all of them are: so the weights were learned.
    boolean any = sentence.sentence() != EvidenceIndex.NONE;
    set(Feature.BEST_FRAGMENTS, any ? within : anywhere);
    set(Feature.FRAGMENTS, anywhere);
    readRuns();
    readShares();
    countMissing(question);
    set(Feature.FIRST_PERSON, claim.ofItself && !evidence.hasFirstPerson() ? 1 : 0);
    conditionLeftOut = findConditionLeftOut();
  }

  private void readRuns() {
    int[] lengths = runs.runs();
    int count = claim.count;
    int longest = 0;
    int pairs = 0;
    for (int i = 0; i < count; i++) {
      longest = Math.max(longest, lengths[i]);
      pairs += i + 1 < count && lengths[i] > 1 && lengths[i + 1] > 1 ? 1 : 0;
    }
    set(Feature.LONGEST, (double) longest / Math.max(1, count));
    set(Feature.PAIRS, (double) pairs / Math.max(1, count - 1));
  }

  /** Shares of the claim that are carried: how a word is carried is what it counts. */
  private void readShares() {
    double best = 0;
    double synonyms = 0;
    double window = 0;
    double all = 0;
    for (int i = 0; i < claim.count; i++) {
      double weight = claim.weights[i];
      best += sentence.best[i] == SAME ? weight : 0;
      synonyms += weight * sentence.best[i];
      window += weight * sentence.around[i];
      all += weight * sentence.anywhere[i];
    }
    double total = claim.total == 0 ? 1 : claim.total;
    set(Feature.BEST, best / total);
    set(Feature.BEST_SYNONYMS, synonyms / total);
    set(Feature.WINDOW, window / total);
    set(Feature.ALL, all / total);
  }

  private void set(Feature feature, double value) {
    features[feature.ordinal()] = value;
  }

  /** Adds the units of the answer that the evidence has in some form, synonyms counted. */
  void addCarried(BitSet units) {
    for (int i = 0; i < claim.count; i++) {
      if (sentence.anywhere[i] > 0) {
        units.set(claim.units[i]);
      }
    }
  }

  /** Number of units of the claim. */
  int count() {
    return claim.count;
  }

  /** Number of units that say something of the matter. */
  int words() {
    int words = 0;
    for (int i = 0; i < claim.count; i++) {
      words += claim.weights[i] == 1.0 ? 1 : 0;
    }
    return words;
  }

  // ---- what speaks against it ----

  private void countMissing(EvidenceIndex question) {
    int content = 0;
    int missing = 0;
    int nouns = 0;
    int verbs = 0;
    int qualities = 0;
    int names = 0;
    int numbers = 0;
    int unasked = 0;
    int negations = 0;
    int opposites = 0;
    int far = 0;
    int gap = 0;
    int gapFirst = 0;
    longestGap = 0;
    int negationsOfClaim = 0;
    for (int i = 0; i < claim.count; i++) {
      negationsOfClaim += (claim.kinds[i] & EvidenceIndex.NEGATION) != 0 ? 1 : 0;
    }
    opposed = -1;
    for (int i = 0; i < claim.count; i++) {
      int word = Vocabulary.word(claim.lemmas[i]);
      negations += (claim.kinds[i] & EvidenceIndex.NEGATION) != 0 ? 1 : 0;
      if (claim.weights[i] < 1.0) {
        continue;
      }
      content++;
      if (sentence.anywhere[i] > 0) {
        gap = 0;
      } else {
        missing++;
        if (gap++ == 0) {
          gapFirst = i;
        }
        if (gap > longestGap) {
          longestGap = gap;
          longestGapFirst = gapFirst;
          longestGapLast = i;
        }
        unasked += question.first(claim.lemmas[i]) < 0 ? 1 : 0;
        if (claim.digits[i]) {
          numbers++;
        } else if (word < 0 || claim.named[i]) {
          names++;
        } else if ((thesaurus.parts(word) & Thesaurus.NOUN) != 0) {
          nouns++;
        } else if ((thesaurus.parts(word) & Thesaurus.VERB) != 0) {
          verbs++;
        } else {
          qualities++;
        }
      }
      if (sentence.around[i] < SAME && (claim.kinds[i] & EvidenceIndex.OPPOSED) != 0) {
        if (hasOppositeNear(word)) {
          opposites++;
          if (sentence.anywhere[i] == 0
              && negationsOfClaim == negationsOfBest()
              && !hasOpposite(word)) {
            opposed = i;
          }
        } else if (evidence.hasOpposite(word)) {
          far++;
        }
      }
    }
    if (feature(Feature.BEST_SYNONYMS) < SAME_MATTER) {
      opposed = -1;
    }
    set(Feature.NOUNS, saturated(nouns));
    set(Feature.VERBS, saturated(verbs));
    set(Feature.QUALITIES, saturated(qualities));
    set(Feature.NAMES, saturated(names));
    set(Feature.NUMBERS, saturated(numbers));
    set(Feature.SINGULAR, Math.min(numbers + names, MAX_SINGULAR) / (double) MAX_SINGULAR);
    set(Feature.OPPOSITES, saturated(opposites));
    set(Feature.OPPOSITES_FAR, saturated(far));
    set(Feature.NEW, saturated(unasked));
    set(Feature.MISSING, (double) missing / Math.max(1, content));
    set(Feature.TOGETHER, runs.together(content));
    set(Feature.GAP, saturated(longestGap));
    set(Feature.NEGATIONS, saturated(Math.max(0, negations - negationsAround())));
    set(
        Feature.QUANTIFIERS,
        saturated(Integer.bitCount(claim.quantifiers & ~evidence.quantifiers())));
  }

  /**
   * True if the sentence that has nearly all of the claim has a condition directly before or behind
   * that part, which the claim leaves out.
   */
  boolean leavesConditionOut() {
    return conditionLeftOut;
  }

  private boolean findConditionLeftOut() {
    if (sentence.sentence() == EvidenceIndex.NONE || feature(Feature.BEST) < ALL_OF_IT) {
      return false;
    }
    int from = evidence.begin(sentence.sentence());
    int to = evidence.endOfLook(sentence.sentence());
    for (int i = 0; i < claim.count; i++) {
      // A condition in other words; "within 14 days" may stand beside another one.
      if ((claim.kinds[i] & EvidenceIndex.CONDITION) != 0 && sentence.best[i] != SAME) {
        return false;
      }
    }
    int low = to;
    int high = from;
    for (int p = from; p < to; p++) {
      if ((evidence.kind(p) & EvidenceIndex.FUNCTION) == 0 && claim.has(p)) {
        low = Math.min(low, p);
        high = p;
      }
    }
    return hasCondition(from, Math.min(low, from + CONDITION_REACH))
        || hasCondition(high + 1, Math.min(to, high + 1 + CONDITION_REACH));
  }

  private boolean hasCondition(int from, int to) {
    for (int p = from; p < to; p++) {
      if ((evidence.kind(p) & EvidenceIndex.CONDITION) != 0 && !claim.has(p)) {
        return true;
      }
    }
    return false;
  }

  /** Length of the longest run of words, others than little ones, that the evidence has not. */
  int gap() {
    return longestGap;
  }

  /** The units of the answer at which that run begins and ends. */
  int gapFirst() {
    return claim.units[longestGapFirst];
  }

  int gapLast() {
    return claim.units[longestGapLast];
  }

  /**
   * The unit of the answer within the claim that the evidence has nowhere and the opposite of which
   * stands in the sentence that has most of the claim; or -1.
   */
  int opposed() {
    return opposed < 0 ? -1 : claim.units[opposed];
  }

  /**
   * The unit of the answer that is a name, or a noun where the question is confirmed, which the
   * question has and the evidence has nowhere; or -1.
   */
  int echoed(EvidenceIndex question, boolean confirms) {
    if (!confirms && feature(Feature.BEST) < ECHO_NEAR) {
      return -1;
    }
    for (int i = 0; i < claim.count; i++) {
      int word = Vocabulary.word(claim.lemmas[i]);
      if (claim.weights[i] == 1.0
          && sentence.anywhere[i] == 0
          && !claim.digits[i]
          && question.first(claim.lemmas[i]) >= 0
          && (confirms ? isThing(i, word) : claim.named[i])) {
        return claim.units[i];
      }
    }
    return -1;
  }

  private boolean isThing(int unit, int word) {
    return word < 0
        || thesaurus.parts(word) == Thesaurus.NOUN
        || ((thesaurus.parts(word) & Thesaurus.NOUN) != 0
            && unit > 0
            && claim.weights[unit - 1] < 1.0);
  }

  /**
   * The unit of the answer that the claim took from another sentence than its best one ({@link
   * SentencesAlike}), or -1.
   */
  int mixedIn() {
    int found = alike.mixedIn();
    return found < 0 ? -1 : claim.units[found];
  }

  private static double saturated(int number) {
    return number < SATURATED.length ? SATURATED[number] : 1 - StrictMath.pow(0.6, number);
  }

  /** True if the claim itself has the opposite of one of its words, too: it opens and closes. */
  private boolean hasOpposite(int word) {
    for (int i = thesaurus.firstOpposite(word); i < thesaurus.endOpposite(word); i++) {
      for (int unit = 0; unit < claim.count; unit++) {
        if (claim.lemmas[unit] == thesaurus.opposite(i)) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean hasOppositeNear(int word) {
    for (int i = thesaurus.firstOpposite(word); i < thesaurus.endOpposite(word); i++) {
      int left = MAX_PLACES;
      for (int p = evidence.first(thesaurus.opposite(i));
          p >= 0 && left-- > 0;
          p = evidence.next(p)) {
        if (evidence.sentence(p) == sentence.sentence()) {
          return true;
        }
      }
    }
    return false;
  }

  private int negationsOfBest() {
    return sentence.sentence() == EvidenceIndex.NONE
        ? 0
        : evidence.negationsOf(sentence.sentence());
  }

  private int negationsAround() {
    int sum = 0;
    if (sentence.sentence() != EvidenceIndex.NONE) {
      for (int s = Math.max(0, sentence.sentence() - 1);
          s <= Math.min(evidence.sentences() - 1, sentence.sentence() + 1);
          s++) {
        sum += evidence.negationsOf(s);
      }
    }
    return sum;
  }
}
