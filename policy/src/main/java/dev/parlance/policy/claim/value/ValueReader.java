package dev.parlance.policy.claim.value;

import static dev.parlance.policy.claim.value.ValueLexicon.NO_UNIT;
import static dev.parlance.policy.claim.value.ValueTokens.DIGITS;
import static dev.parlance.policy.claim.value.ValueTokens.END;
import static dev.parlance.policy.claim.value.ValueTokens.FRACTION;
import static dev.parlance.policy.claim.value.ValueTokens.HAN;
import static dev.parlance.policy.claim.value.ValueTokens.NARROW;
import static dev.parlance.policy.claim.value.ValueTokens.RAISED;
import static dev.parlance.policy.claim.value.ValueTokens.SPACE;
import static dev.parlance.policy.claim.value.ValueTokens.SYMBOL;
import static dev.parlance.policy.claim.value.ValueTokens.WORD;

import dev.parlance.policy.claim.Units;
import dev.parlance.policy.claim.WordKey;
import dev.parlance.policy.claim.value.Values.Bound;
import dev.parlance.policy.text.Utf8Span;

/**
 * Finds the values of a text. At each token the most particular reading that fits is taken: name,
 * date or time, digits of a name, ratio, number.
 */
@SuppressWarnings("EnumOrdinal") // index of an array that never leaves this process
final class ValueReader {
  /** Numbers with more are not written in two units. */
  private static final long MAX_PARTS = 100_000;

  /** So many tokens before the second number the verb stands. */
  private static final int MAX_CHANGE = 8;

  private static final long RATIO_STEP = 0x9e3779b97f4a7c15L;

  private final ValueTokens tokens;
  private final TextHabits habits;
  private final PlainNumber number;
  private final MeasureReader units;
  private final CalendarReader calendar;
  private final IdentifierReader names;
  private final DigitGroups groups;
  private final NumberContext context;
  private final NameOfField field;

  private final Values values;

  /** The value found last, the token behind it, and whether a word like between stands before. */
  private int last;

  private int lastNext;
  private boolean lastBetween;
  private boolean lastFrom;
  private int lastScale;

  /** Up to where what begins with a letter was looked at as a name. */
  private int lookedAt;

  /** Adds what it finds to {@code values}. */
  ValueReader(ValueLexicon lexicon, Values.Look look, Values values) {
    this.values = values;
    tokens = new ValueTokens(lexicon, look);
    habits = new TextHabits(tokens);
    number = new PlainNumber(tokens);
    units = new MeasureReader(tokens);
    calendar = new CalendarReader(tokens);
    names = new IdentifierReader(tokens, lexicon.seed());
    groups = new DigitGroups(tokens, names);
    context = new NumberContext(tokens);
    field = new NameOfField(tokens);
  }

  void read(Utf8Span text, Units textUnits) {
    tokens.take(text, textUnits);
    habits.read(text);
    number.style(habits.style);
    calendar.style(habits.order, habits.language != ValueLexicon.ENGLISH);
    tokens.start(text, habits.language);
    last = -1;
    lastNext = -1;
    lastBetween = false;
    lastFrom = false;
    lookedAt = 0;
    groups.start();
    names.start();
    int token = tokens.passOver(0);
    while (tokens.type(token) != END) {
      token = tokens.passOver(step(token));
    }
    tokens.release();
  }

  /** Reads what begins at a token; the token to go on with. */
  private int step(int token) {
    return switch (tokens.type(token)) {
      case DIGITS -> digits(token);
      case FRACTION -> number(token);
      case RAISED -> isNumeral(token) ? number(token) : raised(token);
      case WORD -> tokens.isPlain(token) ? token + 1 : word(token);
      case SYMBOL -> {
        long c = tokens.value(token);
        boolean path =
            (c == '/' || c == '~' || c == '.')
                && names.mayBePath(token)
                && isNameStart(token)
                && names.path(token);
        if (path) {
          yield name(token, names.end);
        }
        yield c >= 0x80 && isNumeral(token) ? number(token) : token + 1;
      }
      default -> token + 1;
    };
  }

  /** True of ⁶ mg, ⑥ kg, Ⅵ % and March ²⁰²⁷: else they are marks of notes and of list items. */
  private boolean isNumeral(int token) {
    int value = tokens.numeral(token);
    if (value < 0 || !(tokens.isApart(token) || units.read(token + 1) != NO_UNIT)) {
      return false;
    }
    tokens.setWhole(token, value);
    return true;
  }

