package dev.parlance.sim;

import dev.parlance.policy.core.CertificationParams;
import dev.parlance.policy.text.Coded;
import dev.parlance.sim.SimulationResult.Panel;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What a simulation came to.
 *
 * @param runs runs per condition and of figure 3
 * @param seed the seed
 * @param params what terms were certified with
 * @param table1 a row per condition
 * @param figure3 the points, panel by panel, epoch by epoch
 * @param watch how the watched panel of figure 3 did
 * @param ledger the ledger that was left, if one was asked for
 */
public record SimulationResult(
    int runs,
    long seed,
    CertificationParams params,
    List<Table1Row> table1,
    List<Figure3Point> figure3,
    WatchSummary watch,
    Optional<LedgerLeft> ledger) {
  /** Copies the lists. */
  public SimulationResult {
    table1 = List.copyOf(table1);
    figure3 = List.copyOf(figure3);
  }

  /**
   * A ledger that a simulation has left.
   *
   * @param directory where it is
   * @param audits audits in it
   * @param entries entries in it
   * @param verifierKey the key it can be verified with, as C2SP signed notes write it
   */
  public record LedgerLeft(Path directory, int audits, long entries, String verifierKey) {}

  /** The points of a panel, epoch by epoch. */
  public List<Figure3Point> panel(Panel panel) {
    return figure3.stream().filter(point -> point.panel() == panel).toList();
  }

  /**
   * A row of Table 1.
   *
   * @param condition the condition
   * @param unguardedPercent contradictions per eligible comparison on the held-out events, all
   *     terms and runs together, percent
   * @param guardedPercent the same over the terms that each run has certified. A run with an empty
   *     core decides nothing, so it contributes no comparison; empty if that is so in every run
   * @param coreSize certified terms per run, of six; empty cores count as 0
   * @param emptyCorePercent runs that certified nothing, percent
   */
  public record Table1Row(
      Condition condition,
      double unguardedPercent,
      OptionalDouble guardedPercent,
      double coreSize,
      double emptyCorePercent) {}

  /**
   * A point of figure 3, over all runs.
   *
   * @param panel the series
   * @param epoch counts from 1
   * @param unguardedPercent contradictions per eligible comparison over all terms, percent
   * @param guardedPercent the same over the terms in each run's core of that epoch; a run whose
   *     core is empty contributes no comparison; empty if that is so in every run
   * @param coreSize certified terms per run, of six
   */
  public record Figure3Point(
      Panel panel,
      int epoch,
      double unguardedPercent,
      OptionalDouble guardedPercent,
      double coreSize) {}

  /** A series of figure 3. */
  public enum Panel implements Coded {
    /** Nothing drifts; the core of the first audit stays. */
    BASELINE,
    /** One term of one agent drifts; the core of the first audit stays. */
    FROZEN,
    /** After the drift Algorithm 1 is run anew in every epoch, on fresh events (section 4.1). */
    RECERTIFIED,
    /** The same; later the terms outside the core are renegotiated (section 4.2). */
    RENEGOTIATED,
    /**
     * Ours: fewer questions per epoch, evidence that adds up, revocation by a CUSUM, and
     * renegotiation of what was revoked or has evidence against it; see {@code
     * policy.core.TermWatch}.
     */
    WATCHED
  }

  /**
   * How {@link Panel#WATCHED} did.
   *
   * @param coreBeforeDrift certified terms per run in the epoch before the drift
   * @param meanEpochsToRevoke epochs from the drift to the revocation of the drifted term, over the
   *     runs that had it in the core; 0 is the audit of the drift's own epoch; empty if none had
   * @param missed runs that had the drifted term in the core and never revoked it
   * @param falseRevocations revocations of terms that had not drifted, in all runs and epochs
   */
  public record WatchSummary(
      double coreBeforeDrift,
      OptionalDouble meanEpochsToRevoke,
      long missed,
      long falseRevocations) {}
}
