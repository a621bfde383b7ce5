package dev.parlance.policy.claim;

import dev.parlance.policy.text.Confusables;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.text.Normalizer;

/**
 * The table of code points: what each one is to a text, and the letters it stands for when spelling
 * does not matter.
 *
 * <p>An entry is a number: the class in its lowest byte, then up to three code points (21, 21 and
 * 14 bits, 0 for none). Letters are lower-cased and decomposed for compatibility (full width,
 * ligatures). Beyond that one spelling stands for all that a language uses side by side:
 *
 * <table>
 * <caption>Spellings</caption>
 * <tr><td>Latin</td><td>ß is ss, ä ö ü are ae oe ue, æ œ ø too; accents are dropped, but not the
 * horn, hook and dot below of Vietnamese; small capitals are small letters</td></tr>
 * <tr><td>Greek</td><td>accents are dropped, final sigma is sigma</td></tr>
 * <tr><td>Cyrillic</td><td>ё is е, stress marks are dropped, й stays</td></tr>
 * <tr><td>Arabic</td><td>vowel signs and tatweel are dropped, alef forms are alef, ى and ی are ي, ک
 * is ك, ة is ه</td></tr>
 * <tr><td>Hebrew</td><td>points are dropped</td></tr>
 * <tr><td>Han</td><td>{@link HanVariants}</td></tr>
 * <tr><td>digits</td><td>of every script are ASCII digits; superscripts and circled ones are
 * not</td></tr>
 * </table>
 *
 * <p>Pages of 256 entries are built when first used. A page depends on nothing but its number, so
 * that it does not matter who builds it.
 */
public final class Folding {
  /** Separates units. */
  static final int SEPARATOR = 0;

  static final int LETTER = 1;
  static final int DIGIT = 2;

  /** Belongs to the word it stands in, and begins none. */
  static final int MARK = 3;

  /** As if it were not there. */
  public static final int IGNORED = 4;

  /** A combining mark that is dropped, or makes another letter of the one before. */
  public static final int ACCENT = 5;

  /** Han, kana and bopomofo. */
  public static final int HAN = 6;

  /** Begins a syllable of Thai, Lao, Khmer or Myanmar. */
  static final int SYLLABLE = 7;

  /** A vowel that such a syllable begins with: the next consonant belongs to it. */
  static final int LEADING_VOWEL = 8;

  /** Goes on with such a syllable. */
  static final int SYLLABLE_MARK = 9;

  static final int HANGUL = 10;
  static final int SYMBOL = 11;
  static final int APOSTROPHE = 12;
  static final int HYPHEN = 13;

  /** Raised or lowered digit; the code point is the plain one. */
  public static final int RAISED = 14;

  /** Stands for several code points, each with an entry of its own. */
  public static final int SEVERAL = 15;

  private static final int PAGE = 256;
  private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(long[][].class);
  private static final long[][] PAGES = new long[(Character.MAX_CODE_POINT + 1) / PAGE][];

  /** For each ASCII character its lower case if it is a letter or digit, else 0. */
  static final byte[] ASCII_LOWER = new byte[128];

  /** For each ASCII character whether it separates words and nothing else. */
  static final boolean[] ASCII_PLAIN = new boolean[128];

  static {
    for (char c = 0; c < 128; c++) {
      ASCII_LOWER[c] = (byte) (Character.isLetterOrDigit(c) ? Character.toLowerCase(c) : 0);
      ASCII_PLAIN[c] = kindOf(c) == SEPARATOR && "<&*=\\".indexOf(c) < 0;
    }
  }

  private Folding() {}

  /** The entry of a code point. */
  public static long of(int codePoint) {
    long[] page = (long[]) ELEMENT.getAcquire(PAGES, codePoint / PAGE);
    if (page == null) {
      page = new long[PAGE];
      for (int i = 0; i < PAGE; i++) {
        page[i] = entry(codePoint / PAGE * PAGE + i);
      }
      ELEMENT.setRelease(PAGES, codePoint / PAGE, page);
    }
    return page[codePoint % PAGE];
  }

  public static int kind(long entry) {
    return (int) entry & 0xFF;
  }

  public static int first(long entry) {
    return (int) (entry >>> 8) & 0x1FFFFF;
  }