  /** mc²: in evidence it carries the exponent of mc^2; no value by itself. */
  private int raised(int token) {
    if (tokens.isGlued(token) && tokens.typeBefore(token) == WORD && tokens.value(token) > 0) {
      int flags = Values.WEAK | Values.PLAIN;
      int end = tokens.end(token);
      int value =
          values.append(ValueKind.NUMBER, tokens.start(token), end, tokens.value(token), 0, flags);
      values.setLastPlace(value, 0);
    }
    return token + 1;
  }

  /** World War II, Part IV: a numeral of capitals behind a word that begins with one. */
  private boolean isRoman(int token) {
    int entry = tokens.entry(token);
    if (tokens.lexicon.roman(entry) == 0
        || token == 0
        || tokens.gap(token) != SPACE
        || tokens.typeBefore(token) != WORD) {
      return false;
    }
    int initial = tokens.byteAt(tokens.start(token - 1));
    return initial >= 'A' && initial <= 'Z' && context.isUpper(token);
  }

  private int roman(int token) {
    boolean counted = tokens.is(token - 1, WordRole.LABEL);
    int number = tokens.lexicon.roman(tokens.entry(token));
    int flags = Values.PLAIN | (counted ? 0 : Values.WEAK);
    int tens = number % 10 == 0 ? 1 : 0;
    int value =
        values.append(
            ValueKind.NUMBER,
            tokens.start(token),
            tokens.end(token),
            tens > 0 ? number / 10 : number,
            tens,
            flags);
    values.setLastPlace(value, 0);
    return done(value, token, token + 1);
  }

  private int word(int token) {
    if (tokens.is(token, WordRole.ARTICLE) && !tokens.isGlued(token + 1)) {
      return isOneOf(token) ? one(token) : token + 1;
    }
    if (isRoman(token)) {
      return roman(token);
    }
    if (isNameStart(token) && isNameGoingOn(token + 1)) {
      if (names.account(token)) {
        return name(token, names.end);
      }
      if (names.read(token)) {
        return switch (names.kind) {
          case DATE -> quarter(token);
          case VERSION -> version(token, names.part, names.end);
          default -> name(token, names.end);
        };
      }
      lookedAt = StrictMath.max(lookedAt, names.end);
      // What stands behind a slash may be a name of its own.
    }
    if (calendar.readMonth(token)) {
      return calendar(token);
    }
    if (tokens.is(token, WordRole.NOON) || tokens.is(token, WordRole.MIDNIGHT)) {
      return twelve(token);
    }
    int rank = tokens.lexicon.rank(tokens.entry(token));
    if (rank > 0 && rank <= 4 && tokens.is(token + 1, WordRole.QUARTER)) {
      calendar.quarter(rank, token + 2);
      return calendar(token);
    }
    int parts = tokens.is(token, WordRole.QUARTERS) ? 4 : rank;
    if (parts >= 3 && parts <= 10 && isPartOf(token)) {
      return part(token, parts, 0);
    }
    if (tokens.is(token, WordRole.QUARTER) && isPartOf(token)) {
      return part(token, 4, Values.WEAK);
    }
    if (tokens.is(token, WordRole.HALFPART)
        && (tokens.is(token + 1, WordRole.OF) || tokens.is(token + 1, WordRole.THE))) {
      return part(token, 2, Values.WEAK);
    }
    if (rank > 0) {
      int flags = Values.ORDINAL | Values.WORDS | (rank <= 3 ? Values.WEAK : 0);
      int end = tokens.end(token);
      long tens = rank % 10 == 0 ? 1 : 0;
      int value =
          values.append(
              ValueKind.NUMBER,
              tokens.start(token),
              end,
              tens > 0 ? rank / 10 : rank,
              (int) tens,
              flags);
      values.setLastPlace(value, 0);
      return done(value, token, token + 1);
    }
    return token + 1;
  }

  /** A third of. */
  private boolean isPartOf(int token) {
    return token > 0
        && tokens.type(token - 1) == WORD
        && tokens.end(token - 1) - tokens.start(token - 1) == 1
        && tokens.isLetter(token - 1, 'a')
        && tokens.is(token + 1, WordRole.OF);
  }

  /** Noon and midnight: times that evidence says, and no claim is held to. */
  private int twelve(int token) {
    int hour = tokens.is(token, WordRole.NOON) ? 12 : 24;
    long time = ValueTime.of(hour * 3600, 0);
    int end = tokens.end(token);
    int value = values.append(ValueKind.TIME, tokens.start(token), end, time, 0, Values.WEAK);
    return done(value, token, token + 1);
  }

  private int part(int token, int parts, int flags) {
    number.readPart(parts);
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
      return done(value, token, units.next);
    }
    return done(value, token, token + 1);
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

