package dev.parlance.cli.simulate;

import dev.parlance.cli.Colours;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.TextTable;
import dev.parlance.cli.offline.TableText;
import dev.parlance.policy.commit.Outcome.AbortReason;
import dev.parlance.policy.commit.RoundState.RoundRefusal;
import dev.parlance.sim.finality.AdversaryRow;
import dev.parlance.sim.finality.Diagnostic;
import dev.parlance.sim.finality.DiagnosticRow;
import dev.parlance.sim.finality.FinalityResult;
import dev.parlance.sim.finality.FinalitySimulation;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;

/** The numbers of the finality simulation, for people. */
final class FinalityText {
  private final PrintStream out;
  private final Colours paint;

  FinalityText(Terminal terminal) {
    this.out = terminal.out();
    this.paint = new Colours(terminal);
  }

  void print(FinalityResult result) {
    out.printf(
        Locale.ROOT,
        "seed %d; honest noise %.1f degrees, cores within %.0f, static poison at %.0f,"
            + " dimension %d%n",
        result.options().seed(),
        Diagnostic.NOISE_DEGREES,
        Diagnostic.CORE_DEGREES,
        Diagnostic.POISON_DEGREES,
        Diagnostic.DIM);
    printDiagnostic(result);
    printStudy(result);
    printAborts(result);
    printControl(result);
  }

  private void printDiagnostic(FinalityResult result) {
    out.println();
    out.printf(
        Locale.ROOT,
        "Diagnostic, %,d episodes: degrees between aggregate and claim, and the honest mean%n",
        result.options().episodes());
    var table =
        new TextTable(
            "  ",
            "bucket",
            ">n",
            ">f",
            "poison",
            ">episodes",
            ">commits",
            ">semantic",
            ">aborts",
            ">paper",
            ">to claim",
            ">largest",
            ">paper",
            ">to honest");
    String degrees =
        String.format(
            Locale.ROOT,
            "%.2f-%.2f",
            FinalitySimulation.PAPER_LEAST_DEGREES,
            FinalitySimulation.PAPER_MOST_DEGREES);
    for (DiagnosticRow row : result.diagnostic()) {
      boolean feasible = row.bucket().isFeasible();
      table.add(
          row.bucket().kind(),
          row.bucket().size(),
          row.bucket().faults(),
          row.poison().code(),
          row.episodes(),
          percent(row.semantic() + row.verdict(), row.episodes()),
          percent(row.semantic(), row.episodes()),
          percent(row.aborts(), row.episodes()),
          feasible ? "" : "100.0 %",
          row.deviation().map(one -> TableText.fixed(one.meanToClaim(), 2)).orElse("-"),
          row.deviation().map(one -> TableText.fixed(one.maxToClaim(), 2)).orElse("-"),
          feasible ? degrees : "",
          row.deviation().map(one -> TableText.fixed(one.meanToHonest(), 2)).orElse("-"));
    }
    table.print(out);
  }

  private void printStudy(FinalityResult result) {
    out.println();
    out.printf(
        Locale.ROOT,
        "Adversaries, %,d rounds of up to 16 agents, at most f of them faulty%n",
        result.options().rounds());
    var table =
        new TextTable(
            "  ",
            "attack",
            ">rounds",
            ">semantic",
            ">verdict",
            ">aborts",
            ">wrong verdicts",
            ">bound exceeded",
            ">other breaches",
            ">largest error of bound");
    for (AdversaryRow row : result.study()) {
      AdversaryRow.Breaches breaches = row.breaches();
      table.add(
          row.attack().code(),
          row.rounds(),
          percent(row.semantic(), row.rounds()),
          percent(row.verdict(), row.rounds()),
          percent(row.aborted(), row.rounds()),
          breach(breaches.wrongVerdict()),
          breach(breaches.boundExceeded()),
          breach(breaches.total() - breaches.wrongVerdict() - breaches.boundExceeded()),
          percent(row.largestOfBound()));
    }
    table.print(out);
    String sum =
        result.breaches() == 0
            ? paint.good("no promise was broken")
            : paint.bad(result.breaches() + " promises were broken");
    out.println("  " + sum);
  }

  private TextTable.Cell breach(long times) {
    UnaryOperator<String> colour = times == 0 ? UnaryOperator.identity() : paint::bad;
    return new TextTable.Cell(Long.toString(times), colour);
  }

  private void printAborts(FinalityResult result) {
    out.println();
    List<String> aborts = new ArrayList<>();
    for (AbortReason reason : AbortReason.values()) {
      long times = sum(result.study(), row -> row.aborts().getOrDefault(reason, 0L));
      aborts.add(String.format(Locale.ROOT, "%s %,d", reason.code(), times));
    }
    out.println("aborts: " + String.join(", ", aborts));
    List<String> refused = new ArrayList<>();
    for (RoundRefusal reason : RoundRefusal.values()) {
      refused.add(
          String.format(
              Locale.ROOT, "%s %,d", reason.code(), result.refused().getOrDefault(reason, 0L)));
    }
    out.println("proposals refused: " + String.join(", ", refused));
    out.printf(Locale.ROOT, "equivocations kept as evidence: %,d%n", result.equivocations());
  }

  private void printControl(FinalityResult result) {
    out.printf(
        Locale.ROOT,
        "control, f+1 faulty agents, %,d rounds: %,d wrong verdicts, %,d bounds exceeded%n",
        sum(result.control(), AdversaryRow::rounds),
        sum(result.control(), row -> row.breaches().wrongVerdict()),
        sum(result.control(), row -> row.breaches().boundExceeded()));
  }

  private static long sum(List<AdversaryRow> rows, ToLongFunction<AdversaryRow> number) {
    return rows.stream().mapToLong(number).sum();
  }

  private static String percent(long part, long whole) {
    return percent((double) part / Math.max(1, whole));
  }

  private static String percent(double share) {
    return TableText.fixed(100.0 * share, 1) + " %";
  }
}
