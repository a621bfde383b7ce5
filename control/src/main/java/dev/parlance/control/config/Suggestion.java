package dev.parlance.control.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** The known name that somebody probably meant. */
final class Suggestion {
  private static final int LONGEST = 64;

  private Suggestion() {}

  /** The nearest known name, if at most a third of its letters are wrong, never more than three. */
  static Optional<String> of(String given, Collection<String> known) {
    if (given.length() > LONGEST) {
      return Optional.empty();
    }
    String lower = given.toLowerCase(Locale.ROOT);
    return known.stream()
        .min(
            Comparator.<String>comparingInt(name -> edits(lower, name.toLowerCase(Locale.ROOT)))
                .thenComparing(Comparator.naturalOrder()))
        .filter(name ->
            edits(lower, name.toLowerCase(Locale.ROOT))
                <= Math.clamp(Math.max(name.length(), given.length()) / 3, 1, 3));
  }

  /** Levenshtein distance, one row at a time. */
  private static int edits(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(change, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[b.length()];
  }
}
