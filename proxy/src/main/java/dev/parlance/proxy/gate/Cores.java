package dev.parlance.proxy.gate;

import dev.parlance.policy.core.HeldCore.CoreState;
import java.util.Optional;

/** The certified cores that this sidecar holds. */
public interface Cores {
  /** Of a sidecar without a control plane: every core is absent. */
  Cores NONE = (_, _) -> CoreView.ABSENT;

  /**
   * The core for a message. Called for every message on an event loop: never blocks.
   *
   * @param peer id of the agent on the other side; empty if unknown, then what is returned must
   *     hold for each of them ({@link CompiledCore#intersection})
   * @param domain the domain of the route
   */
  CoreView view(Optional<String> peer, String domain);

  /**
   * A core as it is held now.
   *
   * @param state how much it can be relied on
   * @param core the core; empty exactly if absent
   * @param ageMs milliseconds since it was last confirmed, 0 if absent
   */
  record CoreView(CoreState state, Optional<CompiledCore> core, long ageMs) {
    /** There is no core. */
    public static final CoreView ABSENT = new CoreView(CoreState.ABSENT, Optional.empty(), 0);

    /** Refuses a state that does not fit, and a negative age. */
    public CoreView {
      if ((state == CoreState.ABSENT) != core.isEmpty()) {
        throw new IllegalArgumentException("state " + state + " does not fit core " + core);
      }
      if (ageMs < 0) {
        throw new IllegalArgumentException("expected an age of 0 or more, got " + ageMs);
      }
    }

    /** A core that can be relied on. */
    public static CoreView fresh(CompiledCore core, long ageMs) {
      return new CoreView(CoreState.FRESH, Optional.of(core), ageMs);
    }

    /** A core that was not confirmed for too long. */
    public static CoreView stale(CompiledCore core, long ageMs) {
      return new CoreView(CoreState.STALE, Optional.of(core), ageMs);
    }
  }
}
