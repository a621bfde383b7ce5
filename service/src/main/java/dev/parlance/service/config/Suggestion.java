package dev.parlance.service.config;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** The known name that somebody probably meant. */
public final class Suggestion {
  private Suggestion() {}

  /**
   * The nearest of the known names, if it is near: at most a third of its letters wrong, and never
   * more than three.
   */
  public static Optional<String> of(String given, Collection<String> known) {
    if (given.length() > 64) {
      return Optional.empty();
    }
    String best = "";
    int bestDistance = Integer.MAX_VALUE;
    for (String candidate : known) {
      int distance = distance(given.toLowerCase(Locale.ROOT), candidate.toLowerCase(Locale.ROOT));
      if (distance < bestDistance || (distance == bestDistance && candidate.compareTo(best) < 0)) {
        best = candidate;
        bestDistance = distance;
      }
    }
    int allowed = Math.min(3, Math.max(1, Math.max(best.length(), given.length()) / 3));
    return bestDistance <= allowed ? Optional.of(best) : Optional.empty();
  }

  /** The sentence to put behind a message, or nothing. */
  public static String sentence(String given, Collection<String> known) {
    return of(given, known).map(name -> "; did you mean \"" + name + "\"?").orElse("");
  }

  /** Insertions, deletions, substitutions and swaps of neighbours, one each. */
  private static int distance(String a, String b) {
    int[][] rows = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      rows[i][0] = i;
    }
    for (int j = 0; j <= b.length(); j++) {
      rows[0][j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      for (int j = 1; j <= b.length(); j++) {
        int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        int least =
            Math.min(rows[i - 1][j - 1] + change, Math.min(rows[i - 1][j], rows[i][j - 1]) + 1);
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          least = Math.min(least, rows[i - 2][j - 2] + 1);
        }
        rows[i][j] = least;
      }
    }
    return rows[a.length()][b.length()];
  }
}
