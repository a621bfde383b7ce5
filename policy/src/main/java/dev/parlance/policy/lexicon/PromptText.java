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
  private static final Pattern TAG = Pattern.compile("<[\\p{L}/!?|:_-]|[|/]>");

  /** What a line of the block ends with; in a quotation it would name another speaker. */
  private static final Pattern CREDIT = Pattern.compile("\\(\\s*by\\s", Pattern.CASE_INSENSITIVE);

  private static final Pattern FENCE = Pattern.compile("`{3}|~{3}|\\{\\{|\\}\\}|\\{%|%\\}");

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
   * templates, fences, foreign credits, characters without a shape, or words of letters of two
   * alphabets.
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
    return length > 0 && text.charAt(0) != ' ' && text.charAt(length - 1) != ' ';
  }

  private static boolean isPlainThough(String text) {
    String normal = Normalizer.normalize(text, Normalizer.Form.NFKC);
    return KnownTerms.isSafe(text)
        && KnownTerms.isSafe(normal)
        && text.codePoints().noneMatch(PromptText::isShapeless)
        && hasNoMarkup(text)
        && hasNoMarkup(normal)
        && areWordsOfOneAlphabet(text)
        && areMarksFew(text);
  }

  private static boolean hasNoMarkup(String text) {
    return !TAG.matcher(text).find() && !CREDIT.matcher(text).find() && !FENCE.matcher(text).find();
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
