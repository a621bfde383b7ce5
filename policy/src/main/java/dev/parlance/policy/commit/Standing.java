package dev.parlance.policy.commit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How the verdicts fell.
 *
 * @param verdict the one that leads; of several that do, the first in byte order
 * @param leaders the proposals that give it, by agent in byte order
 * @param runnerUp b: most proposals that another verdict has
 */
record Standing(String verdict, List<Proposal> leaders, int runnerUp) {
  /**
   * Of the proposals that count.
   *
   * @param counted at least one, by agent in byte order
   */
  static Standing of(List<Proposal> counted) {
    Map<String, List<Proposal>> groups = new TreeMap<>();
    for (Proposal proposal : counted) {
      groups.computeIfAbsent(proposal.verdict(), any -> new ArrayList<>()).add(proposal);
    }
    String verdict = "";
    List<Proposal> leaders = List.of();
    int runnerUp = 0;
    for (Map.Entry<String, List<Proposal>> group : groups.entrySet()) {
      int size = group.getValue().size();
      if (size > leaders.size()) {
        runnerUp = leaders.size();
        verdict = group.getKey();
        leaders = group.getValue();
      } else {
        runnerUp = Math.max(runnerUp, size);
      }
    }
    return new Standing(verdict, leaders, runnerUp);
  }
}
