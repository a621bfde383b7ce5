package dev.parlance.policy.claim.value;

import static dev.parlance.policy.claim.value.ValueLexicon.NO_UNIT;
import static dev.parlance.policy.claim.value.ValueTokens.DIGITS;
import static dev.parlance.policy.claim.value.ValueTokens.END;
import static dev.parlance.policy.claim.value.ValueTokens.FRACTION;
import static dev.parlance.policy.claim.value.ValueTokens.HAN;
import static dev.parlance.policy.claim.value.ValueTokens.RAISED;
import static dev.parlance.policy.claim.value.ValueTokens.SPACE;
import static dev.parlance.policy.claim.value.ValueTokens.SYMBOL;
import static dev.parlance.policy.claim.value.ValueTokens.WORD;

import dev.parlance.policy.claim.Units;
import dev.parlance.policy.claim.WordKey;
import dev.parlance.policy.text.Utf8Span;

/**
 * Finds the values of a text. At each token the most particular reading that fits is taken: name,
 * date or time, digits of a name, ratio, number.
 */
final class ValueReader {
  private static final long RATIO_STEP = 0x9e3779b97f4a7c15L;

  private final ValueTokens tokens;
  private final TextHabits habits;
  private final MeasureReader units;
  private final CalendarReader calendar;
  private final IdentifierReader names;
  private final DigitGroups groups;
  private final NumberContext context;
  private final NameOfField field;
  private final QuantityReader quantities;
  private final ValueSequence sequence;
  private final Values values;

  /** Up to where what begins with a letter was looked at as a name. */
  private int lookedAt;

  /** Adds what it finds to {@code values}. */
  ValueReader(ValueLexicon lexicon, Values.Look look, Values values) {
    this.values = values;
    tokens = new ValueTokens(lexicon, look);
    habits = new TextHabits(tokens);
    units = new MeasureReader(tokens);
    calendar = new CalendarReader(tokens);
    names = new IdentifierReader(tokens, lexicon.seed());
    groups = new DigitGroups(tokens, names);
    context = new NumberContext(tokens);
    field = new NameOfField(tokens);
    quantities = new QuantityReader(tokens, habits, context, names, values);
    sequence = quantities.sequence;
  }

  void read(Utf8Span text, Units textUnits) {
    tokens.take(text, textUnits);
    habits.read(text);
    quantities.style(habits.style);
    calendar.style(habits.order, habits.language != ValueLexicon.ENGLISH);
    tokens.start(text, habits.language);
    sequence.start();
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
    return sequence.done(value, token, token + 1);
  }

  private int word(int token) {
    if (tokens.is(token, WordRole.ARTICLE) && !tokens.isGlued(token + 1)) {
      return quantities.isOneOf(token) ? quantities.one(token) : token + 1;
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
      return quantities.part(token, parts, 0);
    }
    if (tokens.is(token, WordRole.QUARTER) && isPartOf(token)) {
      return quantities.part(token, 4, Values.WEAK);
    }
    if (tokens.is(token, WordRole.HALFPART)
        && (tokens.is(token + 1, WordRole.OF) || tokens.is(token + 1, WordRole.THE))) {
      return quantities.part(token, 2, Values.WEAK);
    }
    if (tokens.is(token, WordRole.HALFOF) && quantities.isHalfOf(token)) {
      return quantities.half(token);
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
      return sequence.done(value, token, token + 1);
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
    return sequence.done(value, token, token + 1);
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
    return sequence.done(value, token, next);
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
    int before = sequence.last;
    boolean joined = sequence.isRange(token);
    sequence.range(value, token);
    if (joined && calendar.kind == ValueKind.DATE) {
      sequence.sameMonth(before, value);
    }
    return sequence.done(value, token, StrictMath.max(next, read + 1));
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
    return sequence.done(value, token, i + 1);
  }

  private boolean isRatioPart(int token, int separator) {
    return tokens.isSymbol(token, separator)
        && tokens.isGlued(token)
        && tokens.type(token + 1) == DIGITS
        && tokens.isGlued(token + 1);
  }

  private int number(int token) {
    int next = quantities.read(token, isNameStart(token));
    return next < 0 ? name(token, names.end) : next;
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
    return sequence.done(value, token, next);
  }
}
