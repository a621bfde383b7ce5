package dev.parlance.policy.claim.value;

import static dev.parlance.policy.claim.value.ValueTokens.DIGITS;
import static dev.parlance.policy.claim.value.ValueTokens.END;
import static dev.parlance.policy.claim.value.ValueTokens.FRACTION;
import static dev.parlance.policy.claim.value.ValueTokens.HAN;
import static dev.parlance.policy.claim.value.ValueTokens.LINE;
import static dev.parlance.policy.claim.value.ValueTokens.MAX_VALUE_DIGITS;
import static dev.parlance.policy.claim.value.ValueTokens.RAISED;
import static dev.parlance.policy.claim.value.ValueTokens.SYMBOL;
import static dev.parlance.policy.claim.value.ValueTokens.WORD;

import dev.parlance.policy.claim.AsciiBytes;
import dev.parlance.policy.claim.Folding;
import dev.parlance.policy.claim.HanVariants;
import dev.parlance.policy.claim.Units;
import dev.parlance.policy.claim.WordKey;
import dev.parlance.policy.text.Utf8Span;

/**
 * A ring of the tokens that were read of a text last, each from its own characters: what several of
 * them are together is for {@link ValueTokens} to say.
 */
final class RawTokens {
  static final int MASK = 127;

  private static final Units NO_UNITS = new Units(0);
  private static final long DIGIT_STEP = 0x9e3779b97f4a7c15L;

  private final ValueLexicon lexicon;
  private final WordKey hash;
  private final long secret;
  private final HanNumerals numerals = new HanNumerals();

  // By the number of the token, of which the lowest bits count.
  final byte[] types = new byte[MASK + 1];
  final byte[] gaps = new byte[MASK + 1];
  final int[] starts = new int[MASK + 1];
  final int[] ends = new int[MASK + 1];
  final long[] values = new long[MASK + 1];
  final int[] counts = new int[MASK + 1];
  final int[] entries = new int[MASK + 1];
  final boolean[] words = new boolean[MASK + 1];

  /** Tokens that were read. */
  int count;

  final ValueText text = new ValueText();
  Units units = NO_UNITS;
  final UnitLooks looks;

  /** No unit before this one begins at or behind the next byte that is read. */
  int unit;

  private long asciiHash;
  private long asciiBlock;

  RawTokens(ValueLexicon lexicon, Values.Look look) {
    this.lexicon = lexicon;
    hash = new WordKey(lexicon.seed());
    secret = hash.last;
    looks = new UnitLooks(lexicon, look);
  }

  /** Goes to the beginning of a text. */
  void start(Utf8Span span) {
    text.start(span);
    unit = 0;
    count = 0;
  }

  void release() {
    text.start(Utf8Span.EMPTY);
    units = NO_UNITS;
    looks.release();
  }

  /** Takes up the units of the next text. */
  void take(Utf8Span span, Units textUnits) {
    units = textUnits;
    looks.read(span, textUnits);
  }

  /** Goes to the first unit that does not begin before what is read next. */
  void findUnit() {
    while (unit < units.count() && units.start(unit) < text.at - text.offset) {
      unit++;
    }
  }

  /** True of this Han or kana character. */
  boolean isHan(int token, int c) {
    if (types[token & MASK] != HAN) {
      return false;
    }
    text.decode(starts[token & MASK]);
    return text.codePoint == c || HanVariants.of(text.codePoint) == HanVariants.of(c);
  }

  /** Puts a token in the place of another one. */
  void copy(int from, int to) {
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

  static int decimalDigits(long value) {
    int digits = 1;
    for (long rest = value; rest >= 10; rest /= 10) {
      digits++;
    }
    return digits;
  }

  /** Reads the next token. */
  void read() {
    int gap = text.skipBlanks();
    int i = count & MASK;
    gaps[i] = (byte) (count == 0 ? LINE : gap);
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
    count++;
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
    int length = 0;
    while (text.at < text.limit) {
      int b = text.bytes[text.at];
      int digit = b - '0';
      if (digit < 0 || digit > 9) {
        if (b >= 0 && b != '&' && b != '\\') {
          break;
        }
        text.decode(text.at);
        if (isHiddenBeforeDigit()) {
          text.at += text.length;
          continue;
        }
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
      length++;
    }
    types[i] = DIGITS;
    values[i] = length > MAX_VALUE_DIGITS ? print : value;
    counts[i] = length;
  }

  /** True of a soft hyphen or the like, decoded last, that nobody sees between two digits. */
  private boolean isHiddenBeforeDigit() {
    int behind = text.at + text.length;
    return Folding.kind(Folding.of(text.codePoint)) == Folding.IGNORED
        && behind < text.limit
        && ValueText.kind(text.bytes[behind]) == ValueText.DIGIT;
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
      Spelling.addFolded(hash, text.codePoint);
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

  static boolean isMark(int c) {
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
    Spelling.addFolded(hash, text.codePoint);
    text.at += text.length;
    types[i] = HAN;
    values[i] = hash.end();
    entries[i] = lexicon.word(values[i]);
  }

  /** Reads a run of numerals that is a number, or nothing (-1). */
  private long readHanNumeral() {
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
    boolean share = count > 0 && isHan(count - 1, '之');
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

  private boolean isCounted(int i) {
    text.decode(i);
    return HanNumerals.isMeasure(text.codePoint);
  }

  private void readRaised(int i) {
    long value = 0;
    int sign = 1;
    int length = 0;
    while (text.at < text.limit) {
      text.decode(text.at);
      long entry = Folding.of(text.codePoint);
      if (isRaisedSign(text.codePoint)) {
        if (length > 0) {
          break;
        }
        sign = text.codePoint == 0x207B ? -1 : 1;
      } else if (Folding.kind(entry) == Folding.RAISED && length < 9) {
        value = value * 10 + Folding.first(entry) - '0';
        length++;
      } else {
        break;
      }
      text.at += text.length;
    }
    types[i] = RAISED;
    values[i] = sign * value;
    counts[i] = length;
  }

  private static boolean isRaisedSign(int c) {
    return c == 0x207A || c == 0x207B;
  }

  /** One symbol for those that mean the same. */
  private static int plainSymbol(int c) {
    if (c >= 0xFF01 && c <= 0xFF5E && c != 0xFF0C) {
      return c - 0xFEE0;
    }
    if (c >= 0xFE62 && c <= 0xFE6A && c != 0xFE63) {
      return PlainSymbols.single(c);
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
      case 0x2DA -> 0xB0;
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
