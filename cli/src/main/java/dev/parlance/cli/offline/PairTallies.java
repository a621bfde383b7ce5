package dev.parlance.cli.offline;

import dev.parlance.policy.core.Tally;
import dev.parlance.policy.core.TermVerdict;
import java.util.ArrayList;
import java.util.List;

/** Counts of every pair of agents on every term. */
final class PairTallies {
  /** Most pairs times terms. */
  static final long CELLS_MAX = 2_000_000;

  private static final int AUDITED = 0;
  private static final int ELIGIBLE = 1;
  private static final int CONTRADICTIONS = 2;
  private static final int ONE_SIDED = 3;
  private static final int COUNTS = 4;

  /**
   * One agent's verdict on the event and term at hand.
   *
   * @param agent its place among the sorted names
   */
  record Said(int agent, TermVerdict verdict) {}

  /** A pair, by the places of its agents, the smaller first. */
  record Pair(int first, int second) {}

  private final List<String> agents;
  private final List<String> terms;
  private final int[] counts;

  PairTallies(List<String> agents, List<String> terms) {
    this.agents = List.copyOf(agents);
    this.terms = List.copyOf(terms);
    this.counts = new int[cells() > CELLS_MAX ? 0 : (int) cells() * COUNTS];
  }

  /** Pairs times terms; above {@link #CELLS_MAX} nothing was counted. */
  long cells() {
    return (long) agents.size() * (agents.size() - 1) / 2 * terms.size();
  }

  List<String> agents() {
    return agents;
  }

  List<String> terms() {
    return terms;
  }

  /** The pairs in the order of their names. */
  List<Pair> pairs() {
    List<Pair> pairs = new ArrayList<>();
    for (int first = 0; first < agents.size(); first++) {
      for (int second = first + 1; second < agents.size(); second++) {
        pairs.add(new Pair(first, second));
      }
    }
    return pairs;
  }

  /** Counts what was said on one event of one term. */
  void add(int term, List<Said> said) {
    if (cells() > CELLS_MAX) {
      return;
    }
    boolean[] present = new boolean[agents.size()];
    said.forEach(one -> present[one.agent()] = true);
    for (int i = 0; i < said.size(); i++) {
      Said one = said.get(i);
      for (int j = i + 1; j < said.size(); j++) {
        count(one, said.get(j), term);
      }
      for (int other = 0; other < present.length; other++) {
        if (!present[other]) {
          counts[place(one.agent(), other, term) + ONE_SIDED]++;
        }
      }
    }
  }

  private void count(Said one, Said other, int term) {
    int place = place(one.agent(), other.agent(), term);
    Tally tally = Tally.NONE.plus(one.verdict(), other.verdict());
    counts[place + AUDITED] += tally.audited();
    counts[place + ELIGIBLE] += tally.eligible();
    counts[place + CONTRADICTIONS] += tally.contradictions();
  }

  /** Events on which both were tested. */
  Tally tally(Pair pair, int term) {
    int place = place(pair.first(), pair.second(), term);
    return new Tally(
        counts[place + AUDITED], counts[place + ELIGIBLE], counts[place + CONTRADICTIONS]);
  }

  /** Events on which one of the two was tested and the other was not. */
  int oneSided(Pair pair, int term) {
    return counts[place(pair.first(), pair.second(), term) + ONE_SIDED];
  }

  private int place(int one, int other, int term) {
    int first = Math.min(one, other);
    int second = Math.max(one, other);
    int pair = first * agents.size() - first * (first + 1) / 2 + second - first - 1;
    return (pair * terms.size() + term) * COUNTS;
  }
}
