package dev.parlance.policy.claim.change;

import dev.parlance.policy.claim.Units;
import dev.parlance.policy.claim.change.CriticalWords.WordClass;
import dev.parlance.policy.text.Utf8Span;
import java.util.Arrays;

/**
 * Finds the negation that a claim has cut off: "covers water damage" where the evidence has "does
 * not cover water damage" with the negation directly before the words of the claim, "we deliver on
 * Sundays" where it ends in "nicht" directly behind them.
 *
 * <p>A mark between the two ends what is denied: "No, the hall is open" does not deny the hall. For
 * one thread; nothing is allocated.
 */
final class EdgeCheck {
  /** Between two words of a clause stand so many blanks at most. */
  private static final int MAX_BLANKS = 3;

  private static final int MAX_LITTLE = 3;

  /** What may stand between a negation and what it denies: pas de photos, 不要打开. */
  private static final String OF = "de";

  private static final String MODAL_CHARACTERS = "要能可得准许許会會用必须須有";

  /** Words behind which "not this" is set right. */
  private static final String[] CORRECTS = {
    "but", "sondern", "sino", "mais", "ma", "maar", "mas", "utan", "lecz"
  };

  /** Words that except what stands behind them. */
  private static final String[] EXCEPTS = {
    "except", "außer", "ausser", "sauf", "excepto", "salvo", "tranne", "behalve", "exceto", "utom"
  };

  private final Units claim;
  private final PairIndex evidence;
  private final CriticalWords words;
  private final GapCheck gaps;
  private final Negations negations;
  private final long preposition;
  private final long all;
  private final long the;
  private final long[] corrects;
  private final long[] excepts;

  EdgeCheck(
      Units claim, PairIndex evidence, CriticalWords words, GapCheck gaps, Negations negations) {
    this.claim = claim;
    this.evidence = evidence;
    this.words = words;
    this.gaps = gaps;
    this.negations = negations;
    preposition = claim.keyOf(OF);
    all = claim.keyOf("all");
    the = claim.keyOf("the");
    excepts = Arrays.stream(EXCEPTS).mapToLong(claim::keyOf).toArray();
    corrects = Arrays.stream(CORRECTS).mapToLong(claim::keyOf).toArray();
  }

  /** True if a negation stands directly before a position, with nothing between but blanks. */
  boolean isDeniedFrom(int position) {
    int chunk = evidence.chunk(position);
    int start = evidence.start(chunk);
    if (position <= start || evidence.begins(position) || !isJoined(chunk, position)) {
      return false;
    }
    int before = position - 1;
    if (denies(before, position)) {
      return true;
    }
    boolean between =
        (evidence.flags(before) & Units.GRAM) == 0
            ? evidence.key(before) == preposition
            : isModal(chunk, before);
    return between
        && before > start
        && !evidence.begins(before)
        && isJoined(chunk, before)
        && negations.isThere(before - 1);
  }

  private boolean isPreposition(long key) {
    return gaps.isLight(key) || words.is(key, WordClass.WITH) || words.is(key, WordClass.FOR);
  }

  /** True of a pair of characters that begins with can, must or have. */
  private boolean isModal(int chunk, int position) {
    Utf8Span text = evidence.text(chunk);
    int at = evidence.startByte(position);
    if (at + 3 > text.length() || (text.byteAt(at) & 0xF0) != 0xE0) {
      return false;
    }
    int character =
        (text.byteAt(at) & 0xF) << 12
            | (text.byteAt(at + 1) & 0x3F) << 6
            | (text.byteAt(at + 2) & 0x3F);
    return MODAL_CHARACTERS.indexOf(character) >= 0;
  }

  /** True if a negation that ends a clause begins at a position, directly behind the one before. */
  boolean isDeniedTo(int position) {
    if (position >= evidence.count() || evidence.begins(position)) {
      return false;
    }
    int chunk = evidence.chunk(position - 1);
    return position < evidence.end(chunk)
        && (evidence.flags(position) & Units.GRAM) == 0
        && negations.isThere(position)
        && isJoined(chunk, position)
        && endsAt(chunk, position + 1);
  }

