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

  /** A sentence with this share of a claim is about the same. */
  private static final double SAME_MATTER = 0.65;

  private static final int AROUND = 2;
  private static final int MAX_PLACES = 32;
  private static final int MAX_VOTES = 100;
  private static final int NEAR_UNITS = 40;
  private static final int MAX_SINGULAR = 6;

  private static final double[] SATURATED = new double[64];

  static {
    for (int i = 0; i < SATURATED.length; i++) {
      SATURATED[i] = 1 - StrictMath.pow(0.6, i);
    }
  }

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

  private int[] relatedWords = new int[64];
  private double[] strengths = new double[64];
  private int relations;

  /** The words of the sentence that is looked at. */
  private final LemmaSet there = new LemmaSet();

  /** Lemmas of the claim, to its first unit; further ones of the same lemma are chained. */
  private final long[] tableLemmas = new long[4 * MAX_UNITS];

  private final int[] tableUnits = new int[4 * MAX_UNITS];
  private final int[] sameLemma = new int[MAX_UNITS];

  private long[] marks = new long[256];
  private final int[] within = new int[MAX_UNITS];

  private int[] votes = new int[64];
  private int[] voted = new int[64];
  private int votedCount;

  private int bestSentence;
  private int opposed;
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
      if (weights[i] < 1.0 || evidence.first(lemmas[i]) < 0) {
        continue;
      }
      content++;
      int left = MAX_VOTES;
      for (int p = evidence.first(lemmas[i]); p >= 0 && left-- > 0; p = evidence.next(p)) {
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
    int mask = tableUnits.length - 1;
    Arrays.fill(tableUnits, 0);
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
      int slot = slot(lemmas[i], mask);
      sameLemma[i] = tableUnits[slot] - 1;
      tableLemmas[slot] = lemmas[i];
      tableUnits[slot] = i + 1;
    }
  }

  private int slot(long lemma, int mask) {
    int slot = (int) ((lemma * 0x9e3779b97f4a7c15L) >>> 20) & mask;
    while (tableUnits[slot] != 0 && tableLemmas[slot] != lemma) {
      slot = slot + 1 & mask;
    }
    return slot;
  }

  // ---- the sentence that carries it best ----

  private void chooseBest() {
    bestSentence = EvidenceIndex.NONE;
    Arrays.fill(best, 0, count, 0.0);
    Arrays.fill(around, 0, count, 0.0);
    findRelated();
    vote();
    double most = -1;
    for (int candidate = 0; candidate < CANDIDATES; candidate++) {
      int sentence = takeMostVoted();
      if (sentence == EvidenceIndex.NONE) {
        break;
      }
      Arrays.fill(tried, 0, count, 0.0);
      look(sentence, tried, Words.THAT_ARE_NOWHERE);
      double covered = covered(tried, SYNONYM);
      if (covered > most) {
        most = covered;
        bestSentence = sentence;
        System.arraycopy(tried, 0, best, 0, count);
      }
    }
    clearVotes();
    if (bestSentence == EvidenceIndex.NONE) {
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

  /** Each rarer word of the claim speaks for the sentences that have it. */
  private void vote() {
    if (votes.length < evidence.sentences()) {
      votes = new int[Math.max(evidence.sentences(), 2 * votes.length)];
    }
    for (int i = 0; i < count; i++) {
      if (weights[i] < 1.0 || sameLemma[i] >= 0) {
        continue;
      }
      int places = 0;
      for (int p = evidence.first(lemmas[i]); p >= 0 && places <= MAX_VOTES; p = evidence.next(p)) {
        places++;
      }
      int vote = 64 / (1 + places);
      int left = MAX_VOTES;
      int last = EvidenceIndex.NONE;
      for (int p = evidence.first(lemmas[i]); p >= 0 && left-- > 0; p = evidence.next(p)) {
        int sentence = evidence.sentence(p);
        if (sentence != last) {
          vote(sentence, 8 + vote);
          last = sentence;
        }
      }
    }
  }

  private void vote(int sentence, int vote) {
    if (votes[sentence] == 0) {
      if (votedCount == voted.length) {
        voted = Arrays.copyOf(voted, 2 * votedCount);
      }
      voted[votedCount++] = sentence;
    }
    votes[sentence] += vote;
  }

  /** The sentence with most votes, the first of equal ones; it loses them. */
  private int takeMostVoted() {
    int most = 0;
    int sentence = EvidenceIndex.NONE;
    for (int i = 0; i < votedCount; i++) {
      int s = voted[i];
      if (votes[s] > most || (votes[s] == most && most > 0 && s < sentence)) {
        most = votes[s];
        sentence = s;
      }
    }
    if (sentence != EvidenceIndex.NONE) {
      votes[sentence] = -1;
    }
    return sentence;
  }

  private void clearVotes() {
    for (int i = 0; i < votedCount; i++) {
      votes[voted[i]] = 0;
    }
    votedCount = 0;
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
      if (word >= 0 && weights[i] == 1.0 && evidence.first(lemmas[i]) < 0) {
        findRelated(i, word);
      }
    }
    firstRelations[count] = relations;
  }

  private void findRelated(int unit, int word) {
    for (int d = thesaurus.firstDerived(word); d < thesaurus.endDerived(word); d++) {
      addRelation(unit, thesaurus.derived(d), SAME);
    }
    for (int g = thesaurus.firstGroup(word); g < thesaurus.endGroup(word); g++) {
      int group = thesaurus.group(g);
      for (int m = thesaurus.firstMember(group); m < thesaurus.endMember(group); m++) {
        addRelation(unit, thesaurus.member(m), SYNONYM);
      }
    }
  }

  private void addRelation(int unit, int other, double strength) {
    int place = evidence.first(other);
    if (place >= 0 && (evidence.kind(place) & EvidenceIndex.FUNCTION) == 0) {
      if (relations == relatedWords.length) {
        relatedWords = Arrays.copyOf(relatedWords, 2 * relations);
        strengths = Arrays.copyOf(strengths, 2 * relations);
      }
      relatedWords[relations] = other;
      strengths[relations++] = strength;
      related[unit] = Math.max(related[unit], strength);
    }
  }

  /** Notes which units of the claim a sentence carries, and how well. */
  private void look(int sentence, double[] carried, Words words) {
    int mask = tableUnits.length - 1;
    int from = evidence.firstOf(sentence);
    int to = Math.min(evidence.afterOf(sentence), from + MAX_UNITS);
    there.clear();
    for (int p = from; p < to; p++) {
      long lemma = evidence.lemma(p);
      for (int i = tableUnits[slot(lemma, mask)] - 1; i >= 0; i = sameLemma[i]) {
        carried[i] = SAME;
      }
      if (lemma >= 0 && (evidence.kind(p) & EvidenceIndex.FUNCTION) == 0) {
        there.add(lemma);
      }
    }
    for (int i = 0; i < count; i++) {
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

  /** How well the words of the sentence carry a unit that the evidence has related words of. */
  private double foundRelated(int unit) {
    double found = 0;
    for (int r = firstRelations[unit]; r < firstRelations[unit + 1] && found < SAME; r++) {
      if (strengths[r] > found && there.has(relatedWords[r])) {
        found = strengths[r];
      }
    }
    return found;
  }

  private double relatedThere(int word) {
    for (int d = thesaurus.firstDerived(word); d < thesaurus.endDerived(word); d++) {
      if (there.has(thesaurus.derived(d))) {
        return SAME;
      }
    }
    for (int g = thesaurus.firstGroup(word); g < thesaurus.endGroup(word); g++) {
      int group = thesaurus.group(g);
      for (int m = thesaurus.firstMember(group); m < thesaurus.endMember(group); m++) {
        if (there.has(thesaurus.member(m))) {
          return SYNONYM;
        }
      }
    }
    return 0;
  }

  private void lookAnywhere() {
    for (int i = 0; i < count; i++) {
      if (held[i] || evidence.first(lemmas[i]) >= 0) {
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
    int to = within ? evidence.afterOf(sentence) : evidence.count();
    int from = within ? evidence.firstOf(sentence) : 0;
    double sum = 0;
    int covered = 0;
    for (int i = 0; i < count; i++) {
      runs[i] = 0;
    }
    for (int i = 0; i < count; ) {
      int longest = 0;
      int left = MAX_PLACES;
      for (int p = evidence.first(lemmas[i]); p >= 0 && p < to && left > 0; p = evidence.next(p)) {
        if (p >= from) {
          left--;
          longest = Math.max(longest, run(i, p, to));
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

  private int run(int unit, int place, int to) {
    int length = 0;
    int sentence = evidence.sentence(place);
    while (unit + length < count
        && place + length < to
        && evidence.lemma(place + length) == lemmas[unit + length]
        && evidence.sentence(place + length) == sentence) {
      length++;
    }
    return length;
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
      if (around[i] < SAME && word >= 0) {
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
    int places = 0;
    for (int i = 0; i < count; i++) {
      if (weights[i] == 1.0 && sameLemma[i] < 0) {
        int left = MAX_PLACES;
        for (int p = evidence.first(lemmas[i]); p >= 0 && left-- > 0; p = evidence.next(p)) {
          if (places == marks.length) {
            marks = Arrays.copyOf(marks, 2 * places);
          }
          marks[places++] = (long) p << 16 | i;
        }
      }
    }
    Arrays.sort(marks, 0, places);
    Arrays.fill(within, 0, count, 0);
    int most = 0;
    int different = 0;
    for (int from = 0, to = 0; to < places; to++) {
      different += within[(int) marks[to] & 0xFFFF]++ == 0 ? 1 : 0;
      while ((marks[to] >> 16) - (marks[from] >> 16) > NEAR_UNITS) {
        different -= --within[(int) marks[from++] & 0xFFFF] == 0 ? 1 : 0;
      }
      most = Math.max(most, different);
    }
    return (double) Math.min(most, content) / Math.max(1, content);
  }

  /**
   * True if the sentence that has nearly all of the claim has a condition directly before or behind
   * that part, which the claim leaves out.
   */
  boolean leavesConditionOut() {
    if (bestSentence == EvidenceIndex.NONE || feature(Feature.BEST) < ALL_OF_IT) {
      return false;
    }
    for (int i = 0; i < count; i++) {
      if ((kinds[i] & EvidenceIndex.CONDITION) != 0) {
        return false;
      }
    }
    int mask = tableUnits.length - 1;
    int from = evidence.firstOf(bestSentence);
    int to = Math.min(evidence.afterOf(bestSentence), from + MAX_UNITS);
    int low = to;
    int high = from;
    for (int p = from; p < to; p++) {
      if ((evidence.kind(p) & EvidenceIndex.FUNCTION) == 0
          && tableUnits[slot(evidence.lemma(p), mask)] != 0) {
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

  private static double saturated(int number) {
    return number < SATURATED.length ? SATURATED[number] : 1 - StrictMath.pow(0.6, number);
  }

  /** True if the claim itself has the opposite of one of its words, too: it opens and closes. */
  private boolean hasOpposite(int word) {
    for (int i = thesaurus.firstOpposite(word); i < thesaurus.endOpposite(word); i++) {
      if (tableUnits[slot(thesaurus.opposite(i), tableUnits.length - 1)] != 0) {
        return true;
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
