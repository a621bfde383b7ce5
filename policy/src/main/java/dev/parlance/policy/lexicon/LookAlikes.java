package dev.parlance.policy.lexicon;

import dev.parlance.policy.text.Confusables;
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
    StringBuilder plain = new StringBuilder(Confusables.looks(key));
    for (int i = 0; i < plain.length(); i++) {
      int digit = DIGITS.indexOf(plain.charAt(i));
      if (digit >= 0 && digit % 2 == 0) {
        plain.setCharAt(i, DIGITS.charAt(digit + 1));
      }
    }
    return plain.toString();
  }
}
