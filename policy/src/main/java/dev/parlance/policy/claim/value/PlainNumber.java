package dev.parlance.policy.claim.value;

import static dev.parlance.policy.claim.value.ValueTokens.DIGITS;
import static dev.parlance.policy.claim.value.ValueTokens.FRACTION;
import static dev.parlance.policy.claim.value.ValueTokens.GLUED;
import static dev.parlance.policy.claim.value.ValueTokens.HAN;
import static dev.parlance.policy.claim.value.ValueTokens.NARROW;
import static dev.parlance.policy.claim.value.ValueTokens.RAISED;
import static dev.parlance.policy.claim.value.ValueTokens.SPACE;
import static dev.parlance.policy.claim.value.ValueTokens.SYMBOL;
import static dev.parlance.policy.claim.value.ValueTokens.WORD;

import dev.parlance.policy.claim.WordKey;

/**
 * Reads a number without sign and unit: groups, decimals, powers of ten, fractions, and the word
 * that multiplies it. The fields are those of the number read last.
 */
final class PlainNumber {
  private static final double[] TENS = new double[64];

  static {
    for (int i = 0; i < TENS.length; i++) {
      TENS[i] = StrictMath.pow(10, i - TENS.length / 2);
    }
  }

  /** Which of point and comma a text parts decimals by. */
  enum Style {
    UNKNOWN,
    POINT,
    COMMA
  }

  private static final int MAX_DIGITS = 18;
  private static final int MAX_POWER = 10_000;
  private static final int MAX_PAIRS = 6;

  private final ValueTokens tokens;
  private Style style = Style.UNKNOWN;

  /** The value is this by ten to the exponent; no multiple of ten unless 0. */
  long mantissa;

  int exponent;

  /** Power of ten of the last digit that was written. */
  int lastPlace;

  /** A thousandth of it may be meant as well. */
  boolean ambiguous;

  /** The mantissa is a fingerprint of more digits than a number holds. */
  boolean fingerprint;

  /** The value is the mantissa divided by the exponent, in lowest terms. */
  boolean rational;

  /** Grouped, with decimals or multiplied: no year, no name of anything. */
  boolean plain;

  /** The token behind it, and the byte where it ends. */
  int next;

  int end;

  /** The power of ten of a word behind it. */
  int scaled;

  private int digits;

  PlainNumber(ValueTokens tokens) {
    this.tokens = tokens;
  }

  void style(Style newStyle) {
    style = newStyle;
  }

  /** Reads the number that begins with digits or a fraction. */
  void read(int token, boolean afterCurrency) {
    clear();
    if (tokens.type(token) == FRACTION) {
      fraction(0, tokens.value(token), tokens.digits(token));
      finish(token + 1);
      scale(afterCurrency);
      return;
    }
    append(tokens.value(token), tokens.digits(token));
    next = token + 1;
    if (!tokens.isWords(token)) {
      groups(token);
    }
    if (!fractionBehind(token)) {
      power(token);
      normalise();
    }
    finish(next);
    scale(afterCurrency);
  }

  /** One of so many parts. */
  void readPart(int parts) {
    clear();
    fraction(0, 1, parts);
  }

  private void clear() {
    mantissa = 0;
    exponent = 0;
    lastPlace = 0;
    ambiguous = false;
    fingerprint = false;
    rational = false;
    plain = true;
    digits = 0;
    scaled = 0;
  }

  private void finish(int token) {
    next = token;
    end = tokens.end(token - 1);
  }

  private void append(long value, int count) {
    if (count > MAX_DIGITS || digits + count > MAX_DIGITS || fingerprint) {
      if (!fingerprint && digits > 0) {
        mantissa = print(0, mantissa, digits);
      }
      mantissa = count > MAX_DIGITS ? mantissa * 31 + value : print(mantissa, value, count);
      fingerprint = true;
    } else {
      mantissa = mantissa * power10(count) + value;
    }
    digits += count;
  }

  private static long print(long before, long value, int count) {
    long print = before;
    for (int i = count - 1; i >= 0; i--) {
      print = WordKey.mix(print + value / power10(i) % 10 + 1, 0x9e3779b97f4a7c15L);
    }
    return print;
  }

