package dev.parlance.policy.claim.value;

import static dev.parlance.policy.claim.value.ValueLexicon.NO_UNIT;
import static dev.parlance.policy.claim.value.ValueTokens.DIGITS;
import static dev.parlance.policy.claim.value.ValueTokens.END;
import static dev.parlance.policy.claim.value.ValueTokens.HAN;
import static dev.parlance.policy.claim.value.ValueTokens.LINE;
import static dev.parlance.policy.claim.value.ValueTokens.NARROW;
import static dev.parlance.policy.claim.value.ValueTokens.SPACE;
import static dev.parlance.policy.claim.value.ValueTokens.SYMBOL;
import static dev.parlance.policy.claim.value.ValueTokens.WORD;

import dev.parlance.policy.claim.WordKey;
import dev.parlance.policy.claim.value.Values.Bound;

/**
 * What stands round a number: its sign and bound, whether it numbers a list item, its neighbours.
 */
@SuppressWarnings("EnumOrdinal") // index of an array that never leaves this process
final class NumberContext {
  private static final String OPENING =
      "([{=<>\u2264\u2265:,;|~/\"'\u201c\u201e\u00ab$€£¥\u00b1\u2248*";
  private static final int NEAR = 4;

  /** So many words stand at most between a number and a bound that is said last. */
  private static final int MAX_COUNTED = 4;

  private final ValueTokens tokens;
  private final WordKey pairs;

  /** Sign of the number that {@link #before} looked at, as flags of a value. */
  int flags;

  /** Its first token with sign and currency. */
  int first;

  int currency;

  /** True if a decimal point stands right before it. */
  boolean point;

  /** The token behind the words that {@link #boundBehind} found. */
  int next;

  NumberContext(ValueTokens tokens) {
    this.tokens = tokens;
    pairs = new WordKey(tokens.lexicon.seed());
  }

  /** Looks for point, sign and currency before a number. */
  void before(int token, MeasureReader units) {
    flags = 0;
    first = token;
    point = false;
    currency = NO_UNIT;
    if (token > 0
        && tokens.isSymbol(token - 1, '.')
        && tokens.isGlued(token)
        && isOpen(token - 1)) {
      point = true;
      first--;
    }
    sign();
    currency = units.currencyBefore(first);
    if (currency != NO_UNIT) {
      first = units.next;
      if (flags == 0) {
        sign();
      }
    }
  }

  /** True if nothing that a sign could part from stands right before a token. */
  private boolean isOpen(int token) {
    if (token == 0 || !tokens.isGlued(token)) {
      return true;
    }
    if (tokens.typeBefore(token) == HAN) {
      // Behind a number and its unit it is a dash.
      return token < 2 || tokens.typeBefore(token - 1) != DIGITS;
    }
    return tokens.typeBefore(token) == SYMBOL
        && OPENING.indexOf((int) tokens.value(token - 1)) >= 0;
  }

  private void sign() {
    if (first == 0) {
      return;
    }
    int sign = first - 1;
    if (tokens.typeBefore(first) == SYMBOL) {
      long c = tokens.value(sign);
      boolean glued = tokens.isGlued(first);
      boolean near = glued || (tokens.gap(first) <= NARROW && (c == 0x2212 || c == 0xB1));
      if (!near) {
        return;
      }
      if (c == '-'
          && sign >= 2
          && tokens.isSymbol(sign - 1, '/')
          && tokens.isSymbol(sign - 2, '+')) {
        flags = Values.PLUS_MINUS;
        first = sign - 2;
      } else if (isOpen(sign) && !(c == 0x2013 && isBehindNumber(sign))) {
        int flag =
            c == '-' || c == 0x2212 || c == 0x2013
                ? Values.MINUS
                : c == '+' ? Values.PLUS : c == 0xB1 ? Values.PLUS_MINUS : 0;
        if (flag != 0) {
          flags = flag;
          first = sign;
        }
      }
    } else if (tokens.gap(first) <= NARROW
        && (tokens.is(sign, WordRole.MINUS) || tokens.is(sign, WordRole.PLUS))) {
      // five minus two is a difference
      if (tokens.is(sign, WordRole.MINUS) && !isBehindNumber(sign) && !isOfBound(sign)) {
        flags = Values.MINUS;
        first = sign;
      }
    } else if (isKanaMinus(sign)) {
      flags = Values.MINUS;
      first = sign - 3;
    } else if (sign > 0
        && tokens.typeBefore(first) == HAN
        && tokens.isHan(sign, '下')
        && tokens.typeBefore(sign) == HAN
        && tokens.isHan(sign - 1, '零')) {
      flags = Values.MINUS;
      first = sign - 1;
    }
  }

