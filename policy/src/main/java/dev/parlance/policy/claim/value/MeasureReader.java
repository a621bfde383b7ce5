package dev.parlance.policy.claim.value;

import static dev.parlance.policy.claim.value.ValueLexicon.NO_UNIT;
import static dev.parlance.policy.claim.value.ValueTokens.DIGITS;
import static dev.parlance.policy.claim.value.ValueTokens.HAN;
import static dev.parlance.policy.claim.value.ValueTokens.NARROW;
import static dev.parlance.policy.claim.value.ValueTokens.RAISED;
import static dev.parlance.policy.claim.value.ValueTokens.SPACE;
import static dev.parlance.policy.claim.value.ValueTokens.SYMBOL;
import static dev.parlance.policy.claim.value.ValueTokens.WORD;

/** Reads the unit or currency behind a number: {@code kW}, {@code mg/dl}, {@code m²}, {@code €}. */
final class MeasureReader {
  private final ValueTokens tokens;
  private final int celsius;
  private final int fahrenheit;

  /** The token behind the unit that was read last, and the byte where the unit ends. */
  int next;

  int end;

  MeasureReader(ValueTokens tokens) {
    this.tokens = tokens;
    celsius = tokens.lexicon.units.celsius;
    fahrenheit = tokens.lexicon.units.fahrenheit;
  }

  /** The unit that begins at a token, or {@link ValueLexicon#NO_UNIT}. */
  int read(int token) {
    next = token;
    int hyphen = hyphenated(token);
    int unit = part(hyphen < 0 ? token : hyphen);
    if (unit == NO_UNIT) {
      next = token;
      return NO_UNIT;
    }
    for (int parts = 0; parts < 3; parts++) {
      int more = combined(unit);
      if (more == NO_UNIT) {
        break;
      }
      unit = more;
    }
    return unit;
  }

  /** The token behind a hyphen that joins a number with a word (12-month), or -1. */
  private int hyphenated(int token) {
    return tokens.isSymbol(token, '-')
            && tokens.isGlued(token)
            && tokens.type(token + 1) == WORD
            && tokens.isGlued(token + 1)
        ? token + 1
        : -1;
  }

  private int combined(int unit) {
    int before = next;
    int endBefore = end;
    int combined = NO_UNIT;
    if (tokens.isSymbol(next, '/') && tokens.isGlued(next)) {
      int divisor = part(next + 1);
      combined = divisor == NO_UNIT ? NO_UNIT : CompoundUnit.quotient(unit, divisor);
    } else if (tokens.is(next, WordRole.PER) && tokens.gap(next) == SPACE) {
      int divisor = tokens.gap(next + 1) == SPACE ? part(next + 1) : NO_UNIT;
      combined = divisor == NO_UNIT ? NO_UNIT : CompoundUnit.quotient(unit, divisor);
    } else if ((tokens.isSymbol(next, 0xB7) || tokens.isSymbol(next, '*'))
        && tokens.isGlued(next)) {
      int factor = part(next + 1);
      combined = factor == NO_UNIT ? NO_UNIT : CompoundUnit.product(unit, factor);
    } else if (tokens.type(next) == WORD
        && tokens.gap(next) <= NARROW
        && tokens.isSymbol(next + 1, '/')
        && tokens.isGlued(next + 1)
        && tokens.lexicon.symbolUnit(tokens.exactKey(next)) != NO_UNIT) {
      // mbar l/s
      combined = CompoundUnit.product(unit, part(next));
    }
    if (combined == NO_UNIT) {
      next = before;
      end = endBefore;
    }
    return combined;
  }

  /** One unit with its power, or none. */
  private int part(int token) {
    if (tokens.gap(token) > NARROW) {
      return NO_UNIT;
    }
    int power = tokens.is(token, WordRole.SQUARE) ? 2 : tokens.is(token, WordRole.CUBIC) ? 3 : 1;
    int unit = simple(power > 1 ? token + 1 : token);
    if (unit == NO_UNIT) {
      return NO_UNIT;
    }
    if (power == 1) {
      if (tokens.type(next) == RAISED && tokens.isGlued(next) && tokens.value(next) != 1) {
        power = (int) StrictMath.max(-9, StrictMath.min(9, tokens.value(next)));
        end = tokens.end(next++);
      } else if (tokens.type(next) == DIGITS
          && tokens.isGlued(next)
          // 1時間2,000円 are two values
          && tokens.typeBefore(next) != HAN
          && tokens.digits(next) == 1
          && !tokens.isWords(next)
          && (tokens.value(next) == 2 || tokens.value(next) == 3)) {
        power = (int) tokens.value(next);
        end = tokens.end(next++);
      } else if (tokens.isSymbol(next, '^')
          && tokens.isGlued(next)
          && tokens.type(next + 1) == DIGITS
          && tokens.digits(next + 1) == 1) {
        power = (int) tokens.value(next + 1);
        end = tokens.end(next + 1);
        next += 2;
      }
    }
    return CompoundUnit.power(unit, power);
  }

