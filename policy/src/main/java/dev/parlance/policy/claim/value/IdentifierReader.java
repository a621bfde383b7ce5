package dev.parlance.policy.claim.value;

import dev.parlance.policy.claim.WordKey;

/**
 * Reads names that are the same or not: addresses, paths, accounts, telephone and order numbers.
 * The fields are those of what was read last.
 *
 * <p>The fingerprint is made of letters and digits only, so that blanks and hyphens of an account
 * or telephone number do not count. In other names they do unless one of two has none: {@link
 * #layout} is a number of where they are.
 */
final class IdentifierReader {
  private static final long STEP = 0x9e3779b97f4a7c15L;
  static final int MAX_GROUPS = 12;

  private final ValueTokens tokens;
  private final long secret;

  long fingerprint;
  int layout;

  /** Behind the last byte. */
  int end;

  /** The first byte. */
  int start;

  /** What the last name turned out to be if it is none: a quarter of a year, a version. */
  ValueKind kind = ValueKind.IDENTIFIER;

  /** The quarter, or where the number of a version begins. */
  int part;

  private int characters;

  // Of the name that is read, and of what it is before its first slash.
  private int letters;
  private int digits;
  private int slashes;
  private int cutEnd;

  /** No path is there before this byte. */
  private int noPathBefore;

  private long cutFingerprint;
  private int cutLayout;
  private int cutLetters;
  private int cutDigits;

  IdentifierReader(ValueTokens tokens, long seed) {
    this.tokens = tokens;
    secret = new WordKey(seed).first;
  }

  /** The fingerprint of a number written in digits as an account would be. */
  long ofDigits(long number) {
    long print = secret;
    long divisor = 1;
    for (long rest = number; rest >= 10; rest /= 10) {
      divisor *= 10;
    }
    for (long at = divisor; at > 0; at /= 10) {
      print = step(print, (int) ('0' + number / at % 10));
    }
    return print;
  }

  private static long step(long print, int character) {
    return WordKey.mix(print + character, STEP);
  }

  /** Goes to the beginning of a text. */
  void start() {
    noPathBefore = 0;
  }

  void begin(int from) {
    kind = ValueKind.IDENTIFIER;
    start = from;
    fingerprint = secret;
    layout = 0;
    characters = 0;
  }

  void put(int character) {
    boolean upper = character >= 'A' && character <= 'Z';
    fingerprint = step(fingerprint, upper ? character | 0x20 : character);
    characters++;
  }

  private void separate() {
    layout = (layout + characters + 1) * 0x5bd1e995 | 1;
  }

  private static boolean isLetter(int b) {
    return (b | 0x20) >= 'a' && (b | 0x20) <= 'z';
  }

  static boolean isDigit(int b) {
    return b >= '0' && b <= '9';
  }

  private static boolean isAlphanumeric(int b) {
    return isLetter(b) || isDigit(b);
  }

  /** The byte at a place, or 0 behind the end. */
  int at(int i) {
    return i < tokens.length() ? tokens.byteAt(i) : 0;
  }

  /** False if no path begins at a slash, a point or a tilde. */
  boolean mayBePath(int token) {
    int next = at(tokens.start(token) + 1);
    return next == '/' || next == '.' || next == '~' || isAlphanumeric(next);
  }

  /** Reads a path that begins with a slash, a point or a tilde. */
  boolean path(int token) {
    int from = tokens.start(token);
    int i = from;
    while (at(i) == '.' || at(i) == '~') {
      i++;
    }
    return i - from <= 2 && at(i) == '/' && isAlphanumeric(at(i + 1)) && address(from, from);
  }

  /**
   * Reads what begins with a letter or digit and goes on without blank.
   *
   * @return false if it is a word or a number as any other; {@link #end} is how far it was looked
   *     at
   */
  boolean read(int token) {
    int from = tokens.start(token);
    begin(from);
    int i = from;
    while (isLetter(at(i))) {
      i++;
    }
    if (i > from && at(i) == ':' && at(i + 1) == '/' && at(i + 2) == '/') {
      if (isNumeric(i + 3)) {
        // the address of a machine says as much without its scheme
        end = i;
        return false;
      }
      return address(from, i + 3);
    }
    if (i - from == 3 && (at(from) | 0x20) == 'w' && at(i) == '.' && isAlphanumeric(at(i + 1))) {
      return address(from, from);
    }
    if (i - from == 1 && at(i) == ':' && at(i + 1) == '\\') {
      return address(from, from);
    }
    if (i - from == 6 && at(i) == ':' && (at(from) | 0x20) == 'm') {
      // mailto:
      end = i;
      return false;
    }
    return name(from, i - from);
  }