  private boolean isKanaMinus(int token) {
    return token >= 3
        && tokens.typeBefore(token + 1) == HAN
        && tokens.isHan(token, 'ス')
        && tokens.isHan(token - 1, 'ナ')
        && tokens.isHan(token - 2, 'イ')
        && tokens.isHan(token - 3, 'マ');
  }

  /** True of the "moins" of "au moins deux". */
  private boolean isOfBound(int token) {
    return tokens.is(token, WordRole.BOUND)
        && ((token >= 1 && (phrase(token - 1, 2) & 0xFF) != 0)
            || (token >= 2 && (phrase(token - 2, 3) & 0xFF) != 0));
  }

  private boolean isBehindNumber(int token) {
    return token > 0 && tokens.typeBefore(token) == DIGITS;
  }

  /** The bound that symbols or words before a token say, as flags. */
  int bound(int token) {
    if (token == 0 || tokens.gap(token) > NARROW) {
      return 0;
    }
    if (tokens.typeBefore(token) == SYMBOL) {
      long c = tokens.value(token - 1);
      boolean equal =
          c == '='
              && token >= 2
              && tokens.isGlued(token - 1)
              && tokens.typeBefore(token - 1) == SYMBOL;
      long compared = equal ? tokens.value(token - 2) : c;
      Bound bound =
          compared == '<'
              ? equal ? Bound.AT_MOST : Bound.LESS
              : compared == '>'
                  ? equal ? Bound.AT_LEAST : Bound.MORE
                  : c == 0x2264
                      ? Bound.AT_MOST
                      : c == 0x2265
                          ? Bound.AT_LEAST
                          : c == '~' || c == 0x2248 ? Bound.ABOUT : Bound.NONE;
      return bound == Bound.NONE ? 0 : bound.ordinal() | Values.SYMBOL_BOUND;
    }
    if (!tokens.is(token - 1, WordRole.BOUND)) {
      return 0;
    }
    for (int words = ValueLexicon.MAX_PHRASE; words > 0; words--) {
      int phrase = token < words ? 0 : phrase(token - words, words) & 0xFF;
      if (phrase != 0) {
        return flags(phrase);
      }
    }
    return 0;
  }

  /** True of a word for below. */
  boolean isBelow(int token) {
    return tokens.is(token, WordRole.BOUND) && (phrase(token, 1) & 0xFF) == Bound.LESS.ordinal();
  }

  /** The bound that words behind a number say. */
  int boundBehind(int token) {
    if (tokens.gap(token) > NARROW || !tokens.is(token, WordRole.BOUND)) {
      return 0;
    }
    for (int words = 3; words > 0; words--) {
      int both = phrase(token, words);
      int phrase = both >> 8;
      // "at most 5" belongs to what follows
      boolean ofNext = (both & 0xFF) != 0 && tokens.type(token + words) == DIGITS;
      if (phrase != 0 && !ofNext) {
        next = token + words;
        return flags(phrase);
      }
    }
    return 0;
  }

  /** The bound that words say a little further behind a number: five books at most. */
  int boundLater(int token) {
    int at = token;
    while (at < token + MAX_COUNTED && isPlainWord(at)) {
      at++;
      int bound = tokens.is(at, WordRole.BOUND) ? adverbBehind(at) : 0;
      if (bound != 0) {
        return bound;
      }
    }
    return 0;
  }

