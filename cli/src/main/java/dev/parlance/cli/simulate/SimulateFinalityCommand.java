package dev.parlance.cli.simulate;

import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.Json;
import dev.parlance.cli.OutputOption;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.TerminalCommand;
import dev.parlance.cli.TextTable;
import dev.parlance.cli.offline.TableText;
import dev.parlance.policy.commit.Outcome.AbortReason;
import dev.parlance.policy.commit.RoundState.RoundRefusal;
import dev.parlance.sim.finality.AdversaryRow;
import dev.parlance.sim.finality.Diagnostic;
import dev.parlance.sim.finality.DiagnosticRow;
import dev.parlance.sim.finality.DiagnosticRow.Deviation;
import dev.parlance.sim.finality.FinalitySimulation;
import dev.parlance.sim.finality.FinalitySimulation.FinalityOptions;
import dev.parlance.sim.finality.FinalitySimulation.FinalityResult;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

@Command(name = "finality")
final class SimulateFinalityCommand extends TerminalCommand {
  private static final long ROUNDS_DEFAULT = 10_000;

  @Option(
      names = "--episodes",
      paramLabel = "N",
      description = "episodes of the diagnostic, a multiple of 12 up to 1200000 (default: 120)")
  int episodes = FinalityOptions.PAPER_EPISODES;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "rounds of the study, 1 to 100000000 (default: 10000)")
  long rounds = ROUNDS_DEFAULT;

  @Option(names = "--seed", paramLabel = "S", description = "seed, any integer (default: 1)")
  long seed = 1;

  @Mixin OutputOption output = new OutputOption();

  @Override
  public Integer call() {
    FinalityOptions options;
    try {
      options = FinalityOptions.of(episodes, rounds, seed);
    } catch (IllegalArgumentException e) {
      return terminal.usage("simulate finality: " + e.getMessage());
    }
    FinalityResult result;
    try (var progress = new Terminal.ProgressLine(terminal)) {
      result =
          FinalitySimulation.run(
              options,
              (stage, done, total) -> {
                if (progress.isDue()) {
                  progress.show(String.format(Locale.ROOT, "%s: %,d of %,d", stage, done, total));
                }
              });
    }
    switch (output.format) {
      case TEXT -> new FinalityText(terminal).print(result);
      case JSON -> terminal.json(FinalityText.json(result));
    }
    return result.breaches() == 0 ? ExitStatus.OK : ExitStatus.FAILED;
  }

  /** Prints the numbers of the finality simulation for people, and turns them into JSON. */
  record FinalityText(Terminal terminal) {
    void print(FinalityResult result) {
      terminal.println(
          "seed %d; honest noise %.1f degrees, cores within %.0f, static poison at %.0f,"
              + " dimension %d",
          result.options().seed(),
          Diagnostic.NOISE_DEGREES,
          Diagnostic.CORE_DEGREES,
          Diagnostic.POISON_DEGREES,
          Diagnostic.DIM);
      printDiagnostic(result);
      printStudy(result);
      printAblation(result);
      printAborts(result);
      printControl(result);
    }

    private void printDiagnostic(FinalityResult result) {
      terminal.out().println();
      terminal.println(
          "Diagnostic, %,d episodes: degrees between aggregate and claim, and the honest mean",
          result.options().episodes());
      var table =
          new TextTable(
              "  ",
              "bucket, >n, >f, poison, >episodes, >commits, >semantic, >aborts, >paper, >to claim,"
                  + " >largest, >paper, >to honest");
      String paper =
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
            degrees(row, Deviation::meanToClaim),
            degrees(row, Deviation::maxToClaim),
            feasible ? paper : "",
            degrees(row, Deviation::meanToHonest));
      }
      table.print(terminal.out());
    }

    private static String degrees(DiagnosticRow row, Function<Deviation, Double> angle) {
      return row.deviation().map(one -> TableText.fixed(angle.apply(one), 2)).orElse("-");
    }

    private void printStudy(FinalityResult result) {
      terminal.out().println();
      terminal.println(
          "Adversaries, %,d rounds of up to 16 agents, at most f of them faulty",
          result.options().rounds());
      var table =
          new TextTable(
              "  ",
              "attack, >rounds, >semantic, >verdict, >aborts, >wrong verdicts, >bound exceeded,"
                  + " >other breaches, >largest error of bound");
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
      table.print(terminal.out());
      String sum =
          result.breaches() == 0
              ? terminal.good("no promise was broken")
              : terminal.bad(result.breaches() + " promises were broken");
      terminal.println("  " + sum);
    }

    private TextTable.Cell breach(long times) {
      UnaryOperator<String> colour = times == 0 ? UnaryOperator.identity() : terminal::bad;
      return new TextTable.Cell(Long.toString(times), colour);
    }

    /**
     * What commits without the verdict alone: the same rounds, in which a verdict commit is an
     * abort. The paper has a row for each of its attacks, on its own claims.
     */
    private void printAblation(FinalityResult result) {
      terminal.out().println();
      terminal.println("Ablation: the same rounds with semantic commits only");
      long rounds = sum(result.study(), AdversaryRow::rounds);
      long semantic = sum(result.study(), AdversaryRow::semantic);
      long verdict = sum(result.study(), AdversaryRow::verdict);
      var table = new TextTable("  ", "rounds of, >commits, >semantic only, >gained, >wrong");
      table.add(
          "adversaries",
          percent(semantic + verdict, rounds),
          percent(semantic, rounds),
          percent(verdict, rounds),
          percent(sum(result.study(), row -> row.breaches().wrongVerdict()), rounds));
      table.add("paper, static", "90.0 %", "54.0 %", "36.0 %", "2.0 %");
      table.add("paper, rushing", "92.0 %", "48.0 %", "44.0 %", "0.0 %");
      table.print(terminal.out());
    }

    private void printAborts(FinalityResult result) {
      terminal.out().println();
      Map<String, Long> aborts = new LinkedHashMap<>();
      for (AdversaryRow row : result.study()) {
        aborts(row).forEach((code, times) -> aborts.merge(code, times, Long::sum));
      }
      terminal.println("aborts: " + counts(aborts));
      terminal.println("proposals refused: " + counts(refused(result)));
      terminal.println("equivocations kept as evidence: %,d", result.equivocations());
    }

    private static String counts(Map<String, Long> counts) {
      return counts.entrySet().stream()
          .map(one -> String.format(Locale.ROOT, "%s %,d", one.getKey(), one.getValue()))
          .collect(Collectors.joining(", "));
    }

    private void printControl(FinalityResult result) {
      terminal.println(
          "control, f+1 faulty agents, %,d rounds: %,d wrong verdicts, %,d bounds exceeded",
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
}
