package dev.parlance.cli.simulate;

import dev.parlance.cli.ExitStatus;
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
import dev.parlance.sim.finality.FinalitySimulation;
import dev.parlance.sim.finality.FinalitySimulation.FinalityOptions;
import dev.parlance.sim.finality.FinalitySimulation.FinalityResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "finality",
    description = {
      "Runs rounds of agents against poisoned and lying ones.",
      "First the paper's diagnostic: 120 episodes of semantic poisoning, how far aggregates are",
      "turned, and whether rounds beyond the fault bound abort. Then a study of adversaries that",
      "see every honest proposal before they choose verdict, text and meaning, equivocate,",
      "withhold, replay and vote late. The same seed gives the same numbers. Status 1 if a",
      "promise was broken."
    },
    footer = {
      "",
      "Examples:",
      "  parlance simulate finality",
      "  parlance simulate finality --rounds 100000 --seed 2 -o json"
    })
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
      case JSON -> terminal.json(FinalityView.of(result));
    }
    return result.breaches() == 0 ? ExitStatus.OK : ExitStatus.FAILED;
  }

  /** The numbers of the finality simulation as JSON. */
  record FinalityView(
      long seed,
      List<Bucket> diagnostic,
      List<Study> study,
      Map<String, Long> refused,
      long equivocations,
      List<Study> control,
      long breaches) {
    /**
     * A row of the diagnostic.
     *
     * @param meanDegrees null without semantic commits, as are the others
     */
    record Bucket(
        String bucket,
        int n,
        int f,
        String poison,
        int episodes,
        int semanticCommits,
        int verdictCommits,
        int aborts,
        @Nullable Double meanDegrees,
        @Nullable Double largestDegrees,
        @Nullable Double meanDegreesToHonest,
        @Nullable Double largestDegreesToHonest) {}

    /** A row of the study. */
    record Study(
        String attack,
        long rounds,
        long semanticCommits,
        long verdictCommits,
        Map<String, Long> aborts,
        long noOutcome,
        long wrongVerdict,
        long infeasibleCommit,
        long boundExceeded,
        long denied,
        long orderMatters,
        double largestErrorOfBound,
        double largestDegrees) {}

    static FinalityView of(FinalityResult result) {
      Map<String, Long> refused = new LinkedHashMap<>();
      for (RoundRefusal reason : RoundRefusal.values()) {
        refused.put(reason.code(), result.refused().getOrDefault(reason, 0L));
      }
      return new FinalityView(
          result.options().seed(),
          result.diagnostic().stream().map(FinalityView::bucket).toList(),
          result.study().stream().map(FinalityView::study).toList(),
          refused,
          result.equivocations(),
          result.control().stream().map(FinalityView::study).toList(),
          result.breaches());
    }

    private static Bucket bucket(DiagnosticRow row) {
      return new Bucket(
          row.bucket().kind(),
          row.bucket().size(),
          row.bucket().faults(),
          row.poison().code(),
          row.episodes(),
          row.semantic(),
          row.verdict(),
          row.aborts(),
          row.deviation().map(DiagnosticRow.Deviation::meanToClaim).orElse(null),
          row.deviation().map(DiagnosticRow.Deviation::maxToClaim).orElse(null),
          row.deviation().map(DiagnosticRow.Deviation::meanToHonest).orElse(null),
          row.deviation().map(DiagnosticRow.Deviation::maxToHonest).orElse(null));
    }

    private static Study study(AdversaryRow row) {
      Map<String, Long> aborts = new LinkedHashMap<>();
      for (AbortReason reason : AbortReason.values()) {
        aborts.put(reason.code(), row.aborts().getOrDefault(reason, 0L));
      }
      AdversaryRow.Breaches breaches = row.breaches();
      return new Study(
          row.attack().code(),
          row.rounds(),
          row.semantic(),
          row.verdict(),
          aborts,
          breaches.noOutcome(),
          breaches.wrongVerdict(),
          breaches.infeasibleCommit(),
          breaches.boundExceeded(),
          breaches.denied(),
          breaches.orderMatters(),
          row.largestOfBound(),
          row.largestDegrees());
    }
  }

  /** The numbers of the finality simulation, for people. */
  static final class FinalityText {
    private final Terminal terminal;

    FinalityText(Terminal terminal) {
      this.terminal = terminal;
    }

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
      table.print(terminal.out());
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

    private void printAborts(FinalityResult result) {
      terminal.out().println();
      List<String> aborts = new ArrayList<>();
      for (AbortReason reason : AbortReason.values()) {
        long times = sum(result.study(), row -> row.aborts().getOrDefault(reason, 0L));
        aborts.add(String.format(Locale.ROOT, "%s %,d", reason.code(), times));
      }
      terminal.println("aborts: " + String.join(", ", aborts));
      List<String> refused = new ArrayList<>();
      for (RoundRefusal reason : RoundRefusal.values()) {
        refused.add(
            String.format(
                Locale.ROOT, "%s %,d", reason.code(), result.refused().getOrDefault(reason, 0L)));
      }
      terminal.println("proposals refused: " + String.join(", ", refused));
      terminal.println("equivocations kept as evidence: %,d", result.equivocations());
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
  }
}
