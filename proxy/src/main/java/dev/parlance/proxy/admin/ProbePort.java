package dev.parlance.proxy.admin;

import java.util.Optional;

/** The local agent as the kubelet would find it. */
@FunctionalInterface
public interface ProbePort {
  /**
   * What came of a probe.
   *
   * @param good true if the agent is as it should be
   * @param detail what was found, for a person
   */
  record Outcome(boolean good, String detail) {}

  /** Makes the probe with this name, or waits for one under way; empty if there is none. */
  Optional<Outcome> probe(String name);
}
