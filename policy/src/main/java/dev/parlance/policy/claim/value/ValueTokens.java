package dev.parlance.policy.claim.value;

import dev.parlance.policy.claim.AsciiBytes;
import dev.parlance.policy.claim.Folding;
import dev.parlance.policy.claim.HanVariants;
import dev.parlance.policy.claim.Units;
import dev.parlance.policy.claim.WordKey;
import dev.parlance.policy.text.Utf8Span;
import java.util.function.LongToIntFunction;

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

  private static final Units NO_UNITS = new Units(0);
  private static final int MASK = 127;
  private static final int MAX_VALUE_DIGITS = 18;
  private static final long DIGIT_STEP = 0x9e3779b97f4a7c15L;
  final ValueLexicon lexicon;
  private final WordKey hash;
  private final long secret;

  private final byte[] types = new byte[MASK + 1];
  private final byte[] gaps = new byte[MASK + 1];
  private final int[] starts = new int[MASK + 1];
  private final int[] ends = new int[MASK + 1];
  private final long[] values = new long[MASK + 1];
  private final int[] counts = new int[MASK + 1];
  private final int[] entries = new int[MASK + 1];
  private final boolean[] words = new boolean[MASK + 1];

  private final NumeralPhrase phrase = new NumeralPhrase();
  private final NumeralPhrase joinedPhrase = new NumeralPhrase();

  private final ValueText text = new ValueText();
  private Units units = NO_UNITS;

  /** No unit before this one begins at or behind the next byte that is read. */
  private int unit;

  /** Up to this unit {@link #passOver(int)} has looked. */
  private int lookedAt;

  private final UnitLooks looks;

  private long asciiHash;
  private long asciiBlock;

  /** Tokens that are done, and those read of the text; the few between may yet be joined. */
  private int done;

  private int raw;
  private int language;

  ValueTokens(ValueLexicon lexicon, LongToIntFunction lookOfKey) {
    this.lexicon = lexicon;
    this.hash = new WordKey(lexicon.seed());
    this.secret = hash.last;
    looks = new UnitLooks(lexicon, lookOfKey);
  }

  /** Goes to the beginning of the text in a language, 0 for an unknown one. */
  void start(Utf8Span span, int textLanguage) {
    text.start(span);
    unit = 0;
    lookedAt = 0;
    done = 0;
    raw = 0;
    language = textLanguage;
  }

  void release() {
    text.start(Utf8Span.EMPTY);
    units = NO_UNITS;
    looks.release();
  }

  /**
   * Takes up the next text.
   *
   * @param textUnits its units, which tell where there are words that no value can begin with; may
   *     be none
   */
  void take(Utf8Span span, Units textUnits) {
    units = textUnits;
    looks.read(span, textUnits);
  }

  /**
   * Passes over words and the marks between them in which no value begins, up to one where it may.
   *
   * @param token the next one
   * @return the one to go on with
   */
  int passOver(int token) {
    if (token != done || done != raw || unit < lookedAt || !isBetweenUnits()) {
      return token;
    }
    int from = unit;
    int to = from;
    int stops = UnitLooks.stops(language) | UnitLooks.FIRST;
    for (int look = looks.look(to); (look & stops) == 0; look = looks.look(to)) {
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
      raw += MASK + 1;
    }
    for (int passed = unit; passed < to; passed++) {
      readPassed(passed);
    }
    done = raw;
    return raw;
  }

  /** Reads the marks before a unit that is passed over, and its tokens. */
  private void readPassed(int passed) {
    int start = text.offset + units.start(passed);
    int end = text.offset + units.end(passed);
    int letters = text.offset + units.letters(passed);
    boolean blank = start == text.at + 1 && text.bytes[text.at] == ' ';
    if (raw > 0 && (blank || start == text.at)) {
      int i = raw++ & MASK;
      types[i] = WORD;
      gaps[i] = (byte) (blank ? SPACE : GLUED);
      starts[i] = start;
      ends[i] = letters;
      values[i] = units.key(passed);
      entries[i] = looks.entry(passed);
      counts[i] = 0;
      words[i] = false;
      text.at = letters;
    }
    while (text.at < end) {
      readRaw();
    }
    unit = passed + 1;
  }

  /**
   * Passes over words, numerals and the marks between them, up to a byte, and counts the languages
   * that the words are common in.
   *
   * @return the token to go on with
   */
  int passOver(int token, int[] languages, int limit) {
    if (token != done || done != raw || !isBetweenUnits()) {
      return token;
    }
    int from = unit;
    int stops = UnitLooks.stops(language);
    int look = 0;
    for (int next = looks.look(unit);
        unit < units.count() && units.start(unit) < limit;
        next = looks.look(unit)) {
      if ((next & UnitLooks.NUMERAL) == 0) {
        if ((next & stops) != 0 || ((next & UnitLooks.JOINED) != 0 && joined(unit) >= 0)) {
          break;
        }
        lexicon.count(looks.entry(unit), languages);
      }
      look = next;
      unit++;
    }
    if (unit == from) {
      return token;
    }
    goBehind(unit - 1);
    starts[raw & MASK] = text.offset;
    types[raw & MASK] = (byte) ((look & UnitLooks.NUMERAL) != 0 ? DIGITS : WORD);
    raw++;
    done++;
    return raw;
  }

  /** Goes to the first unit that does not begin before what is read next. */
  private void findUnit() {
    while (unit < units.count() && units.start(unit) < text.at - text.offset) {
      unit++;
    }
  }

  private boolean isBetweenUnits() {
    findUnit();
    return unit == 0 || units.end(unit - 1) <= text.at - text.offset;
  }

  private void goBehind(int last) {
    unit = last + 1;
    text.at = text.offset + units.end(last);
  }

  private long joined(int word) {
    return joined(text.offset + units.start(word), text.offset + units.letters(word));
  }

  private boolean isBlankBefore(int word) {
    return text.bytes[text.offset + units.start(word) - 1] <= ' ';
  }

  int type(int token) {
    while (token >= done) {
      readOne();
    }
    return types[token & MASK];
  }

  /** The kind of token, {@link #END} before the first one. */
  int typeBefore(int token) {
    return token == 0 ? END : types[token - 1 & MASK];
  }

  int gap(int token) {
    return type(token) == END ? LINE : gaps[token & MASK];
  }

  int start(int token) {
    return starts[token & MASK] - text.offset;
  }

  int end(int token) {
    return ends[token & MASK] - text.offset;
  }

  /** Value of digits, key of a word or Han character, code point of a symbol. */
  long value(int token) {
    return values[token & MASK];
  }

  int digits(int token) {
    return counts[token & MASK];
  }

  /** The entry of a word in the lexicon. */
  int entry(int token) {
    return type(token) == WORD || types[token & MASK] == HAN ? entries[token & MASK] : 0;
  }

  boolean is(int token, ValueLexicon.Role role) {
    int entry = entry(token);
    return entry != 0 && lexicon.is(entry, role);
  }

  /** True of digits that stand in the text as words. */
  boolean isWords(int token) {
    return words[token & MASK];
  }

  boolean isSymbol(int token, int symbol) {
    return type(token) == SYMBOL && values[token & MASK] == symbol;
  }

  /** True of a word that no value begins with, and that a blank or line break follows. */
  boolean isPlain(int token) {
    return gap(token + 1) != GLUED && !lexicon.isFirst(entries[token & MASK]);
  }

  boolean isGlued(int token) {
    return gap(token) == GLUED;
  }

  /** True of this Han or kana character. */
  boolean isHan(int token, int c) {
    if (types[token & MASK] != HAN) {
      return false;
    }
    text.decode(starts[token & MASK]);
    return text.codePoint == c || HanVariants.of(text.codePoint) == HanVariants.of(c);
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
    return initial >= 'A' && initial <= 'Z' && lexicon.is(entry(token), ValueLexicon.Role.ZONE);
  }

  /** A number of a time zone. */
  int zone(int token) {
    return lexicon.is(entry(token), ValueLexicon.Role.UTC)
        ? ValueTime.UTC
        : 8192 + (int) (values[token & MASK] & 0xFFF);
  }

  /** True if a range of bytes is the symbol of a unit. */
  boolean isUnitSymbol(int from, int to) {
    return lexicon.symbolUnit(exactKeyOf(text.offset + from, text.offset + to))
        != ValueLexicon.NO_UNIT;
  }

  boolean isCurrencySymbol(int from, int to) {
    return lexicon.isCurrency(lexicon.symbolUnit(exactKeyOf(text.offset + from, text.offset + to)));
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
    return exactKeyOf(starts[first & MASK], ends[last & MASK]);
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
      ValueLexicon.addFolded(hash, text.codePoint);
    }
    return hash.end();
  }

  private long exactKeyOf(int from, int to) {
    hash.reset();
    addExact(from, to);
    return hash.end();
  }

  private void addExact(int from, int to) {
    for (int i = from; i < to; i += text.length) {
      text.decode(i);
      hash.add(ValueLexicon.sameSymbol(text.codePoint));
    }
  }

  /**
   * The longest entry with a unit or scale that the text from a token on begins with, where words
   * are not parted by blanks; its bytes end at {@link #prefixEnd}.
   */
  int prefixEntry(int token) {
    hash.reset();
    int found = 0;
    int i = starts[token & MASK];
    for (int n = 0; n < 8 && i < text.limit; n++) {
      text.decode(i);
      if (text.codePoint < 0x250
          || (!Character.isLetter(text.codePoint) && !isMark(text.codePoint))) {
        break;
      }
      ValueLexicon.addFolded(hash, text.codePoint);
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
    if (raw == done) {
      readRaw();
    }
    if (types[done & MASK] == WORD) {
      joinNumberWords();
    }
    done++;
  }

  /** Makes one token of digits of the number words from the first unfinished token on. */
  private void joinNumberWords() {
    long first = number(done);
    if (first < 0 || isScaleBehindDigits()) {
      return;
    }
    phrase.start(first);
    int last = done;
    for (int next = done + 1; next < done + 24; next++) {
      int word = next;
      if (!isJoined(word)) {
        break;
      }
      boolean and = lexicon.is(entries[word & MASK], ValueLexicon.Role.AND);
      if (and) {
        word++;
        if (!isJoined(word)) {
          break;
        }
      }
      long number = number(word);
      if (number < 0 || !phrase.add(number, and, language)) {
        break;
      }
      last = word;
      next = word;
    }
    if (!phrase.isNumber()) {
      return;
    }
    int first0 = done & MASK;
    types[first0] = DIGITS;
    values[first0] = phrase.value();
    counts[first0] = decimalDigits(phrase.value());
    words[first0] = true;
    ends[first0] = ends[last & MASK];
    int moved = last - done;
    for (int i = last + 1; i < raw && moved > 0; i++) {
      copy(i, i - moved);
    }
    raw -= moved;
  }

  private long number(int token) {
    return number(entries[token & MASK], starts[token & MASK], ends[token & MASK]);
  }

  private long number(int entry, int from, int to) {
    return entry == ValueLexicon.UNKNOWN ? joined(from, to) : lexicon.number(entry, language);
  }

  /** The value of a word that several number words are written in, or -1. */
  private long joined(int from, int to) {
    if (to - from < 6
        || to - from > NumeralPhrase.MAX_BYTES
        || (language != 0
            && language != ValueLexicon.GERMAN
            && language != ValueLexicon.DUTCH
            && language != ValueLexicon.ITALIAN)) {
      return -1;
    }
    if (!lexicon.mayBeginWithPiece(text.bytes[from], text.bytes[from + 1], text.bytes[from + 2])) {
      return -1;
    }
    joinedPhrase.clearText();
    for (int i = from; i < to; i += text.length) {
      text.decode(i);
      joinedPhrase.addText(text.codePoint);
    }
    return joinedPhrase.joined(lexicon, language);
  }

  /** True if a token is a word right behind another one of a phrase. */
  private boolean isJoined(int token) {
    while (raw <= token) {
      readRaw();
    }
    int i = token & MASK;
    if (types[i] == SYMBOL && values[i] == '-' && gaps[i] == GLUED) {
      while (raw <= token + 1) {
        readRaw();
      }
      int after = token + 1 & MASK;
      if (types[after] == WORD && gaps[after] == GLUED && number(token + 1) >= 0) {
        // twenty-five: the hyphen goes, the word stands right behind.
        for (int j = token + 1; j < raw; j++) {
          copy(j, j - 1);
        }
        raw--;
        return true;
      }
      return false;
    }
    return types[i] == WORD && gaps[i] <= NARROW;
  }

  /** 5 million, 12,5 Tausend: the word multiplies the number before it. */
  private boolean isScaleBehindDigits() {
    int i = done & MASK;
    return done > 0
        && types[done - 1 & MASK] == DIGITS
        && gaps[i] <= NARROW
        && entries[i] != 0
        && lexicon.scale(entries[i]) >= 0;
  }

  private void copy(int from, int to) {
    int a = from & MASK;
    int b = to & MASK;
    types[b] = types[a];
    gaps[b] = gaps[a];
    starts[b] = starts[a];
    ends[b] = ends[a];
    values[b] = values[a];
    counts[b] = counts[a];
    entries[b] = entries[a];
    words[b] = words[a];
  }

  private static int decimalDigits(long value) {
    int digits = 1;
    for (long rest = value; rest >= 10; rest /= 10) {
      digits++;
    }
    return digits;
  }

  private void readRaw() {
    int gap = text.skipBlanks();
    int i = raw & MASK;
    gaps[i] = (byte) (raw == 0 ? LINE : gap);
    starts[i] = text.at;
    words[i] = false;
    entries[i] = 0;
    counts[i] = 0;
    if (text.at >= text.limit) {
      types[i] = END;
      values[i] = 0;
    } else {
      int first = text.bytes[text.at];
      switch (ValueText.kind(first)) {
        case ValueText.LETTER -> readWord(i);
        case ValueText.DIGIT -> readDigits(i);
        case ValueText.MARK -> {
          types[i] = SYMBOL;
          values[i] = first;
          text.at++;
        }
        default -> readOther(i);
      }
    }
    ends[i] = text.at;
    raw++;
  }

  private void readOther(int i) {
    text.decode(text.at);
    long entry = Folding.of(text.codePoint);
    int kind = Folding.kind(entry);
    int type = Character.getType(text.codePoint);
    if (type == Character.DECIMAL_DIGIT_NUMBER) {
      readDigits(i);
    } else if (kind == Folding.RAISED || isRaisedSign(text.codePoint)) {
      readRaised(i);
    } else if (isHanLike(entry)) {
      readHan(i);
    } else if (Character.isLetter(text.codePoint)) {
      readWord(i);
    } else if (type == Character.OTHER_NUMBER && fraction(text.codePoint) != 0) {
      types[i] = FRACTION;
      values[i] = fraction(text.codePoint) >> 8;
      counts[i] = fraction(text.codePoint) & 0xFF;
      text.at += text.length;
    } else {
      types[i] = SYMBOL;
      values[i] = plainSymbol(text.codePoint);
      text.at += text.length;
    }
  }

  private void readDigits(int i) {
    long value = 0;
    long print = secret;
    int count = 0;
    while (text.at < text.limit) {
      int b = text.bytes[text.at];
      int digit = b - '0';
      if (digit < 0 || digit > 9) {
        if (b >= 0 && b != '&' && b != '\\') {
          break;
        }
        text.decode(text.at);
        if (Character.getType(text.codePoint) != Character.DECIMAL_DIGIT_NUMBER) {
          break;
        }
        digit = Character.digit(text.codePoint, 10);
        text.at += text.length;
      } else {
        text.at++;
      }
      value = value * 10 + digit;
      print = WordKey.mix(print + digit, DIGIT_STEP);
      count++;
    }
    types[i] = DIGITS;
    values[i] = count > MAX_VALUE_DIGITS ? print : value;
    counts[i] = count;
  }

  private void readWord(int i) {
    int from = text.at;
    findUnit();
    if (unit < units.count() && units.start(unit) == from - text.offset && looks.isPlain(unit)) {
      types[i] = WORD;
      values[i] = units.key(unit);
      entries[i] = looks.entry(unit);
      text.at = text.offset + units.letters(unit);
      return;
    }
    readAscii(from);
    int b = text.at < text.limit ? text.bytes[text.at] : ' ';
    if (b >= 0 && b != '\\' && b != '&') {
      types[i] = WORD;
      values[i] = WordKey.end(asciiHash, asciiBlock, text.at - from, hash.last);
      entries[i] = lexicon.word(values[i]);
      return;
    }
    hash.resume(
        asciiHash, asciiBlock, text.at - from, text.at > from ? text.bytes[text.at - 1] | 0x20 : 0);
    while (text.at < text.limit) {
      b = text.bytes[text.at];
      int lower = b | 0x20;
      if (b >= 0 && lower >= 'a' && lower <= 'z') {
        hash.add(lower);
        text.at++;
        continue;
      }
      if (b >= 0 && b != '\\' && b != '&') {
        break;
      }
      text.decode(text.at);
      if (!isLetterOrMark(text.codePoint)) {
        break;
      }
      ValueLexicon.addFolded(hash, text.codePoint);
      text.at += text.length;
    }
    types[i] = WORD;
    values[i] = hash.end();
    entries[i] = lexicon.word(values[i]);
  }

  /** Reads ASCII letters, eight at a time: nearly all words are no more than that. */
  private void readAscii(int from) {
    long word = hash.first;
    long block;
    int at = from;
    int length;
    do {
      long eight = AsciiBytes.eight(text.bytes, at, text.limit);
      length = AsciiBytes.letters(eight);
      block = AsciiBytes.lower(eight, length);
      at += length;
      if (length == Long.BYTES) {
        word = WordKey.mix(word ^ block, hash.last);
        block = 0;
      }
    } while (length == Long.BYTES);
    text.at = at;
    asciiHash = word;
    asciiBlock = block;
  }

  private boolean isLetterOrMark(int c) {
    long entry = Folding.of(c);
    int kind = Folding.kind(entry);
    return !isHanLike(entry)
        && kind != Folding.RAISED
        && (Character.isLetter(c) || isMark(c) || kind == Folding.IGNORED);
  }

  /** True of Han and kana, those with a sound mark as well. */
  private static boolean isHanLike(long entry) {
    int kind = Folding.kind(entry);
    return kind == Folding.HAN
        || (kind == Folding.SEVERAL
            && Folding.kind(Folding.of(Folding.first(entry))) == Folding.HAN);
  }

  private static boolean isMark(int c) {
    int type = Character.getType(c);
    return type == Character.NON_SPACING_MARK
        || type == Character.COMBINING_SPACING_MARK
        || type == Character.ENCLOSING_MARK;
  }

  private void readHan(int i) {
    if (HanNumerals.isNumeral(text.codePoint)) {
      long value = readHanNumeral();
      if (value >= 0) {
        types[i] = DIGITS;
        values[i] = value;
        counts[i] = decimalDigits(value);
        words[i] = true;
        return;
      }
      text.decode(text.at);
    }
    hash.reset();
    ValueLexicon.addFolded(hash, text.codePoint);
    text.at += text.length;
    types[i] = HAN;
    values[i] = hash.end();
    entries[i] = lexicon.word(values[i]);
  }

  /** Reads a run of numerals that is a number, or nothing (-1). */
  private long readHanNumeral() {
    HanNumerals numerals = this.numerals;
    numerals.start();
    int from = text.at;
    int i = text.at;
    while (i < text.limit && text.bytes[i] < 0) {
      text.decode(i);
      if (!numerals.add(text.codePoint)) {
        break;
      }
      i += text.length;
    }
    long value = numerals.value();
    boolean share = raw > 0 && isHan(raw - 1, '之');
    // One numeral alone is more often part of a word; before a unit or measure word it counts.
    if (value >= 0 && numerals.count() == 1 && !share) {
      text.at = i;
      boolean counted = i < text.limit && isCounted(i) && !(value == 10 && text.codePoint == '分');
      text.at = from;
      value = counted ? value : -1;
    }
    if (value >= 0) {
      text.at = i;
    }
    return value;
  }

  private final HanNumerals numerals = new HanNumerals();

  private boolean isCounted(int i) {
    text.decode(i);
    return HanNumerals.isMeasure(text.codePoint);
  }

  private void readRaised(int i) {
    long value = 0;
    int sign = 1;
    int count = 0;
    while (text.at < text.limit) {
      text.decode(text.at);
      long entry = Folding.of(text.codePoint);
      if (isRaisedSign(text.codePoint)) {
        if (count > 0) {
          break;
        }
        sign = text.codePoint == 0x207B ? -1 : 1;
      } else if (Folding.kind(entry) == Folding.RAISED && count < 9) {
        value = value * 10 + Folding.first(entry) - '0';
        count++;
      } else {
        break;
      }
      text.at += text.length;
    }
    types[i] = RAISED;
    values[i] = sign * value;
    counts[i] = count;
  }

  private static boolean isRaisedSign(int c) {
    return c == 0x207A || c == 0x207B;
  }

  /** One symbol for those that mean the same. */
  private static int plainSymbol(int c) {
    if (c >= 0xFF01 && c <= 0xFF5E && c != 0xFF0C) {
      return c - 0xFEE0;
    }
    return switch (c) {
      case 0x2010, 0x2011 -> '-';
      case 0x2012, 0x2014, 0x2015 -> 0x2013;
      case 0xFE63 -> 0x2212;
      case 0x301C, 0x223C -> '~';
      case 0x2019, 0x2BC, 0x66C -> '\'';
      case 0x66B -> '.';
      case 0x22C5, 0x2219, 0x2022 -> 0xB7;
      case 0x2264, 0x2A7D, 0x2266 -> 0x2264;
      case 0x2265, 0x2A7E, 0x2267 -> 0x2265;
      case 0x66A -> '%';
      case 0x2236 -> ':';
      case 0x2044, 0x2215 -> '/';
      default -> c;
    };
  }

  /** Numerator times 256 and denominator of a character, or 0. */
  private static int fraction(int c) {
    return switch (c) {
      case 0xBD -> 0x102;
      case 0xBC -> 0x104;
      case 0xBE -> 0x304;
      case 0x2153 -> 0x103;
      case 0x2154 -> 0x203;
      case 0x2155 -> 0x105;
      case 0x2156 -> 0x205;
      case 0x2157 -> 0x305;
      case 0x2158 -> 0x405;
      case 0x2159 -> 0x106;
      case 0x215A -> 0x506;
      case 0x2150 -> 0x107;
      case 0x215B -> 0x108;
      case 0x215C -> 0x308;
      case 0x215D -> 0x508;
      case 0x215E -> 0x708;
      case 0x2151 -> 0x109;
      case 0x2152 -> 0x10A;
      default -> 0;
    };
  }
}
