package dev.parlance.policy.claim.change;

import dev.parlance.policy.claim.Thesaurus;
import dev.parlance.policy.claim.Units;
import dev.parlance.policy.claim.change.CriticalWords.WordClass;
import dev.parlance.policy.claim.change.FrameWords.Role;
import dev.parlance.policy.text.Utf8Span;

/**
 * Finds claims that say a clause is so of which the evidence says that it is not, or that nobody
 * knows: "the driver was drunk" where there is "no evidence that the driver was drunk".
 *
 * <p>Such a sentence has a frame, a word like "that", and the clause. The frame disowns the clause
 * by a word that does so, or by a negation and a word that would assert it; a negation and a word
 * that disowns cancel out. A mark ends the frame and the clause. The claim says the clause if all
 * its words are there, or in the frame where the clause begins with a pronoun, and it neither
 * negates nor disowns anything. For one thread; nothing is allocated.
 */
final class FrameCheck {
  /** So many units before "that" are its frame. */
  private static final int MAX_FRAME = 10;

  /** So many units of a sentence, and of a clause, are looked at. */
  private static final int MAX_SENTENCE = 96;

  private static final int MAX_CLAUSE = 24;

  /** A claim of more units says more than a clause. */
  private static final int MAX_CLAIM = 24;

  /** So many clauses of a sentence are compared, and so many words looked up for that. */
  private static final int MAX_CLAUSES = 2;

  private static final int MAX_LOOKED_UP = 96;

  private final Units claim;
  private final PairIndex evidence;
  private final CriticalWords words;
  private final FrameWords frames;
  private final Thesaurus thesaurus;
  private final Negations negations;
  private int lookedUp;

  FrameCheck(
      Units claim,
      PairIndex evidence,
      CriticalWords words,
      FrameWords frames,
      Thesaurus thesaurus,
      Negations negations) {
    this.claim = claim;
    this.evidence = evidence;
    this.words = words;
    this.frames = frames;
    this.thesaurus = thesaurus;
    this.negations = negations;
  }

  /**
   * True if a sentence disowns what a claim says.
   *
   * @param from the first position, of all those of the evidence, of the sentence
   * @param to the one after its last
   */
  boolean isDisowned(int first, int after, int from, int to) {
    if (after - first > MAX_CLAIM) {
      return false;
    }
    int end = Math.min(to, from + MAX_SENTENCE);
    int clauses = 0;
    lookedUp = 0;
    for (int p = from + 1; p + 1 < end && clauses < MAX_CLAUSES; p++) {
      if (frames.is(evidence.key(p), Role.THAT) && disowns(from, p)) {
        clauses++;
        if (says(first, after, p, Math.min(end, p + 1 + MAX_CLAUSE))) {
          return true;
        }
      }
    }
    return false;
  }

  /** True if what stands before "that" says that the clause is not so. */
  private boolean disowns(int from, int that) {
    boolean denied = false;
    boolean asserts = false;
    boolean disowned = false;
    int low = Math.max(from, that - MAX_FRAME);
    for (int p = that - 1; p >= low; p--) {
      if (isParted(p) && p + 1 < that) {
        break;
      }
      long key = evidence.key(p);
      if (frames.is(key, Role.THAT)) {
        break;
      }
      // "ne ... pas", "no ... ninguna" negate once
      denied |= negations.isThere(p);
      asserts |= frames.is(key, Role.ASSERTS);
      disowned |= frames.is(key, Role.DISOWNS);
    }
    return disowned ? !denied : denied && asserts;
  }

  /** True if the claim says what a clause says, and nothing else. */
  private boolean says(int first, int after, int that, int to) {
    int from = that + 1;
    int end = from;
    while (end < to && (end == from || !isParted(end - 1))) {
      end++;
    }
    boolean ofFrame = frames.is(evidence.key(from), Role.PRONOUN);
    int said = 0;
    for (int unit = first; unit < after; unit++) {
      long key = claim.key(unit);
      if (negations.isSaid(unit) || frames.is(key, Role.DISOWNS)) {
        return false;
      }
      if (saysSomething(key, claim.flags(unit))) {
        boolean isThere = has(key, from, end);
        if (!isThere && !(ofFrame && named(key, that))) {
          return false;
        }
        said += isThere ? 1 : 0;
      }
    }
    return said > 1 && !negations.there(from, end);
  }

  /** True of a word of the frame that neither asserts nor disowns. */
  private boolean named(long key, int that) {
    int low = Math.max(evidence.start(evidence.chunk(that)), that - MAX_FRAME);
    return !frames.is(key, Role.ASSERTS) && has(key, low, that);
  }

  private boolean has(long key, int from, int to) {
    for (int p = from; p < to; p++) {
      if (evidence.key(p) == key) {
        return true;
      }
    }
    for (int p = from; p < to && lookedUp < MAX_LOOKED_UP; p++) {
      lookedUp++;
      if (thesaurus.isDerived(evidence.key(p), key)) {
        return true;
      }
    }
    return false;
  }

  private boolean saysSomething(long key, int flags) {
    return (flags & Units.SYMBOL) == 0
        && !words.is(key, WordClass.FUNCTION)
        && !words.is(key, WordClass.COPULA);
  }

  /** True if a mark that parts clauses stands behind a position. */
  private boolean isParted(int position) {
    int chunk = evidence.chunk(position);
    if (position + 1 >= evidence.end(chunk)) {
      return true;
    }
    Utf8Span text = evidence.text(chunk);
    for (int at = evidence.endByte(position); at < evidence.startByte(position + 1); at++) {
      int b = text.byteAt(at);
      if (b == ',' || b == ';' || b == ':' || b == '(' || b == ')' || b == '|') {
        return true;
      }
    }
    return false;
  }
}