  static long power10(int exponent) {
    long power = 1;
    for (int i = 0; i < exponent; i++) {
      power *= 10;
    }
    return power;
  }

  /** Ten to a power: the library's function allocates. */
  static double tenTo(int power) {
    int place = power + TENS.length / 2;
    return place >= 0 && place < TENS.length ? TENS[place] : StrictMath.pow(10, power);
  }

  private void decimals(int token) {
    append(tokens.value(token), tokens.digits(token));
    exponent -= tokens.digits(token);
    plain = false;
    next = token + 1;
  }

  private boolean isGroup(int token) {
    return tokens.type(token) == DIGITS && tokens.digits(token) == 3 && !tokens.isWords(token);
  }

  private boolean isGluedDigits(int token) {
    return tokens.type(token) == DIGITS && tokens.isGlued(token) && !tokens.isWords(token);
  }

  private void groups(int token) {
    boolean mayGroup =
        tokens.digits(token) <= 3 && (tokens.value(token) > 0) && !hasLeadingZero(token);
    if (mayGroup && isBlankGroup(token + 1)) {
      int i = token + 1;
      while (isBlankGroup(i) && i < token + 12) {
        append(tokens.value(i), 3);
        i++;
      }
      next = i;
      plain = false;
      decimalsBehind(i, 0);
      return;
    }
    if (tokens.type(token + 1) != SYMBOL
        || !tokens.isGlued(token + 1)
        || !isGluedDigits(token + 2)) {
      return;
    }
    int separator = (int) tokens.value(token + 1);
    if (separator == '\'' || separator == '_') {
      separated(token, separator, mayGroup);
    } else if (separator == '.' || separator == ',') {
      pointOrComma(token, separator, mayGroup);
    } else if (separator == 0xB7 && tokens.value(token + 2) != 10) {
      // 5·5 mg, as journals print it; 5·10⁶ is a product
      decimals(token + 2);
    }
  }

  private boolean isBlankGroup(int token) {
    int gap = tokens.gap(token);
    return (gap == NARROW || gap == SPACE)
        && isGroup(token)
        // 12 500 123 4: rather four numbers.
        && !(gap == SPACE
            && tokens.gap(token + 1) == SPACE
            && tokens.type(token + 1) == DIGITS
            && !tokens.isWords(token + 1)
            && !isGroup(token + 1));
  }

  private void separated(int token, int separator, boolean mayGroup) {
    int i = token;
    while (mayGroup
        && i < token + 24
        && tokens.isSymbol(i + 1, separator)
        && tokens.isGlued(i + 1)
        && isGroup(i + 2)
        && tokens.isGlued(i + 2)) {
      append(tokens.value(i + 2), 3);
      i += 2;
    }
    if (i > token) {
      next = i + 1;
      plain = false;
      decimalsBehind(next, 0);
    }
  }

  private void pointOrComma(int token, int separator, boolean mayGroup) {
    if (separator == ',' && mayGroup && lakhs(token)) {
      return;
    }
    int groups = 0;
    while (groups < 12
        && tokens.isSymbol(token + 2 * groups + 1, separator)
        && tokens.isGlued(token + 2 * groups + 1)
        && isGroup(token + 2 * groups + 2)
        && isGluedDigits(token + 2 * groups + 2)) {
      groups++;
    }
    int behind = token + 2 * groups + 1;
    boolean more =
        tokens.isSymbol(behind, separator) && tokens.isGlued(behind) && isGluedDigits(behind + 1);
    if (separator == ',' && isListed(token)) {
      return;
    }
    if (groups == 0 || !mayGroup) {
      if (more && groups == 0 && separator == ',') {
        int after = behind + 2;
        boolean list =
            tokens.isSymbol(after, ',') && tokens.isGlued(after) && isGluedDigits(after + 1);
        if (list || (tokens.digits(token) >= 4 && tokens.digits(behind + 1) >= 4)) {
          return;
        }
      }
      decimals(token + 2);
      return;
    }
    if (more) {
      // 1,200,5: a list of numbers.
      return;
    }
    int other = separator == '.' ? ',' : '.';
    boolean certain =
        groups > 1
            || (tokens.isSymbol(behind, other)
                && tokens.isGlued(behind)
                && isGluedDigits(behind + 1));
    boolean decimal = style == (separator == '.' ? Style.POINT : Style.COMMA);
    if (!certain && decimal) {
      decimals(token + 2);
      return;
    }
    for (int i = 1; i <= groups; i++) {
      append(tokens.value(token + 2 * i), 3);
    }
    next = behind;
    plain = false;
    ambiguous = !certain && style == Style.UNKNOWN;
    decimalsBehind(behind, other);
  }

