package dev.parlance.policy.claim.value;

import static dev.parlance.policy.claim.value.ValueLexicon.NO_UNIT;
import static dev.parlance.policy.claim.value.ValueTokens.SYMBOL;
import static dev.parlance.policy.claim.value.ValueTokens.WORD;

import dev.parlance.policy.claim.WordKey;
import dev.parlance.policy.claim.value.Values.Bound;

/**
 * The name of the field that a number is the value of, in JSON, a line {@code name: value}, an
 * element of XML or a cell, and what it says of the number: {@code maxPressureBar: 35} is at most
 * 35 bar. A field has no other place for a bound. A noun phrase says the same of a number behind
 * it: the maximum pressure is 35 bar.
 *
 * <p>Looks back at no more than {@value #MAX_BYTES} bytes for each name.
 */
@SuppressWarnings("EnumOrdinal") // index of an array that never leaves this process
final class NameOfField {
  private static final int MAX_BYTES = 64;
  private static final int MAX_OUTER = 2;
  private static final int ABBREVIATED = 4;

  /** What stands between a value and the mark before it. */
  private static final String OPENING = " \"'\\[(*`\u00a0";

  private static final String[] INLINE = {
    "b", "i", "em", "strong", "span", "code", "a", "u", "mark"
  };

  private final ValueTokens tokens;
  private final WordKey pairs;

  /** The bound that the name says, as flags of a value, or 0. */
  int bound;

  int unit;

  NameOfField(ValueTokens tokens) {
    this.tokens = tokens;
    pairs = new WordKey(tokens.lexicon.seed());
  }

  /** True if what begins at a token is the value of a field; {@link #bound} and {@link #unit}. */
  boolean read(int token) {
    bound = 0;
    unit = NO_UNIT;
    int start = tokens.start(token);
    int at = back(start - 1);
    if (at < 0 || tokens.byteAt(at) == '\n') {
      return false;
    }
    return switch (tokens.byteAt(at)) {
      case ':' -> named(at);
      case '=' -> at > 0 && "<>!=".indexOf(tokens.byteAt(at - 1)) < 0 && named(at);
      case '>' -> tagged(at);
      case '|', '\t' -> true;
      case ',', ';' -> at == start - 1 && at > 0 && isLetter(tokens.byteAt(at - 1));
      default -> false;
    };
  }

  private int back(int from) {
    int at = from;
    while (at >= 0 && from - at < MAX_BYTES && OPENING.indexOf(tokens.byteAt(at) & 0xFF) >= 0) {
      at--;
    }
    return at;
  }

  private boolean named(int separator) {
    int end = nameEnd(separator);
    int from = nameStart(end);
    if (!parts(from, end, /* own= */ true)) {
      return false;
    }
    // {"max": {"value": 35}}
    for (int outer = 0; outer < MAX_OUTER && bound == 0; outer++) {
      int brace = back(from - 1);
      int colon = brace > 0 && tokens.byteAt(brace) == '{' ? back(brace - 1) : -1;
      if (colon <= 0 || tokens.byteAt(colon) != ':') {
        break;
      }
      end = nameEnd(colon);
      from = nameStart(end);
      parts(from, end, /* own= */ false);
    }
    return true;
  }

  private int nameEnd(int separator) {
    int end = separator;
    while (end > 0 && OPENING.indexOf(tokens.byteAt(end - 1) & 0xFF) >= 0) {
      end--;
    }
    return end;
  }

  private int nameStart(int end) {
    int from = end;
    while (from > 0 && end - from < MAX_BYTES && isInName(from - 1)) {
      from--;
    }
    return from;
  }

  private boolean isInName(int at) {
    int b = tokens.byteAt(at);
    if (b == '.' && tokens.byteAt(at + 1) == ' ') {
      // Max. temperature
      int word = at;
      while (word > 0 && isLetter(tokens.byteAt(word - 1)) && at - word <= ABBREVIATED) {
        word--;
      }
      return at > word && at - word <= ABBREVIATED;
    }
    return isLetter(b) || (b >= '0' && b <= '9') || " _-./()%".indexOf(b) >= 0;
  }