  /** True of "an hour" where nothing is counted by the hour: it is one. */
  private boolean isOneOf(int token) {
    if (lastNext == token || tokens.gap(token + 1) != SPACE) {
      return false;
    }
    perUnit = units.read(token + 1);
    return perUnit != NO_UNIT
        && tokens.lexicon.units.isDuration(perUnit)
        && (token == 0 || !tokens.is(token - 1, WordRole.OF));
  }

  /** Reads that; no claim is held to it. */
  private int one(int token) {
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
    return done(value, token, half ? next + 3 : next);
  }

  /** True if a name may begin here: nothing but a mark of punctuation stands right before. */
  private boolean isNameStart(int token) {
    if (tokens.start(token) < lookedAt) {
      return false;
    }
    if (token == 0 || !tokens.isGlued(token)) {
      return true;
    }
    return switch (tokens.typeBefore(token)) {
      case SYMBOL ->
          "-_.@:+\\".indexOf((int) tokens.value(token - 1)) < 0
              && (tokens.value(token - 1) != '/' || tokens.type(token) == WORD);
      case HAN -> true;
      default -> false;
    };
  }

  private boolean isNameGoingOn(int token) {
    if (!tokens.isGlued(token)) {
      return false;
    }
    return switch (tokens.type(token)) {
      case DIGITS -> !tokens.isWords(token);
      case RAISED -> true;
      case SYMBOL -> "-_./@:+".indexOf((int) tokens.value(token)) >= 0;
      default -> false;
    };
  }

  private int name(int token, int end) {
    int next = behind(token, end);
    int value =
        values.append(ValueKind.IDENTIFIER, names.start, end, names.fingerprint, names.layout, 0);
    return done(value, token, next);
  }

  private int quarter(int token) {
    calendar.quarter(names.part, behind(token, names.end));
    calendar.first = token;
    return calendar(token);
  }

  private int behind(int token, int end) {
    int next = token;
    while (tokens.type(next) != END && tokens.start(next) < end) {
      next++;
    }
    return next;
  }

  private int calendar(int token) {
    return calendar(token, token);
  }

  private int calendar(int token, int read) {
    // The T between date and time belongs to neither.
    boolean separator = calendar.kind == ValueKind.DATE && tokens.isLetter(calendar.next - 1, 't');
    int end = tokens.end(calendar.next - (separator ? 2 : 1));
    int value =
        values.append(
            calendar.kind,
            tokens.start(token),
            end,
            calendar.packed,
            0,
            calendar.ambiguous ? Values.AMBIGUOUS : 0);
    if (field.read(token)) {
      values.addFlag(value, Values.FIELD | field.bound);
    }
    int next = calendar.next;
    int before = last;
    boolean joined = isRange(token);
    range(value, token);
    if (joined && calendar.kind == ValueKind.DATE) {
      sameMonth(before, value);
    }
    return done(value, token, StrictMath.max(next, read + 1));
  }

  /** 12–14 April: the first is a day too. */
  private void sameMonth(int before, int value) {
    long date = values.mantissa(value);
    if (values.kind(before) == ValueKind.NUMBER
        && ValueDate.day(date) > 0
        && values.exponent(before) <= 1
        && values.unit(before) == NO_UNIT
        && !values.is(before, Values.RATIONAL)) {
      long day =
          values.mantissa(before) * PlainNumber.power10(StrictMath.max(0, values.exponent(before)));
      if (values.exponent(before) >= 0 && day >= 1 && day <= 31) {
        values.setDate(
            before, ValueDate.of(ValueDate.year(date), ValueDate.month(date), (int) day));
      }
    }
  }

  private int digits(int token) {
    int words = calendar.readClockWords(token);
    if (words > 0) {
      return calendar(token - words, token);
    }
    if (calendar.read(token)) {
      return calendar(token);
    }
    if (!tokens.isWords(token)) {
      if (groups.read(token)) {
        return names.kind == ValueKind.VERSION
            ? version(token, tokens.start(token), names.end)
            : name(token, names.end);
      }
      int ratio = ratio(token);
      if (ratio >= 0) {
        return ratio;
      }
    }
    return number(token);
  }

