package dev.parlance.proxy.gate;

import java.util.Optional;

/** Resolves an address to the id of the agent that listens there. */
public interface PeerResolver {
  /** Knows none. */
  PeerResolver NONE = _ -> Optional.empty();

  /**
   * Id of the agent at a destination. Called for every message on an event loop: never blocks.
   *
   * @param authority {@code host:port}
   */
  Optional<String> agentAt(String authority);
}
