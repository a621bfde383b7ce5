package dev.parlance.policy.claim.support;

import dev.parlance.policy.claim.Thesaurus;
import dev.parlance.policy.claim.Units;
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

  /** Longer claims are measured up to here; whoever splits them keeps them shorter. */
  static final int MAX_UNITS = 512;

  private static final int CANDIDATES = 10;

  /** A sentence with this share of a claim has all of it. */
  private static final double ALL_OF_IT = 0.9;

  /** So near to the words of a claim a condition is one on it. */
  private static final int CONDITION_REACH = 3;

  /** With so much of a claim in the evidence, a name out of the question is put in there. */
  private static final double ECHO_NEAR = 0.5;

  /** A sentence with this share of a claim is about the same. */
  private static final double SAME_MATTER = 0.65;

  /** So many entries of evidence are kept for the next one. */
  private static final int KEEP = 1 << 14;

  private static final int AROUND = 2;
  private static final int MAX_PLACES = 32;
  private static final int MAX_VOTES = 100;
  private static final int NEAR_UNITS = 40;

  /** Room for more than {@link #NEAR_UNITS} positions, a power of two. */
  private static final int RING = 64;

  private static final int MAX_SINGULAR = 6;

  private static final double[] SATURATED = new double[64];

  static {
    for (int i = 0; i < SATURATED.length; i++) {
      SATURATED[i] = 1 - StrictMath.pow(0.6, i);
    }
  }

  /** More than sums of weights in another order differ by. */
  private static final double ROUNDING = 1e-6;

  private static final double SAME = 1.0;
  private static final double SYNONYM = 0.7;

  private final WordCache words;
  private final Thesaurus thesaurus;
  private final EvidenceIndex evidence;

  private int count;
  private final long[] lemmas = new long[MAX_UNITS];
  private final byte[] kinds = new byte[MAX_UNITS];
  private final boolean[] digits = new boolean[MAX_UNITS];
  private final boolean[] named = new boolean[MAX_UNITS];
  private final boolean[] held = new boolean[MAX_UNITS];
  private final double[] weights = new double[MAX_UNITS];
  private double total;

  /** A bit for each group of quantifiers that the claim has. */
  private int quantifiers;

  private boolean ofItself;

  /** How each unit is carried: anywhere, in the best sentence, around it. */
  private final double[] anywhere = new double[MAX_UNITS];

  private final double[] best = new double[MAX_UNITS];
  private final double[] around = new double[MAX_UNITS];
  private final double[] related = new double[MAX_UNITS];
  private final double[] tried = new double[MAX_UNITS];
  private final int[] runs = new int[MAX_UNITS];

  /** For units that the evidence does not have: words of it that are related, and how. */
  private final int[] firstRelations = new int[MAX_UNITS + 1];

  private int[] relatedEntries = new int[64];
  private double[] strengths = new double[64];
  private int relations;

  /** For each unit the entry of its lemma in the evidence, and its first position there. */
  private final int[] entries = new int[MAX_UNITS];

  private final int[] firstPlaces = new int[MAX_UNITS];

  /**
   * For each entry of the evidence the last unit of the claim with its lemma plus one; further ones
   * of the same lemma are chained.
   */
  private int[] unitsOfEntries = new int[512];

  private final int[] sameLemma = new int[MAX_UNITS];

  /** Entries of what the sentence that is looked at says, by its stamp. */
  private int[] there = new int[512];

  private int stamp;

  private final Positions places = new Positions();
  private final int[] within = new int[MAX_UNITS];
  private final int[] stretch = new int[RING];

  private int[] votes = new int[64];

  /** The weight of the words of the claim that voted for a sentence: all that it has of them. */
  private double[] weightsOf = new double[64];

  /** What any sentence may have besides. */
  private double slack;

  private int[] voted = new int[64];
  private int votedCount;
  private final int[] elected = new int[CANDIDATES];
  private int candidates;

  private int bestSentence;
  private int opposed;
  private boolean conditionLeftOut;
  private int longestGap;
  private int longestGapFirst;
  private int longestGapLast;

  /** The unit of the answer that each unit of the claim is. */
  private final int[] units = new int[MAX_UNITS];

  private final double[] features = new double[FEATURES.length];

  ClaimMeasure(Vocabulary vocabulary, WordCache words, EvidenceIndex evidence) {
    this.words = words;
    thesaurus = vocabulary.thesaurus();
    this.evidence = evidence;
  }

  /** The sentence of the evidence that carries the claim best, or {@link EvidenceIndex#NONE}. */
  int bestSentence() {
    return bestSentence;
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
    for (int i = 0; i < count; i++) {
      if (weights[i] < 1.0 || firstPlaces[i] < 0) {
        continue;
      }
      content++;
      int left = MAX_VOTES;
      for (int p = firstPlaces[i]; p >= 0 && left-- > 0; p = evidence.next(p)) {
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
      Units units,
      int first,
      int after,
      IntPredicate parts,
      BitSet carried,
      EvidenceIndex question) {
    read(units, first, after, parts, carried);
    Arrays.fill(features, 0.0);
    chooseBest();
    lookAnywhere();
    double bestRuns = fragments(bestSentence);
    set(Feature.BEST_FRAGMENTS, bestRuns);
    set(Feature.FRAGMENTS, fragments(EvidenceIndex.NONE));
    int longest = 0;
    int pairs = 0;
    for (int i = 0; i < count; i++) {
      longest = Math.max(longest, runs[i]);
      pairs += i + 1 < count && runs[i] > 1 && runs[i + 1] > 1 ? 1 : 0;
    }
    set(Feature.LONGEST, (double) longest / Math.max(1, count));
    set(Feature.PAIRS, (double) pairs / Math.max(1, count - 1));
    set(Feature.BEST, covered(best, 0.0));
    set(Feature.BEST_SYNONYMS, covered(best, SYNONYM));
    set(Feature.WINDOW, covered(around, SYNONYM));
    set(Feature.ALL, covered(anywhere, SYNONYM));
    countMissing(question);
    set(Feature.FIRST_PERSON, ofItself && !evidence.hasFirstPerson() ? 1 : 0);
    conditionLeftOut = findConditionLeftOut();
    for (int i = 0; i < count; i++) {
      if (entries[i] >= 0) {
        unitsOfEntries[entries[i]] = 0;
      }
    }
  }

  private void set(Feature feature, double value) {
    features[feature.ordinal()] = value;
  }

  /** Number of units of the claim. */
  int count() {
    return count;
  }

  /** Number of units that say something of the matter. */
  int words() {
    int words = 0;
    for (int i = 0; i < count; i++) {
      words += weights[i] == 1.0 ? 1 : 0;
    }
    return words;
  }

  private void read(Units units, int first, int after, IntPredicate parts, BitSet carried) {
    quantifiers = 0;
    ofItself = false;
    count = 0;
    total = 0;
    int entriesOfEvidence = evidence.different();
    if (unitsOfEntries.length < entriesOfEvidence
        || unitsOfEntries.length > Math.max(KEEP, 2 * entriesOfEvidence)) {
      unitsOfEntries = new int[Math.max(512, entriesOfEvidence + (entriesOfEvidence >> 1))];
      there = new int[unitsOfEntries.length];
      stamp = 0;
    }
    for (int unit = first; unit < after && count < MAX_UNITS; unit++) {
      if (!parts.test(unit)) {
        continue;
      }
      int i = count++;
      this.units[i] = unit;
      int word = words.slot(units.key(unit));
      int flags = units.flags(unit);
      lemmas[i] = words.lemma(word);
      kinds[i] = (byte) words.kind(word);
      ofItself |= (kinds[i] & EvidenceIndex.FIRST_PERSON) != 0;
      digits[i] = (flags & Units.DIGITS) != 0;
      held[i] = carried.get(unit);
      named[i] = i > 0 && (flags & Units.UPPER) != 0;
      boolean little = (kinds[i] & EvidenceIndex.FUNCTION) != 0 || (flags & Units.SYMBOL) != 0;
      if ((kinds[i] & EvidenceIndex.QUANTIFIER) != 0) {
        quantifiers |= 1 << words.quantifier(word);
      }
      weights[i] = little ? Vocabulary.FUNCTION_WEIGHT : 1.0;
      total += weights[i];
      int entry = evidence.entry(lemmas[i]);
      entries[i] = entry;
      firstPlaces[i] = EvidenceIndex.NONE;
      sameLemma[i] = -1;
      if (entry >= 0) {
        firstPlaces[i] = evidence.firstOf(entry);
        sameLemma[i] = unitsOfEntries[entry] - 1;
        unitsOfEntries[entry] = i + 1;
      }
    }
  }

  // ---- the sentence that carries it best ----

  private void chooseBest() {
    bestSentence = EvidenceIndex.NONE;
    Arrays.fill(best, 0, count, 0.0);
    Arrays.fill(around, 0, count, 0.0);
    findRelated();
    vote();
    double most = -1;
    for (int c = 0; c < candidates && most < 1.0; c++) {
      if (weightsOf[elected[c]] + slack + ROUNDING < most * total) {
        continue;
      }
      Arrays.fill(tried, 0, count, 0.0);
      look(elected[c], tried, Words.THAT_ARE_NOWHERE);
      double covered = covered(tried, SYNONYM);
      if (covered > most) {
        most = covered;
        bestSentence = elected[c];
        System.arraycopy(tried, 0, best, 0, count);
      }
    }
    if (bestSentence == EvidenceIndex.NONE) {
      return;
    }
    if (isAllThere()) {
      System.arraycopy(best, 0, around, 0, count);
      return;
    }
    look(bestSentence, best, Words.ALL);
    for (int i = 0; i < count; i++) {
      if (held[i]) {
        best[i] = SAME;
      }
    }
    System.arraycopy(best, 0, around, 0, count);
    int chunk = evidence.chunkOf(bestSentence);
    for (int s = bestSentence - AROUND; s <= bestSentence + AROUND; s++) {
      if (s >= 0 && s < evidence.sentences() && s != bestSentence && evidence.chunkOf(s) == chunk) {
        look(s, around, Words.THAT_ARE_NOWHERE);
      }
    }
  }

  /** True if the best sentence has each word of the claim in some form. */
  private boolean isAllThere() {
    for (int i = 0; i < count; i++) {
      if (best[i] != SAME) {
        return false;
      }
    }
    return true;
  }

  /** Each rarer word of the claim speaks for the sentences that have it. */
  private void vote() {
    if (votes.length < evidence.sentences()) {
      votes = new int[Math.max(evidence.sentences(), 2 * votes.length)];
      weightsOf = new double[votes.length];
    }
    slack = 0;
    for (int i = 0; i < count; i++) {
      if (entries[i] < 0) {
        slack += weights[i] * (related[i] < SAME && related[i] > 0 ? SYNONYM : related[i]);
        continue;
      }
      if (weights[i] < 1.0 || sameLemma[i] >= 0) {
        slack += weights[i];
        continue;
      }
      int often = evidence.countOf(entries[i]);
      int vote = 64 / (1 + Math.min(often, MAX_VOTES + 1));
      slack += often > MAX_VOTES ? weights[i] : 0;
      int left = MAX_VOTES;
      int last = EvidenceIndex.NONE;
      for (int p = firstPlaces[i]; p >= 0 && left-- > 0; p = evidence.next(p)) {
        int sentence = evidence.sentence(p);
        if (sentence != last) {
          vote(sentence, 8 + vote, weights[i]);
          last = sentence;
        }
      }
    }
    elect();
  }

  private void vote(int sentence, int vote, double weight) {
    if (votes[sentence] == 0) {
      if (votedCount == voted.length) {
        voted = Arrays.copyOf(voted, 2 * votedCount);
      }
      voted[votedCount++] = sentence;
      weightsOf[sentence] = 0;
    }
    votes[sentence] += vote;
    weightsOf[sentence] += weight;
  }

  /** Chooses the sentences with most votes, of equal ones the first; all lose their votes. */
  private void elect() {
    candidates = 0;
    for (int i = 0; i < votedCount; i++) {
      int sentence = voted[i];
      int at = candidates;
      while (at > 0 && isBefore(sentence, elected[at - 1])) {
        at--;
      }
      if (at < CANDIDATES) {
        candidates = Math.min(candidates + 1, CANDIDATES);
        System.arraycopy(elected, at, elected, at + 1, candidates - at - 1);
        elected[at] = sentence;
      }
    }
    for (int i = 0; i < votedCount; i++) {
      votes[voted[i]] = 0;
    }
    votedCount = 0;
  }

  private boolean isBefore(int a, int b) {
    return votes[a] > votes[b] || (votes[a] == votes[b] && a < b);
  }

  /** For which words of the claim a synonym or derived word is looked for. */
  private enum Words {
    ALL,
    THAT_ARE_NOWHERE
  }

  /** Finds the words that the evidence has in no form, but related ones, and which those are. */
  private void findRelated() {
    relations = 0;
    for (int i = 0; i < count; i++) {
      int word = Vocabulary.word(lemmas[i]);
      related[i] = 0;
      firstRelations[i] = relations;
      if (word >= 0 && weights[i] == 1.0 && firstPlaces[i] < 0) {
        findRelated(i, word);
      }
    }
    firstRelations[count] = relations;
  }

  private void findRelated(int unit, int word) {
    for (int r = thesaurus.firstRelated(word); r < thesaurus.endRelated(word); r++) {
      if (evidence.mayHave(thesaurus.related(r))) {
        addRelation(unit, thesaurus.related(r), thesaurus.isDerivation(r) ? SAME : SYNONYM);
      }
    }
  }

  private void addRelation(int unit, int other, double strength) {
    int entry = evidence.entry(other);
    if (entry >= 0 && (evidence.kind(evidence.firstOf(entry)) & EvidenceIndex.FUNCTION) == 0) {
      if (relations == relatedEntries.length) {
        relatedEntries = Arrays.copyOf(relatedEntries, 2 * relations);
        strengths = Arrays.copyOf(strengths, 2 * relations);
      }
      relatedEntries[relations] = entry;
      strengths[relations++] = strength;
      related[unit] = Math.max(related[unit], strength);
    }
  }

  /** Notes which units of the claim a sentence carries, and how well. */
  private void look(int sentence, double[] carried, Words words) {
    int from = evidence.begin(sentence);
    int to = Math.min(evidence.end(sentence), from + MAX_UNITS);
    nextStamp();
    int[] all = evidence.entriesAndFunctions();
    int[] units = unitsOfEntries;
    int[] stamps = there;
    int now = stamp;
    boolean asked = words == Words.ALL || relations > 0;
    for (int p = from; p < to; p++) {
      int entry = all[p] >> 1;
      int unit = units[entry] - 1;
      while (unit >= 0) {
        carried[unit] = SAME;
        unit = sameLemma[unit];
      }
      if (asked && (all[p] & EvidenceIndex.FUNCTION) == 0) {
        stamps[entry] = now;
      }
    }
    for (int i = 0; i < count && asked; i++) {
      if (carried[i] > 0) {
        continue;
      }
      if (related[i] > 0) {
        carried[i] = foundRelated(i);
      } else if (words == Words.ALL && lemmas[i] >= 0 && weights[i] == 1.0) {
        carried[i] = relatedThere((int) lemmas[i]);
      }
    }
  }

  private void nextStamp() {
    if (++stamp == Integer.MAX_VALUE) {
      Arrays.fill(there, 0);
      stamp = 1;
    }
  }

  /** How well the words of the sentence carry a unit that the evidence has related words of. */
  private double foundRelated(int unit) {
    double found = 0;
    for (int r = firstRelations[unit]; r < firstRelations[unit + 1] && found < SAME; r++) {
      if (strengths[r] > found && there[relatedEntries[r]] == stamp) {
        found = strengths[r];
      }
    }
    return found;
  }

  private double relatedThere(int word) {
    double found = 0;
    for (int r = thesaurus.firstRelated(word); r < thesaurus.endRelated(word); r++) {
      if (isThere(thesaurus.related(r))) {
        found = Math.max(found, thesaurus.isDerivation(r) ? SAME : SYNONYM);
      }
    }
    return found;
  }

  private boolean isThere(int word) {
    int entry = evidence.entry(word);
    return entry >= 0 && there[entry] == stamp;
  }

  private void lookAnywhere() {
    for (int i = 0; i < count; i++) {
      if (held[i] || firstPlaces[i] >= 0) {
        anywhere[i] = SAME;
      } else {
        anywhere[i] = Math.max(around[i], related[i]);
      }
    }
  }

  /** Share of the claim that is carried, a synonym counting so much. */
  private double covered(double[] carried, double synonym) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
      sum += carried[i] == SAME ? weights[i] : carried[i] > 0 ? weights[i] * synonym : 0;
    }
    return total == 0 ? 0 : sum / total;
  }

  // ---- runs of equal words ----

  /** Share of the claim in runs of a sentence, or of all evidence. */
  private double fragments(int sentence) {
    boolean within = sentence != EvidenceIndex.NONE;
    int to = within ? evidence.end(sentence) : evidence.count();
    int from = within ? evidence.begin(sentence) : 0;
    double sum = 0;
    int covered = 0;
    for (int i = 0; i < count; i++) {
      runs[i] = 0;
    }
    for (int i = 0; i < count; ) {
      int longest = 0;
      int left = MAX_PLACES;
      for (int p = firstPlaces[i]; p >= 0 && p < to && left > 0; p = evidence.next(p)) {
        if (p >= from) {
          left--;
          longest = longer(i, p, to, longest);
        }
      }
      for (int k = i; k < i + longest; k++) {
        runs[k] = longest;
        sum += weights[k] * (1 - Math.scalb(1.0, -longest));
      }
      covered += longest;
      i += Math.max(1, longest);
    }
    return total == 0 || covered == 0 ? 0 : sum / total;
  }

  /** The length of the run that begins at a place, or {@code least} if that is not shorter. */
  private int longer(int unit, int place, int to, int least) {
    if (unit + least >= count
        || place + least >= to
        || evidence.entryAt(place + least) != entries[unit + least]) {
      return least;
    }
    int most = Math.min(count - unit, Math.min(to, evidence.end(evidence.sentence(place))) - place);
    int length = 1;
    while (length < most && evidence.entryAt(place + length) == entries[unit + length]) {
      length++;
    }
    return Math.max(length, least);
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
    for (int i = 0; i < count; i++) {
      negationsOfClaim += (kinds[i] & EvidenceIndex.NEGATION) != 0 ? 1 : 0;
    }
    opposed = -1;
    for (int i = 0; i < count; i++) {
      int word = Vocabulary.word(lemmas[i]);
      negations += (kinds[i] & EvidenceIndex.NEGATION) != 0 ? 1 : 0;
      if (weights[i] < 1.0) {
        continue;
      }
      content++;
      if (anywhere[i] > 0) {
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
        unasked += question.first(lemmas[i]) < 0 ? 1 : 0;
        if (digits[i]) {
          numbers++;
        } else if (word < 0 || named[i]) {
          names++;
        } else if ((thesaurus.parts(word) & Thesaurus.NOUN) != 0) {
          nouns++;
        } else if ((thesaurus.parts(word) & Thesaurus.VERB) != 0) {
          verbs++;
        } else {
          qualities++;
        }
      }
      if (around[i] < SAME && (kinds[i] & EvidenceIndex.OPPOSED) != 0) {
        if (hasOppositeNear(word)) {
          opposites++;
          if (anywhere[i] == 0 && negationsOfClaim == negationsOfBest() && !hasOpposite(word)) {
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
    set(Feature.TOGETHER, together(content));
    set(Feature.GAP, saturated(longestGap));
    set(Feature.NEGATIONS, saturated(Math.max(0, negations - negationsAround())));
    set(Feature.QUANTIFIERS, saturated(Integer.bitCount(quantifiers & ~evidence.quantifiers())));
  }

  /**
   * Share of the words that stand together in the evidence: most different ones within any stretch,
   * found by moving over their places in order.
   */
  private double together(int content) {
    places.clear();
    for (int i = 0; i < count; i++) {
      if (weights[i] == 1.0 && sameLemma[i] < 0) {
        int left = MAX_PLACES;
        for (int p = firstPlaces[i]; p >= 0 && left-- > 0; p = evidence.next(p)) {
          places.add(p);
        }
      }
    }
    Arrays.fill(within, 0, count, 0);
    int most = 0;
    int different = 0;
    // The stretch is a ring: no more positions than units lie in it.
    int oldest = 0;
    int size = 0;
    for (int p = places.next(0); p >= 0; p = places.next(p + 1)) {
      while (size > 0 && p - stretch[oldest] > NEAR_UNITS) {
        different -= --within[firstUnit(stretch[oldest])] == 0 ? 1 : 0;
        oldest = oldest + 1 & RING - 1;
        size--;
      }
      stretch[oldest + size++ & RING - 1] = p;
      different += within[firstUnit(p)]++ == 0 ? 1 : 0;
      most = Math.max(most, different);
    }
    return (double) Math.min(most, content) / Math.max(1, content);
  }

  private int firstUnit(int place) {
    return unitsOfEntries[evidence.entryAt(place)] - 1;
  }

  /**
   * True if the sentence that has nearly all of the claim has a condition directly before or behind
   * that part, which the claim leaves out.
   */
  boolean leavesConditionOut() {
    return conditionLeftOut;
  }

  private boolean findConditionLeftOut() {
    if (bestSentence == EvidenceIndex.NONE || feature(Feature.BEST) < ALL_OF_IT) {
      return false;
    }
    for (int i = 0; i < count; i++) {
      if ((kinds[i] & EvidenceIndex.CONDITION) != 0) {
        return false;
      }
    }
    int from = evidence.begin(bestSentence);
    int to = Math.min(evidence.end(bestSentence), from + MAX_UNITS);
    int low = to;
    int high = from;
    for (int p = from; p < to; p++) {
      if ((evidence.kind(p) & EvidenceIndex.FUNCTION) == 0
          && unitsOfEntries[evidence.entryAt(p)] != 0) {
        low = Math.min(low, p);
        high = p;
      }
    }
    return hasCondition(from, Math.min(low, from + CONDITION_REACH))
        || hasCondition(high + 1, Math.min(to, high + 1 + CONDITION_REACH));
  }

  private boolean hasCondition(int from, int to) {
    for (int p = from; p < to; p++) {
      if ((evidence.kind(p) & EvidenceIndex.CONDITION) != 0) {
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
    return units[longestGapFirst];
  }

  int gapLast() {
    return units[longestGapLast];
  }

  /**
   * The unit of the answer within the claim that the evidence has nowhere and the opposite of which
   * stands in the sentence that has most of the claim; or -1.
   */
  int opposed() {
    return opposed < 0 ? -1 : units[opposed];
  }

  /**
   * The unit of the answer that is a name, or a noun where the question is confirmed, which the
   * question has and the evidence has nowhere; or -1.
   */
  int echoed(EvidenceIndex question, boolean confirms) {
    if (!confirms && feature(Feature.BEST) < ECHO_NEAR) {
      return -1;
    }
    for (int i = 0; i < count; i++) {
      int word = Vocabulary.word(lemmas[i]);
      if (weights[i] == 1.0
          && anywhere[i] == 0
          && !digits[i]
          && question.first(lemmas[i]) >= 0
          && (confirms ? isThing(i, word) : named[i])) {
        return units[i];
      }
    }
    return -1;
  }

  private boolean isThing(int unit, int word) {
    return word < 0
        || thesaurus.parts(word) == Thesaurus.NOUN
        || ((thesaurus.parts(word) & Thesaurus.NOUN) != 0 && unit > 0 && weights[unit - 1] < 1.0);
  }

  /**
   * The unit of the answer that is the only word of the claim which its best sentence has not, and
   * comes from another one made alike: the role of Ann said of Bob. Or -1.
   *
   * <p>Both have half of their words in common, the claim leaves something of both out, and has of
   * one of them what it is about and of the other what it says.
   */
  int mixedIn() {
    int found = -1;
    for (int i = 0; i < count; i++) {
      if (weights[i] < 1.0 || best[i] > 0) {
        continue;
      }
      if (found >= 0 || firstPlaces[i] < 0 || held[i] || digits[i]) {
        return -1;
      }
      found = i;
    }
    if (found < 0 || bestSentence == EvidenceIndex.NONE) {
      return -1;
    }
    int left = MAX_PLACES;
    for (int p = firstPlaces[found]; p >= 0 && left-- > 0; p = evidence.next(p)) {
      int other = evidence.sentence(p);
      if (evidence.chunkOf(other) == evidence.chunkOf(bestSentence) && isAlike(other, found)) {
        return units[found];
      }
    }
    return -1;
  }

  private boolean isAlike(int other, int mixed) {
    if (entries[mixed] < 0) {
      return false;
    }
    Own theirs = own(other, bestSentence, entries[mixed]);
    Own its = theirs == Own.OTHERWISE ? theirs : own(bestSentence, other, EvidenceIndex.NONE);
    return its != Own.OTHERWISE && its != theirs;
  }

  /** What a claim says of the words that one of two sentences made alike has, and the other not. */
  private enum Own {
    /** Some, with the first: what the sentence is about. */
    ABOUT_IT,
    /** Some, but not the first. */
    SAID_OF_IT,
    /** All or none of them, or others than it may; or the sentences are not alike. */
    OTHERWISE
  }

  private Own own(int sentence, int other, int only) {
    stamp(other);
    int shared = 0;
    int own = 0;
    int said = 0;
    boolean first = false;
    int to = Math.min(evidence.end(sentence), evidence.begin(sentence) + MAX_UNITS);
    for (int p = evidence.begin(sentence); p < to; p++) {
      int entry = evidence.entryAt(p);
      if ((evidence.kind(p) & EvidenceIndex.FUNCTION) != 0) {
        continue;
      }
      if (there[entry] == stamp) {
        shared++;
        continue;
      }
      boolean inClaim = isInClaim(entry);
      if (only >= 0 && inClaim && entry != only) {
        return Own.OTHERWISE;
      }
      first |= own == 0 && inClaim;
      own++;
      said += inClaim ? 1 : 0;
    }
    if (shared < own || said == 0 || said == own) {
      return Own.OTHERWISE;
    }
    return first ? Own.ABOUT_IT : Own.SAID_OF_IT;
  }

  private boolean isInClaim(int entry) {
    for (int i = 0; i < count; i++) {
      if (entries[i] == entry) {
        return true;
      }
    }
    return false;
  }

  private void stamp(int sentence) {
    nextStamp();
    int to = Math.min(evidence.end(sentence), evidence.begin(sentence) + MAX_UNITS);
    for (int p = evidence.begin(sentence); p < to; p++) {
      there[evidence.entryAt(p)] = stamp;
    }
  }

  private static double saturated(int number) {
    return number < SATURATED.length ? SATURATED[number] : 1 - StrictMath.pow(0.6, number);
  }

  /** True if the claim itself has the opposite of one of its words, too: it opens and closes. */
  private boolean hasOpposite(int word) {
    for (int i = thesaurus.firstOpposite(word); i < thesaurus.endOpposite(word); i++) {
      for (int unit = 0; unit < count; unit++) {
        if (lemmas[unit] == thesaurus.opposite(i)) {
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
        if (evidence.sentence(p) == bestSentence) {
          return true;
        }
      }
    }
    return false;
  }

  private int negationsOfBest() {
    return bestSentence == EvidenceIndex.NONE ? 0 : evidence.negationsOf(bestSentence);
  }

  private int negationsAround() {
    int sum = 0;
    if (bestSentence != EvidenceIndex.NONE) {
      for (int s = Math.max(0, bestSentence - 1);
          s <= Math.min(evidence.sentences() - 1, bestSentence + 1);
          s++) {
        sum += evidence.negationsOf(s);
      }
    }
    return sum;
  }
}