  /** 12,34,567: pairs of digits, and three at last, as India groups them. */
  private boolean lakhs(int token) {
    int pairs = 0;
    while (pairs < MAX_PAIRS && isCommaDigits(token + 2 * pairs + 1, 2)) {
      pairs++;
    }
    int last = token + 2 * pairs + 1;
    if (pairs == 0
        || tokens.digits(token) > 2
        || !isCommaDigits(last, 3)
        || isListed(token)
        || (tokens.isSymbol(last + 2, ',')
            && tokens.isGlued(last + 2)
            && isGluedDigits(last + 3))) {
      return false;
    }
    for (int i = 1; i <= pairs; i++) {
      append(tokens.value(token + 2 * i), 2);
    }
    append(tokens.value(last + 1), 3);
    next = last + 2;
    plain = false;
    decimalsBehind(next, '.');
    return true;
  }

  private boolean isCommaDigits(int token, int count) {
    return tokens.isSymbol(token, ',')
        && tokens.isGlued(token)
        && isGluedDigits(token + 1)
        && tokens.digits(token + 1) == count;
  }

  /** True of an entry of an array: [10,35]. */
  private boolean isListed(int token) {
    return token > 0
        && tokens.isGlued(token)
        && (tokens.isSymbol(token - 1, '[')
            || (token > 1
                && tokens.isSymbol(token - 1, ',')
                && tokens.isGlued(token - 1)
                && tokens.typeBefore(token - 1) == DIGITS));
  }

  /** Decimals behind groups; {@code separator} 0: point or comma. */
  private void decimalsBehind(int token, int separator) {
    boolean parted =
        tokens.type(token) == SYMBOL
            && tokens.isGlued(token)
            && (separator == 0
                ? tokens.value(token) == '.' || tokens.value(token) == ','
                : tokens.value(token) == separator);
    if (parted && isGluedDigits(token + 1)) {
      decimals(token + 1);
    }
  }

  boolean hasLeadingZero(int token) {
    int count = tokens.digits(token);
    return count > 1 && count <= MAX_DIGITS && tokens.value(token) < power10(count - 1);
  }

  private boolean fractionBehind(int token) {
    if (next != token + 1 || fingerprint) {
      return false;
    }
    if (tokens.type(next) == FRACTION && tokens.gap(next) <= SPACE) {
      fraction(mantissa, tokens.value(next), tokens.digits(next));
      next++;
      return true;
    }
    if (isFraction(next, 16) && tokens.gap(next) == SPACE) {
      fraction(mantissa, tokens.value(next), tokens.value(next + 2));
      next += 3;
      return true;
    }
    if (isFraction(token, 100)) {
      fraction(0, tokens.value(token), tokens.value(token + 2));
      next = token + 3;
      return true;
    }
    if (tokens.isWords(token) && tokens.gap(next) <= SPACE) {
      int parts = tokens.is(next, WordRole.THIRDS) ? 3 : tokens.is(next, WordRole.QUARTERS) ? 4 : 0;
      if (parts > mantissa && mantissa > 0) {
        fraction(0, mantissa, parts);
        next++;
        return true;
      }
    }
    return false;
  }

  private boolean isFraction(int token, int maxDenominator) {
    return tokens.type(token) == DIGITS
        && tokens.isSymbol(token + 1, '/')
        && tokens.isGlued(token + 1)
        && isGluedDigits(token + 2)
        && tokens.digits(token) <= 2
        && tokens.digits(token + 2) <= 3
        && tokens.value(token) > 0
        && tokens.value(token) < tokens.value(token + 2)
        && tokens.value(token + 2) <= maxDenominator
        && !hasLeadingZero(token + 2)
        && !(tokens.isSymbol(token + 3, '/') && tokens.isGlued(token + 3));
  }

