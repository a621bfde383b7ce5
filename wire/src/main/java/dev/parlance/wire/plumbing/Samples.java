package dev.parlance.wire.plumbing;

import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.Utf8;
import java.util.Optional;
import java.util.Set;

/**
 * The text format of Prometheus and OpenMetrics, as far as it leaves room for words: lines are
 * samples with a number, or say what a metric is.
 *
 * <pre>
 *   # HELP name text      text is bounded      name{labels} number ...     labels are bounded
 *   # TYPE name type      and UNIT, EOF        # anything else             bounded in all
 * </pre>
 */
final class Samples {
  /** Go's runtime has texts of some 220 characters. */
  private static final int MAX_HELP = 320;

  private static final int MAX_LABELS = 1024;
  private static final int MAX_TAIL = 256;
  private static final Set<String> NOT_FINITE = Set.of("NaN", "+Inf", "-Inf");

  private Samples() {}

  /**
   * Why a body is not of this format; empty if it is.
   *
   * @param comments most characters of comments that describe no metric
   */
  static Optional<String> fault(PlainBody body, int comments) {
    if (Utf8.problem(body.array(), body.length()).isPresent()) {
      return Optional.of(Shape.TYPE);
    }
    int left = comments;
    for (String line : body.text().toString().split("\r?\n", -1)) {
      if (line.startsWith("# HELP ")) {
        if (line.length() > MAX_HELP) {
          return Optional.of(Shape.WORDS);
        }
      } else if (line.startsWith("# TYPE ") || line.startsWith("# UNIT ")) {
        if (line.indexOf(' ', line.indexOf(' ', "# TYPE ".length()) + 1) >= 0) {
          return Optional.of(Shape.WORDS);
        }
      } else if (line.startsWith("#")) {
        left -= line.length();
        if (left < 0) {
          return Optional.of(Shape.WORDS);
        }
      } else if (!line.isBlank() && !isSample(line)) {
        return Optional.of(Shape.TYPE);
      }
    }
    return Optional.empty();
  }

  private static boolean isSample(String line) {
    int end = nameEnd(line);
    boolean labelled = end < line.length() && line.charAt(end) == '{';
    int value = labelled ? line.indexOf('}', end) + 1 : end;
    // A brace may stand in a value of a label; what follows the last one decides.
    while (labelled && value > 0 && !isNumber(line, value)) {
      value = line.indexOf('}', value) + 1;
    }
    return value > 0
        && (end > 0 || labelled)
        && value - end <= MAX_LABELS
        && line.length() - value <= MAX_TAIL
        && isNumber(line, value);
  }

  private static int nameEnd(String line) {
    int at = 0;
    while (at < line.length() && isNamePart(line.charAt(at))) {
      at++;
    }
    return at;
  }

  private static boolean isNamePart(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '_'
        || c == ':';
  }

  /** A number behind blanks, up to a blank or the end. */
  private static boolean isNumber(String line, int from) {
    int start = from;
    while (start < line.length() && (line.charAt(start) == ' ' || line.charAt(start) == '\t')) {
      start++;
    }
    int end = start;
    while (end < line.length() && line.charAt(end) != ' ' && line.charAt(end) != '\t') {
      end++;
    }
    String number = line.substring(start, end);
    return start > from
        && !number.isEmpty()
        && (NOT_FINITE.contains(number)
            || number.chars().allMatch(c -> "0123456789+-.eE".indexOf(c) >= 0));
  }
}
