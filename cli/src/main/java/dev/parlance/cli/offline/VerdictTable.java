package dev.parlance.cli.offline;

import dev.parlance.policy.core.Tally;
import dev.parlance.policy.core.TermVerdict;
import dev.parlance.policy.core.WitnessedTest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Verdicts by agent, event and term, each once. Some 20 bytes a test beside the names, in an
 * open-addressed table: a million tests fit anywhere.
 *
 * <pre>
 *   key (62 bits):  term 18 | event 30 | agent 12 | verdict 2     sorted, all verdicts on one event
 *                                                                 and term stand together
 * </pre>
 */
final class VerdictTable {
  /** Most agents in one table; with more than two every pair is decided. */
  static final int AGENTS_MAX = 64;

  /** Most events in one table. */
  static final int EVENTS_MAX = 1_000_000;

  /** Most terms in one table. */
  static final int TERMS_MAX = 200_000;

  /** Most tests in one table. */
  static final int TESTS_MAX = 5_000_000;

  private static final int VERDICT_BITS = 2;
  private static final int AGENT_SHIFT = VERDICT_BITS;
  private static final int EVENT_SHIFT = AGENT_SHIFT + 12;
  private static final int TERM_SHIFT = EVENT_SHIFT + 30;
  private static final long VERDICT_MASK = (1 << VERDICT_BITS) - 1;
  private static final List<TermVerdict> VERDICTS =
      List.of(TermVerdict.ASSENT, TermVerdict.NEUTRAL, TermVerdict.DISSENT);

  /** What came of adding a test. */
  sealed interface Added {
    /** It is new. */
    record New() implements Added {}

    /** The same test with the same verdict stands in this line. */
    record Repeated(long firstLine) implements Added {}

    /** The same test with this other verdict stands in this line; that one counts. */
    record Conflicting(long firstLine, TermVerdict first) implements Added {}

    /** There is no room; the message says for what. */
    record Full(String message) implements Added {}
  }

  private final Map<String, Integer> agents = new HashMap<>();
  private final Map<String, Integer> events = new HashMap<>();
  private final Map<String, Integer> terms = new HashMap<>();
  private long[] slots = new long[1 << 12]; // key + 1, 0: free
  private int[] lines = new int[slots.length];
  private int size;

  /** How many tests there are. */
  int size() {
    return size;
  }

  /** Adds a test that stands in {@code line}. */
  Added add(WitnessedTest test, long line) {
    int agent = number(agents, test.agent(), AGENTS_MAX);
    int event = number(events, test.event(), EVENTS_MAX);
    int term = number(terms, test.term(), TERMS_MAX);
    if (agent < 0 || event < 0 || term < 0 || size == TESTS_MAX) {
      return new Added.Full(
          "more than %s in one table; split it"
              .formatted(
                  agent < 0
                      ? AGENTS_MAX + " agents"
                      : event < 0
                          ? EVENTS_MAX + " events"
                          : term < 0 ? TERMS_MAX + " terms" : TESTS_MAX + " tests"));
    }
    long key =
        (long) term << TERM_SHIFT
            | (long) event << EVENT_SHIFT
            | (long) agent << AGENT_SHIFT
            | VERDICTS.indexOf(test.verdict());
    int slot = find(slots, key);
    if (slots[slot] != 0) {
      TermVerdict first = VERDICTS.get((int) ((slots[slot] - 1) & VERDICT_MASK));
      long firstLine = Integer.toUnsignedLong(lines[slot]);
      return first == test.verdict()
          ? new Added.Repeated(firstLine)
          : new Added.Conflicting(firstLine, first);
    }
    slots[slot] = key + 1;
    lines[slot] = (int) line;
    size++;
    if (size * 4L > slots.length * 3L) {
      grow();
    }
    return new Added.New();
  }

  private static int number(Map<String, Integer> numbers, String name, int max) {
    Integer known = numbers.get(name);
    if (known != null) {
      return known;
    }
    if (numbers.size() == max) {
      return -1;
    }
    numbers.put(name, numbers.size());
    return numbers.size() - 1;
  }

  /** The slot of the test, whatever its verdict, or the free one where it belongs. */
  private static int find(long[] slots, long key) {
    long test = key >>> VERDICT_BITS;
    int mask = slots.length - 1;
    int slot = (int) (mix(test) & mask);
    while (slots[slot] != 0 && (slots[slot] - 1) >>> VERDICT_BITS != test) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  /** Spreads neighbouring keys (the finaliser of SplitMix64). */
  private static long mix(long key) {
    long z = (key ^ (key >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  private void grow() {
    long[] wider = new long[slots.length * 2];
    int[] widerLines = new int[wider.length];
    for (int i = 0; i < slots.length; i++) {
      if (slots[i] != 0) {
        int slot = find(wider, slots[i] - 1);
        wider[slot] = slots[i];
        widerLines[slot] = lines[i];
      }
    }
    slots = wider;
    lines = widerLines;
  }

  /** Counts every pair of agents on every term, names sorted. */
  PairTallies tallies() {
    List<String> agentNames = agents.keySet().stream().sorted().toList();
    List<String> termNames = terms.keySet().stream().sorted().toList();
    int[] agentRank = ranks(agents, agentNames);
    int[] termRank = ranks(terms, termNames);
    var tallies = new PairTallies(agentNames, termNames);
    long[] sorted = Arrays.stream(slots).filter(slot -> slot != 0).map(slot -> slot - 1).toArray();
    Arrays.sort(sorted);
    List<PairTallies.Said> said = new ArrayList<>();
    int from = 0;
    while (from < sorted.length) {
      long place = sorted[from] >>> EVENT_SHIFT;
      said.clear();
      int to = from;
      while (to < sorted.length && sorted[to] >>> EVENT_SHIFT == place) {
        int agent = (int) (sorted[to] >>> AGENT_SHIFT) & ((1 << 12) - 1);
        said.add(
            new PairTallies.Said(
                agentRank[agent], VERDICTS.get((int) (sorted[to] & VERDICT_MASK))));
        to++;
      }
      tallies.add(termRank[(int) (sorted[from] >>> TERM_SHIFT)], said);
      from = to;
    }
    return tallies;
  }

  private static int[] ranks(Map<String, Integer> numbers, List<String> sorted) {
    int[] ranks = new int[sorted.size()];
    for (int rank = 0; rank < sorted.size(); rank++) {
      Integer number = numbers.get(sorted.get(rank));
      if (number != null) {
        ranks[number] = rank;
      }
    }
    return ranks;
  }

  /** Counts of every pair of agents on every term. */
  static final class PairTallies {
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
}
