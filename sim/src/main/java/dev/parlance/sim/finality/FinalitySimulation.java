package dev.parlance.sim.finality;

import dev.parlance.sim.SimulationProgress;

/** The diagnostic and the study of adversaries. */
public final class FinalitySimulation {
  /** The paper's deviations lie between these two, in degrees. */
  public static final double PAPER_LEAST_DEGREES = 0.31;

  /** See {@link #PAPER_LEAST_DEGREES}. */
  public static final double PAPER_MOST_DEGREES = 2.04;

  /** The control has this part of the study's rounds. */
  private static final int CONTROL_PART = 10;

  private FinalitySimulation() {}

  /** Runs both. */
  public static FinalityResult run(FinalityOptions options, SimulationProgress progress) {
    int threads = options.threads();
    var diagnostic =
        Diagnostic.run(
            options.episodes() / FinalityOptions.KINDS, options.seed(), threads, progress);
    var study =
        AdversaryStudy.run(
            "adversaries", options.rounds(), 0, options.seed() + 1, threads, progress);
    long fewer = Math.max(1, options.rounds() / CONTROL_PART);
    var control = AdversaryStudy.run("control", fewer, 1, options.seed() + 2, threads, progress);
    return new FinalityResult(
        options, diagnostic, study.rows(), study.refused(), study.equivocations(), control.rows());
  }
}
