package dev.parlance.policy.claim.value;

/** What kind of thing a value says. */
public enum ValueKind {
  /** A number, with sign, bound, unit or currency as far as they are there. */
  NUMBER,

  /** Several numbers that belong together in their order: 1:4, 16:9, 3/4/5. */
  RATIO,

  /** A day, month, year, quarter or decade, or as much of a date as is said. */
  DATE,

  /** A time of day. */
  TIME,

  /** A version whose parts are numbers of their own: 2.10 comes after 2.9. */
  VERSION,

  /** A name that is the same or another one: account, telephone, order number, address, path. */
  IDENTIFIER
}
