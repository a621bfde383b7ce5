package dev.parlance.policy.core;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * What a term means to an agent, as far as it was tested (Definition 3): the events on which it
 * assents, dissents and is neutral. Events it was not asked about are in none of them.
 *
 * @param positive identifiers of the events that prompted assent
 * @param negative identifiers of those that prompted dissent
 * @param neutral identifiers of those that prompted neither
 */
public record StimulusMeaning(Set<String> positive, Set<String> negative, Set<String> neutral) {
  /** Copies the sets and refuses an event with two verdicts. */
  public StimulusMeaning {
    positive = Set.copyOf(positive);
    negative = Set.copyOf(negative);
    neutral = Set.copyOf(neutral);
    Set<String> all = new HashSet<>(positive);
    all.addAll(negative);
    all.addAll(neutral);
    if (all.size() != positive.size() + negative.size() + neutral.size()) {
      throw new IllegalArgumentException("expected one verdict per event");
    }
  }

  /**
   * The meaning of a term for an agent. Tests of other agents and terms are passed over; of several
   * on one event the first counts, as on the ledger.
   */
  public static StimulusMeaning of(String agent, String term, Iterable<WitnessedTest> tests) {
    Map<String, TermVerdict> verdicts = new LinkedHashMap<>();
    for (WitnessedTest test : tests) {
      if (test.agent().equals(agent) && test.term().equals(term)) {
        verdicts.putIfAbsent(test.event(), test.verdict());
      }
    }
    Set<String> positive = new HashSet<>();
    Set<String> negative = new HashSet<>();
    Set<String> neutral = new HashSet<>();
    verdicts.forEach((event, verdict) -> {
      boolean added =
          switch (verdict) {
            case ASSENT -> positive.add(event);
            case DISSENT -> negative.add(event);
            case NEUTRAL -> neutral.add(event);
          };
      assert added;
    });
    return new StimulusMeaning(positive, negative, neutral);
  }

  /** Number of events on which the agent is decided; what entrenchment counts. */
  public int decided() {
    return positive.size() + negative.size();
  }

  /** What this and another agent's meaning come to on the events that both were tested on. */
  public Tally against(StimulusMeaning other) {
    int agreements = common(positive, other.positive) + common(negative, other.negative);
    int contradictions = common(positive, other.negative) + common(negative, other.positive);
    int contrary =
        common(positive, other.neutral)
            + common(negative, other.neutral)
            + common(neutral, other.positive)
            + common(neutral, other.negative);
    int eligible = agreements + contradictions;
    return new Tally(eligible + contrary, eligible, contradictions);
  }

  private static int common(Set<String> first, Set<String> second) {
    int common = 0;
    for (String event : first) {
      if (second.contains(event)) {
        common++;
      }
    }
    return common;
  }
}
