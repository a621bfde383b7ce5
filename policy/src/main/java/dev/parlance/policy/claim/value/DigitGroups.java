package dev.parlance.policy.claim.value;

import static dev.parlance.policy.claim.value.ValueTokens.DIGITS;
import static dev.parlance.policy.claim.value.ValueTokens.GLUED;
import static dev.parlance.policy.claim.value.ValueTokens.NARROW;
import static dev.parlance.policy.claim.value.ValueTokens.SPACE;
import static dev.parlance.policy.claim.value.ValueTokens.SYMBOL;

/**
 * Tells groups of digits that are a name from numbers that stand side by side: telephones, cards,
 * part numbers, IP addresses, versions. What the name is stands in the {@link IdentifierReader}.
 */
final class DigitGroups {
  private static final int LEAST_TELEPHONE = 7;
  private static final int LEAST_GROUPED = 6;
  private static final int LEAST_PART = 5;

  private final ValueTokens tokens;
  private final IdentifierReader names;

  /** Up to where groups were looked at and are numbers. */
  private int lookedAt;

  private int groups;
  private int total;
  private int hyphens;
  private int points;
  private int blanks;
  private int slashes;

  /** A group begins with zero, as no number does. */
  private boolean zero;

  private boolean fours;
  private boolean bytes;

  /** Might be the groups of one number. */
  private boolean thirds;

  private int shortest;
  private int last;

  DigitGroups(ValueTokens tokens, IdentifierReader names) {
    this.tokens = tokens;
    this.names = names;
  }

  void start() {
    lookedAt = 0;
  }

  /** Reads groups that begin at a token if they are a name. */
  boolean read(int token) {
    if (tokens.start(token) < lookedAt) {
      return false;
    }
    boolean plus = token > 0 && tokens.isSymbol(token - 1, '+') && tokens.isGlued(token);
    boolean bracket = token > 0 && tokens.isSymbol(token - 1, '(') && tokens.isGlued(token);
    gather(token, bracket);
    names.kind = ValueKind.IDENTIFIER;
    boolean address = groups == 4 && points == 3 && bytes;
    boolean version = !address && !thirds && points > 1 && blanks + hyphens + slashes == 0 && !zero;
    if (version && shortest < 3) {
      names.kind = ValueKind.VERSION;
      names.start = tokens.start(token);
      names.end = tokens.end(last);
      return true;
    }
    if (!address && (version || !isName(token, plus, bracket))) {
      lookedAt = tokens.end(last);
      return false;
    }
    put(token, plus || bracket);
    if (address) {
      network();
    }
    return true;
  }

  private void gather(int token, boolean bracket) {
    groups = 0;
    total = 0;
    hyphens = 0;
    points = 0;
    blanks = 0;
    slashes = 0;
    zero = false;
    fours = true;
    bytes = true;
    thirds = true;
    shortest = Integer.MAX_VALUE;
    int i = token;
    while (tokens.type(i) == DIGITS && !tokens.isWords(i) && !tokens.isLong(i)) {
      group(i);
      int behind = i + 1;
      if (groups == 1 && bracket && tokens.isSymbol(behind, ')') && tokens.isGlued(behind)) {
        last = behind;
        behind++;
      }
      int next = next(behind, behind > i + 1);
      if (next < 0 || groups == IdentifierReader.MAX_GROUPS) {
        return;
      }
      i = next;
    }
  }

  private void group(int token) {
    int count = tokens.digits(token);
    total += count;
    boolean leading = count > 1 && tokens.value(token) < PlainNumber.power10(count - 1);
    zero |= leading && (groups > 0 || count > 2);
    fours &= count == 4;
    bytes &= tokens.value(token) < 256;
    thirds &= groups == 0 ? count <= 3 && !leading : count == 3;
    shortest = StrictMath.min(shortest, count);
    groups++;
    last = token;
  }

  /** The next group, or -1. */
  private int next(int behind, boolean bracketed) {
    if (tokens.type(behind) == DIGITS) {
      int gap = tokens.gap(behind);
      boolean blank = gap == SPACE || gap == NARROW || (bracketed && gap == GLUED);
      blanks += blank ? 1 : 0;
      return blank ? behind : -1;
    }
    if (tokens.type(behind) != SYMBOL
        || !tokens.isGlued(behind)
        || tokens.type(behind + 1) != DIGITS
        || !tokens.isGlued(behind + 1)) {
      return -1;
    }
    long c = tokens.value(behind);
    hyphens += c == '-' ? 1 : 0;
    points += c == '.' ? 1 : 0;
    slashes += c == '/' ? 1 : 0;
    return c == '-' || c == '.' || c == '/' ? behind + 1 : -1;
  }

  private boolean isName(int token, boolean plus, boolean bracket) {
    if (total >= LEAST_TELEPHONE && (plus || (bracket && groups > 1))) {
      return true;
    }
    if (groups == 1) {
      return total >= LEAST_PART && beginsWithZero(token);
    }
    if (points + slashes > 0) {
      return total >= LEAST_TELEPHONE && beginsWithZero(token);
    }
    if (hyphens == 0 && thirds && !isAfterPhoneWord(token)) {
      return false;
    }
    boolean card = groups >= 3 && fours;
    boolean part =
        hyphens > 0
            && blanks == 0
            && (zero ? total >= LEAST_PART : groups > 2 && total >= LEAST_GROUPED);
    return card
        || part
        || (total >= LEAST_GROUPED && (zero || isAfterPhoneWord(token) || isFalling(token)));
  }

  /** True of 2024-1178: two groups of which the second is less are no range, but of years BC. */
  private boolean isFalling(int token) {
    return groups == 2
        && hyphens == 1
        && blanks == 0
        && tokens.digits(token) > 2
        && tokens.digits(last) > 2
        && tokens.value(last) < tokens.value(token)
        && !(tokens.type(last + 1) == ValueTokens.WORD
            && (tokens.byteAt(tokens.start(last + 1)) | 0x20) == 'b'
            && (tokens.byteAt(tokens.start(last + 1) + 1) | 0x20) == 'c');
  }

  private boolean beginsWithZero(int token) {
    return zero && tokens.value(token) < PlainNumber.power10(tokens.digits(token) - 1);
  }

  private boolean isAfterPhoneWord(int token) {
    for (int back = 1; back <= 3 && back <= token; back++) {
      if (tokens.type(token - back) == ValueTokens.WORD
          && tokens.is(token - back, WordRole.PHONE)) {
        return true;
      }
    }
    return false;
  }

  private void put(int token, boolean withSign) {
    names.begin(tokens.start(withSign ? token - 1 : token));
    names.end = tokens.end(last);
    for (int i = token; i <= last; i++) {
      if (tokens.type(i) == DIGITS) {
        for (int place = tokens.digits(i) - 1; place >= 0; place--) {
          names.put((int) ('0' + tokens.value(i) / PlainNumber.power10(place) % 10));
        }
      }
    }
  }

  /** The length of the network belongs to an address. */
  private void network() {
    int i = names.end;
    if (names.at(i) != '/' || !IdentifierReader.isDigit(names.at(i + 1))) {
      return;
    }
    names.put('/');
    for (i++; IdentifierReader.isDigit(names.at(i)); i++) {
      names.put(names.at(i));
    }
    names.end = i;
  }
}