  /** True if a host begins here that is four numbers, with no path behind it. */
  private boolean isNumeric(int from) {
    int i = from;
    int points = 0;
    while (isDigit(at(i)) || (at(i) == '.' && isDigit(at(i + 1)) && i > from)) {
      points += at(i) == '.' ? 1 : 0;
      i++;
    }
    if (at(i) == ':' && isDigit(at(i + 1))) {
      i++;
      while (isDigit(at(i))) {
        i++;
      }
    }
    boolean path = (at(i) == '/' || at(i) == '-') && isAlphanumeric(at(i + 1));
    return points == 3 && !path && !isAlphanumeric(at(i)) && at(i) >= 0;
  }

  /** A path or URL: everything up to a blank or quote but marks of the sentence. */
  private boolean address(int from, int scheme) {
    begin(from);
    int hashed = scheme;
    if ((at(hashed) | 0x20) == 'w' && (at(hashed + 1) | 0x20) == 'w' && at(hashed + 3) == '.') {
      hashed += 4;
    }
    int i = hashed;
    int open = 0;
    for (; i < tokens.length(); i++) {
      int b = at(i);
      if (b >= 0 ? b <= ' ' || "<>\"'`|{}[]".indexOf(b) >= 0 : (b & 0xFF) >= 0xE3) {
        break;
      }
      if (b == ')' && --open < 0) {
        break;
      }
      open += b == '(' ? 1 : 0;
    }
    while (i > hashed && ".,:;!?*_/".indexOf(at(i - 1)) >= 0) {
      i--;
    }
    for (int j = hashed; j < i; j++) {
      put(at(j));
    }
    end = i;
    return i > hashed;
  }

  private boolean name(int from, int prefix) {
    letters = 0;
    digits = 0;
    slashes = 0;
    int sign = -1;
    int lastPoint = -1;
    boolean cut = false;
    int i = from;
    for (; i < tokens.length(); i++) {
      int b = at(i);
      if (isLetter(b)) {
        letters++;
        put(b);
      } else if (isDigit(b)) {
        digits++;
        put(b);
      } else if (b == (byte) 0xE2
          && at(i + 1) == (byte) 0x82
          && (at(i + 2) & 0xF0) == 0x80
          && (at(i + 2) & 0xF) < 10) {
        // Lowered digits of formulas.
        digits++;
        put('0' + (at(i + 2) & 0xF));
        i += 2;
      } else if (wideHyphen(i) > 0 && isAlphanumeric(at(i + wideHyphen(i)))) {
        separate();
        i += wideHyphen(i) - 1;
      } else if (unseen(i) > 0 && isAlphanumeric(at(i + unseen(i)))) {
        i += unseen(i) - 1;
      } else if ("-_./@+".indexOf(b) >= 0 && b != 0 && isAlphanumeric(at(i + 1))) {
        if (b == '/') {
          if (from < noPathBefore && isLetter(at(i + 1))) {
            break;
          }
          slashes++;
          if (!cut && isLetter(at(i + 1))) {
            cut = true;
            cutHere(i);
          }
        }
        sign = b == '@' ? i : sign;
        lastPoint = b == '.' ? i : lastPoint;
        if (sign >= 0 || slashes > 0) {
          put(b);
        } else {
          separate();
        }
      } else {
        break;
      }
    }
    end = i;
    if (sign > from && lastPoint > sign && isLetter(at(lastPoint + 1))) {
      return address(from, i, lastPoint);
    }
    if (at(i) < 0 && isWordByte(i)) {
      return false;
    }
    if (slashes > 0
        && lastPoint > from
        && isLetter(at(lastPoint + 1))
        && i - lastPoint <= 6
        && sign < 0
        && isLetter(at(from))) {
      return true;
    }
    if (cut) {
      // A55/A483 are two names; the second one need not be looked through again.
      noPathBefore = i;
      end = cutEnd;
      fingerprint = cutFingerprint;
      layout = cutLayout;
      letters = cutLetters;
      digits = cutDigits;
    }
    if (digits == 0 || letters == 0) {
      return false;
    }
    return prefix == 0 || prefixed(from, prefix);
  }