  private void fraction(long whole, long numerator, long denominator) {
    plain = false;
    long top = numerator + whole * denominator;
    long a = top;
    long b = denominator;
    while (b != 0) {
      long rest = a % b;
      a = b;
      b = rest;
    }
    long divisor = StrictMath.max(1, a);
    top /= divisor;
    long bottom = denominator / divisor;
    int places = 0;
    long scaled = bottom;
    while (scaled % 2 == 0) {
      scaled /= 2;
      places++;
    }
    int fives = 0;
    while (scaled % 5 == 0) {
      scaled /= 5;
      fives++;
    }
    if (scaled == 1 && top < 1_000_000_000L) {
      int decimals = StrictMath.max(places, fives);
      mantissa = top * (power10(decimals) / bottom);
      exponent = -decimals;
      normalise();
    } else {
      mantissa = top;
      exponent = (int) bottom;
      rational = true;
    }
  }

  /** 1e-6, 1×10⁻⁶, 10^6, 10⁶. */
  private void power(int token) {
    if (tokens.isWords(token)) {
      return;
    }
    if (tokens.type(next) == WORD && tokens.isGlued(next) && isLetter(next, 'e')) {
      int after = next + 1;
      int sign = 1;
      if (tokens.type(after) == SYMBOL && tokens.isGlued(after) && isSign(after)) {
        sign = tokens.value(after) == '+' ? 1 : -1;
        after++;
      }
      if (isGluedDigits(after) && tokens.value(after) < MAX_POWER && !isNameBehind(after + 1)) {
        raise(sign * (int) tokens.value(after));
        next = after + 1;
      }
      return;
    }
    if (isTimes(next)
        && tokens.type(next + 1) == DIGITS
        && tokens.gap(next + 1) <= NARROW
        && tokens.value(next + 1) == 10
        && tokens.digits(next + 1) == 2
        && powerBehind(next + 2)) {
      return;
    }
    if (next == token + 1) {
      if (tokens.value(token) == 10 && tokens.digits(token) == 2) {
        if (powerBehind(next)) {
          mantissa = 1;
        }
      } else if (tokens.type(next) == RAISED && tokens.isGlued(next)) {
        // A raised number behind another one is the mark of a footnote.
        next++;
      }
    } else if (tokens.type(next) == RAISED && tokens.isGlued(next)) {
      next++;
    }
  }

  /** True if it goes on as 550e8400-e29b does. */
  private boolean isNameBehind(int token) {
    if (!tokens.isGlued(token)) {
      return false;
    }
    int after = tokens.isSymbol(token, '-') && tokens.isGlued(token + 1) ? token + 1 : token;
    return (tokens.type(after) == WORD
            && tokens.gap(after) == GLUED
            && !tokens.isLetter(after, 'x')
            && after > token)
        || (after > token && tokens.type(after) == DIGITS);
  }

  /** Takes what ten is raised to, if it stands at a token. */
  private boolean powerBehind(int token) {
    if (tokens.type(token) == RAISED && tokens.isGlued(token)) {
      raise((int) tokens.value(token));
      next = token + 1;
      return true;
    }
    if (!tokens.isSymbol(token, '^') || !tokens.isGlued(token)) {
      return false;
    }
    int i = token + 1;
    boolean braced = tokens.isSymbol(i, '{') || tokens.isSymbol(i, '(');
    i += braced ? 1 : 0;
    int sign = 1;
    if (tokens.type(i) == SYMBOL && isSign(i)) {
      sign = tokens.value(i) == '+' ? 1 : -1;
      i++;
    }
    if (!isGluedDigits(i) || tokens.value(i) >= MAX_POWER || tokens.digits(i) > 5) {
      return false;
    }
    raise(sign * (int) tokens.value(i));
    next = i + 1 + (braced && tokens.type(i + 1) == SYMBOL ? 1 : 0);
    return true;
  }