  /** 1:4, 16:9:3, 24/7. */
  private int ratio(int token) {
    int separator =
        tokens.isSymbol(token + 1, ':') ? ':' : tokens.isSymbol(token + 1, '/') ? '/' : 0;
    boolean spaced =
        separator == ':' && tokens.gap(token + 1) == SPACE && tokens.gap(token + 2) == SPACE;
    if (separator == 0
        || (!spaced && !(tokens.isGlued(token + 1) && tokens.isGlued(token + 2)))
        || tokens.type(token + 2) != DIGITS
        || tokens.isWords(token + 2)) {
      return -1;
    }
    if (separator == '/'
        && tokens.value(token) < tokens.value(token + 2)
        && tokens.value(token + 2) <= 100
        && tokens.value(token) > 0
        && !isRatioPart(token + 3, separator)) {
      return -1;
    }
    long print = WordKey.mix(tokens.value(token) + separator, RATIO_STEP);
    int i = token;
    do {
      i += 2;
      print = WordKey.mix(print + tokens.value(i) + 1, RATIO_STEP);
    } while (i < token + 16 && isRatioPart(i + 1, separator));
    int value = values.append(ValueKind.RATIO, tokens.start(token), tokens.end(i), print, 0, 0);
    return done(value, token, i + 1);
  }

  private boolean isRatioPart(int token, int separator) {
    return tokens.isSymbol(token, separator)
        && tokens.isGlued(token)
        && tokens.type(token + 1) == DIGITS
        && tokens.isGlued(token + 1);
  }

  /** The numbers of a version between two bytes; one or two of them are a number with a name. */
  private int version(int token, int from, int end) {
    long print = 0;
    long mantissa = 0;
    int parts = 0;
    int place = 0;
    for (int i = from; i < end; parts++) {
      long part = 0;
      int start = i;
      while (i < end && tokens.byteAt(i) >= '0' && tokens.byteAt(i) <= '9') {
        part = part * 10 + tokens.byteAt(i++) - '0';
      }
      place = parts == 1 ? start - i : place;
      mantissa =
          mantissa * PlainNumber.power10(parts == 1 ? StrictMath.min(9, i - start) : 0) + part;
      print = WordKey.mix(print + part + 1, RATIO_STEP);
      i++;
    }
    int next = behind(token, end);
    int value;
    if (parts > 2 || place < -9) {
      value = values.append(ValueKind.VERSION, tokens.start(token), end, print, 0, Values.NAMED);
      if (context.isLabel(token, token, next, true)) {
        values.addFlag(value, Values.LABEL);
      }
    } else {
      int exponent = place;
      while (mantissa != 0 && mantissa % 10 == 0) {
        mantissa /= 10;
        exponent++;
      }
      value =
          values.append(
              ValueKind.NUMBER, tokens.start(token), end, mantissa, exponent, Values.NAMED);
      values.setLastPlace(value, place);
      int bound = context.bound(token);
      int behind = bound == 0 ? context.boundBehind(next) : 0;
      next = behind == 0 ? next : context.next;
      values.addFlag(value, bound | behind | (behind == 0 ? 0 : Values.SOFT_BOUND));
    }
    return done(value, token, next);
  }

  private int number(int token) {
    // What stands before: sign, currency, and a point that begins a decimal fraction.
    context.before(token, units);
    number.read(token, context.currency != NO_UNIT);
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
      } else if (isOtherName(token, next)) {
        return name(token, names.end);
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
        || (last >= 0 && values.is(last, Values.FIELD) && field.isListed(lastNext, first))) {
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
    if (isPart(value, first)) {
      double ratio = ratioOfUnits(value);
      long whole = StrictMath.round(ValueComparison.wholeNumber(values, last) * ratio);
      values.merge(whole + ValueComparison.wholeNumber(values, value), unit);
      return done(last, token, next);
    }
    range(value, first);
    return done(value, first, next);
  }

  /** Twenty degrees below zero. */
  private boolean isBelowZero(int token) {
    return tokens.gap(token) <= NARROW
        && tokens.type(token + 1) == DIGITS
        && tokens.isWords(token + 1)
        && tokens.value(token + 1) == 0
        && context.isBelow(token);
  }

  private boolean isAndAHalf(int token) {
    return tokens.is(token, WordRole.AND)
        && tokens.isLetter(token + 1, 'a')
        && tokens.is(token + 2, WordRole.HALFPART);
  }

  /** Two and a half: a half more than the number that was read. */
  private void readHalf() {
    int and = number.next;
    if (isAndAHalf(and)
        && !number.rational
        && number.lastPlace == 0
        && number.mantissa < MAX_PARTS) {
      number.mantissa = number.mantissa * PlainNumber.power10(number.exponent + 1) + 5;
      number.exponent = -1;
      number.lastPlace = -1;
      number.next = and + 3;
      number.end = tokens.end(and + 2);
    }
  }

