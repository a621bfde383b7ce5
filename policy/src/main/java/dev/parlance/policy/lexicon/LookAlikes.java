package dev.parlance.policy.lexicon;

import dev.parlance.policy.text.Confusables;
import java.text.Normalizer;
import java.util.function.Predicate;

/**
 * Keys that are read as another: letters of one alphabet that look like those of another, letters
 * with marks, digits in the place of letters. Covers what a reader takes for ASCII at a glance; it
 * is no table of all confusable characters.
 */
final class LookAlikes {
  /** Each digit, then the letter that it is taken for. */
  private static final String DIGITS = "0o3e4a5s7t8b";

  private LookAlikes() {}

  /** True if this key, or one that it is read as, passes. */
  static boolean anyOf(String key, Predicate<String> test) {
    if (test.test(key)) {
      return true;
    }
    String plain = plain(key);
    String joined = plain.replace("rn", "m").replace("vv", "w");
    return test.test(plain.replace('1', 'l'))
        || test.test(plain.replace('1', 'i'))
        || (!joined.equals(plain) && test.test(joined));
  }

  private static String plain(String key) {
    StringBuilder plain = new StringBuilder(key.length());
    String apart = Normalizer.normalize(key, Normalizer.Form.NFKD);
    for (int i = 0; i < apart.length(); i++) {
      char c = apart.charAt(i);
      if (Character.getType(c) == Character.NON_SPACING_MARK) {
        continue;
      }
      int digit = DIGITS.indexOf(c);
      plain.append(
          digit >= 0 && digit % 2 == 0 ? DIGITS.charAt(digit + 1) : (char) Confusables.plain(c));
    }
    return plain.toString();
  }
}
