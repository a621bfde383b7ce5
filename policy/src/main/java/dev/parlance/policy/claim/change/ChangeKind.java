package dev.parlance.policy.claim.change;

/** In what a claim departs from the sentence that it otherwise follows word for word. */
public enum ChangeKind {
  /** A negation was added or taken away. */
  NEGATION,
  /** Another number. */
  VALUE,
  /** Another unit, currency or order of magnitude. */
  UNIT,
  /** Another day, month or season. */
  DATE,
  /** Another name. */
  NAME,
  /** The opposite of a word. */
  ANTONYM,
  /** All, most, some, few, none. */
  QUANTIFIER,
  /** Must, should, may, can. */
  MODALITY,
  /** Two things stand in each other's place. */
  ROLES
}
