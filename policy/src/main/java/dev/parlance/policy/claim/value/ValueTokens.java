package dev.parlance.policy.claim.value;

import dev.parlance.policy.claim.Units;
import dev.parlance.policy.claim.WordKey;
import dev.parlance.policy.text.Confusables;
import dev.parlance.policy.text.Utf8Span;

/**
 * The tokens of a text as the reader of values needs them: runs of digits, words, symbols, with
 * what parts each from the one before. Number words and Han numerals are digits already.
 *
 * <p>Tokens are read as they are asked for and kept in a ring; one may look {@value #REACH} tokens
 * ahead of the furthest that was asked for before and as many back. Character references, JSON
 * escapes, and emphasis of Markdown are read as what they stand for; tags of HTML are left out.
 */
final class ValueTokens {
  static final int END = 0;

  /** A run of decimal digits; {@link #value} is what they are, {@link #digits} how many. */
  static final int DIGITS = 1;

  static final int WORD = 2;

  /** Raised digits and their sign; {@link #value}. */
  static final int RAISED = 3;

  /** A character that is a fraction: {@link #value} is the numerator, {@link #digits} below it. */
  static final int FRACTION = 4;

  /** One character of Han or kana. */
  static final int HAN = 5;

  static final int SYMBOL = 6;

  static final int GLUED = ValueText.GLUED;
  static final int SPACE = ValueText.SPACE;
  static final int NARROW = ValueText.NARROW;
  static final int LINE = ValueText.LINE;

  /** Most tokens that one may look ahead or back. */
  static final int REACH = 60;

  /** No reader looks back at more words from one at which a value begins. */
  private static final int LOOK_BACK = 9;

  private static final int MASK = RawTokens.MASK;

  /** Most bytes of the symbol of a unit that is not all ASCII. */
  private static final int MAX_SYMBOL_BYTES = 24;

  /** Of more digits the value is a fingerprint. */
  static final int MAX_VALUE_DIGITS = 18;

  final ValueLexicon lexicon;
  private final RawTokens raw;
  private final ValueText text;
  private final NumeralWords numbers;
  private final WordKey hash;

  /** Up to this unit {@link #passOver(int)} has looked. */
  private int lookedAt;

  /** Tokens that are done; the few that were read behind them may yet be joined. */
  private int done;

  private int language;

  ValueTokens(ValueLexicon lexicon, Values.Look look) {
    this.lexicon = lexicon;
    this.hash = new WordKey(lexicon.seed());
    raw = new RawTokens(lexicon, look);
    text = raw.text;
    numbers = new NumeralWords(raw, lexicon);
  }

  /** Goes to the beginning of the text in a language, 0 for an unknown one. */
  void start(Utf8Span span, int textLanguage) {
    raw.start(span);
    numbers.language(textLanguage);
    lookedAt = 0;
    done = 0;
    language = textLanguage;
  }

  void release() {
    raw.release();
  }

  /**
   * Takes up the next text.
   *
   * @param textUnits its units, which tell where there are words that no value can begin with; may
   *     be none
   */
  void take(Utf8Span span, Units textUnits) {
    raw.take(span, textUnits);
  }

  /**
   * Passes over words and the marks between them in which no value begins, up to one where it may.
   *
   * @param token the next one
   * @return the one to go on with
   */
  int passOver(int token) {
    if (token != done || done != raw.count || raw.unit < lookedAt || !isBetweenUnits()) {
      return token;
    }
    int from = raw.unit;
    int to = from;
    int stops = UnitLooks.stops(language) | UnitLooks.FIRST;
    for (int look = raw.looks.look(to); (look & stops) == 0; look = raw.looks.look(to)) {
      if ((look & UnitLooks.JOINED) != 0 && joined(to) >= 0) {
        break;
      }
      to++;
    }
    lookedAt = to;
    // A name may begin with the words that are joined with the next one.
    do {
      to--;
    } while (to > from && !isBlankBefore(to));
    if (to <= from) {
      return token;
    }
    if (to - from > LOOK_BACK) {
      goBehind(to - LOOK_BACK - 1);
      raw.count += MASK + 1;
    }
    for (int passed = raw.unit; passed < to; passed++) {
      readPassed(passed);
    }
    done = raw.count;
    return raw.count;
  }