  private int simple(int token) {
    return switch (tokens.type(token)) {
      case SYMBOL -> symbol(token);
      case WORD -> word(token);
      case HAN -> prefix(token);
      default -> NO_UNIT;
    };
  }

  private int symbol(int token) {
    long c = tokens.value(token);
    if (c == 0xB0) {
      int letter = temperature(token + 1);
      if (letter != NO_UNIT) {
        return letter;
      }
    }
    if (c == 0xD7 && tokens.type(token + 1) == DIGITS) {
      return NO_UNIT;
    }
    int unit =
        c < 128 && c != '%' && c != '$'
            ? NO_UNIT
            : tokens.lexicon.symbolUnit(tokens.exactKey(token));
    return c == '%' ? proportion(unit, token) : took(unit, token);
  }

  /** Celsius or Fahrenheit, if a word or letter behind degrees says so. */
  private int temperature(int token) {
    if (tokens.type(token) != WORD || tokens.gap(token) > NARROW) {
      return NO_UNIT;
    }
    int letter = tokens.single(token);
    int unit =
        letter == 'C'
            ? celsius
            : letter == 'F' ? fahrenheit : tokens.lexicon.unit(tokens.entry(token));
    return unit == celsius || unit == fahrenheit ? took(unit, token) : NO_UNIT;
  }

  private int word(int token) {
    int length = tokens.end(token) - tokens.start(token);
    if (tokens.isGlued(token) && tokens.isLetter(token, 'd')) {
      // 3d: dimensions, not days
      return NO_UNIT;
    }
    if (length <= 2 && tokens.isSymbol(token + 1, '$') && tokens.isGlued(token + 1)) {
      return took(tokens.lexicon.symbolUnit(tokens.exactKey(token, token + 1)), token + 1);
    }
    if (tokens.is(token, WordRole.STATES) && tokens.gap(token + 1) <= NARROW) {
      int currency = tokens.lexicon.unit(tokens.entry(token + 1));
      return tokens.lexicon.units.isCurrency(currency) ? took(currency, token + 1) : NO_UNIT;
    }
    int unit =
        tokens.mayBeSymbol(token) ? tokens.lexicon.symbolUnit(tokens.exactKey(token)) : NO_UNIT;
    if (unit == NO_UNIT) {
      unit = tokens.lexicon.unit(tokens.entry(token));
    }
    if (unit == NO_UNIT) {
      return tokens.byteAt(tokens.start(token)) < 0 ? prefix(token) : NO_UNIT;
    }
    if (tokens.lexicon.units.isAngle(unit)) {
      int letter = temperature(token + 1);
      if (letter != NO_UNIT) {
        return letter;
      }
    }
    return proportion(unit, token);
  }

  /** Takes a unit; behind percent, the points that make it another one. */
  private int proportion(int unit, int token) {
    boolean points =
        tokens.lexicon.units.isProportion(unit)
            && tokens.is(token + 1, WordRole.POINTS)
            && tokens.gap(token + 1) <= NARROW;
    return points ? took(tokens.lexicon.units.points, token + 1) : took(unit, token);
  }

  /** A unit that text without blanks begins with. */
  private int prefix(int token) {
    int entry = tokens.prefixEntry(token);
    int unit = tokens.lexicon.unit(entry);
    if (unit != NO_UNIT) {
      end = tokens.prefixEnd;
      next = token;
      while (tokens.type(next) != ValueTokens.END && tokens.start(next) < end) {
        next++;
      }
    }
    return unit;
  }

  private int took(int unit, int token) {
    if (unit != NO_UNIT) {
      next = token + 1;
      end = tokens.end(token);
    }
    return unit;
  }

  /** The currency right before a token, and where it begins ({@link #end} is its first byte). */
  int currencyBefore(int token) {
    if (token == 0 || tokens.gap(token) > NARROW) {
      return NO_UNIT;
    }
    int before = token - 1;
    int unit = NO_UNIT;
    int first = before;
    if (tokens.type(before) == SYMBOL) {
      if (tokens.value(before) == '$'
          && token >= 2
          && tokens.type(before - 1) == WORD
          && tokens.isGlued(before)
          && tokens.end(before - 1) - tokens.start(before - 1) <= 2) {
        unit = tokens.lexicon.symbolUnit(tokens.exactKey(before - 1, before));
        first = before - 1;
      }
      if (unit == NO_UNIT) {
        unit =
            tokens.value(before) == '$' || tokens.value(before) > 127
                ? tokens.lexicon.symbolUnit(tokens.exactKey(before))
                : NO_UNIT;
        first = before;
      }
    } else if (tokens.type(before) == WORD && tokens.end(before) - tokens.start(before) == 3) {
      unit = tokens.lexicon.symbolUnit(tokens.exactKey(before));
    }
    if (!tokens.lexicon.units.isCurrency(unit)) {
      return NO_UNIT;
    }
    next = first;
    end = tokens.start(first);
    return unit;
  }
}
