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

/**
 * Reads a number without sign and unit: digits, powers of ten, fractions, and the word that
 * multiplies it.
 */
final class NumberReader {
  private static final int MAX_POWER = 10_000;

  private final ValueTokens tokens;
  private final PlainNumber number;
  private final ThousandsReader thousands;

  /** Puts what it reads into {@code number}. */
  NumberReader(ValueTokens tokens, PlainNumber number) {
    this.tokens = tokens;
    this.number = number;
    thousands = new ThousandsReader(tokens, number);
  }

  void style(ThousandsReader.Style style) {
    thousands.style(style);
  }

  /** Reads the number that begins with digits or a fraction. */
  void read(int token, boolean afterCurrency) {
    number.clear();
    if (tokens.type(token) == FRACTION) {
      number.fraction(0, tokens.value(token), tokens.digits(token));
      finish(token + 1);
      scale(afterCurrency);
      return;
    }
    number.append(tokens.value(token), tokens.digits(token));
    number.next = token + 1;
    if (!tokens.isWords(token)) {
      thousands.read(token);
    }
    if (!fractionBehind(token)) {
      power(token);
      number.normalise();
    }
    finish(number.next);
    scale(afterCurrency);
  }

  /** One of so many parts. */
  void readPart(int parts) {
    number.clear();
    number.fraction(0, 1, parts);
  }

  private void finish(int token) {
    number.next = token;
    number.end = tokens.end(token - 1);
  }

  private boolean fractionBehind(int token) {
    if (number.next != token + 1 || number.fingerprint) {
      return false;
    }
    if (tokens.type(number.next) == FRACTION && tokens.gap(number.next) <= SPACE) {
      number.fraction(number.mantissa, tokens.value(number.next), tokens.digits(number.next));
      number.next++;
      return true;
    }
    if (isFraction(number.next, 16) && tokens.gap(number.next) == SPACE) {
      number.fraction(number.mantissa, tokens.value(number.next), tokens.value(number.next + 2));
      number.next += 3;
      return true;
    }
    if (isFraction(token, 100)) {
      number.fraction(0, tokens.value(token), tokens.value(token + 2));
      number.next = token + 3;
      return true;
    }
    if (tokens.isWords(token) && tokens.gap(number.next) <= SPACE) {
      int parts =
          tokens.is(number.next, WordRole.THIRDS)
              ? 3
              : tokens.is(number.next, WordRole.QUARTERS) ? 4 : 0;
      if (parts > number.mantissa && number.mantissa > 0) {
        number.fraction(0, number.mantissa, parts);
        number.next++;
        return true;
      }
    }
    return false;
  }

  private boolean isFraction(int token, int maxDenominator) {
    return tokens.type(token) == DIGITS
        && tokens.isSymbol(token + 1, '/')
        && tokens.isGlued(token + 1)
        && tokens.isGluedDigits(token + 2)
        && tokens.digits(token) <= 2
        && tokens.digits(token + 2) <= 3
        && tokens.value(token) > 0
        && tokens.value(token) < tokens.value(token + 2)
        && tokens.value(token + 2) <= maxDenominator
        && !thousands.hasLeadingZero(token + 2)
        && !(tokens.isSymbol(token + 3, '/') && tokens.isGlued(token + 3));
  }

