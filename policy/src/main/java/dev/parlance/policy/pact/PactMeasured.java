package dev.parlance.policy.pact;

/**
 * What was measured of a message, asked key by key: nobody has to measure what no clause asks for.
 * {@link PactCheck} asks for a key whether it {@linkplain #isKnown is known}, and only then what it
 * is.
 */
public interface PactMeasured {
  /** To the agent that does the work, or back. */
  PactTerms.Leg leg();

  /** True if what the key is about was measured. */
  boolean isKnown(PactTerms.Key key);

  /** What a key is about that bounds a number, in the unit of {@link PactObservation}. */
  double number(PactTerms.Key key);

  /** Whether every name that a key is about (fields, tools, hosts) is one of these. */
  boolean areAllAmong(PactTerms.Key key, NameSet names);

  /** Whether one of the names that a key is about is one of these. */
  boolean isAnyAmong(PactTerms.Key key, NameSet names);

  /**
   * The word that a key is about: of {@link PactTerms.Key#FORMAT} the media type in lower case, of
   * {@link PactTerms.Key#FINALITY} none, verdict or semantic.
   */
  String text(PactTerms.Key key);

  /**
   * Whether the schema is met that {@link PactTerms.Key#SCHEMA} names, or all governed terms are
   * certified of the domain that {@link PactTerms.Key#CERTIFIED} names.
   *
   * @param value of the clause
   */
  PactCheck.Outcome met(PactTerms.Key key, String value);

  /** Whether a person has released the message. */
  default boolean isReleased() {
    return false;
  }
}
