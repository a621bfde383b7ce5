package dev.parlance.policy.commit;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A text in English as {@link WordingComparer} looks at it: its words of open classes, where each
 * stands in its clause, its numbers, and the signs of its closed words ({@link ClosedPhrases}).
 *
 * @param words of open classes, in the order of the text
 * @param denials what each denial denies: words behind it in its clause, as places in {@code words}
 * @param numbers in the order of the text
 * @param signs how often each stands there
 * @param isEnglish true if enough of its words are closed words of English
 */
record Wording(
    List<Word> words,
    List<List<Integer>> denials,
    List<Numeral> numbers,
    Map<Wording.Sign, Integer> signs,
    boolean isEnglish) {
  /** Most words that are read of a text. */
  static final int MAX_WORDS = 800;

  private static final Pattern TOKEN =
      Pattern.compile(
          "\\p{L}+(?:['\u2019]\\p{L}+)?|\\d+(?:st|nd|rd|th)\\b|\\d+(?:[.,:]\\d+)*|[%\u2030\u20AC$\u00A3]|-(?=\\d)|[.;!?](?=\\s|$)|[,:()\u2013\u2014]");
  private static final Pattern THOUSANDS = Pattern.compile("\\d{1,3}(?:,\\d{3})+");
  private static final Map<String, String> SYMBOLS =
      Map.of(
          "%",
          "percent",
          "\u2030",
          "permille",
          "\u20AC",
          "euros",
          "$",
          "dollars",
          "\u00A3",
          "pounds",
          "-",
          "minus");
  private static final Set<String> BEFORE_MONTH =
      Set.of("in", "on", "of", "since", "until", "by", "before", "after", "from", "last", "next");

  private static final int MAX_FRAMING = 9;
  private static final Set<String> FRAMING =
      Set.of(
          ("it is the a an this our my their i we looking look at according to as per under based"
               + " on in view of given from reading read text document record records rules rule"
               + " agreement contract source sources section terms passage report evidence material"
               + " review states state says say said makes make clear provides provide shows show"
               + " indicates indicate notes note confirms confirm concludes conclude conclusion"
               + " means mean true correct fact case plain obvious evident analysis assessment"
               + " judgement judgment answer verdict claim supported refuted reason finding think"
               + " believe find findings found")
              .split(" ", -1));

  /** What a closed word or mark is. */
  enum Sign {
    WORD,
    MUST,
    SHOULD,
    MAY,
    CAN,
    MIGHT,
    NOT,
    /** A denial that goes with a noun, and so denies its whole clause. */
    NO,
    ALL,
    SOME,
    MOST,
    FEW,
    ONLY,
    ATLEAST,
    ATMOST,
    MORE,
    LESS,
    WITHIN,
    OUTSIDE,
    BEFORE,
    AFTER,
    UNTIL,
    SINCE,
    BECAUSE,
    THOUGH,
    IF,
    BUT,
    THAN,
    BY,
    TO,
    FROM,
    ON,
    OFF,
    UP,
    DOWN,
    AGAINST,
    FOR,
    EXCEPT,
    PREP,
    BE,
    AUX,
    DET,
    REL,
    PRON,
    BREAK
  }

  /** Which side of its verb a word is on. */
  enum Side {
    DOER,
    VERB,
    OBJECT,
    /** Behind a preposition. */
    ADJUNCT
  }

  /**
   * A word of an open class.
   *
   * @param text in small letters
   * @param stem of it, the same for its regular forms
   * @param clause number of its clause
   * @param opener what opens its clause, {@link Sign#BREAK} for a main one
   * @param preposition before it, {@link Sign#WORD} for none
   * @param side of its verb
   */
  record Word(String text, String stem, int clause, Sign opener, Sign preposition, Side side) {}

  int count(Sign sign) {
    return signs.getOrDefault(sign, 0);
  }

  /**
   * A number.
   *
   * @param digits of it, without separators of thousands; "next" and "last" count as ordinals and
   *     have a 0 in front
   * @param unit the stem of its unit of measure, empty without one
   * @param at number of words before it
   */
  record Numeral(String digits, String unit, int at) {
    /** As it is shown. */
    String shown() {
      boolean ordinal =
          digits.startsWith("0") && digits.length() > 1 && Character.isLetter(digits.charAt(1));
      return (ordinal ? digits.substring(1) : digits) + (unit.isEmpty() ? "" : " " + unit);
    }
  }

  /** Reads a text; what stands behind {@link #MAX_WORDS} words is not read. */
  static Wording of(String text) {
    return new WordingReader().read(withoutFraming(tokens(text)));
  }

  private static List<String> tokens(String text) {
    List<String> words = new ArrayList<>();
    Matcher matcher = TOKEN.matcher(text);
    while (words.size() < MAX_WORDS && matcher.find()) {
      String token = matcher.group().replace('\u2019', '\'');
      String word = token.toLowerCase(Locale.ROOT);
      if (token.equals("May") && isMonth(words, text, matcher.end())) {
        word = "maymonth";
      }
      if (word.endsWith("n't")) {
        String stem = word.substring(0, word.length() - 3);
        words.add(
            stem.equals("ca")
                ? "can"
                : stem.equals("wo") ? "will" : stem.equals("sha") ? "shall" : stem);
        word = "not";
      } else if (word.equals("cannot")) {
        words.add("can");
        word = "not";
      } else if (word.indexOf('\'') > 0) {
        word = word.substring(0, word.indexOf('\''));
      } else if (THOUSANDS.matcher(word).matches()) {
        word = word.replace(",", "");
      }
      words.add(SYMBOLS.getOrDefault(word, word));
    }
    return words;
  }

  /** "The text states that ...", "According to the rules, ...": who says so is no part of it. */
  private static List<String> withoutFraming(List<String> words) {
    for (int i = 0; i < Math.min(words.size() - 1, MAX_FRAMING); i++) {
      String word = words.get(i);
      if (word.equals("that") || word.equals(":") || word.equals(",")) {
        return i == 0 ? words : words.subList(i + 1, words.size());
      }
      if (!FRAMING.contains(word)) {
        return words;
      }
    }
    return words;
  }

  private static boolean isMonth(List<String> before, String text, int end) {
    String last = before.isEmpty() ? "" : before.getLast();
    int next = end;
    while (next < text.length() && text.charAt(next) == ' ') {
      next++;
    }
    return BEFORE_MONTH.contains(last)
        || (!last.isEmpty() && Character.isDigit(last.charAt(0)))
        || (next < text.length() && Character.isDigit(text.charAt(next)));
  }
}