  /** The bound that a phrase says which may as well stand before a number; not "and later". */
  private int adverbBehind(int token) {
    for (int words = 3; words > 0; words--) {
      int both = phrase(token, words);
      if ((both & 0xFF) != 0 && both >> 8 != 0) {
        return tokens.type(token + words) == DIGITS ? 0 : flags(both >> 8);
      }
    }
    return 0;
  }

  private boolean isPlainWord(int token) {
    return tokens.gap(token) <= NARROW
        && (tokens.type(token) == WORD || tokens.isSymbol(token, '\''));
  }

  private static int flags(int phrase) {
    return phrase == ValueLexicon.WITHIN ? Bound.AT_MOST.ordinal() | Values.SOFT_BOUND : phrase;
  }

  private int phrase(int token, int words) {
    long key = 0;
    for (int i = token; i < token + words; i++) {
      int type = tokens.type(i);
      // A line may end within it.
      boolean apart = i > token && tokens.gap(i) > NARROW && tokens.gap(i) != LINE;
      if ((type != WORD && type != HAN) || apart) {
        return 0;
      }
      key = i == token ? tokens.value(i) : pairs.pair(key, tokens.value(i));
    }
    return tokens.lexicon.phrase(key);
  }

  /** 百分之五 */
  boolean isPercentBefore(int token) {
    return token >= 3
        && tokens.typeBefore(token) == HAN
        && tokens.isHan(token - 1, '之')
        && tokens.typeBefore(token - 1) == HAN
        && tokens.isHan(token - 2, '分')
        && tokens.typeBefore(token - 2) == HAN
        && tokens.isHan(token - 3, '百');
  }

  /** True if the suffix makes an ordinal number in the language of the text. */
  boolean isOrdinal(int token, int language) {
    int length = tokens.end(token) - tokens.start(token);
    boolean english = length == 2 && tokens.is(token, WordRole.ORDINAL);
    return english || language != ValueLexicon.ENGLISH;
  }

  boolean isUpper(int token) {
    for (int i = tokens.start(token); i < tokens.end(token); i++) {
      int b = tokens.byteAt(i);
      if (b < 'A' || b > 'Z') {
        return false;
      }
    }
    return true;
  }

  /** True if a word for a version or a name stands right before: TLS 1.3. */
  boolean isNamed(int token) {
    if (token == 0 || tokens.typeBefore(token) != WORD || tokens.gap(token) > SPACE) {
      return false;
    }
    int initial = tokens.byteAt(tokens.start(token - 1));
    boolean capital = initial >= 'A' && initial <= 'Z';
    return tokens.is(token - 1, WordRole.VERSION)
        || (capital && token > 1 && tokens.gap(token - 1) != LINE && !isSentenceStart(token - 1));
  }

  private boolean isSentenceStart(int token) {
    return token == 0
        || tokens.gap(token) == LINE
        || (tokens.typeBefore(token) == SYMBOL
            && ".!?:;*#|>(\u2013-".indexOf((int) tokens.value(token - 1)) >= 0);
  }

  /**
   * True if a number numbers a list item, step, heading or footnote.
   *
   * @param token the number, without what stands before it
   * @param behind the token behind it
   */
  boolean isLabel(int start, int token, int behind, boolean plain) {
    if (start != token) {
      return false;
    }
    return isLineNumber(token, behind)
        || isStep(token, behind)
        || (plain && isBracketed(token, behind));
  }

  private boolean isLineNumber(int token, int behind) {
    int line = token;
    boolean heading = false;
    for (int back = 0; back < 8 && line > 0 && tokens.gap(line) != LINE; back++) {
      if (tokens.typeBefore(line) != SYMBOL || "#>(|-*".indexOf((int) tokens.value(line - 1)) < 0) {
        return false;
      }
      line--;
      heading |= tokens.isSymbol(line, '#');
    }
    if (tokens.gap(line) != LINE && line > 0) {
      return false;
    }
    boolean mark =
        tokens.isGlued(behind) && (tokens.isSymbol(behind, '.') || tokens.isSymbol(behind, ')'));
    int text = mark ? behind + 1 : behind;
    boolean goesOn = tokens.type(text) != END && tokens.gap(text) != LINE && !tokens.isGlued(text);
    boolean short0 = tokens.digits(token) <= 3;
    return short0 && goesOn && (mark || heading || isTitle(token, behind, text));
  }

