package dev.parlance.policy.core;

/**
 * One answer of one agent (Definition 2): the tuple of agent, public event identifier, term and
 * verdict.
 *
 * @param agent id of the agent
 * @param event public event identifier PEI(e)
 * @param term key of the term
 * @param verdict what it said
 */
public record WitnessedTest(String agent, String event, String term, TermVerdict verdict) {
  /** Refuses ids and terms that are none. */
  public WitnessedTest {
    Names.checked(agent);
    Names.checked(event);
    TermKey.checked(term);
  }
}
