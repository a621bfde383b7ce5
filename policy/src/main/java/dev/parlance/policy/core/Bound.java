package dev.parlance.policy.core;

import dev.parlance.policy.text.Coded;
import java.util.Optional;

/** How the evidence about a term's contradiction rate is weighed. */
public enum Bound implements Coded {
  /**
   * The paper's one-sided Wilson score bound (Eq. 1). An approximation: at 52 comparisons it
   * certifies a term of exactly the threshold rate 6.9 % of the time where 5 % was asked for.
   */
  WILSON,
  /** Clopper-Pearson: the error is at most delta at every sample size. For one look at the data. */
  EXACT,
  /**
   * A mixture e-value: the error is at most delta however often one looks and whenever one stops.
   * For terms that are audited again and again.
   */
  ANYTIME;

  /** The bound with this code. */
  public static Optional<Bound> ofCode(String code) {
    return Coded.find(values(), code);
  }
}
