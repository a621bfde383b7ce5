package dev.parlance.policy.core;

/** How two agents' verdicts on one event and term stand to each other (Definition 4). */
public enum Divergence {
  /** The same verdict. */
  NONE,
  /** One assents and the other dissents. */
  CONTRADICTORY,
  /** One is decided and the other neutral. */
  CONTRARY;

  /** The divergence of two verdicts, in either order. */
  public static Divergence between(TermVerdict first, TermVerdict second) {
    if (first == second) {
      return NONE;
    }
    return first.isDecided() && second.isDecided() ? CONTRADICTORY : CONTRARY;
  }
}