  /** Reads the marks before a unit that is passed over, and its tokens. */
  private void readPassed(int passed) {
    int start = text.offset + raw.units.start(passed);
    int end = text.offset + raw.units.end(passed);
    int letters = text.offset + raw.units.letters(passed);
    boolean blank = start == text.at + 1 && text.bytes[text.at] == ' ';
    if (raw.count > 0 && (blank || start == text.at)) {
      int i = raw.count++ & MASK;
      raw.types[i] = WORD;
      raw.gaps[i] = (byte) (blank ? SPACE : GLUED);
      raw.starts[i] = start;
      raw.ends[i] = letters;
      raw.values[i] = raw.units.key(passed);
      raw.entries[i] = raw.looks.entry(passed);
      raw.counts[i] = 0;
      raw.words[i] = false;
      text.at = letters;
    }
    while (text.at < end) {
      raw.read();
    }
    raw.unit = passed + 1;
  }

  /**
   * Passes over words, numerals and the marks between them, up to a byte, and counts the languages
   * that the words are common in.
   *
   * @return the token to go on with
   */
  int passOver(int token, int[] languages, int limit) {
    if (token != done || done != raw.count || !isBetweenUnits()) {
      return token;
    }
    int from = raw.unit;
    int stops = UnitLooks.stops(language);
    int look = 0;
    for (int next = raw.looks.look(raw.unit);
        raw.unit < raw.units.count() && raw.units.start(raw.unit) < limit;
        next = raw.looks.look(raw.unit)) {
      if ((next & UnitLooks.NUMERAL) == 0) {
        if ((next & stops) != 0 || ((next & UnitLooks.JOINED) != 0 && joined(raw.unit) >= 0)) {
          break;
        }
        lexicon.count(raw.looks.entry(raw.unit), languages);
      }
      look = next;
      raw.unit++;
    }
    if (raw.unit == from) {
      return token;
    }
    goBehind(raw.unit - 1);
    raw.starts[raw.count & MASK] = text.offset;
    raw.types[raw.count & MASK] = (byte) ((look & UnitLooks.NUMERAL) != 0 ? DIGITS : WORD);
    raw.count++;
    done++;
    return raw.count;
  }

  private boolean isBetweenUnits() {
    raw.findUnit();
    return raw.unit == 0 || raw.units.end(raw.unit - 1) <= text.at - text.offset;
  }

  private void goBehind(int last) {
    raw.unit = last + 1;
    text.at = text.offset + raw.units.end(last);
  }

  private long joined(int word) {
    return numbers.joined(
        text.offset + raw.units.start(word), text.offset + raw.units.letters(word));
  }

  private boolean isBlankBefore(int word) {
    return text.bytes[text.offset + raw.units.start(word) - 1] <= ' ';
  }

  int type(int token) {
    while (token >= done) {
      readOne();
    }
    return raw.types[token & MASK];
  }

  /** The kind of token, {@link #END} before the first one. */
  int typeBefore(int token) {
    return token == 0 ? END : raw.types[token - 1 & MASK];
  }

  int gap(int token) {
    return type(token) == END ? LINE : raw.gaps[token & MASK];
  }

  int start(int token) {
    return raw.starts[token & MASK] - text.offset;
  }

  int end(int token) {
    return raw.ends[token & MASK] - text.offset;
  }

  /** Value of digits, key of a word or Han character, code point of a symbol. */
  long value(int token) {
    return raw.values[token & MASK];
  }

  int digits(int token) {
    return raw.counts[token & MASK];
  }

  /** The entry of a word in the lexicon. */
  int entry(int token) {
    return type(token) == WORD || raw.types[token & MASK] == HAN ? raw.entries[token & MASK] : 0;
  }

  boolean is(int token, WordRole role) {
    int entry = entry(token);
    return entry != 0 && lexicon.is(entry, role);
  }

  /** True of digits that stand in the text as words. */
  boolean isWords(int token) {
    return raw.words[token & MASK];
  }

  boolean isSymbol(int token, int symbol) {
    return type(token) == SYMBOL && raw.values[token & MASK] == symbol;
  }