  /** 1e-6, 1×10⁻⁶, 10^6, 10⁶. */
  private void power(int token) {
    if (tokens.isWords(token)) {
      return;
    }
    if (tokens.type(number.next) == WORD
        && tokens.isGlued(number.next)
        && tokens.isLetter(number.next, 'e')) {
      int after = number.next + 1;
      int sign = 1;
      if (tokens.type(after) == SYMBOL && tokens.isGlued(after) && isSign(after)) {
        sign = tokens.value(after) == '+' ? 1 : -1;
        after++;
      }
      if (tokens.isGluedDigits(after)
          && tokens.value(after) < MAX_POWER
          && !isNameBehind(after + 1)) {
        number.raise(sign * (int) tokens.value(after));
        number.next = after + 1;
      }
      return;
    }
    if (isTimes(number.next)
        && tokens.type(number.next + 1) == DIGITS
        && tokens.gap(number.next + 1) <= NARROW
        && tokens.value(number.next + 1) == 10
        && tokens.digits(number.next + 1) == 2
        && powerBehind(number.next + 2)) {
      return;
    }
    if (number.next == token + 1) {
      if (tokens.value(token) == 10 && tokens.digits(token) == 2) {
        if (powerBehind(number.next)) {
          number.mantissa = 1;
        }
      } else if (tokens.type(number.next) == RAISED && tokens.isGlued(number.next)) {
        // A raised number behind another one is the mark of a footnote.
        number.next++;
      }
    } else if (tokens.type(number.next) == RAISED && tokens.isGlued(number.next)) {
      number.next++;
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
      number.raise((int) tokens.value(token));
      number.next = token + 1;
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
    if (!tokens.isGluedDigits(i) || tokens.value(i) >= MAX_POWER || tokens.digits(i) > 5) {
      return false;
    }
    number.raise(sign * (int) tokens.value(i));
    number.next = i + 1 + (braced && tokens.type(i + 1) == SYMBOL ? 1 : 0);
    return true;
  }

  private boolean isTimes(int token) {
    if (tokens.gap(token) > NARROW) {
      return false;
    }
    return tokens.type(token) == SYMBOL
        ? tokens.value(token) == 0xD7 || tokens.value(token) == 0xB7 || tokens.value(token) == '*'
        : tokens.type(token) == WORD && tokens.isLetter(token, 'x');
  }

  private boolean isSign(int token) {
    long c = tokens.value(token);
    return c == '+' || c == '-' || c == 0x2212 || c == 0x2013;
  }

  /** Multiplies by a word or letter behind the number: million, Mrd., k, 万. */
  private void scale(boolean afterCurrency) {
    if (number.rational || tokens.gap(number.next) > NARROW) {
      return;
    }
    int type = tokens.type(number.next);
    int by = -1;
    int scaleEnd = 0;
    if (type == WORD || type == HAN) {
      int entry = tokens.entry(number.next);
      by = entry == 0 ? -1 : tokens.lexicon.scale(entry);
      scaleEnd = tokens.end(number.next);
      if (by < 0 && type == WORD && scaleEnd - tokens.start(number.next) == 1) {
        boolean money = afterCurrency || isCurrency(number.next + 1);
        by = letterScale(tokens.byteAt(tokens.start(number.next)), money);
      }
      if ((by < 0 || type == HAN) && tokens.byteAt(tokens.start(number.next)) < 0) {
        int prefix = tokens.prefixEntry(number.next);
        by = prefix == 0 ? -1 : tokens.lexicon.scale(prefix);
        scaleEnd = tokens.prefixEnd;
      }
    }
    if (by >= 0) {
      number.exponent = number.mantissa == 0 ? 0 : number.exponent + by;
      number.lastPlace += by;
      number.plain = false;
      number.end = scaleEnd;
      number.scaled = by;
      while (tokens.type(number.next) != ValueTokens.END && tokens.start(number.next) < scaleEnd) {
        number.next++;
      }
      addSection(type, by);
    }
  }

  /** 3万5千, 12万3456: more of the number behind the character that multiplies. */
  private void addSection(int type, int by) {
    if (type != HAN
        || !tokens.isGluedDigits(number.next)
        || tokens.digits(number.next) > by
        || number.exponent < 0) {
      return;
    }
    int entry = tokens.type(number.next + 1) == HAN ? tokens.prefixEntry(number.next + 1) : 0;
    int scale = entry == 0 ? -1 : tokens.lexicon.scale(entry);
    int power = scale > 0 && scale < by ? scale : 0;
    if (number.exponent + number.digits > PlainNumber.MAX_DIGITS
        || tokens.digits(number.next) + power > by) {
      return;
    }
    number.mantissa =
        number.mantissa * PlainNumber.power10(number.exponent)
            + tokens.value(number.next) * PlainNumber.power10(power);
    number.exponent = 0;
    number.end = power > 0 ? tokens.prefixEnd : tokens.end(number.next);
    number.next += power > 0 ? 2 : 1;
    number.normalise();
  }

  private boolean isCurrency(int token) {
    return tokens.gap(token) <= NARROW
        && tokens.lexicon.units.isCurrency(tokens.lexicon.unit(tokens.entry(token)));
  }

  private int letterScale(int letter, boolean afterCurrency) {
    boolean glued = tokens.gap(number.next) == GLUED;
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
