package dev.parlance.policy.claim.support;

import static dev.parlance.policy.claim.support.ClaimWords.MAX_UNITS;

import dev.parlance.policy.claim.Thesaurus;
import java.util.Arrays;

/**
 * Chooses the sentence of the evidence that has most of a claim, and says which of its words that
 * one, those around it, and all of the evidence have.
 *
 * <p>The rarer words of the claim vote for the sentences that have them; only the {@value
 * #CANDIDATES} with most votes are looked at, and of those only such as may have more than the best
 * one so far. For one thread.
 */
final class BestSentence {
  static final double SAME = 1.0;
  static final double SYNONYM = 0.7;

  private static final int CANDIDATES = 10;
  private static final int AROUND = 2;
  private static final int MAX_VOTES = 100;

  /** More than sums of weights in another order differ by. */
  private static final double ROUNDING = 1e-6;

  /** The vote of a word that the evidence has so often. */
  private static final int[] VOTES = new int[MAX_VOTES + 2];

  static {
    Arrays.setAll(VOTES, often -> 8 + 64 / (1 + often));
  }

  private final ClaimWords claim;
  private final Thesaurus thesaurus;
  private final EvidenceIndex evidence;

  /** How each unit is carried: anywhere, in the best sentence, around it. 0, synonym or same. */
  final double[] anywhere = new double[MAX_UNITS];

  double[] best = new double[MAX_UNITS];
  final double[] around = new double[MAX_UNITS];
  private double[] tried = new double[MAX_UNITS];

  /** How the best of its related words in the evidence carries a unit that is not there itself. */
  private final double[] related = new double[MAX_UNITS];

  // The units with such words, and of each the numbers of these, and how well they carry it.
  private int relatedCount;
  private final int[] relatedUnits = new int[MAX_UNITS];
  private final int[] firstRelations = new int[MAX_UNITS + 1];
  private int relations;
  private int[] relatedNumbers = new int[64];
  private double[] strengths = new double[64];

  // The stamp of the last sentence that has a number, and that has it in a word that says
  // something.
  private int stamp;
  private int[] there = new int[2 * MAX_UNITS];
  private int[] saidThere = new int[2 * MAX_UNITS];

  /** The same of entries. */
  private int[] entriesThere = new int[512];

  // What was voted for.
  private int[] votes = new int[64];

  /** The weight of the words of the claim that voted for a sentence: all that it has of them. */
  private double[] weightsOf = new double[64];

  /** What any sentence may have besides. */
  private double slack;

  private int[] voted = new int[64];
  private int votedCount;
  private final int[] elected = new int[CANDIDATES];
  private int candidates;

  private int sentence;

  BestSentence(ClaimWords claim, Thesaurus thesaurus, EvidenceIndex evidence) {
    this.claim = claim;
    this.thesaurus = thesaurus;
    this.evidence = evidence;
  }

  /** The sentence, or {@link EvidenceIndex#NONE}. */
  int sentence() {
    return sentence;
  }

  /** How many sentences were looked at. */
  int candidates() {
    return candidates;
  }

  /** One of them: those that have most of the rarer words of the claim come first. */
  int candidate(int index) {
    return elected[index];
  }

  /** Chooses it for the claim that was read. */
  void choose() {
    int count = claim.count;
    sentence = EvidenceIndex.NONE;
    Arrays.fill(best, 0, count, 0.0);
    findRelated();
    vote();
    double most = -1;
    for (int c = 0; c < candidates && most < 1.0; c++) {
      if (weightsOf[elected[c]] + slack + ROUNDING < most * claim.total) {
        continue;
      }
      Arrays.fill(tried, 0, count, 0.0);
      look(elected[c], tried);
      double covered = covered(tried);
      if (covered > most) {
        most = covered;
        sentence = elected[c];
        double[] worse = best;
        best = tried;
        tried = worse;
      }
    }
    if (sentence != EvidenceIndex.NONE && !isAllThere()) {
      findRelatedOfOthers();
      for (int i = 0; i < count; i++) {
        best[i] = claim.held[i] ? SAME : best[i];
      }
    }
    System.arraycopy(best, 0, around, 0, count);
    if (sentence != EvidenceIndex.NONE && !isAllThere()) {
      lookAround();
    }
    for (int i = 0; i < count; i++) {
      anywhere[i] =
          claim.held[i] || claim.firstPlaces[i] >= 0 ? SAME : Math.max(around[i], related[i]);
    }
  }

