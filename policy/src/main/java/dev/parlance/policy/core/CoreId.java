package dev.parlance.policy.core;

import java.util.List;

/**
 * What a core is the core of.
 *
 * @param agents ids of the agents, sorted, distinct, two or more
 * @param domain the domain
 */
public record CoreId(List<String> agents, String domain) {
  /** Copies the list. */
  public CoreId {
    agents = List.copyOf(agents);
  }

  @Override
  public String toString() {
    return String.join("+", agents) + "/" + domain;
  }
}
