package dev.parlance.policy.claim.value;

import static dev.parlance.policy.claim.value.ValueTokens.DIGITS;
import static dev.parlance.policy.claim.value.ValueTokens.NARROW;
import static dev.parlance.policy.claim.value.ValueTokens.SPACE;
import static dev.parlance.policy.claim.value.ValueTokens.SYMBOL;

/** Reads the groups that the digits of a number are written in, and its decimals: 1.200,50. */
final class ThousandsReader {
  /** Which of point and comma a text parts decimals by. */
  enum Style {
    UNKNOWN,
    POINT,
    COMMA
  }

  private static final int MAX_PAIRS = 6;

  private final ValueTokens tokens;
  private final PlainNumber number;
  private Style style = Style.UNKNOWN;

  ThousandsReader(ValueTokens tokens, PlainNumber number) {
    this.tokens = tokens;
    this.number = number;
  }

  void style(Style newStyle) {
    style = newStyle;
  }

  /** Reads what stands behind the first digits of a number. */
  void read(int token) {
    boolean mayGroup =
        tokens.digits(token) <= 3 && (tokens.value(token) > 0) && !hasLeadingZero(token);
    if (mayGroup && isBlankGroup(token + 1)) {
      int i = token + 1;
      while (isBlankGroup(i) && i < token + 12) {
        number.append(tokens.value(i), 3);
        i++;
      }
      number.next = i;
      number.plain = false;
      decimalsBehind(i, 0);
      return;
    }
    if (tokens.type(token + 1) != SYMBOL
        || !tokens.isGlued(token + 1)
        || !tokens.isGluedDigits(token + 2)) {
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

  private boolean isGroup(int token) {
    return tokens.type(token) == DIGITS && tokens.digits(token) == 3 && !tokens.isWords(token);
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
      number.append(tokens.value(i + 2), 3);
      i += 2;
    }
    if (i > token) {
      number.next = i + 1;
      number.plain = false;
      decimalsBehind(number.next, 0);
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
        && tokens.isGluedDigits(token + 2 * groups + 2)) {
      groups++;
    }
    int behind = token + 2 * groups + 1;
    boolean more =
        tokens.isSymbol(behind, separator)
            && tokens.isGlued(behind)
            && tokens.isGluedDigits(behind + 1);
    if (separator == ',' && isListed(token)) {
      return;
    }
    if (groups == 0 || !mayGroup) {
      if (more && groups == 0 && separator == ',') {
        int after = behind + 2;
        boolean list =
            tokens.isSymbol(after, ',') && tokens.isGlued(after) && tokens.isGluedDigits(after + 1);
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
                && tokens.isGluedDigits(behind + 1));
    boolean decimal = style == (separator == '.' ? Style.POINT : Style.COMMA);
    if (!certain && decimal) {
      decimals(token + 2);
      return;
    }
    for (int i = 1; i <= groups; i++) {
      number.append(tokens.value(token + 2 * i), 3);
    }
    number.next = behind;
    number.plain = false;
    number.ambiguous = !certain && style == Style.UNKNOWN;
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
            && tokens.isGluedDigits(last + 3))) {
      return false;
    }
    for (int i = 1; i <= pairs; i++) {
      number.append(tokens.value(token + 2 * i), 2);
    }
    number.append(tokens.value(last + 1), 3);
    number.next = last + 2;
    number.plain = false;
    decimalsBehind(number.next, '.');
    return true;
  }

  private boolean isCommaDigits(int token, int count) {
    return tokens.isSymbol(token, ',')
        && tokens.isGlued(token)
        && tokens.isGluedDigits(token + 1)
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
    if (parted && tokens.isGluedDigits(token + 1)) {
      decimals(token + 1);
    }
  }

  private void decimals(int token) {
    number.append(tokens.value(token), tokens.digits(token));
    number.exponent -= tokens.digits(token);
    number.plain = false;
    number.next = token + 1;
  }

  boolean hasLeadingZero(int token) {
    int count = tokens.digits(token);
    return count > 1
        && count <= PlainNumber.MAX_DIGITS
        && tokens.value(token) < PlainNumber.power10(count - 1);
  }
}
