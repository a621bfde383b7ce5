package dev.parlance.proxy.gate;

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
}