  private void raise(int by) {
    exponent += by;
    plain = false;
  }

  private boolean isTimes(int token) {
    if (tokens.gap(token) > NARROW) {
      return false;
    }
    return tokens.type(token) == SYMBOL
        ? tokens.value(token) == 0xD7 || tokens.value(token) == 0xB7 || tokens.value(token) == '*'
        : tokens.type(token) == WORD && isLetter(token, 'x');
  }

  private boolean isSign(int token) {
    long c = tokens.value(token);
    return c == '+' || c == '-' || c == 0x2212 || c == 0x2013;
  }

  private boolean isLetter(int token, int letter) {
    return tokens.end(token) - tokens.start(token) == 1
        && (tokens.byteAt(tokens.start(token)) | 0x20) == letter;
  }

  private void normalise() {
    lastPlace = exponent;
    if (fingerprint || rational) {
      return;
    }
    if (mantissa == 0) {
      exponent = 0;
      return;
    }
    while (mantissa % 10 == 0) {
      mantissa /= 10;
      exponent++;
    }
  }

  /** Multiplies by a word or letter behind the number: million, Mrd., k, 万. */
  private void scale(boolean afterCurrency) {
    if (rational || tokens.gap(next) > NARROW) {
      return;
    }
    int type = tokens.type(next);
    int by = -1;
    int scaleEnd = 0;
    if (type == WORD || type == HAN) {
      int entry = tokens.entry(next);
      by = entry == 0 ? -1 : tokens.lexicon.scale(entry);
      scaleEnd = tokens.end(next);
      if (by < 0 && type == WORD && scaleEnd - tokens.start(next) == 1) {
        boolean money = afterCurrency || isCurrency(next + 1);
        by = letterScale(tokens.byteAt(tokens.start(next)), money);
      }
      if ((by < 0 || type == HAN) && tokens.byteAt(tokens.start(next)) < 0) {
        int prefix = tokens.prefixEntry(next);
        by = prefix == 0 ? -1 : tokens.lexicon.scale(prefix);
        scaleEnd = tokens.prefixEnd;
      }
    }
    if (by >= 0) {
      exponent = mantissa == 0 ? 0 : exponent + by;
      lastPlace += by;
      plain = false;
      end = scaleEnd;
      scaled = by;
      while (tokens.type(next) != ValueTokens.END && tokens.start(next) < scaleEnd) {
        next++;
      }
      addSection(type, by);
    }
  }

  /** 3万5千, 12万3456: more of the number behind the character that multiplies. */
  private void addSection(int type, int by) {
    if (type != HAN || !isGluedDigits(next) || tokens.digits(next) > by || exponent < 0) {
      return;
    }
    int entry = tokens.type(next + 1) == HAN ? tokens.prefixEntry(next + 1) : 0;
    int scale = entry == 0 ? -1 : tokens.lexicon.scale(entry);
    int power = scale > 0 && scale < by ? scale : 0;
    if (exponent + digits > MAX_DIGITS || tokens.digits(next) + power > by) {
      return;
    }
    mantissa = mantissa * power10(exponent) + tokens.value(next) * power10(power);
    exponent = 0;
    end = power > 0 ? tokens.prefixEnd : tokens.end(next);
    next += power > 0 ? 2 : 1;
    normalise();
  }

  private boolean isCurrency(int token) {
    return tokens.gap(token) <= NARROW
        && tokens.lexicon.units.isCurrency(tokens.lexicon.unit(tokens.entry(token)));
  }

  private int letterScale(int letter, boolean afterCurrency) {
    boolean glued = tokens.gap(next) == GLUED;
    return switch (letter) {
      case 'k' -> glued || afterCurrency ? 3 : -1;
      case 'K', 'M' -> glued || afterCurrency ? letter == 'K' ? 3 : 6 : -1;
      case 'm' -> afterCurrency ? 6 : -1;
      case 'b', 'B' -> afterCurrency ? 9 : -1;
      case 't', 'T' -> afterCurrency ? 12 : -1;
      default -> -1;
    };
  }
}
