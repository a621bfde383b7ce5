package dev.parlance.proxy.config;

import dev.parlance.policy.core.GuardPolicy;
import dev.parlance.policy.core.Names;
import dev.parlance.service.config.Binder.Inline;
import java.util.Optional;

/**
 * Which certified core the messages of a route are held against.
 *
 * @param domain the domain whose vocabulary is governed
 * @param peer id of the agent on the other side; empty if it is to be found out
 * @param policy what follows from what the guard finds
 */
public record CoreRule(String domain, Optional<String> peer, @Inline GuardPolicy policy) {
  /** Refuses ids that are none. */
  public CoreRule {
    Names.checked(domain);
    peer.ifPresent(Names::checked);
  }
}
