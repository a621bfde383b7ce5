package dev.parlance.policy.claim.value;

import static dev.parlance.policy.claim.value.ValueLexicon.NO_UNIT;
import static dev.parlance.policy.claim.value.ValueTokens.DIGITS;
import static dev.parlance.policy.claim.value.ValueTokens.NARROW;
import static dev.parlance.policy.claim.value.ValueTokens.SPACE;
import static dev.parlance.policy.claim.value.ValueTokens.SYMBOL;
import static dev.parlance.policy.claim.value.ValueTokens.WORD;

import dev.parlance.policy.claim.value.Values.Bound;

/** Reads a quantity: a number with its sign, unit and bound, and what the name of a field says. */
@SuppressWarnings("EnumOrdinal") // index of an array that never leaves this process
final class QuantityReader {
  /** So many tokens before the second number the verb stands. */
  private static final int MAX_CHANGE = 8;

  private final ValueTokens tokens;
  private final TextHabits habits;
  private final NumberContext context;
  private final IdentifierReader names;
  private final Values values;
  private final PlainNumber number = new PlainNumber();
  private final NumberReader numbers;
  private final MeasureReader units;
  private final NameOfField field;

  /** The values of the text so far. */
  final ValueSequence sequence;

  /** The unit behind a word like per or of a. */
  private int perUnit;

  /** Adds what it reads to {@code values}. */
  QuantityReader(
      ValueTokens tokens,
      TextHabits habits,
      NumberContext context,
      IdentifierReader names,
      Values values) {
    this.tokens = tokens;
    this.habits = habits;
    this.context = context;
    this.names = names;
    this.values = values;
    numbers = new NumberReader(tokens, number);
    units = new MeasureReader(tokens);
    field = new NameOfField(tokens);
    sequence = new ValueSequence(tokens, context, number, values);
  }

  void style(ThousandsReader.Style style) {
    numbers.style(style);
  }

  /**
   * Reads the number that begins at a token, with all that belongs to it.
   *
   * @param mayBeName false if what stands before says that no name begins here
   * @return the token to go on with; -1 if it is a name, which {@code names} has read then
   */
  int read(int token, boolean mayBeName) {
    // What stands before: sign, currency, and a point that begins a decimal fraction.
    context.before(token, units);
    numbers.read(token, context.currency != NO_UNIT);
    readHalf();
    int flags = context.flags;
    int next = number.next;
    int end = number.end;
    if (context.point && !number.rational && number.lastPlace == 0) {
      number.exponent -= tokens.digits(token);
      number.lastPlace -= tokens.digits(token);
    }
    int unit = context.currency;
    boolean plain = number.plain && !context.point;
    if (plain
        && tokens.isGlued(next)
        && tokens.is(next, WordRole.ORDINAL)
        && !tokens.isWords(token)
        && context.isOrdinal(next, habits.language)) {
      flags |= Values.ORDINAL;
      end = tokens.end(next++);
    } else {
      int read = units.read(next);
      if (read != NO_UNIT) {
        if (unit == NO_UNIT) {
          unit = read;
        }
        end = units.end;
        next = units.next;
      } else if (unit != NO_UNIT) {
        next = perUnit(next);
        unit = next > number.next ? CompoundUnit.quotient(unit, perUnit) : unit;
        end = next > number.next ? units.end : end;
      } else if (mayBeName && isOtherName(token, next)) {
        return -1;
      }
    }
    boolean fraction = number.rational || number.lastPlace < 0;
    if (unit == NO_UNIT && fraction && tokens.isWords(token) && isOfAn(next)) {
      unit = perUnit;
      end = units.end;
      next = units.next;
    }
    if (unit == NO_UNIT && context.isPercentBefore(context.first)) {
      unit = tokens.lexicon.units.percent;
    }
    flags |= number.ambiguous ? Values.AMBIGUOUS : 0;
    flags |= number.fingerprint ? Values.FINGERPRINT : 0;
    flags |= number.rational ? Values.RATIONAL : 0;
    flags |= plain ? Values.PLAIN : 0;
    flags |= tokens.type(token) == DIGITS && tokens.isWords(token) ? Values.WORDS : 0;
    boolean one = number.mantissa == 1 && number.exponent == 0 && (flags & Values.WORDS) != 0;
    flags |= one && unit == NO_UNIT ? Values.WEAK : 0;
    flags |=
        unit == NO_UNIT && (flags & Values.ORDINAL) == 0 && context.isNamed(context.first)
            ? Values.NAMED
            : 0;
    flags |=
        unit == NO_UNIT
                && (plain || number.lastPlace < 0)
                && context.isLabel(context.first, token, next, plain)
            ? Values.LABEL
            : 0;
    int first = context.first;
    if (isBelowZero(next)) {
      flags |= Values.MINUS;
      int letter =
          unit == NO_UNIT || tokens.lexicon.units.isAngle(unit) ? units.read(next + 2) : NO_UNIT;
      boolean degrees = tokens.lexicon.units.isTemperature(letter);
      unit = degrees ? letter : unit;
      next = degrees ? units.next : next + 2;
      end = tokens.end(next - 1);
    }
    int bound = context.bound(first);
    if (bound == 0) {
      bound = context.boundBehind(next);
      if (bound != 0) {
        next = context.next;
        end = tokens.end(next - 1);
      } else {
        bound = context.boundLater(next);
      }
    }
    bound = bound == 0 ? changeBound(first) : bound | softness(first);
    flags |= bound;
    boolean named = field.read(first);
    if (named) {
      flags |= Values.FIELD | (bound == 0 ? field.bound : 0);
      if (unit == NO_UNIT && (flags & Values.ORDINAL) == 0) {
        int behind = field.unitBehind(next, units);
        unit = behind == NO_UNIT ? field.unit : behind;
      }
    } else if (field.isAlone(first, next)
        || (sequence.last >= 0
            && values.is(sequence.last, Values.FIELD)
            && field.isListed(sequence.lastNext, first))) {
      flags |= Values.FIELD;
    } else if (bound == 0) {
      flags |= field.ofPhrase(first);
    } else if ((bound & Values.SYMBOL_BOUND) == 0 && field.isCondition(first)) {
      flags |= Values.CONDITION;
    }
    int value =
        values.append(
            ValueKind.NUMBER, tokens.start(first), end, number.mantissa, number.exponent, flags);
    values.setUnit(value, unit);
    values.setLastPlace(value, number.lastPlace);
    if (sequence.isPart(value, first)) {
      sequence.addPart(value);
      return sequence.done(sequence.last, token, next);
    }
    sequence.range(value, first);
    return sequence.done(value, first, next);
  }

