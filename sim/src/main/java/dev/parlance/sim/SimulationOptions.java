package dev.parlance.sim;

import dev.parlance.policy.core.Bound;
import dev.parlance.policy.core.CertificationParams;
import dev.parlance.sim.SimulationResult.Panel;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What is to be simulated.
 *
 * @param runs runs per condition and of figure 3, 1 to 1,000,000
 * @param seed everything random comes from it; the same seed gives the same numbers, however many
 *     threads there are and whether a ledger is written or not
 * @param bound how evidence is weighed; the paper has {@link Bound#WILSON}
 * @param threads how many to compute with, 1 or more
 * @param figure3 the course of figure 3
 * @param ledger where the audits of Table 1 are to be left, if anywhere
 */
public record SimulationOptions(
    int runs,
    long seed,
    Bound bound,
    int threads,
    Figure3Settings figure3,
    Optional<LedgerTarget> ledger) {
  private static final int MAX_RUNS = 1_000_000;

  /**
   * A ledger to write.
   *
   * @param directory a new or empty directory
   * @param runs the first so many runs of each condition are written, 1 or more; a run is about
   *     2,050 entries and half a megabyte
   * @param atMs time to write into the entries, milliseconds since the epoch
   */
  public record LedgerTarget(Path directory, int runs, long atMs) {
    /** Runs written by default. */
    public static final int DEFAULT_RUNS = 100;

    /** Refuses a number of runs that writes nothing, and times before the epoch. */
    public LedgerTarget {
      if (runs < 1 || atMs < 0) {
        throw new IllegalArgumentException(
            "expected one run or more and a time of 0 or later, got " + runs + ", " + atMs);
      }
    }
  }

  /** Refuses what cannot be run. */
  public SimulationOptions {
    if (runs < 1 || runs > MAX_RUNS) {
      throw new IllegalArgumentException("expected 1 to " + MAX_RUNS + " runs, got " + runs);
    }
    if (threads < 1) {
      throw new IllegalArgumentException("expected one thread or more, got " + threads);
    }
  }

  /** The paper's simulation, on all processors, without a ledger. */
  public static SimulationOptions of(int runs, long seed) {
    return new SimulationOptions(
        runs,
        seed,
        Bound.WILSON,
        Runtime.getRuntime().availableProcessors(),
        Figure3Settings.DEFAULT,
        Optional.empty());
  }

  /** The same with another bound. */
  public SimulationOptions withBound(Bound other) {
    return new SimulationOptions(runs, seed, other, threads, figure3, ledger);
  }

  /** The same on so many threads. */
  public SimulationOptions withThreads(int other) {
    return new SimulationOptions(runs, seed, bound, other, figure3, ledger);
  }

  /** The same, and the ledger is left there. */
  public SimulationOptions withLedger(LedgerTarget target) {
    return new SimulationOptions(runs, seed, bound, threads, figure3, Optional.of(target));
  }

  /** The paper's constants with this bound. */
  CertificationParams params() {
    CertificationParams paper = CertificationParams.DEFAULT;
    return new CertificationParams(paper.tau(), paper.delta(), paper.rhoMin(), bound);
  }

  /**
   * The course of figure 3.
   *
   * @param epochs how many epochs
   * @param driftEpoch from this epoch on one term of one agent is turned by 30 degrees
   * @param renegotiateEpoch from this epoch on terms outside the core are renegotiated
   * @param firstEvents events per term in the audit of epoch 1
   * @param repeatedEvents events per term in each audit after the drift
   * @param watchedEvents events per term and epoch in {@link Panel#WATCHED}
   * @param heldOutEvents events per epoch on which disagreement is measured
   */
  public record Figure3Settings(
      int epochs,
      int driftEpoch,
      int renegotiateEpoch,
      int firstEvents,
      int repeatedEvents,
      int watchedEvents,
      int heldOutEvents) {
    /** Drift at epoch 10 of 50 as in the paper; what it leaves open as in docs/certification.md. */
    public static final Figure3Settings DEFAULT =
        new Figure3Settings(50, 10, 20, 240, 200, 60, 600);

    /** Refuses a course that cannot be run. */
    public Figure3Settings {
      if (epochs < 1 || driftEpoch < 2 || renegotiateEpoch <= driftEpoch) {
        throw new IllegalArgumentException(
            "expected an epoch before the drift and renegotiation after it, got "
                + epochs
                + ", "
                + driftEpoch
                + ", "
                + renegotiateEpoch);
      }
      if (Math.min(Math.min(firstEvents, repeatedEvents), Math.min(watchedEvents, heldOutEvents))
          < 1) {
        throw new IllegalArgumentException("expected one event or more in every audit");
      }
    }
  }
}
