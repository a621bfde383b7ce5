package dev.parlance.demo.agent;

import java.util.List;

/** Decides what an agent proposes. */
@FunctionalInterface
public interface Mind {
  /**
   * A question that has been put to the agent.
   *
   * @param round name of the round
   * @param epoch its epoch
   * @param claim what is to be decided
   */
  record Asked(String round, long epoch, String claim) {}

  /** What the agent proposes, one after the other; nothing if it keeps silent. */
  List<Ballot> decide(Asked asked) throws InterruptedException;
}