  /** True of the minutes of 1 h 30 min, the inches of 5 ft 10 in: a whole part of the last unit. */
  private boolean isPart(int value, int first) {
    boolean and = lastNext == first - 1 && tokens.is(lastNext, WordRole.AND);
    if (last != value - 1
        || last < 0
        || (lastNext != first && !and)
        || values.kind(last) != ValueKind.NUMBER
        || values.unit(last) <= 0
        || values.unit(value) <= 0
        || values.bound(value) != Bound.NONE
        || tokens.gap(first) > NARROW) {
      return false;
    }
    long many = ValueComparison.wholeNumber(values, last);
    long few = ValueComparison.wholeNumber(values, value);
    double ratio = ratioOfUnits(value);
    boolean whole = ratio > 1.5 && StrictMath.abs(ratio - StrictMath.round(ratio)) < 1e-9 * ratio;
    return whole && many > 0 && many < MAX_PARTS && few > 0 && few < ratio && ratio < MAX_PARTS;
  }

  /** How many of a value's units the last one's unit is; 0 if that cannot be said. */
  private double ratioOfUnits(int value) {
    int small = values.unit(value);
    int large = values.unit(last);
    if (tokens.lexicon.units.dimension(small) != tokens.lexicon.units.dimension(large)
        || tokens.lexicon.units.inBase(small, 0) != 0
        || tokens.lexicon.units.inBase(large, 0) != 0) {
      return 0;
    }
    return tokens.lexicon.units.inBase(large, 1) / tokens.lexicon.units.inBase(small, 1);
  }

  private int perUnit;

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
    if (!number.plain || tokens.isWords(token) || !isNameStart(token) || !tokens.isGlued(next)) {
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

  /** True if only a word or mark for to or and stands between the last value and this token. */
  private boolean isRange(int token) {
    if (last < 0 || lastNext != token - 1) {
      return false;
    }
    if (tokens.gap(lastNext) > NARROW || tokens.gap(token) > NARROW) {
      return false;
    }
    if (tokens.type(lastNext) == SYMBOL) {
      long c = tokens.value(lastNext);
      boolean dash = c == '-' || c == 0x2013 || c == '~' || c == 0x2212;
      return dash && (tokens.isGlued(lastNext) == tokens.isGlued(token));
    }
    return tokens.is(lastNext, WordRole.TO) || (lastBetween && tokens.is(lastNext, WordRole.AND));
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

  private void range(int value, int first) {
    if (!isRange(first)
        || isScore(value)
        || values.kind(last) == ValueKind.IDENTIFIER
        || (values.unit(last) != NO_UNIT
            && values.unit(value) != NO_UNIT
            && tokens.lexicon.units.dimension(values.unit(last))
                != tokens.lexicon.units.dimension(values.unit(value)))) {
      return;
    }
    if (values.bound(last).ordinal() <= Bound.ABOUT.ordinal()
        || (values.is(last, Values.SOFT_BOUND) && values.bound(last) == Bound.AT_MOST)) {
      values.setBound(last, Bound.FROM);
      values.setBound(value, Bound.TO);
    }
    if (values.kind(last) == ValueKind.NUMBER && values.kind(value) == ValueKind.NUMBER) {
      // 10–20 million
      if (lastScale == 0 && number.scaled > 0) {
        values.scale(last, number.scaled);
      }
      if (values.unit(last) == NO_UNIT) {
        values.setUnit(last, values.unit(value));
      } else if (values.unit(value) == NO_UNIT
          && tokens.lexicon.units.isCurrency(values.unit(last))) {
        values.setUnit(value, values.unit(last));
      }
    }
  }

  /** True of the last two numbers if they are 21 to 9: the greater one first, and nothing else. */
  private boolean isScore(int value) {
    return !lastFrom
        && values.kind(last) == ValueKind.NUMBER
        && values.kind(value) == ValueKind.NUMBER
        && values.unit(last) == NO_UNIT
        && values.unit(value) == NO_UNIT
        && !values.is(last, Values.FINGERPRINT)
        && !values.is(value, Values.FINGERPRINT)
        && ValueComparison.value(values, last, 0) > ValueComparison.value(values, value, 0);
  }

  private int done(int value, int first, int next) {
    lastScale = values.kind(value) == ValueKind.NUMBER ? number.scaled : 0;
    values.setWords(value, context.wordBefore(first), context.wordAfter(next));
    last = value;
    lastNext = next;
    lastFrom = first > 0 && tokens.typeBefore(first) == WORD && tokens.is(first - 1, WordRole.FROM);
    lastBetween =
        first > 0 && tokens.typeBefore(first) == WORD && tokens.is(first - 1, WordRole.BETWEEN);
    return StrictMath.max(next, first + 1);
  }
}
