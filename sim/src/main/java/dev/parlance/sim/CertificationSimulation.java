package dev.parlance.sim;

import dev.parlance.policy.core.CertificationParams;
import dev.parlance.sim.SimulationResult.Panel;
import dev.parlance.sim.SimulationResult.Table1Row;
import dev.parlance.sim.TableRun.Comparisons;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * The simulation of section 5.1: Table 1 and figure 3.
 *
 * <p>Two agents, six colour terms on a circle of hues with centres 60 degrees apart; a term applies
 * within an arc of 101 degrees. Per run 1,000 random hues, 400 to audit and 600 held out; each term
 * is audited on 170 of the 400. What the paper leaves open (arc, sample, kind of drift) is chosen
 * so that Table 1 comes out; docs/certification.md says how near it does.
 */
public final class CertificationSimulation {
  private CertificationSimulation() {}

  /**
   * Runs it.
   *
   * @throws IOException if the ledger that was asked for cannot be written
   * @throws java.util.concurrent.CancellationException if the calling thread is interrupted
   */
  public static SimulationResult run(SimulationOptions options, SimulationProgress progress)
      throws IOException {
    CertificationParams params = options.params();
    SplittableRandom root = new SplittableRandom(options.seed());
    List<Table1Row> table = new ArrayList<>();
    Optional<SimulationResult.LedgerLeft> left = Optional.empty();
    try (SimulationLedger ledger = SimulationLedger.open(options.ledger(), params)) {
      for (Condition condition : Condition.values()) {
        table.add(row(condition, options, params, root.split(), ledger, progress));
      }
      left = ledger.left();
    }
    Figure3Run.Figure3 figure = figure3(options, params, root.split(), progress);
    return new SimulationResult(
        options.runs(), options.seed(), params, table, figure.points(), figure.watch(), left);
  }

  private static Table1Row row(
      Condition condition,
      SimulationOptions options,
      CertificationParams params,
      SplittableRandom random,
      SimulationLedger ledger,
      SimulationProgress progress)
      throws IOException {
    int runs = options.runs();
    int kept = options.ledger().map(SimulationOptions.LedgerTarget::runs).orElse(0);
    List<HueWheel> secondAgents = condition.secondAgents(runs, random.split());
    SplittableRandom[] randoms = new SplittableRandom[runs];
    for (int run = 0; run < runs; run++) {
      randoms[run] = random.split();
    }
    TableSums sums = new TableSums();
    Parallel.<TableRun.Outcome, IOException>inOrder(
        runs,
        options.threads(),
        run ->
            TableRun.run(
                String.format(Locale.ROOT, "%s-%06d", condition.code(), run + 1),
                secondAgents.get(run),
                params,
                randoms[run],
                run < kept),
        (run, outcome) -> {
          sums.add(outcome);
          if (outcome.audit().isPresent()) {
            ledger.write(outcome.audit().get());
          }
          progress.advanced("table 1, " + condition.code(), run + 1L, runs);
        });
    return sums.row(condition);
  }

  private static Figure3Run.Figure3 figure3(
      SimulationOptions options,
      CertificationParams params,
      SplittableRandom random,
      SimulationProgress progress) {
    int runs = options.runs();
    long[] seeds = random.longs(runs).toArray();
    Figure3Run.Figure3 figure = new Figure3Run.Figure3(options.figure3());
    Parallel.<Map<Panel, Figure3Run.PanelOutcome>, RuntimeException>inOrder(
        runs,
        options.threads(),
        run -> Figure3Run.Figure3.run(options.figure3(), params, seeds[run]),
        (run, outcomes) -> {
          figure.add(outcomes);
          progress.advanced("figure 3", run + 1L, runs);
        });
    return figure;
  }

  /** Adds the runs of a row up. */
  private static final class TableSums {
    private Comparisons unguarded = Comparisons.NONE;
    private Comparisons guarded = Comparisons.NONE;
    private long certified;
    private long empty;
    private long runs;

    private void add(TableRun.Outcome outcome) {
      runs++;
      unguarded = unguarded.plus(outcome.unguarded());
      guarded = guarded.plus(outcome.guarded());
      certified += outcome.coreSize();
      empty += outcome.coreSize() == 0 ? 1 : 0;
    }

    private Table1Row row(Condition condition) {
      return new Table1Row(
          condition,
          unguarded.percent().orElse(0.0),
          guarded.percent(),
          (double) certified / runs,
          100.0 * empty / runs);
    }
  }
}
