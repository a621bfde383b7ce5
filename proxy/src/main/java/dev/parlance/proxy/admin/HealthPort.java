package dev.parlance.proxy.admin;

import java.util.List;

/** How the sidecar is. Never blocks: it is asked on an event loop. */
public interface HealthPort {
  /** Why it cannot take traffic, one short sentence each; empty if it can. */
  List<String> notReady();

  /** Why it has not started yet; empty for ever once it has, also while it stops. */
  default List<String> notStarted() {
    return List.of();
  }

  /** What of it has stopped working so that only a restart helps; empty if nothing has. */
  default List<String> notLive() {
    return List.of();
  }
}