  /** 2.1 Maintenance: a number of parts before a capital. */
  private boolean isTitle(int token, int behind, int text) {
    boolean parts = behind > token + 1 && tokens.isSymbol(token + 1, '.');
    int initial = tokens.type(text) == WORD ? tokens.byteAt(tokens.start(text)) : 0;
    return parts && initial >= 'A' && initial <= 'Z';
  }

  private boolean isStep(int token, int behind) {
    if (token == 0) {
      return false;
    }
    int word = token - 1;
    if (tokens.typeBefore(token) == HAN) {
      return (tokens.is(word, WordRole.LABEL) || tokens.isHan(word, '第'))
          && tokens.type(behind) == HAN
          && (tokens.isHan(behind, '步') || tokens.isHan(behind, '章') || tokens.isHan(behind, '节'));
    }
    if (tokens.typeBefore(token) != WORD
        || tokens.gap(token) > NARROW
        || !tokens.is(word, WordRole.LABEL)
        || !isSentenceStart(word)) {
      return false;
    }
    if (tokens.gap(behind) == LINE) {
      return true;
    }
    return tokens.type(behind) == SYMBOL
        && ":.)\u2013-|,".indexOf((int) tokens.value(behind)) >= 0
        && !tokens.isGlued(behind + 1);
  }

  /** (1), [12], [^3]. */
  private boolean isBracketed(int token, int behind) {
    if (token == 0
        || tokens.typeBefore(token) != SYMBOL
        || !tokens.isGlued(behind)
        || tokens.type(token) != DIGITS
        || behind != token + 1) {
      return false;
    }
    int open = token - 1;
    boolean mark = tokens.isSymbol(open, '^') && open > 0;
    open -= mark ? 1 : 0;
    boolean round =
        tokens.isSymbol(open, '(')
            && tokens.isSymbol(behind, ')')
            && tokens.digits(token) <= 2
            && !tokens.isGlued(open)
            && tokens.type(behind + 1) == WORD
            && !tokens.isGlued(behind + 1);
    boolean square =
        tokens.isSymbol(open, '[')
            && tokens.isSymbol(behind, ']')
            && tokens.digits(token) <= 3
            && (open == 0 || !tokens.isGlued(open) || tokens.typeBefore(open) == SYMBOL);
    return round || square || mark;
  }

  /** The next word of the clause that is no function word. */
  long wordAfter(int token) {
    for (int i = token; i < token + NEAR; i++) {
      int type = tokens.type(i);
      if (type == HAN) {
        return tokens.type(i + 1) == HAN
            ? pairs.pair(tokens.value(i), tokens.value(i + 1))
            : tokens.value(i);
      }
      if (tokens.gap(i) == LINE || (type != WORD && !isJoint(i))) {
        return 0;
      }
      if (type == WORD && !tokens.lexicon.isFunctionWord(tokens.entry(i))) {
        return tokens.value(i);
      }
    }
    return 0;
  }

  long wordBefore(int token) {
    for (int i = token - 1; i >= 0 && i >= token - NEAR; i--) {
      if (tokens.gap(i + 1) == LINE) {
        return 0;
      }
      int type = tokens.typeBefore(i + 1);
      if (type == HAN) {
        return i > 0 && tokens.typeBefore(i) == HAN
            ? pairs.pair(tokens.value(i - 1), tokens.value(i))
            : tokens.value(i);
      }
      if (type != WORD && !isJoint(i)) {
        return 0;
      }
      if (type == WORD && !tokens.lexicon.isFunctionWord(tokens.entry(i))) {
        return tokens.value(i);
      }
    }
    return 0;
  }

  private boolean isJoint(int token) {
    return tokens.isSymbol(token, '-')
        || tokens.isSymbol(token, '"')
        || tokens.isSymbol(token, '\'')
        || tokens.isSymbol(token, ':');
  }
}
