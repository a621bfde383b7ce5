package dev.parlance.policy.core;

import java.util.Arrays;
import java.util.Optional;

/** How the evidence about a term's contradiction rate is weighed. */
public enum Bound {
  /**
   * The paper's one-sided Wilson score bound (Eq. 1). An approximation: at 52 comparisons it
   * certifies a term of exactly the threshold rate 6.9 % of the time where 5 % was asked for.
   */
  WILSON("wilson"),
  /** Clopper-Pearson: the error is at most delta at every sample size. For one look at the data. */
  EXACT("exact"),
  /**
   * A mixture e-value: the error is at most delta however often one looks and whenever one stops.
   * For terms that are audited again and again.
   */
  ANYTIME("anytime");

  private final String code;

  Bound(String code) {
    this.code = code;
  }

  /** The stable name in files, on the wire and on the ledger. */
  public String code() {
    return code;
  }

  /** The bound with this code. */
  public static Optional<Bound> ofCode(String code) {
    return Arrays.stream(values()).filter(one -> one.code.equals(code)).findFirst();
  }
}
