package dev.parlance.cli.simulate;

import dev.parlance.cli.Colours;
import dev.parlance.cli.Json;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.TextTable;
import dev.parlance.cli.offline.TableText;
import dev.parlance.policy.commit.Outcome.AbortReason;
import dev.parlance.policy.commit.RoundState.RoundRefusal;
import dev.parlance.sim.finality.AdversaryRow;
import dev.parlance.sim.finality.Diagnostic;
import dev.parlance.sim.finality.DiagnosticRow;
import dev.parlance.sim.finality.DiagnosticRow.Deviation;
import dev.parlance.sim.finality.FinalityResult;
import dev.parlance.sim.finality.FinalitySimulation;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/** Prints the numbers of the finality simulation for people, and turns them into JSON. */
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
    String paper =
        TableText.fixed(FinalitySimulation.PAPER_LEAST_DEGREES, 2)
            + "-"
            + TableText.fixed(FinalitySimulation.PAPER_MOST_DEGREES, 2);
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
          degrees(row, Deviation::meanToClaim),
          degrees(row, Deviation::maxToClaim),
          feasible ? paper : "",
          degrees(row, Deviation::meanToHonest));
    }
    table.print(out);
  }

  private static String degrees(DiagnosticRow row, Function<Deviation, Double> angle) {
    return row.deviation().map(one -> TableText.fixed(angle.apply(one), 2)).orElse("-");
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
    Map<String, Long> aborts = new LinkedHashMap<>();
    result
        .study()
        .forEach(row -> aborts(row).forEach((code, n) -> aborts.merge(code, n, Long::sum)));
    out.println("aborts: " + counts(aborts));
    out.println("proposals refused: " + counts(refused(result)));
    out.printf(Locale.ROOT, "equivocations kept as evidence: %,d%n", result.equivocations());
  }

  private static String counts(Map<String, Long> counts) {
    return counts.entrySet().stream()
        .map(one -> String.format(Locale.ROOT, "%s %,d", one.getKey(), one.getValue()))
        .collect(Collectors.joining(", "));
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

  private static Map<String, Long> aborts(AdversaryRow row) {
    Map<String, Long> aborts = new LinkedHashMap<>();
    for (AbortReason reason : AbortReason.values()) {
      aborts.put(reason.code(), row.aborts().getOrDefault(reason, 0L));
    }
    return aborts;
  }

  private static Map<String, Long> refused(FinalityResult result) {
    Map<String, Long> refused = new LinkedHashMap<>();
    for (RoundRefusal reason : RoundRefusal.values()) {
      refused.put(reason.code(), result.refused().getOrDefault(reason, 0L));
    }
    return refused;
  }

  /** All numbers as JSON. */
  static ObjectNode json(FinalityResult result) {
    ObjectNode json = Json.MAPPER.createObjectNode().put("seed", result.options().seed());
    json.putArray("diagnostic")
        .addAll(result.diagnostic().stream().map(FinalityText::json).toList());
    json.putArray("study").addAll(result.study().stream().map(FinalityText::json).toList());
    json.set("refused", Json.MAPPER.valueToTree(refused(result)));
    json.put("equivocations", result.equivocations());
    json.putArray("control").addAll(result.control().stream().map(FinalityText::json).toList());
    return json.put("breaches", result.breaches());
  }

  /** A row of the diagnostic; degrees are null without semantic commits. */
  private static ObjectNode json(DiagnosticRow row) {
    return Json.MAPPER
        .createObjectNode()
        .put("bucket", row.bucket().kind())
        .put("n", row.bucket().size())
        .put("f", row.bucket().faults())
        .put("poison", row.poison().code())
        .put("episodes", row.episodes())
        .put("semanticCommits", row.semantic())
        .put("verdictCommits", row.verdict())
        .put("aborts", row.aborts())
        .put("meanDegrees", row.deviation().map(Deviation::meanToClaim).orElse(null))
        .put("largestDegrees", row.deviation().map(Deviation::maxToClaim).orElse(null))
        .put("meanDegreesToHonest", row.deviation().map(Deviation::meanToHonest).orElse(null))
        .put("largestDegreesToHonest", row.deviation().map(Deviation::maxToHonest).orElse(null));
  }

  private static ObjectNode json(AdversaryRow row) {
    ObjectNode json =
        Json.MAPPER
            .createObjectNode()
            .put("attack", row.attack().code())
            .put("rounds", row.rounds())
            .put("semanticCommits", row.semantic())
            .put("verdictCommits", row.verdict());
    json.set("aborts", Json.MAPPER.valueToTree(aborts(row)));
    json.setAll((ObjectNode) Json.MAPPER.valueToTree(row.breaches()));
    return json.put("largestErrorOfBound", row.largestOfBound())
        .put("largestDegrees", row.largestDegrees());
  }
}
