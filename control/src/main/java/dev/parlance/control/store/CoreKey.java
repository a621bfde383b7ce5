package dev.parlance.control.store;

import dev.parlance.policy.core.CoreId;

/** Text form of a core's id: {@code alice+bob license}. No id holds a plus sign or a blank. */
public final class CoreKey {
  private CoreKey() {}

  /** The key of a core. */
  public static String of(CoreId id) {
    return String.join("+", id.agents()) + " " + id.domain();
  }
}