  /** The same, or with a few little words between: "not with the blue key". */
  boolean isDeniedNear(int position) {
    int chunk = evidence.chunk(position);
    int at = position;
    while (position - at < MAX_LITTLE
        && at > evidence.start(chunk)
        && !evidence.begins(at)
        && isJoined(chunk, at)
        && isPreposition(evidence.key(at - 1))
        && !denies(at - 1, at)) {
      at--;
    }
    return isDeniedFrom(at);
  }

  /**
   * True of words that a claim leaves out without being denied by it: "the clerk, not the baker,
   * pays", "costs not 5 but 6 euros".
   */
  boolean isAside(int from, int to) {
    int chunk = evidence.chunk(from);
    if (to >= evidence.end(chunk)) {
      return false;
    }
    boolean corrected = negations.isThere(from) && isOneOf(corrects, evidence.key(to - 1));
    return corrected || (!isJoined(chunk, from) && !isJoined(chunk, to));
  }

  /** True if positions have a negation, or a word that excepts something. */
  boolean denies(int from, int to) {
    boolean any = negations.there(from, to);
    for (int position = from; position < to; position++) {
      any |= isOneOf(excepts, evidence.key(position));
    }
    return any;
  }

  /**
   * True if a claim says of all what the evidence says of some of them: all customers, where it has
   * business customers.
   *
   * @param left a common word stands before both
   */
  boolean generalises(int c, int cEnd, int e, int eEnd, boolean left) {
    if (cEnd - c != 1
        || !isAll(claim.key(c))
        || eEnd == e
        || eEnd - e > MAX_LITTLE
        || (!left && !evidence.begins(e))) {
      return false;
    }
    for (int position = e; position < eEnd; position++) {
      long key = evidence.key(position);
      boolean article = position == e && key == the && eEnd - e > 1;
      if (!article
          && (gaps.isLight(key)
              || words.is(key, WordClass.QUANTIFIER)
              || (evidence.flags(position) & (Units.DIGITS | Units.SYMBOL | Units.GRAM)) != 0
              || !isJoined(evidence.chunk(position), position + 1))) {
        return false;
      }
    }
    return true;
  }

  private boolean isAll(long key) {
    int group = words.group(key, WordClass.QUANTIFIER);
    return group != 0 && group == words.group(all, WordClass.QUANTIFIER);
  }

  private static boolean isOneOf(long[] words, long key) {
    for (long word : words) {
      if (word == key) {
        return true;
      }
    }
    return false;
  }

  /** True if only blanks stand between a position and the one before. */
  boolean isJoined(int position) {
    return isJoined(evidence.chunk(position), position);
  }

  private boolean isJoined(int chunk, int position) {
    if (position <= evidence.start(chunk)) {
      return false;
    }
    Utf8Span text = evidence.text(chunk);
    int from = evidence.endByte(position - 1);
    int to = evidence.startByte(position);
    if (to - from > MAX_BLANKS) {
      return false;
    }
    for (int at = from; at < to; at++) {
      if (text.byteAt(at) != ' ') {
        return false;
      }
    }
    return true;
  }

  private boolean endsAt(int chunk, int position) {
    return position == evidence.end(chunk)
        || evidence.begins(position)
        || !isJoined(chunk, position);
  }

  /**
   * True if all that a claim says beside what it has from the evidence is that it is so, or may be.
   *
   * @param isEqual true of units, counted from the first, that the evidence has there
   */
  boolean affirms(int first, int after, boolean[] isEqual) {
    for (int unit = first; unit < after; unit++) {
      long key = claim.key(unit);
      boolean plain =
          isEqual[unit - first]
              || gaps.isLight(key)
              || words.is(key, WordClass.MODALITY)
              || (words.is(key, WordClass.PERMITTED) && !words.isOff(key));
      if (!plain) {
        return false;
      }
    }
    return !negations.said(first, after);
  }

  /** True if units of the claim say nothing but little words, or are none. */
  boolean isLittle(int from, int to) {
    for (int unit = from; unit < to; unit++) {
      if (!gaps.isLight(claim.key(unit)) || negations.isSaid(unit)) {
        return false;
      }
    }
    return true;
  }
}