  private void lookAround() {
    int chunk = evidence.chunkOf(sentence);
    int to = Math.min(evidence.sentences() - 1, sentence + AROUND);
    for (int s = Math.max(0, sentence - AROUND); s <= to; s++) {
      if (s != sentence && evidence.chunkOf(s) == chunk) {
        look(s, around);
      }
    }
  }

  /** True if the best sentence has each word of the claim in some form. */
  private boolean isAllThere() {
    for (int i = 0; i < claim.count; i++) {
      if (best[i] != SAME) {
        return false;
      }
    }
    return true;
  }

  private double covered(double[] carried) {
    double sum = 0;
    for (int i = 0; i < claim.count; i++) {
      sum += claim.weights[i] * carried[i];
    }
    return claim.total == 0 ? 0 : sum / claim.total;
  }

  // ---- votes ----

  /** Each rarer word of the claim speaks for the sentences that have it. */
  private void vote() {
    if (votes.length < evidence.sentences()) {
      votes = new int[Math.max(evidence.sentences(), 2 * votes.length)];
      weightsOf = new double[votes.length];
    }
    slack = 0;
    for (int i = 0; i < claim.count; i++) {
      double weight = claim.weights[i];
      if (claim.entries[i] < 0) {
        slack += weight * related[i];
        continue;
      }
      if (weight < 1.0 || !claim.isFirstOfItsLemma(i)) {
        slack += weight;
        continue;
      }
      int often = evidence.countOf(claim.entries[i]);
      slack += often > MAX_VOTES ? weight : 0;
      int vote = VOTES[Math.min(often, MAX_VOTES + 1)];
      int left = MAX_VOTES;
      int last = EvidenceIndex.NONE;
      for (int p = claim.firstPlaces[i]; p >= 0 && left-- > 0; p = evidence.next(p)) {
        int by = evidence.sentence(p);
        if (by != last) {
          vote(by, vote, weight);
          last = by;
        }
      }
    }
    elect();
  }

  private void vote(int by, int vote, double weight) {
    if (votes[by] == 0) {
      if (votedCount == voted.length) {
        voted = Arrays.copyOf(voted, 2 * votedCount);
      }
      voted[votedCount++] = by;
      weightsOf[by] = 0;
    }
    votes[by] += vote;
    weightsOf[by] += weight;
  }

