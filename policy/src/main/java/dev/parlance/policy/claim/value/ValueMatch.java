package dev.parlance.policy.claim.value;

/**
 * How a value of a claim stands to one of the evidence. The order is from good to bad; the last
 * ones name what differs.
 */
public enum ValueMatch {
  /** Says the same, or the evidence says more: 18:10 and 6.10 pm, 2026 and 1 September 2026. */
  SAME,

  /** The same in another unit: 500 GB and 0.5 TB. */
  CONVERTED,

  /** The claim says about, and the value of the evidence is that when rounded. */
  ROUNDED,

  /** The number is the same; one of the two names no unit, no year, or no half of the day. */
  NUMBER_ONLY,

  /** Follows from values of the evidence that the claim names: {@link ValueArithmetic}. */
  DERIVED,

  /** The number is the same; one of the two is a bound or an end of a range, the other is not. */
  BOUND_LOST,

  /** The bound is another one: below and above, at least and more than. */
  BOUND,

  SIGN,
  CURRENCY,
  UNIT,
  NUMBER,
  DATE,
  TIME,

  /** Another name, version or ratio. */
  IDENTIFIER,

  /** The two cannot be compared, or there is nothing to compare with. */
  OTHER;

  /** True if the evidence carries the value, with or without the unit. */
  public boolean isCarried() {
    return compareTo(DERIVED) <= 0;
  }

  ValueMatch better(ValueMatch that) {
    return compareTo(that) <= 0 ? this : that;
  }
}
