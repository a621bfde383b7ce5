package dev.parlance.proxy.config;

import dev.parlance.policy.text.Coded;
import dev.parlance.service.config.Binder.Key;
import java.util.Optional;

/**
 * What a route asks of pacts.
 *
 * @param demand whether its messages need one
 * @param peer id of the agent on the other side; empty if it is found by its address
 */
public record PactRule(@Key("pact") Demand demand, Optional<String> peer) {
  /** Nothing. */
  public static final PactRule OFF = new PactRule(Demand.OFF, Optional.empty());

  /** Whether messages need a pact. */
  public enum Demand implements Coded {
    /** None passes without one; an outbound request negotiates it. */
    REQUIRED,
    /** Held to one that there is; nothing is negotiated. */
    OPTIONAL,
    /** Not looked at. */
    OFF
  }

  /** True if messages are held to a pact that there is. */
  public boolean isOn() {
    return demand != Demand.OFF;
  }
}
