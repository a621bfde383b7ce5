package dev.parlance.policy.claim.value;

import dev.parlance.policy.claim.Units;
import dev.parlance.policy.text.Utf8Span;

/**
 * Whether a value may begin at a unit of a text, for all units at once: most are words that the
 * reader of values need not look at.
 *
 * <p>A look is a number: the entry of a word in the lexicon, and above it what may begin there.
 */
final class UnitLooks {
  private static final int ENTRY_BITS = 16;

  /**
   * The word is a number in a language: the first of the bits, one for each language up to {@link
   * #OTHERS}, which stands for all others.
   */
  private static final int NUMBER = 1 << ENTRY_BITS;

  private static final int OTHERS = 8;

  /** A value may begin with this word alone. */
  static final int FIRST = 1 << 25;

  /** The word may be several number words written in one. */
  static final int JOINED = 1 << 26;

  /** Something begins, or may begin, between the unit and the one before. */
  private static final int GAP = 1 << 27;

  /** Not a word of ASCII letters. */
  private static final int NOT_PLAIN = 1 << 28;

  /** ASCII digits, behind a gap in which nothing begins. */
  static final int NUMERAL = 1 << 29;

  private static final int KEEP = 1 << 15;
  private static final int LEAST_JOINED = 6;

  /** Bytes between two words in which no value or name begins, or not before a blank. */
  private static final byte[] PASSED = new byte[128];

  private static final byte ALWAYS = 1;
  private static final byte BEFORE_BLANK = 2;

  static {
    " ,;!?()[]\"'\n\r\t".chars().forEach(c -> PASSED[c] = ALWAYS);
    ".:-".chars().forEach(c -> PASSED[c] = BEFORE_BLANK);
  }

  private final ValueLexicon lexicon;
  private final Values.Look ofUnit;
  private int[] looks = new int[256];
  private byte[] bytes = {};

  UnitLooks(ValueLexicon lexicon, Values.Look ofUnit) {
    this.lexicon = lexicon;
    this.ofUnit = ofUnit;
  }

  void read(Utf8Span text, Units units) {
    int count = units.count();
    if (looks.length <= count) {
      looks = new int[2 * count];
    }
    bytes = text.array();
    int before = text.arrayOffset();
    for (int unit = 0; unit < count; unit++) {
      int start = text.arrayOffset() + units.start(unit);
      int look = of(units, unit, start);
      boolean blank = start == before + 1 && bytes[before] == ' ';
      looks[unit] = blank || isPassed(before, start) ? look : (look & ~NUMERAL) | GAP;
      before = text.arrayOffset() + units.end(unit);
    }
    looks[count] = NOT_PLAIN;
    bytes = Utf8Span.EMPTY.array();
  }

  private int of(Units units, int unit, int start) {
    if (!units.isPlain(unit)) {
      boolean digits = units.flags(unit) == (Units.WORD | Units.DIGITS);
      return digits && isNumeral(start, start + units.end(unit) - units.start(unit))
          ? NOT_PLAIN | NUMERAL
          : NOT_PLAIN;
    }
    int look = ofUnit.of(units, unit);
    boolean joined =
        look == 0
            && units.letters(unit) - units.start(unit) >= LEAST_JOINED
            && lexicon.joined.mayBeginWith(bytes[start], bytes[start + 1], bytes[start + 2]);
    return joined ? JOINED : look;
  }

  private boolean isNumeral(int from, int to) {
    for (int i = from; i < to; i++) {
      if (bytes[i] < '0' || bytes[i] > '9') {
        return false;
      }
    }
    return true;
  }

  /**
   * True of blanks and marks between two units in which no value or name begins: a mark that parts
   * the letters of a name stands before a blank, or is a hyphen.
   */
  private boolean isPassed(int from, int to) {
    for (int i = from; i < to; i++) {
      int passed = bytes[i] < 0 ? 0 : PASSED[bytes[i]];
      boolean parts =
          passed == BEFORE_BLANK
              && bytes[i + 1] != ' '
              && bytes[i + 1] != '\n'
              && (bytes[i] != '-' || from + 1 != to);
      if (passed == 0 || parts) {
        return false;
      }
    }
    return true;
  }

  void release() {
    if (looks.length > KEEP) {
      looks = new int[256];
    }
  }

  /** The look of a word of the lexicon. */
  static int ofWord(int entry, int languagesAsNumber, boolean first) {
    if (entry >= NUMBER) {
      throw new IllegalStateException("more words than a look has room for");
    }
    int others = languagesAsNumber >>> OTHERS == 0 ? 0 : 1 << OTHERS;
    int languages = (languagesAsNumber & (1 << OTHERS) - 1) | others;
    return entry | languages << ENTRY_BITS | (first ? FIRST : 0);
  }

  /**
   * What a unit must not have to be passed over in a text of a language, but for {@link #FIRST}.
   */
  static int stops(int language) {
    return GAP | NOT_PLAIN | NUMBER << StrictMath.min(language, OTHERS);
  }

  /** The look of a unit; of the one behind the last, one to stop at. */
  int look(int unit) {
    return looks[unit];
  }

  /** True if the token at the beginning of the unit is all of it. */
  boolean isPlain(int unit) {
    return (looks[unit] & NOT_PLAIN) == 0;
  }

  int entry(int unit) {
    return looks[unit] & NUMBER - 1;
  }
}