  /** Twenty degrees below zero. */
  private boolean isBelowZero(int token) {
    return tokens.gap(token) <= NARROW
        && tokens.type(token + 1) == DIGITS
        && tokens.isWords(token + 1)
        && tokens.value(token + 1) == 0
        && context.isBelow(token);
  }

  /** Two and a half: a half more than the number that was read. */
  private void readHalf() {
    int and = number.next;
    if (isAndAHalf(and)
        && !number.rational
        && number.lastPlace == 0
        && number.mantissa < ValueSequence.MAX_PARTS) {
      number.mantissa = number.mantissa * PlainNumber.power10(number.exponent + 1) + 5;
      number.exponent = -1;
      number.lastPlace = -1;
      number.next = and + 3;
      number.end = tokens.end(and + 2);
    }
  }

  private boolean isAndAHalf(int token) {
    return tokens.is(token, WordRole.AND)
        && tokens.isLetter(token + 1, 'a')
        && tokens.is(token + 2, WordRole.HALFPART);
  }

  /** Takes what a price is for: /kg, per month. */
  private int perUnit(int token) {
    boolean per =
        (tokens.isSymbol(token, '/') && tokens.isGlued(token))
            || (tokens.is(token, WordRole.PER) && tokens.gap(token) == SPACE);
    if (per) {
      int read = units.read(token + 1);
      if (read != NO_UNIT) {
        perUnit = read;
        return units.next;
      }
    }
    return token;
  }

  /** True if letters or more right behind the number make it a name (4x4a, 12-34-AB). */
  private boolean isOtherName(int token, int next) {
    if (!number.plain || tokens.isWords(token) || !tokens.isGlued(next)) {
      return false;
    }
    boolean letters = tokens.type(next) == WORD && !tokens.isLetter(next, 'x');
    boolean hyphen =
        tokens.isSymbol(next, '-')
            && tokens.isGlued(next + 1)
            && tokens.type(next + 1) == WORD
            && context.isUpper(next + 1);
    boolean more =
        tokens.isSymbol(next, '-')
            && tokens.type(next + 1) == DIGITS
            && tokens.isGlued(next + 1)
            && tokens.isSymbol(next + 2, '-')
            && tokens.isGlued(next + 2)
            && tokens.type(next + 3) == WORD
            && tokens.isGlued(next + 3)
            && context.isUpper(next + 3);
    return (letters || hyphen || more) && names.read(token) && names.kind == ValueKind.IDENTIFIER;
  }