  /** True of a word that no value begins with, and that a blank or line break follows. */
  boolean isPlain(int token) {
    return gap(token + 1) != GLUED && !lexicon.isFirst(raw.entries[token & MASK]);
  }

  boolean isGlued(int token) {
    return gap(token) == GLUED;
  }

  /** True of digits that nothing parts from what stands before. */
  boolean isGluedDigits(int token) {
    return type(token) == DIGITS && isGlued(token) && !isWords(token);
  }

  /** True of this Han or kana character. */
  boolean isHan(int token, int c) {
    return raw.isHan(token, c);
  }

  /** True of a word that is this letter, in either case. */
  boolean isLetter(int token, int letter) {
    return type(token) == WORD
        && end(token) - start(token) == 1
        && (byteAt(start(token)) | 0x20) == letter;
  }

  /** True of a word that makes a number a time of day, and is no duration. */
  boolean isClockOnly(int token) {
    return lexicon.unit(entry(token)) == ValueLexicon.NO_UNIT && !isLetter(token, 'h');
  }

  /** True of the name of a time zone. */
  boolean isZone(int token) {
    int initial = byteAt(start(token));
    return initial >= 'A' && initial <= 'Z' && lexicon.is(entry(token), WordRole.ZONE);
  }

  /** A number of a time zone. */
  int zone(int token) {
    return lexicon.is(entry(token), WordRole.UTC)
        ? ValueTime.UTC
        : 8192 + (int) (raw.values[token & MASK] & 0xFFF);
  }

  /** True if a range of bytes is the symbol of a raw.unit. */
  boolean isUnitSymbol(int from, int to) {
    return lexicon.symbolUnit(exactKeyOf(text.offset + from, text.offset + to))
        != ValueLexicon.NO_UNIT;
  }

  boolean isCurrencySymbol(int from, int to) {
    return lexicon.units.isCurrency(
        lexicon.symbolUnit(exactKeyOf(text.offset + from, text.offset + to)));
  }

  /** True if digits are too many for a number: {@link #value} is a fingerprint of them. */
  boolean isLong(int token) {
    return digits(token) > MAX_VALUE_DIGITS;
  }

  /** A byte of the text by its place in the array of the token's range. */
  byte byteAt(int index) {
    return text.bytes[text.offset + index];
  }

  int length() {
    return text.limit - text.offset;
  }

  /** Key of the characters of a token as they stand there: units differ by case. */
  long exactKey(int token) {
    return exactKey(token, token);
  }

  /** The same of two tokens that stand together. */
  long exactKey(int first, int last) {
    return exactKeyOf(raw.starts[first & MASK], raw.ends[last & MASK]);
  }

  /** The unit of the symbol that a range of bytes is, its first letter made a small one or not. */
  int symbolUnit(int from, int to, boolean lower) {
    hash.reset();
    int at = text.offset + from;
    if (lower) {
      hash.add(text.bytes[at++] | 0x20);
    }
    addExact(at, text.offset + to);
    return lexicon.symbolUnit(hash.end());
  }

  /** Key of the word that a range of bytes is, as spelling folds it. */
  long foldedKey(int from, int to) {
    hash.reset();
    for (int i = text.offset + from; i < text.offset + to; i += text.length) {
      text.decode(i);
      Spelling.addFolded(hash, text.codePoint);
    }
    return hash.end();
  }

  private long exactKeyOf(int from, int to) {
    hash.reset();
    addExact(from, to);
    return hash.end();
  }

  private void addExact(int from, int to) {
    boolean mixed = mixesAlphabets(from, to);
    for (int i = from; i < to; i += text.length) {
      text.decode(i);
      // 20 ºC has the sign of an ordinal where that of degrees is meant.
      boolean degree = text.codePoint == 0xBA && i + text.length < to;
      int plain = degree ? 0xB0 : text.codePoint;
      Spelling.addSymbol(hash, mixed && isCyrillic(plain) ? latin(plain) : plain);
    }
  }