  private boolean tagged(int close) {
    int open = close;
    while (open >= 0 && close - open < MAX_BYTES && tokens.byteAt(open) != '<') {
      open--;
    }
    int end = open + 1;
    while (open >= 0 && end < close && tokens.byteAt(end) != ' ') {
      end++;
    }
    for (String name : INLINE) {
      boolean same = end - open - 1 == name.length();
      for (int i = 0; i < name.length() && same; i++) {
        same = (tokens.byteAt(open + 1 + i) | 0x20) == name.charAt(i);
      }
      if (same) {
        return false;
      }
    }
    return open >= 0 && tokens.byteAt(open) == '<' && parts(open + 1, end, /* own= */ true);
  }

  /** Reads the words of a name; false if it has none. */
  private boolean parts(int from, int end, boolean own) {
    long before = 0;
    long key = 0;
    boolean any = false;
    int at = from;
    int last = from;
    while (at < end) {
      if (!isLetter(tokens.byteAt(at))) {
        at++;
        continue;
      }
      int to = at + 1;
      while (to < end
          && isLetter(tokens.byteAt(to))
          && !(isUpper(tokens.byteAt(to)) && !isUpper(tokens.byteAt(to - 1)))) {
        to++;
      }
      any = true;
      int limit = limit(at, to);
      long word = tokens.foldedKey(at, to);
      limit = limit != 0 ? limit : side(tokens.lexicon.word(word));
      limit = limit != 0 ? limit : phrase(word);
      long pair = key == 0 ? 0 : pairs.pair(key, word);
      limit = limit != 0 || pair == 0 ? limit : phrase(pair);
      limit = limit != 0 || before == 0 ? limit : phrase(pairs.pair(before, word));
      if (bound == 0 && limit != 0) {
        bound = limit | Values.SOFT_BOUND;
      }
      before = pair;
      boolean per = key != 0 && tokens.lexicon.is(tokens.lexicon.word(key), WordRole.PER);
      key = word;
      last = at;
      at = to;
      if (own && limit == 0 && !per && at + 1 >= end) {
        unit = unit(from, last, at, word);
      }
    }
    if (own
        && end > from
        && any
        && tokens.byteAt(end - (tokens.byteAt(end - 1) == ')' ? 2 : 1)) == '%') {
      unit = tokens.lexicon.units.percent;
    }
    return any;
  }

  private int phrase(long key) {
    int phrase = tokens.lexicon.phrase(key) & 0xFF;
    return phrase == ValueLexicon.WITHIN
        ? Bound.AT_MOST.ordinal()
        : phrase == Bound.ABOUT.ordinal() ? 0 : phrase;
  }

  private int side(int entry) {
    return tokens.lexicon.is(entry, WordRole.UPPER)
        ? Bound.AT_MOST.ordinal()
        : tokens.lexicon.is(entry, WordRole.LOWER) ? Bound.AT_LEAST.ordinal() : 0;
  }

  /** The unit that a name ends with: {@code weight_kg}, {@code weightKg}, {@code hours}. */
  private int unit(int from, int start, int end, long word) {
    int entry = tokens.lexicon.word(word);
    boolean parted = start > from && "_([/ ".indexOf(tokens.byteAt(start - 1)) >= 0;
    if (tokens.lexicon.is(entry, WordRole.DATEPART) || (end - start == 1 && !parted)) {
      return NO_UNIT;
    }
    int found = tokens.symbolUnit(start, end, /* lower= */ false);
    if (found == NO_UNIT && start > from && isUpper(tokens.byteAt(start))) {
      found = tokens.symbolUnit(start, end, /* lower= */ true);
    }
    return found == NO_UNIT ? tokens.lexicon.unit(entry) : found;
  }

  /** True if a value is one of several lines, as one of data whose names are not shown. */
  boolean isAlone(int first, int next) {
    return tokens.gap(first) == ValueTokens.LINE
        && tokens.gap(next) == ValueTokens.LINE
        && (first > 0 || tokens.type(next) != ValueTokens.END);
  }

