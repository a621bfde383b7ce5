package dev.parlance.policy.claim.change;

import dev.parlance.policy.claim.Units;
import dev.parlance.policy.claim.change.CriticalWords.WordClass;

/**
 * Compares what a claim says must or may be with what stands in parentheses behind the name: "the
 * parameter archived is required" with {@code page (default 1), archived (optional)}. For one
 * thread; nothing is allocated for a claim.
 */
final class NotedCheck {
  private static final int MAX_CLAIM = 16;
  private static final int MAX_SENTENCE = 96;

  /** So many words in parentheses are looked at. */
  private static final int MAX_NOTED = 5;

  private final Units claim;
  private final PairIndex evidence;
  private final CriticalWords words;

  NotedCheck(Units claim, PairIndex evidence, CriticalWords words) {
    this.claim = claim;
    this.evidence = evidence;
    this.words = words;
  }

  /** What the evidence has behind the name. */
  enum Noted {
    NOTHING,
    THE_SAME,
    ANOTHER
  }

  /** Looks in the sentence of a position of the evidence. */
  Noted find(int first, int after, int position) {
    if (after - first > MAX_CLAIM) {
      return Noted.NOTHING;
    }
    int said = -1;
    for (int unit = first + 1; unit < after; unit++) {
      if (words.is(claim.key(unit), WordClass.NEGATION)) {
        return Noted.NOTHING;
      }
      if (words.is(claim.key(unit), WordClass.MODALITY)
          && words.is(claim.key(unit - 1), WordClass.COPULA)) {
        said = unit;
      }
    }
    int chunk = evidence.chunk(position);
    int from = position;
    while (said > 0
        && from > evidence.start(chunk)
        && !evidence.begins(from)
        && position - from < MAX_SENTENCE) {
      from--;
    }
    int to = Math.min(evidence.end(chunk), position + MAX_SENTENCE);
    for (int at = from; said > 0 && at + 1 < to && (at == from || !evidence.begins(at)); at++) {
      if (isNamed(at, first, said) && isOpened(at + 1)) {
        return noted(at + 1, Math.min(to, at + 1 + MAX_NOTED), claim.key(said));
      }
    }
    return Noted.NOTHING;
  }

  private boolean isNamed(int position, int first, int said) {
    boolean named = false;
    for (int unit = first; unit < said && !named; unit++) {
      named =
          claim.key(unit) == evidence.key(position)
              && !words.is(claim.key(unit), WordClass.FUNCTION);
    }
    return named;
  }

  private Noted noted(int from, int to, long said) {
    int group = words.group(said, WordClass.MODALITY);
    for (int at = from; at < to && (at == from || !isMark(at, ')')); at++) {
      int there = words.group(evidence.key(at), WordClass.MODALITY);
      if (there != 0) {
        return there == group ? Noted.THE_SAME : Noted.ANOTHER;
      }
    }
    return Noted.NOTHING;
  }

  private boolean isOpened(int position) {
    return !evidence.begins(position) && isMark(position, '(');
  }

  private boolean isMark(int position, int mark) {
    int chunk = evidence.chunk(position);
    for (int at = evidence.endByte(position - 1); at < evidence.startByte(position); at++) {
      if (evidence.text(chunk).byteAt(at) == mark) {
        return true;
      }
    }
    return false;
  }
}
