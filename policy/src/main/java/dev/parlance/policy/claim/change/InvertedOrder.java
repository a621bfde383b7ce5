package dev.parlance.policy.claim.change;

import dev.parlance.policy.claim.Units;
import dev.parlance.policy.claim.change.CriticalWords.WordClass;
import dev.parlance.policy.text.Utf8Span;

/**
 * Tells a sentence with its verb before its subject from one whose parts were exchanged: "laut
 * Preisliste kosten die Karten 12 Euro", "um 9 Uhr öffnet das Museum" in German, Dutch and the
 * languages of Scandinavia, and any sentence in Arabic. For one thread.
 */
final class InvertedOrder {
  private static final int MAX_SUBJECT = 4;

  private static final long TIMES =
      CriticalWords.bits(
          WordClass.MONTH, WordClass.WEEKDAY, WordClass.DAY, WordClass.DAYTIME, WordClass.SEASON);

  private final Units claim;
  private final PairIndex evidence;
  private final CriticalWords words;
  private Utf8Span text = Utf8Span.EMPTY;

  InvertedOrder(Units claim, PairIndex evidence, CriticalWords words) {
    this.claim = claim;
    this.evidence = evidence;
    this.words = words;
  }

  /** Takes up the text of the answer. */
  void read(Utf8Span answer) {
    text = answer;
  }

  /**
   * True if units of the claim are those of a sentence, of as many, but for the place of the verb.
   *
   * @param e the first position of the sentence
   */
  boolean is(int c, int cEnd, int e) {
    boolean inverted = isArabic(c, e);
    for (int subject = 1; subject <= MAX_SUBJECT && subject < cEnd - c && !inverted; subject++) {
      inverted = isVerbFirst(c, cEnd, e, subject) || isTimeFirst(c, cEnd, e, subject);
    }
    return inverted;
  }

  /** True of the verb and the subject behind it of a sentence in Arabic, either of which begins. */
  boolean isArabic(int c, int cEnd, int e) {
    return cEnd - c == 2 && isArabic(c, e);
  }

  private boolean isArabic(int c, int e) {
    int lead = text.byteAt(claim.start(c)) & 0xFF;
    return lead >= 0xD8
        && lead <= 0xDB
        && (c == 0 || claim.start(c) - claim.end(c - 1) > 1)
        && evidence.begins(e)
        && c + 1 < claim.count()
        && e + 1 < evidence.count()
        && claim.key(c) == evidence.key(e + 1)
        && claim.key(c + 1) == evidence.key(e);
  }

  /** The verb, which has no capital behind an introduction, the subject, and the rest. */
  private boolean isVerbFirst(int c, int cEnd, int e, int subject) {
    return (claim.flags(c) & Units.UPPER) == 0
        && c > 0
        && claim.key(c) == evidence.key(e + subject)
        && isSame(c + 1, e, subject)
        && isSame(c + 1 + subject, e + 1 + subject, cEnd - c - 1 - subject);
  }

  /** When, the verb, and the subject, where the sentence has them the other way round. */
  private boolean isTimeFirst(int c, int cEnd, int e, int subject) {
    int time = cEnd - c - 1 - subject;
    return time > 0
        && claim.key(c + time) == evidence.key(e + subject)
        && isSame(c, e + subject + 1, time)
        && isSame(c + time + 1, e, subject)
        && hasTime(c, c + time)
        && !hasTime(c + time + 1, cEnd);
  }

  private boolean isSame(int c, int e, int length) {
    int same = 0;
    while (same < length && claim.key(c + same) == evidence.key(e + same)) {
      same++;
    }
    return same == length;
  }

  private boolean hasTime(int from, int to) {
    boolean has = false;
    for (int unit = from; unit < to; unit++) {
      has |=
          (claim.flags(unit) & Units.DIGITS) != 0 || (words.classes(claim.key(unit)) & TIMES) != 0;
    }
    return has;
  }
}
