package dev.parlance.sim.finality;

import dev.parlance.policy.commit.RoundState.RoundRefusal;
import dev.parlance.sim.SimulationProgress;
import dev.parlance.sim.finality.DiagnosticRow.Bucket;
import dev.parlance.sim.finality.DiagnosticRow.Poison;
import java.util.List;
import java.util.Map;

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

  /**
   * What came of it.
   *
   * @param options what was simulated
   * @param diagnostic the rows of the diagnostic
   * @param study the rows of the study, one an attack, with at most f faulty agents
   * @param refused proposals of the study that the round machine did not take, by reason
   * @param equivocations proposals of the study that were kept as evidence against their senders
   * @param control the study once more, smaller, with one faulty agent more than f: what must not
   *     happen above has to happen here, or the study would find nothing
   */
  public record FinalityResult(
      FinalityOptions options,
      List<DiagnosticRow> diagnostic,
      List<AdversaryRow> study,
      Map<RoundRefusal, Long> refused,
      long equivocations,
      List<AdversaryRow> control) {
    /** Copies the lists. */
    public FinalityResult {
      diagnostic = List.copyOf(diagnostic);
      study = List.copyOf(study);
      refused = Map.copyOf(refused);
      control = List.copyOf(control);
    }

    /** Rounds in which a promise was broken, with at most f faulty agents. */
    public long breaches() {
      return study.stream().mapToLong(row -> row.breaches().total()).sum();
    }
  }

  /**
   * What is to be simulated.
   *
   * @param episodes of the diagnostic, 12 or more, a multiple of 12: as many of each size and
   *     poison
   * @param rounds of the study of adversaries, 1 or more
   * @param seed everything random comes from it; the number of threads does not matter
   * @param threads how many to compute with, 1 or more
   */
  public record FinalityOptions(int episodes, long rounds, long seed, int threads) {
    /** As many as the paper has. */
    public static final int PAPER_EPISODES = 120;

    /** Episodes come in so many kinds. */
    public static final int KINDS = Bucket.ALL.size() * Poison.values().length;

    private static final int MAX_EPISODES = 1_200_000;
    private static final long MAX_ROUNDS = 100_000_000;

    /** Refuses what cannot be run. */
    public FinalityOptions {
      if (episodes < KINDS || episodes > MAX_EPISODES || episodes % KINDS != 0) {
        throw new IllegalArgumentException(
            "expected a multiple of "
                + KINDS
                + " episodes up to "
                + MAX_EPISODES
                + ", got "
                + episodes);
      }
      if (rounds < 1 || rounds > MAX_ROUNDS || threads < 1) {
        throw new IllegalArgumentException(
            "expected 1 to "
                + MAX_ROUNDS
                + " rounds and one thread or more, got "
                + rounds
                + ", "
                + threads);
      }
    }

    /** On all processors. */
    public static FinalityOptions of(int episodes, long rounds, long seed) {
      return new FinalityOptions(
          episodes, rounds, seed, Runtime.getRuntime().availableProcessors());
    }
  }
}
