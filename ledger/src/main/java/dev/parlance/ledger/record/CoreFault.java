package dev.parlance.ledger.record;

import dev.parlance.policy.text.Coded;

/** Why a signed core, or a signed outcome of a round, was refused. The codes are stable. */
public enum CoreFault implements Coded {
  /** No signature on it. */
  UNSIGNED,
  /** No signature of a key that the reader knows, or one that does not hold. */
  FOREIGN_SIGNATURE,
  /** Not the document's one form: unknown or missing members, another order, unsorted terms. */
  MALFORMED,
  /**
   * Well formed, and not a core (tau outside (0,1), one agent, no name, version 0) or not an
   * outcome (a commit without digest, a core of strangers).
   */
  IMPOSSIBLE,
  /** More bytes or more terms than any has. */
  TOO_LARGE
}