  /** Max. 8 kg: a capacity of 8 kg is no other one. */
  private int softness(int token) {
    int word = token > 0 && tokens.isSymbol(token - 1, '.') ? token - 2 : token - 1;
    boolean limit = word >= 0 && tokens.type(word) == WORD && tokens.is(word, WordRole.LIMIT);
    return limit ? Values.SOFT_BOUND : 0;
  }

  /**
   * The bound of a number that something rose from or to, so that the two are not exchanged: one
   * that any other number may be as well.
   */
  private int changeBound(int token) {
    if (token < 2 || tokens.typeBefore(token) != WORD) {
      return 0;
    }
    boolean to = tokens.is(token - 1, WordRole.TO);
    if (!to && !tokens.is(token - 1, WordRole.FROM)) {
      return 0;
    }
    for (int back = 2; back <= MAX_CHANGE && back <= token; back++) {
      int type = tokens.type(token - back);
      if (type == WORD && tokens.is(token - back, WordRole.CHANGES)) {
        return Values.SOFT_BOUND | (to ? Bound.TO : Bound.FROM).ordinal();
      }
      if (type == SYMBOL && ".;:!?".indexOf((int) tokens.value(token - back)) >= 0) {
        return 0;
      }
    }
    return 0;
  }

  /** Reads one of so many parts, which a word says; the token to go on with. */
  int part(int token, int parts, int flags) {
    numbers.readPart(parts);
    int value =
        values.append(
            ValueKind.NUMBER,
            tokens.start(token),
            tokens.end(token),
            number.mantissa,
            number.exponent,
            Values.WORDS | flags | (number.rational ? Values.RATIONAL : 0));
    values.setLastPlace(value, 0);
    if (isOfAn(token + 1)) {
      values.setUnit(value, perUnit);
      return sequence.done(value, token, units.next);
    }
    return sequence.done(value, token, token + 1);
  }

  /** Takes the unit of which a number is a part: three quarters of an hour. */
  private boolean isOfAn(int token) {
    if (!tokens.is(token, WordRole.OF)
        || !tokens.is(token + 1, WordRole.ARTICLE)
        || tokens.gap(token) != SPACE) {
      return false;
    }
    perUnit = units.read(token + 2);
    return perUnit != NO_UNIT;
  }

  /** True of "half" in half an hour, half a tablet, eine halbe Stunde, demi-heure, mezz'ora. */
  boolean isHalfOf(int token) {
    int next = token + 1;
    boolean joined =
        (tokens.isSymbol(next, '-') || tokens.isSymbol(next, '\''))
            && tokens.isGlued(next)
            && tokens.isGlued(next + 1);
    boolean article = tokens.is(next, WordRole.ARTICLE);
    if (joined || article) {
      next++;
    }
    if (tokens.type(next) != WORD || tokens.gap(next) > SPACE || isAnd(token - 1)) {
      return false;
    }
    perUnit = units.read(next);
    if (perUnit == NO_UNIT) {
      units.next = next;
      units.end = tokens.end(token);
    }
    return perUnit != NO_UNIT || article;
  }

  private boolean isAnd(int token) {
    return token >= 0 && tokens.type(token) == WORD && tokens.is(token, WordRole.AND);
  }

  /** Reads that. */
  int half(int token) {
    int next = units.next;
    int value =
        values.append(
            ValueKind.NUMBER,
            tokens.start(token),
            units.end,
            5,
            -1,
            Values.WORDS | context.bound(token));
    values.setUnit(value, perUnit);
    values.setLastPlace(value, -1);
    return sequence.done(value, token, next);
  }

  /** True of "an hour" where nothing is counted by the hour: it is one. */
  boolean isOneOf(int token) {
    if (sequence.lastNext == token || tokens.gap(token + 1) != SPACE) {
      return false;
    }
    perUnit = units.read(token + 1);
    return perUnit != NO_UNIT
        && tokens.lexicon.units.isDuration(perUnit)
        && (token == 0 || !tokens.is(token - 1, WordRole.OF));
  }

  /** Reads that; no claim is held to it. */
  int one(int token) {
    int next = units.next;
    int end = units.end;
    int bound = context.bound(token);
    boolean half = isAndAHalf(next);
    int flags = Values.WORDS | Values.WEAK | bound;
    int value =
        values.append(
            ValueKind.NUMBER,
            tokens.start(token),
            half ? tokens.end(next + 2) : end,
            half ? 15 : 1,
            half ? -1 : 0,
            flags);
    values.setUnit(value, perUnit);
    values.setLastPlace(value, half ? -1 : 0);
    return sequence.done(value, token, half ? next + 3 : next);
  }
}
