package dev.parlance.cli.offline;

import dev.parlance.policy.core.CertificationParams;
import dev.parlance.policy.core.SampleSize;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/**
 * How large an audit has to be.
 *
 * @param trueRate true contradiction rate of a term, in [0,1]
 * @param probability probability with which it shall be certified
 * @param comparisons eligible comparisons that takes; {@link SampleSize#MAX}: that many or never
 */
record PowerRow(double trueRate, double probability, int comparisons) {
  private static final List<Double> PROBABILITIES = List.of(0.8, 0.9, 0.95);

  static List<PowerRow> of(double trueRate, CertificationParams params) {
    List<PowerRow> rows = new ArrayList<>();
    for (double probability : PROBABILITIES) {
      rows.add(
          new PowerRow(trueRate, probability, SampleSize.forPower(trueRate, probability, params)));
    }
    return rows;
  }

  /** For people, a line each. */
  static void print(PrintStream out, List<PowerRow> rows) {
    if (!rows.isEmpty()) {
      out.println();
    }
    rows.forEach(row -> out.println(row.text()));
  }

  private String text() {
    return comparisons >= SampleSize.MAX
        ? "A term whose true rate is "
            + trueRate
            + " cannot be certified with probability "
            + probability
            + " within "
            + SampleSize.MAX
            + " comparisons."
        : "A term whose true rate is "
            + trueRate
            + " is certified with probability "
            + probability
            + " by "
            + comparisons
            + " eligible comparisons.";
  }
}
