package dev.parlance.policy.lexicon;

import java.lang.Character.UnicodeScript;
import java.text.Normalizer;
import java.util.EnumSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What of a term can come before a model's eyes. Stricter than {@link KnownTerms#isSafe}, which is
 * what a block is to be by its convention: here counts what readers and models make of characters.
 */
final class PromptText {
  /** What begins a tag or a token of a chat template: {@code <b}, {@code </s}, {@code <|end}. */
  private static final Pattern TAG =
      Pattern.compile(
          "[<\u02c2\u1438\u2039\u276c\u276e\u27e8\u2329\u3008][\\p{L}/!?|:_%-]|[|/%][>\u203a]");

  /** What a line of the block ends with; in a quotation it would name another speaker. */
  private static final Pattern CREDIT =
      Pattern.compile("\\p{Ps}\\s*by\\b", Pattern.CASE_INSENSITIVE);

  /** Code blocks, placeholders of templates and shells, headings of templates. */
  private static final Pattern FENCE =
      Pattern.compile("`{3}|~{3}|#{3}|\\{\\{|\\}\\}|\\{%|%\\}|[$#]\\{|\\$\\(");

  /** What is another character once somebody has unescaped it. */
  private static final Pattern ENTITY = Pattern.compile("&(?:#\\w{1,8}|[A-Za-z]{2,31}\\d{0,2});");

  /** Addresses without {@code ://}, by what begins them, or a host with more behind it. */
  private static final Pattern ADDRESS =
      Pattern.compile(
          "\\b(?:mailto|javascript|vbscript|data|tel|sms|file|ftp|blob|about):\\S"
              + "|[/\\\\\u2044\u2215\u29f8]{2}\\S"
              + "|\\S@[\\p{L}\\d-]+\\.\\p{L}"
              + "|[\\p{L}\\d]\\.\\p{L}{2,24}(?::\\d+)?[/\u2044\u2215\u29f8]"
              + "|\\d\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}[:/]",
          Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);

  private static final String WEB = "www.";

  /** Signs that are taken for a square bracket or for {@code =}. */
  private static final String SIGNS =
      "\u2045\u2046\u2772\u2773\u27e6\u27e7\u298b\u298c\u298d\u298e\u298f\u2990\u3010\u3011\u3014\u3015"
          + "\u3016\u3017\u3018\u3019\u301a\u301b\u1400\u2550\u30a0\ua78a";

  /** Blanks of one width say nothing; of many they can say anything. */
  private static final Pattern BLANKS = Pattern.compile("[\\p{Zs}&&[^ \u3000]]| {3}");

  private static final String SIMPLE_SIGNS = " .,;'\"!?-_";

  /** Most marks that one letter has. */
  private static final int MAX_MARKS = 3;

  /** Scripts that are written within words of others. */
  private static final Set<UnicodeScript> MIXED =
      EnumSet.of(
          UnicodeScript.COMMON,
          UnicodeScript.INHERITED,
          UnicodeScript.HAN,
          UnicodeScript.HIRAGANA,
          UnicodeScript.KATAKANA,
          UnicodeScript.HANGUL,
          UnicodeScript.BOPOMOFO);

  private PromptText() {}

  /**
   * True for a text that is what it looks like, however it is normalised: no tags, tokens of
   * templates, fences, entities, addresses, foreign credits, signs that look like those of a block,
   * characters without a shape, blanks of several widths, or words of letters of two alphabets.
   */
  static boolean isPlain(String text) {
    return isSimple(text) || isPlainThough(text);
  }

  /** True for a text without any character that one of the checks could object to: most texts. */
  private static boolean isSimple(String text) {
    int length = text.length();
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      boolean simple =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || SIMPLE_SIGNS.indexOf(c) >= 0;
      if (!simple) {
        return false;
      }
    }
    return length > 0
        && text.charAt(0) != ' '
        && text.charAt(length - 1) != ' '
        && !text.contains("   ")
        && !isOfTheWeb(text);
  }

  private static boolean isPlainThough(String text) {
    String normal = Normalizer.normalize(text, Normalizer.Form.NFKC);
    return KnownTerms.isSafe(text)
        && KnownTerms.isSafe(normal)
        && text.codePoints().noneMatch(PromptText::isShapeless)
        && !BLANKS.matcher(text).find()
        && hasNoMarkup(text)
        && hasNoMarkup(normal)
        && areWordsOfOneAlphabet(text)
        && areMarksFew(text);
  }

  private static boolean hasNoMarkup(String text) {
    return !TAG.matcher(text).find()
        && !CREDIT.matcher(text).find()
        && !FENCE.matcher(text).find()
        && !ENTITY.matcher(text).find()
        && !ADDRESS.matcher(text).find()
        && !isOfTheWeb(text)
        && text.chars().noneMatch(c -> SIGNS.indexOf(c) >= 0);
  }

  private static boolean isOfTheWeb(String text) {
    for (int at = text.indexOf('.'); at >= 0; at = text.indexOf('.', at + 1)) {
      if (text.regionMatches(true, at + 1 - WEB.length(), WEB, 0, WEB.length())) {
        return true;
      }
    }
    return false;
  }

  /** True for what leaves no trace on paper, and can carry a hidden text. */
  private static boolean isShapeless(int c) {
    return c == 0x034f // combining grapheme joiner
        || c == 0x115f
        || c == 0x1160 // Hangul fillers
        || c == 0x17b4
        || c == 0x17b5 // Khmer inherent vowels
        || (c >= 0x180b && c <= 0x180f) // Mongolian variation selectors
        || c == 0x2800 // blank Braille
        || c == 0x3164
        || (c >= 0xfe00 && c <= 0xfe0f) // variation selectors
        || c == 0xffa0
        || c == 0xfffc
        || c == 0xfffd // replacements
        || (c >= 0xe0000 && c <= 0xe0fff); // tags and more variation selectors
  }

  private static boolean areWordsOfOneAlphabet(String text) {
    Set<UnicodeScript> word = EnumSet.noneOf(UnicodeScript.class);
    int at = 0;
    while (at < text.length()) {
      int c = text.codePointAt(at);
      at += Character.charCount(c);
      if (!Character.isLetter(c)) {
        if (Character.getType(c) != Character.NON_SPACING_MARK) {
          word.clear();
        }
        continue;
      }
      UnicodeScript script = UnicodeScript.of(c);
      if (!MIXED.contains(script)) {
        word.add(script);
      }
      if (word.size() > 1) {
        return false;
      }
    }
    return true;
  }

  private static boolean areMarksFew(String text) {
    int marks = 0;
    for (int c : text.codePoints().toArray()) {
      int type = Character.getType(c);
      boolean mark = type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK;
      marks = mark ? marks + 1 : 0;
      if (marks > MAX_MARKS) {
        return false;
      }
    }
    return true;
  }
}