  /** The bytes of a hyphen beyond ASCII, which breaks no line or is no minus, or 0. */
  private int wideHyphen(int i) {
    boolean is =
        at(i) == (byte) 0xE2
            && at(i + 1) == (byte) 0x80
            && (at(i + 2) == (byte) 0x90 || at(i + 2) == (byte) 0x91);
    return is ? 3 : 0;
  }

  /** The bytes of a soft hyphen or a blank without width, or 0. */
  private int unseen(int i) {
    if (at(i) == (byte) 0xC2 && at(i + 1) == (byte) 0xAD) {
      return 2;
    }
    boolean is =
        at(i) == (byte) 0xE2
            && ((at(i + 1) == (byte) 0x80 && at(i + 2) >= (byte) 0x8B && at(i + 2) <= (byte) 0x8D)
                || (at(i + 1) == (byte) 0x81 && at(i + 2) == (byte) 0xA0));
    return is ? 3 : 0;
  }

  private void cutHere(int i) {
    cutEnd = i;
    cutFingerprint = fingerprint;
    cutLayout = layout;
    cutLetters = letters;
    cutDigits = digits;
  }

  /** True if a letter beyond ASCII goes on. */
  private boolean isWordByte(int i) {
    int b = at(i) & 0xFF;
    return b >= 0xC3 && b < 0xE1;
  }

  /** An e-mail address, every sign of which counts. */
  private boolean address(int from, int to, int lastPoint) {
    begin(from);
    for (int i = from; i < to; i++) {
      put(at(i));
    }
    end = to;
    return lastPoint > from;
  }

  /** A name that begins with letters and has digits. */
  private boolean prefixed(int from, int prefix) {
    int behind = from + prefix;
    int separator = at(behind);
    if (isDigit(separator)) {
      if (prefix == 1 && (at(from) | 0x20) == 'v' && isNumber(behind, false)) {
        kind = ValueKind.VERSION;
        part = behind;
        return true;
      }
      int quarters = (at(from) | 0x20) == 'q' ? 4 : at(from) == 'H' ? 2 : 0;
      if (prefix == 1
          && separator >= '1'
          && separator <= '0' + quarters
          && !isAlphanumeric(at(behind + 1))) {
        kind = ValueKind.DATE;
        part = separator - '0' + (quarters == 2 ? 4 : 0);
        end = behind + 1;
        return true;
      }
      // m2, cm3: a unit without its number.
      return !(end == behind + 1
              && prefix <= 2
              && (separator == '2' || separator == '3')
              && tokens.isUnitSymbol(from, behind))
          && !tokens.isCurrencySymbol(from, behind);
    }
    int hyphen = separator == '-' ? 1 : wideHyphen(behind);
    // COVID-19 and top-10 are a word and its number; AB-12 is one name.
    return !((separator == '.' && isNumber(behind + 1, true))
        || (hyphen > 0 && prefix >= 3 && isNumber(behind + hyphen, true)));
  }

  /** True if only digits and points follow, or the s of a decade behind them. */
  private boolean isNumber(int from, boolean decade) {
    int i = from;
    while (i < end && (isDigit(at(i)) || (at(i) == '.' && i > from))) {
      i++;
    }
    return i > from && (i == end || (decade && i == end - 1 && at(i) == 's'));
  }

  /** Reads an account number in groups of four: XX02 1111 0000 22. */
  boolean account(int token) {
    int from = tokens.start(token);
    if (!isUpper(at(from))
        || !isUpper(at(from + 1))
        || !isDigit(at(from + 2))
        || !isDigit(at(from + 3))
        || at(from + 4) != ' ') {
      return false;
    }
    begin(from);
    int i = from;
    int groups = 0;
    while (groups < MAX_GROUPS) {
      int length = 0;
      while (length < 5 && (isUpper(at(i + length)) || isDigit(at(i + length)))) {
        length++;
      }
      if (length == 0 || length > 4 || isAlphanumeric(at(i + length)) || at(i + length) < 0) {
        break;
      }
      for (int j = i; j < i + length; j++) {
        put(at(j));
      }
      end = i + length;
      groups++;
      if (length < 4 || at(end) != ' ') {
        break;
      }
      i = end + 1;
    }
    return groups >= 3;
  }

  private static boolean isUpper(int b) {
    return b >= 'A' && b <= 'Z';
  }
}