  /** Chooses the sentences with most votes, of equal ones the first; all lose their votes. */
  private void elect() {
    candidates = 0;
    for (int i = 0; i < votedCount; i++) {
      int voter = voted[i];
      int at = candidates;
      while (at > 0 && isBefore(voter, elected[at - 1])) {
        at--;
      }
      if (at < CANDIDATES) {
        candidates = Math.min(candidates + 1, CANDIDATES);
        System.arraycopy(elected, at, elected, at + 1, candidates - at - 1);
        elected[at] = voter;
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

  // ---- words that stand for others ----

  /** Finds the words that the evidence has in no form, but related ones, and which those are. */
  private void findRelated() {
    relations = 0;
    relatedCount = 0;
    for (int i = 0; i < claim.count; i++) {
      related[i] = 0;
      int word = Vocabulary.word(claim.lemmas[i]);
      if (word >= 0 && claim.weights[i] == 1.0 && claim.firstPlaces[i] < 0) {
        findRelated(i, word);
      }
    }
    if (there.length < claim.afterNumbers()) {
      there = new int[2 * claim.afterNumbers()];
      saidThere = new int[there.length];
    }
  }

  private void findRelated(int unit, int word) {
    firstRelations[relatedCount] = relations;
    int end = thesaurus.endRelated(word);
    for (int r = thesaurus.firstRelated(word); r < end; r++) {
      if (evidence.mayHave(thesaurus.related(r))) {
        addRelation(unit, thesaurus.related(r), thesaurus.isDerivation(r) ? SAME : SYNONYM);
      }
    }
    if (relations > firstRelations[relatedCount]) {
      relatedUnits[relatedCount++] = unit;
      firstRelations[relatedCount] = relations;
    }
  }

  private void addRelation(int unit, int other, double strength) {
    int entry = evidence.entry(other);
    if (entry < 0 || (evidence.kind(evidence.firstOf(entry)) & EvidenceIndex.FUNCTION) != 0) {
      return;
    }
    if (relations == relatedNumbers.length) {
      relatedNumbers = Arrays.copyOf(relatedNumbers, 2 * relations);
      strengths = Arrays.copyOf(strengths, 2 * relations);
    }
    relatedNumbers[relations] = claim.numberOf(entry);
    strengths[relations++] = strength;
    related[unit] = Math.max(related[unit], strength);
  }

  /** Finds words of the sentence related to those of the claim that stand elsewhere only. */
  private void findRelatedOfOthers() {
    boolean listed = false;
    for (int i = 0; i < claim.count; i++) {
      if (best[i] == 0 && related[i] == 0 && claim.lemmas[i] >= 0 && claim.weights[i] == 1.0) {
        if (!listed) {
          listEntries();
          listed = true;
        }
        best[i] = relatedThere((int) claim.lemmas[i]);
      }
    }
  }

  private void listEntries() {
    if (entriesThere.length < evidence.different()) {
      entriesThere = new int[2 * evidence.different()];
    }
    int now = nextStamp();
    int[] all = evidence.entriesAndFunctions();
    int to = evidence.endOfLook(sentence);
    for (int p = evidence.begin(sentence); p < to; p++) {
      if ((all[p] & EvidenceIndex.FUNCTION) == 0) {
        entriesThere[all[p] >> 1] = now;
      }
    }
  }

  private double relatedThere(int word) {
    double found = 0;
    int end = thesaurus.endRelated(word);
    for (int r = thesaurus.firstRelated(word); r < end; r++) {
      if (evidence.mayHave(thesaurus.related(r))) {
        int entry = evidence.entry(thesaurus.related(r));
        if (entry >= 0 && entriesThere[entry] == stamp) {
          found = Math.max(found, thesaurus.isDerivation(r) ? SAME : SYNONYM);
        }
      }
    }
    return found;
  }

  // ---- what a sentence has ----

  /** Notes which units of the claim a sentence carries, and how well. */
  private void look(int at, double[] carried) {
    int from = evidence.begin(at);
    int to = evidence.endOfLook(at);
    int[] all = evidence.entriesAndFunctions();
    int[] numbersOfEntries = claim.numbersOfEntries;
    int[] here = there;
    int now = nextStamp();
    if (relatedCount == 0) {
      for (int p = from; p < to; p++) {
        here[numbersOfEntries[all[p] >> 1]] = now;
      }
    } else {
      int[] said = saidThere;
      for (int p = from; p < to; p++) {
        int number = numbersOfEntries[all[p] >> 1];
        here[number] = now;
        said[number & (all[p] & EvidenceIndex.FUNCTION) - 1] = now;
      }
    }
    int[] numbers = claim.numbers;
    for (int i = 0; i < claim.count; i++) {
      carried[i] = here[numbers[i]] == now ? SAME : carried[i];
    }
    for (int i = 0; i < relatedCount; i++) {
      if (carried[relatedUnits[i]] == 0) {
        carried[relatedUnits[i]] = foundRelated(i);
      }
    }
  }

  /** How well the words of the sentence carry one of the units with related words. */
  private double foundRelated(int place) {
    double found = 0;
    for (int r = firstRelations[place]; r < firstRelations[place + 1] && found < SAME; r++) {
      if (strengths[r] > found && saidThere[relatedNumbers[r]] == stamp) {
        found = strengths[r];
      }
    }
    return found;
  }

  private int nextStamp() {
    if (++stamp == Integer.MAX_VALUE) {
      Arrays.fill(there, 0);
      Arrays.fill(saidThere, 0);
      Arrays.fill(entriesThere, 0);
      stamp = 1;
    }
    return stamp;
  }
}