  public static int second(long entry) {
    return (int) (entry >>> 29) & 0x1FFFFF;
  }

  public static int third(long entry) {
    return (int) (entry >>> 50);
  }

  /** What an accent leaves behind a lower-case letter: e of ae, oe, ue, the breve of й; or 0. */
  public static int afterAccent(int letter, int accent) {
    if (accent == 0x308) {
      return letter == 'a' || letter == 'o' || letter == 'u' ? 'e' : 0;
    }
    return accent == 0x306 && (letter == 0x438 || letter == 0x443) ? accent : 0;
  }

  private static long entry(int codePoint) {
    String special = special(codePoint);
    if (special != null) {
      return several(special);
    }
    int type = Character.getType(codePoint);
    if (type == Character.SURROGATE || type == Character.UNASSIGNED || codePoint == 0xFFFD) {
      return SEPARATOR;
    }
    if (isRaised(codePoint)) {
      return of(
          RAISED,
          Normalizer.normalize(Character.toString(codePoint), Normalizer.Form.NFKD).codePointAt(0));
    }
    String plain = decomposed(codePoint, type);
    if (plain.codePointCount(0, plain.length()) == 1) {
      return single(plain.codePointAt(0));
    }
    return several(withoutAccents(plain));
  }

  private static String decomposed(int codePoint, int type) {
    String self = Character.toString(codePoint);
    // Syllables stay whole, and what is a symbol by itself (a fraction, a circled number) stays
    // one.
    if (type == Character.OTHER_NUMBER || (codePoint >= 0xAC00 && codePoint <= 0xD7A3)) {
      return self;
    }
    String plain = Normalizer.normalize(self, Normalizer.Form.NFKD);
    // Spacing accents and old ligatures of whole phrases decompose to a blank and more.
    return plain.indexOf(' ') >= 0 || plain.codePointCount(0, plain.length()) > 4 ? self : plain;
  }

  private static String withoutAccents(String plain) {
    StringBuilder kept = new StringBuilder();
    int before = 0;
    for (int i = 0; i < plain.length(); ) {
      int codePoint = plain.codePointAt(i);
      i += Character.charCount(codePoint);
      if (kind(single(codePoint)) == ACCENT) {
        int added = afterAccent(Character.toLowerCase(before), codePoint);
        if (added != 0) {
          kept.appendCodePoint(added);
        }
      } else {
        kept.appendCodePoint(codePoint);
        before = codePoint;
      }
    }
    return kept.toString();
  }

  private static long several(String text) {
    int[] all = text.codePoints().toArray();
    if (all.length == 1) {
      return single(all[0]);
    }
    if (all.length == 0) {
      return IGNORED;
    }
    if (all.length > 3 || (all.length == 3 && all[2] >= 1 << 14)) {
      return of(LETTER, all[0]);
    }
    long entry = of(SEVERAL, all[0]) | (long) all[1] << 29;
    return all.length == 3 ? entry | (long) all[2] << 50 : entry;
  }

  private static long of(int kind, int codePoint) {
    return kind | (long) codePoint << 8;
  }

  /** The entry of a code point that decomposes no further. */
  private static long single(int codePoint) {
    String special = special(codePoint);
    if (special != null && special.length() == 1 && special.charAt(0) != codePoint) {
      return single(special.charAt(0));
    }
    int kind = kindOf(codePoint);
    if (kind == DIGIT) {
      return of(DIGIT, '0' + Character.digit(codePoint, 10));
    }
    return of(kind, kind == HAN ? HanVariants.of(codePoint) : Character.toLowerCase(codePoint));
  }

