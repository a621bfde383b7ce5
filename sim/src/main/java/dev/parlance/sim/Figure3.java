package dev.parlance.sim;

import dev.parlance.policy.core.CertificationParams;
import dev.parlance.sim.SimulationOptions.Figure3Settings;
import dev.parlance.sim.SimulationResult.Figure3Point;
import dev.parlance.sim.SimulationResult.Panel;
import dev.parlance.sim.SimulationResult.WatchSummary;
import dev.parlance.sim.TableRun.Comparisons;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** Adds the runs of figure 3 up. */
final class Figure3 {
  private final Figure3Settings settings;
  private final Map<Panel, Series> series = new EnumMap<>(Panel.class);
  private int runs;
  private long hadDriftTerm;
  private long revoked;
  private long epochsToRevoke;
  private long falseRevocations;

  private static final class Series {
    private final Comparisons[] unguarded;
    private final Comparisons[] guarded;
    private final long[] coreSize;

    private Series(int epochs) {
      unguarded = new Comparisons[epochs];
      guarded = new Comparisons[epochs];
      coreSize = new long[epochs];
      Arrays.fill(unguarded, Comparisons.NONE);
      Arrays.fill(guarded, Comparisons.NONE);
    }
  }

  Figure3(Figure3Settings settings) {
    this.settings = settings;
    for (Panel panel : Panel.values()) {
      series.put(panel, new Series(settings.epochs()));
    }
  }

  /** All panels of one run. */
  static Map<Panel, Figure3Run.PanelOutcome> run(
      Figure3Settings settings, CertificationParams params, long seed) {
    Map<Panel, Figure3Run.PanelOutcome> outcomes = new EnumMap<>(Panel.class);
    for (Panel panel : Panel.values()) {
      outcomes.put(panel, Figure3Run.run(panel, settings, params, seed));
    }
    return outcomes;
  }

  void add(Map<Panel, Figure3Run.PanelOutcome> run) {
    runs++;
    run.forEach((panel, outcome) -> {
      Series sums = series.getOrDefault(panel, new Series(settings.epochs()));
      for (int i = 0; i < settings.epochs(); i++) {
        Figure3Run.EpochOutcome epoch = outcome.epochs().get(i);
        sums.unguarded[i] = sums.unguarded[i].plus(epoch.unguarded());
        sums.guarded[i] = sums.guarded[i].plus(epoch.guarded());
        sums.coreSize[i] += epoch.coreSize();
      }
      if (panel == Panel.WATCHED) {
        falseRevocations += outcome.falseRevocations();
        if (outcome.coreHadDriftTerm()) {
          hadDriftTerm++;
          if (outcome.revokedAt() > 0) {
            revoked++;
            epochsToRevoke += outcome.revokedAt() - settings.driftEpoch();
          }
        }
      }
    });
  }

  List<Figure3Point> points() {
    List<Figure3Point> points = new ArrayList<>();
    series.forEach((panel, sums) -> {
      for (int i = 0; i < settings.epochs(); i++) {
        points.add(
            new Figure3Point(
                panel,
                i + 1,
                sums.unguarded[i].percent().orElse(0.0),
                sums.guarded[i].percent(),
                (double) sums.coreSize[i] / runs));
      }
    });
    return points;
  }

  WatchSummary watch() {
    Series sums = series.getOrDefault(Panel.WATCHED, new Series(settings.epochs()));
    return new WatchSummary(
        (double) sums.coreSize[settings.driftEpoch() - 2] / runs,
        revoked == 0
            ? OptionalDouble.empty()
            : OptionalDouble.of((double) epochsToRevoke / revoked),
        hadDriftTerm - revoked,
        falseRevocations);
  }
}
