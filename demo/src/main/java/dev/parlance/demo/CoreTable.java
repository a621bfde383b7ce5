package dev.parlance.demo;

import dev.parlance.proto.v1.TermResult;
import java.util.List;
import java.util.Locale;

/**
 * Draws what an audit found: a line per term, with a bar of which each character stands for one
 * percent.
 *
 * <pre>
 * ###   contradictions observed
 * ---   up to where the true rate may lie at the confidence asked for
 * |     the largest rate that is tolerated
 * </pre>
 */
final class CoreTable {
  private static final int BAR_CHARS = 24;
  private static final double PERCENT = 100.0;

  private CoreTable() {}

  static String head() {
    return String.format(
        Locale.ROOT,
        "  %-16s %-14s %-" + BAR_CHARS + "s %8s  %s",
        "term",
        "contradictions",
        "0 %",
        "at most",
        "decision");
  }

  static String row(TermResult result, double tau) {
    double rate =
        result.getEligible() == 0 ? 0 : (double) result.getContradictions() / result.getEligible();
    return String.format(
        Locale.ROOT,
        "  %-16s %6d of %-4d %-" + BAR_CHARS + "s %6.1f %%  %s",
        result.getTerm(),
        result.getContradictions(),
        result.getEligible(),
        bar(rate, result.getUpper(), tau),
        PERCENT * result.getUpper(),
        decision(result));
  }

  static String decision(TermResult result) {
    return result.getReason().isEmpty()
        ? result.getOutcome()
        : result.getOutcome() + ": " + result.getReason();
  }

  /** The bar; what does not fit is cut off. */
  static String bar(double rate, double upper, double tau) {
    StringBuilder bar = new StringBuilder();
    int mark = (int) Math.round(PERCENT * tau);
    for (int i = 0; i < BAR_CHARS; i++) {
      double percent = i + 0.5;
      bar.append(
          i == mark ? '|' : percent < PERCENT * rate ? '#' : percent < PERCENT * upper ? '-' : ' ');
    }
    return bar.toString();
  }

  /** True for outcomes after which the term is in the core. */
  static boolean isCertified(TermResult result) {
    return List.of("certified", "kept", "restored").contains(result.getOutcome());
  }
}
