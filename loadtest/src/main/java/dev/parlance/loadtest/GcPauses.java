package dev.parlance.loadtest;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Pauses of the garbage collector as {@code -Xlog:gc} writes them.
 *
 * @param sortedMs each pause in milliseconds, shortest first
 */
record GcPauses(List<Double> sortedMs) {
  private static final Pattern PAUSE =
      Pattern.compile("GC\\([0-9]+\\) Pause .* ([0-9]+(?:\\.[0-9]+)?)ms$");

  GcPauses {
    sortedMs = sortedMs.stream().sorted().toList();
  }

  /** Those in the lines of a log. */
  static GcPauses of(List<String> lines) {
    return new GcPauses(
        lines.stream()
            .map(PAUSE::matcher)
            .filter(Matcher::find)
            .map(found -> Double.valueOf(found.group(1)))
            .toList());
  }

  /** The least pause that so many of 100 do not exceed; 0 if there was none. */
  double percentile(double percent) {
    if (sortedMs.isEmpty()) {
      return 0;
    }
    int rank = (int) Math.ceil(percent / 100 * sortedMs.size());
    return sortedMs.get(Math.max(0, Math.min(sortedMs.size(), rank) - 1));
  }

  /** For people. */
  String label() {
    return String.format(
        Locale.ROOT,
        "%d pauses, p50 %.2f ms, p99.9 %.2f ms, max %.2f ms",
        sortedMs.size(),
        percentile(50),
        percentile(99.9),
        percentile(100));
  }
}
