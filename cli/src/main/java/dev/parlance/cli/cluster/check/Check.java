package dev.parlance.cli.cluster.check;

import java.io.IOException;

/**
 * One thing that must hold.
 *
 * @param id stable name, {@code [a-z][a-z0-9-]*}
 * @param title what holds, if all is well
 * @param remedy what to do if it does not
 * @param look looks
 */
public record Check(String id, String title, String remedy, Look look) {
  /** How to look. */
  @FunctionalInterface
  public interface Look {
    /**
     * Looks once.
     *
     * @throws IOException if the cluster cannot be asked; the check is then skipped, with the words
     */
    CheckFinding at(Cluster cluster) throws IOException;
  }
}