  private static int kindOf(int c) {
    if (c == '\''
        || c == 0x2019
        || c == 0x2018
        || c == 0x2BC
        || c == 0xB4
        || c == 0x201B
        || c == 0xA78C) {
      return APOSTROPHE;
    }
    if (c == '-' || c == 0x2010 || c == 0x2011) {
      return HYPHEN;
    }
    if (c == 0x640) {
      return IGNORED;
    }
    int type = Character.getType(c);
    return switch (type) {
      case Character.FORMAT -> IGNORED;
      case Character.DECIMAL_DIGIT_NUMBER -> DIGIT;
      case Character.UPPERCASE_LETTER,
          Character.LOWERCASE_LETTER,
          Character.TITLECASE_LETTER,
          Character.MODIFIER_LETTER,
          Character.OTHER_LETTER,
          Character.LETTER_NUMBER ->
          letterKind(c);
      case Character.NON_SPACING_MARK, Character.COMBINING_SPACING_MARK, Character.ENCLOSING_MARK ->
          markKind(c);
      case Character.CURRENCY_SYMBOL, Character.OTHER_SYMBOL, Character.OTHER_NUMBER -> SYMBOL;
      case Character.MATH_SYMBOL -> c == '|' || c == '~' ? SEPARATOR : SYMBOL;
      default -> c == '%' || c == 0x2030 || c == '&' || c == '@' || c == 0xA7 ? SYMBOL : SEPARATOR;
    };
  }

  private static int letterKind(int c) {
    return switch (Character.UnicodeScript.of(c)) {
      case HAN, HIRAGANA, KATAKANA, BOPOMOFO -> HAN;
      case HANGUL -> HANGUL;
      case THAI ->
          c >= 0xE40 && c <= 0xE44
              ? LEADING_VOWEL
              : (c >= 0xE2F && c < 0xE40) || c > 0xE44 ? SYLLABLE_MARK : SYLLABLE;
      case LAO ->
          c >= 0xEC0 && c <= 0xEC4
              ? LEADING_VOWEL
              : (c >= 0xEAF && c <= 0xEBD) || c == 0xEC6 ? SYLLABLE_MARK : SYLLABLE;
      case KHMER, MYANMAR, TAI_LE, NEW_TAI_LUE, TAI_THAM, TAI_VIET -> SYLLABLE;
      // The prolonged sound mark and the like are common to both kana.
      case COMMON -> (c >= 0x3000 && c <= 0x30FF) || c == 0xFF70 ? HAN : LETTER;
      default -> LETTER;
    };
  }

  private static int markKind(int c) {
    if ((c >= 0xFE00 && c <= 0xFE0F) || (c >= 0xE0100 && c <= 0xE01EF)) {
      return IGNORED;
    }
    if (c == 0x31B || c == 0x309 || c == 0x323) {
      return MARK;
    }
    return switch (Character.UnicodeScript.of(c)) {
      case THAI, LAO, KHMER, MYANMAR, TAI_LE, NEW_TAI_LUE, TAI_THAM, TAI_VIET -> SYLLABLE_MARK;
      case ARABIC, HEBREW, SYRIAC -> IGNORED;
      case INHERITED ->
          c >= 0x64B && c <= 0x670 ? IGNORED : c == 0x3099 || c == 0x309A ? MARK : ACCENT;
      default -> MARK;
    };
  }

  private static boolean isRaised(int c) {
    return c == 0xB2
        || c == 0xB3
        || c == 0xB9
        || c == 0x2070
        || (c >= 0x2074 && c <= 0x2079)
        || (c >= 0x2080 && c <= 0x2089);
  }

  /** Letters whose usual other spelling no decomposition gives. */
  private static @org.jspecify.annotations.Nullable String special(int c) {
    return switch (c) {
      case 0xDF, 0x1E9E -> "ss";
      case 0xE6, 0xC6 -> "ae";
      case 0x153, 0x152, 0xF8, 0xD8 -> "oe";
      case 0xFE, 0xDE -> "th";
      case 0xF0, 0xD0, 0x111, 0x110 -> "d";
      case 0x142, 0x141 -> "l";
      case 0x131 -> "i";
      case 0x3C2 -> "\u03c3";
      case 0x6A9 -> "\u0643";
      case 0x6CC, 0x649 -> "\u064a";
      case 0x629, 0x6C0 -> "\u0647";
      case 0x671 -> "\u0627";
      case 0x2122, 0xAE, 0xA9, 0x2120 -> "";
      default -> {
        if (isSmallCapital(c) && Confusables.plain(c) != c) {
          yield Character.toString(Confusables.plain(c));
        }
        yield null;
      }
    };
  }

  /** True of small capitals, and of other letters of phonetics. */
  private static boolean isSmallCapital(int c) {
    return (c >= 0x250 && c < 0x2B0) || (c >= 0x1D00 && c < 0x1D26) || c == 0xA731;
  }
}
