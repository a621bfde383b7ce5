package dev.parlance.ledger.record;

/** Why a signed core, or a signed outcome of a round, was refused. The codes are stable. */
public enum CoreFault {
  /** No signature on it. */
  UNSIGNED("unsigned"),
  /** No signature of a key that the reader knows, or one that does not hold. */
  FOREIGN_SIGNATURE("foreign_signature"),
  /** Not the document's one form: unknown or missing members, another order, unsorted terms. */
  MALFORMED("malformed"),
  /**
   * Well formed, and not a core (tau outside (0,1), one agent, no name, version 0) or not an
   * outcome (a commit without digest, a core of strangers).
   */
  IMPOSSIBLE("impossible"),
  /** More bytes or more terms than any has. */
  TOO_LARGE("too_large");

  private final String code;

  CoreFault(String code) {
    this.code = code;
  }

  /** The stable name. */
  public String code() {
    return code;
  }
}
