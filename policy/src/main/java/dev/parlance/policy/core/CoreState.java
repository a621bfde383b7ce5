package dev.parlance.policy.core;

/** How much a core can be relied on now. */
public enum CoreState {
  /** There is one, and it was confirmed recently enough. */
  FRESH("fresh"),
  /** There is one, and it was last confirmed longer ago than the configured staleness. */
  STALE("stale"),
  /** There is none: nothing is known to be governed. */
  ABSENT("absent");

  private final String code;

  CoreState(String code) {
    this.code = code;
  }

  /** The stable name in logs, metrics and on the wire. */
  public String code() {
    return code;
  }

  /** The state with this code. */
  public static java.util.Optional<CoreState> ofCode(String code) {
    for (CoreState state : values()) {
      if (state.code.equals(code)) {
        return java.util.Optional.of(state);
      }
    }
    return java.util.Optional.empty();
  }
}
