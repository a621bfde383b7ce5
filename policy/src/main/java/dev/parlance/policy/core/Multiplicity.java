package dev.parlance.policy.core;

import dev.parlance.policy.text.Coded;
import java.util.Optional;

/**
 * What delta is the probability of, where many terms and pairs of agents are tested.
 *
 * <p>Pairs cost nothing: a term enters the core of n agents only if every pair certifies it, and a
 * term that is bad between any two is certified by that pair with probability at most delta
 * (intersection-union test; R. L. Berger 1982). Terms do.
 */
public enum Multiplicity implements Coded {
  /** Each term by itself: a bad one is certified with probability at most delta. */
  PER_TERM,
  /**
   * The whole vocabulary: the core holds any bad term with probability at most delta. Each term is
   * tested at delta divided by the number of terms (Bonferroni).
   */
  FAMILY;

  /** The one with this code. */
  public static Optional<Multiplicity> ofCode(String code) {
    return Coded.find(values(), code);
  }

  /**
   * What each term is tested with.
   *
   * @param params the plan's constants
   * @param terms how many terms the vocabulary has, 1 or more
   */
  public CertificationParams perTerm(CertificationParams params, int terms) {
    if (terms < 1) {
      throw new IllegalArgumentException("expected one or more terms, got " + terms);
    }
    return switch (this) {
      case PER_TERM -> params;
      case FAMILY -> params.withDelta(params.delta() / terms);
    };
  }
}