  /** The unit that a field right behind the one of a number says. */
  int unitBehind(int token, MeasureReader units) {
    int at = token;
    while (tokens.isSymbol(at, '"') && at < token + 2) {
      at++;
    }
    if (!tokens.isSymbol(at, ',')) {
      return NO_UNIT;
    }
    at += tokens.isSymbol(at + 1, '"') ? 2 : 1;
    if (!tokens.is(at, WordRole.UNITNAME)) {
      return NO_UNIT;
    }
    at += tokens.isSymbol(at + 1, '"') ? 2 : 1;
    if (!tokens.isSymbol(at, ':')) {
      return NO_UNIT;
    }
    at += tokens.isSymbol(at + 1, '"') ? 2 : 1;
    return units.read(at);
  }

  /** True if only marks of a list stand between two tokens. */
  boolean isListed(int from, int to) {
    boolean comma = false;
    for (int at = from; at < to; at++) {
      if (tokens.type(at) != SYMBOL || "\",'[".indexOf((int) tokens.value(at)) < 0) {
        return false;
      }
      comma |= tokens.isSymbol(at, ',');
    }
    return comma && to - from <= 3;
  }

  /**
   * The bound that the noun phrase before a number says, as flags: a maximum of the clause, when
   * nothing but words stands between.
   */
  int ofPhrase(int token) {
    for (int at = token - 1; isWordBefore(at, token); at--) {
      int limit = limit(tokens.start(at), tokens.end(at));
      if (limit == 0 && tokens.is(at, WordRole.TOPMOST)) {
        limit = Bound.AT_MOST.ordinal();
      }
      if (limit != 0) {
        return limit | Values.SOFT_BOUND;
      }
    }
    return 0;
  }

  /** True if a number is what decides when something is done: if it exceeds 35 bar. */
  boolean isCondition(int token) {
    for (int at = token - 1; isWordBefore(at, token); at--) {
      if (tokens.is(at, WordRole.CONDITION)) {
        return true;
      }
    }
    return false;
  }

  private static final int MAX_WORDS = 8;

  private boolean isWordBefore(int at, int token) {
    return at >= 0
        && token - at <= MAX_WORDS
        && tokens.typeBefore(at + 1) == WORD
        && tokens.gap(at + 1) <= ValueTokens.NARROW;
  }

  /** The bound that one word says that begins like maximum or minimum, or 0. */
  private int limit(int from, int to) {
    int length = to - from;
    int first = tokens.byteAt(from) | 0x20;
    if (first == 'm' && length >= 3) {
      int second = tokens.byteAt(from + 1) | 0x20;
      int third = tokens.byteAt(from + 2) | 0x20;
      boolean upper = second == 'a' && third == 'x';
      boolean lower = second == 'i' && third == 'n';
      boolean whole = length == 3 || begins(from + 3, to, "im") || begins(from + 3, to, "dest");
      if ((upper || lower) && whole) {
        return (upper ? Bound.AT_MOST : Bound.AT_LEAST).ordinal();
      }
      return begins(from, to, "massim") || begins(from, to, "m\u00c3\u00a1xim")
          ? Bound.AT_MOST.ordinal()
          : begins(from, to, "m\u00c3\u00adnim") ? Bound.AT_LEAST.ordinal() : 0;
    }
    return first == 'h'
            && length > 8
            && (begins(from, to, "h\u00c3\u00b6chst") || begins(from, to, "hoechst"))
        ? Bound.AT_MOST.ordinal()
        : 0;
  }

  /** True if the bytes begin so, in either case of ASCII. */
  private boolean begins(int from, int to, String bytes) {
    boolean same = to - from >= bytes.length();
    for (int i = 0; i < bytes.length() && same; i++) {
      int b = tokens.byteAt(from + i) & 0xFF;
      same = b == bytes.charAt(i) || (b < 0x80 && (b | 0x20) == bytes.charAt(i));
    }
    return same;
  }

  private static boolean isLetter(int b) {
    return b < 0 || ((b | 0x20) >= 'a' && (b | 0x20) <= 'z');
  }

  private static boolean isUpper(int b) {
    return b >= 'A' && b <= 'Z';
  }
}
