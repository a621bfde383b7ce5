package dev.parlance.sim;

import dev.parlance.policy.core.CertificationParams;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

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
}
