package dev.parlance.wire.a2a;

import java.util.Optional;
import java.util.Set;

/** What the state of a task means for what it says, in both spellings of A2A. */
enum A2aState {
  /** It works on, and may say more. */
  ACTIVE,
  /** It waits for the asker and can be continued. */
  WAITING,
  /** It has ended. */
  ENDED,
  /** No state that we know. */
  UNKNOWN;

  private static final String PREFIX = "TASK_STATE_";
  private static final Set<String> WORKING = Set.of("SUBMITTED", "WORKING");
  private static final Set<String> INTERRUPTED = Set.of("INPUT_REQUIRED", "AUTH_REQUIRED");
  private static final Set<String> FINAL =
      Set.of("COMPLETED", "FAILED", "CANCELED", "CANCELLED", "REJECTED");

  /** The meaning of a {@code state} member. */
  static A2aState of(Optional<String> state) {
    String name = state.map(A2aState::plain).orElse("");
    if (WORKING.contains(name)) {
      return ACTIVE;
    }
    if (INTERRUPTED.contains(name)) {
      return WAITING;
    }
    return FINAL.contains(name) ? ENDED : UNKNOWN;
  }

  private static String plain(String state) {
    return state.startsWith(PREFIX)
        ? state.substring(PREFIX.length())
        : state.toUpperCase(java.util.Locale.ROOT).replace('-', '_');
  }

  /** True if a message may still be added to the task. */
  boolean isOpen() {
    return this == ACTIVE || this == WAITING;
  }

  /** True if nothing more is said unless somebody asks. */
  boolean isSettled() {
    return this == WAITING || this == ENDED;
  }
}
