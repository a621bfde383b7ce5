package dev.parlance.encoder.train;

/** How two texts that say the same differ in their words. */
enum Likeness {
  /** The same words in another order or form, with other closed words. */
  REORDERED,
  /** Also other verbs and nouns, which the trainer has seen mean the same. */
  LEARNED_WORDS,
  /** Also other verbs that it has never seen. */
  NEW_WORDS,
  /** Constructions that neither the rules nor the trainer know. */
  FREE
}
