package dev.parlance.encoder.train;

/** What makes two texts say different things. */
enum Difference {
  /** One denies what the other says. */
  NEGATION,
  /** Must and may; must not and need not. */
  MODALITY,
  /** Another number. */
  NUMBER,
  /** Someone or something else. */
  ENTITY,
  /** Who does it and to whom. */
  ROLE,
  /** At least and at most; before and after. */
  DIRECTION,
  /** The opposite verb. */
  OPPOSITE,
  /** Something else altogether. */
  TOPIC
}
