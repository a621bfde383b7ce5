package dev.parlance.policy.core;

import java.util.Arrays;
import java.util.Optional;

/**
 * What delta is the probability of, where many terms and pairs of agents are tested.
 *
 * <p>Pairs cost nothing: a term enters the core of n agents only if every pair certifies it, and a
 * term that is bad between any two is certified by that pair with probability at most delta
 * (intersection-union test; R. L. Berger 1982). Terms do.
 */
public enum Multiplicity {
  /** Each term by itself: a bad one is certified with probability at most delta. */
  PER_TERM("per_term"),
  /**
   * The whole vocabulary: the core holds any bad term with probability at most delta. Each term is
   * tested at delta divided by the number of terms (Bonferroni).
   */
  FAMILY("family");

  private final String code;

  Multiplicity(String code) {
    this.code = code;
  }

  /** The stable name in files, on the wire and on the ledger. */
  public String code() {
    return code;
  }

  /** The one with this code. */
  public static Optional<Multiplicity> ofCode(String code) {
    return Arrays.stream(values()).filter(one -> one.code.equals(code)).findFirst();
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
