package dev.parlance.policy.core;

/**
 * Which of two agents is more entrenched in its use of a term (section 4.2): the one with more
 * decided verdicts on it, as a measure of precedent; with equally many the first by id.
 *
 * @param entrenched the agent whose use is offered
 * @param other the agent that is asked to adopt it
 * @param decidedEntrenched number of its decided verdicts on the term
 * @param decidedOther the same of the other agent
 */
public record Entrenchment(
    String entrenched, String other, int decidedEntrenched, int decidedOther) {
  /** Refuses an order that the rule does not give. */
  public Entrenchment {
    Names.checked(entrenched);
    Names.checked(other);
    boolean byCount = decidedEntrenched > decidedOther;
    boolean byName = decidedEntrenched == decidedOther && entrenched.compareTo(other) < 0;
    if (decidedOther < 0 || !(byCount || byName)) {
      throw new IllegalArgumentException(
          "expected the agent with more decided verdicts first, or the first by id, got "
              + entrenched
              + " "
              + decidedEntrenched
              + ", "
              + other
              + " "
              + decidedOther);
    }
  }

  /** The rule, for two agents in any order. */
  public static Entrenchment of(String agent, int decided, String another, int decidedAnother) {
    boolean isFirst =
        decided > decidedAnother || (decided == decidedAnother && agent.compareTo(another) < 0);
    return isFirst
        ? new Entrenchment(agent, another, decided, decidedAnother)
        : new Entrenchment(another, agent, decidedAnother, decided);
  }
}
