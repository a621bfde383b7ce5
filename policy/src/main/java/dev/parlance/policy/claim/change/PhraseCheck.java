package dev.parlance.policy.claim.change;

import dev.parlance.policy.claim.Units;
import dev.parlance.policy.claim.change.CriticalWords.WordClass;

/**
 * Finds a claim in other words that has a word behind the opposite of what stands before it in its
 * sentence: "take the tablets without food" where one takes "one tablet with food", "after seven
 * days" for "within seven days".
 *
 * <p>Neither denies anything else, and the sentence has the word behind the claim's preposition
 * nowhere. For one thread; nothing is allocated for a claim.
 */
final class PhraseCheck {
  /** So many units of a claim, and of a sentence, are looked at. */
  private static final int MAX_CLAIM = 24;

  private static final int MAX_SENTENCE = 64;

  /** So many little words stand between a preposition and its word at most. */
  private static final int MAX_LITTLE = 1;

  private static final int NOWHERE = -1;

  private static final WordClass[] PREPOSITIONS = {WordClass.WITH, WordClass.ORDER};

  private final Units claim;
  private final PairIndex evidence;
  private final CriticalWords words;
  private final GapCheck gaps;
  private final Negations negations;

  PhraseCheck(
      Units claim, PairIndex evidence, CriticalWords words, GapCheck gaps, Negations negations) {
    this.claim = claim;
    this.evidence = evidence;
    this.words = words;
    this.gaps = gaps;
    this.negations = negations;
  }

  /**
   * Looks for the preposition.
   *
   * @param from the first position of the sentence
   * @param to the one after its last
   */
  void find(int first, int after, int from, int to, FoundChanges changes) {
    if (after - first > MAX_CLAIM || to - from > MAX_SENTENCE) {
      return;
    }
    for (WordClass type : PREPOSITIONS) {
      for (int unit = first; unit + 1 < after; unit++) {
        int word = words.is(claim.key(unit), type) ? wordBehind(unit, after) : NOWHERE;
        int other = word == NOWHERE ? NOWHERE : opposite(type, unit, word, from, to);
        if (other != NOWHERE && !deniesElse(first, after, unit, from, to, other)) {
          changes.add(ChangeKind.ANTONYM, unit, word + 1, other, other + 1);
          return;
        }
      }
    }
  }

  private int wordBehind(int unit, int after) {
    int at = unit + 1;
    while (at < after && at - unit <= MAX_LITTLE && gaps.isLight(claim.key(at))) {
      at++;
    }
    return at < after && says(claim.key(at), claim.flags(at)) ? at : NOWHERE;
  }

  private boolean says(long key, int flags) {
    return !gaps.isLight(key) && (flags & (Units.SYMBOL | Units.GRAM)) == 0;
  }

  /** Where the opposite stands before the word, if nothing else does; or {@link #NOWHERE}. */
  private int opposite(WordClass type, int unit, int word, int from, int to) {
    int group = words.group(claim.key(unit), type);
    int found = NOWHERE;
    for (int at = from + 1; at < to; at++) {
      if (!gaps.isSame(claim.key(word), evidence.key(at))) {
        continue;
      }
      int before = at - 1;
      while (before > from
          && at - before <= MAX_LITTLE
          && !words.is(evidence.key(before), type)
          && gaps.isLight(evidence.key(before))) {
        before--;
      }
      int there = words.group(evidence.key(before), type);
      if (there == 0 || there == group) {
        return NOWHERE;
      }
      found = before;
    }
    return found;
  }

  /** True if claim or sentence deny something, besides by the two prepositions. */
  private boolean deniesElse(int first, int after, int unit, int from, int to, int position) {
    return negations.said(first, unit)
        || negations.said(unit + 1, after)
        || negations.there(from, position)
        || negations.there(position + 1, to);
  }
}
