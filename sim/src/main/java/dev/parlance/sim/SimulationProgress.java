package dev.parlance.sim;

/** Is told how far a long computation has come; called from one thread. */
@FunctionalInterface
public interface SimulationProgress {
  /** Tells nobody. */
  SimulationProgress SILENT = (stage, done, total) -> {};

  /**
   * Another piece is done.
   *
   * @param stage what is being computed, for people
   * @param done pieces done so far
   * @param total pieces in this stage
   */
  void advanced(String stage, long done, long total);
}
