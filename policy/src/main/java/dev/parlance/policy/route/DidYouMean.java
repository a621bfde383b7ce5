package dev.parlance.policy.route;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;

/** Finds the name that was probably meant. */
final class DidYouMean {
  private static final int LONGEST_NAME = 64;

  private DidYouMean() {}

  /** {@code ", did you mean X?"} for the nearest name if it is near, else how to see them all. */
  static String hint(String name, Collection<String> known) {
    if (name.length() > LONGEST_NAME) {
      return "";
    }
    String wanted = plain(name);
    return known.stream()
        .min(Comparator.comparingInt(candidate -> distance(wanted, plain(candidate))))
        .filter(best -> distance(wanted, plain(best)) <= 1 + wanted.length() / 4)
        .map(best -> ", did you mean " + best + "?")
        .orElse(", known are " + String.join(", ", known));
  }

  /** Spelling habits (case, snake, kebab) are no difference. */
  private static String plain(String name) {
    return name.toLowerCase(Locale.ROOT).replace("_", "").replace("-", "");
  }

  /** Levenshtein distance: inserted, dropped or replaced characters. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