  /** True of Latin and Cyrillic letters in one symbol: mbar with a Cyrillic a is millibar. */
  private boolean mixesAlphabets(int from, int to) {
    int ascii = from;
    while (ascii < to && text.bytes[ascii] >= 0) {
      ascii++;
    }
    if (ascii == to) {
      return false;
    }
    boolean latin = false;
    boolean cyrillic = false;
    for (int i = from; i < to; i += text.length) {
      text.decode(i);
      latin |= ValueText.kind(text.codePoint) == ValueText.LETTER && text.codePoint < 0x80;
      cyrillic |= isCyrillic(text.codePoint);
    }
    return latin && cyrillic;
  }

  private static boolean isCyrillic(int c) {
    return c >= 0x400 && c < 0x530;
  }

  private static int latin(int cyrillic) {
    int plain = Confusables.plain(Character.toLowerCase(cyrillic));
    return Character.isUpperCase(cyrillic) && plain < 0x80 ? Character.toUpperCase(plain) : plain;
  }

  /** The letter or sign that a token consists of, if it is one, else 0. */
  int single(int token) {
    int from = raw.starts[token & MASK];
    text.decode(from);
    return from + text.length == raw.ends[token & MASK] ? PlainSymbols.single(text.codePoint) : 0;
  }

  /** True of a word that is short, or short once what is not ASCII is plain. */
  boolean mayBeSymbol(int token) {
    int bytes = end(token) - start(token);
    if (bytes <= 5) {
      return true;
    }
    for (int i = start(token); i < end(token); i++) {
      if (byteAt(i) < 0) {
        return bytes <= MAX_SYMBOL_BYTES;
      }
    }
    return false;
  }

  /**
   * The whole number that a raised, circled or Roman numeral is, which counts only where it {@link
   * #isApart} or a unit stands behind it, or -1.
   */
  int numeral(int token) {
    if (type(token) == RAISED && !isGlued(token)) {
      return (int) StrictMath.max(-1, value(token));
    }
    int whole = enclosed(token);
    if (whole < 0) {
      return -1;
    }
    int place = 10;
    for (int i = token; place < 1_000_000_000 && i > 0 && isGlued(i); i--) {
      int before = enclosed(i - 1);
      if (before < 0 || before > 9) {
        break;
      }
      whole += before * place;
      place *= 10;
    }
    return whole;
  }

  /** What a circled or Roman numeral of one character is, or -1. */
  @SuppressWarnings("CharacterGetNumericValue") // of numerals that are no digits, and no letters
  private int enclosed(int token) {
    if (type(token) != SYMBOL || value(token) < 0x80) {
      return -1;
    }
    int c = (int) value(token);
    int kind = Character.getType(c);
    return kind == Character.OTHER_NUMBER || kind == Character.LETTER_NUMBER
        ? StrictMath.max(-1, Character.getNumericValue(c))
        : -1;
  }

  /** True of several raised digits that a blank parts from the word before: no mark of a note. */
  boolean isApart(int token) {
    return type(token) == RAISED
        && digits(token) > 1
        && gap(token) == SPACE
        && typeBefore(token) == WORD;
  }

  /** From now on the token is a whole number. */
  void setWhole(int token, int value) {
    raw.types[token & MASK] = FRACTION;
    raw.values[token & MASK] = value;
    raw.counts[token & MASK] = 1;
  }

  /**
   * The longest entry with a unit or scale that the text from a token on begins with, where words
   * are not parted by blanks; its bytes end at {@link #prefixEnd}.
   */
  int prefixEntry(int token) {
    hash.reset();
    int found = 0;
    int i = raw.starts[token & MASK];
    for (int n = 0; n < 8 && i < text.limit; n++) {
      text.decode(i);
      if (text.codePoint < 0x250
          || (!Character.isLetter(text.codePoint) && !RawTokens.isMark(text.codePoint))) {
        break;
      }
      Spelling.addFolded(hash, text.codePoint);
      i += text.length;
      int entry = lexicon.word(hash.end());
      if (entry != 0 && (lexicon.unit(entry) != 0 || lexicon.scale(entry) >= 0)) {
        found = entry;
        prefixEnd = i - text.offset;
      }
    }
    return found;
  }

  /** Where the last {@link #prefixEntry} ends. */
  int prefixEnd;

  private void readOne() {
    if (raw.count == done) {
      raw.read();
    }
    if (raw.types[done & MASK] == WORD) {
      numbers.join(done);
    }
    done++;
  }
}
