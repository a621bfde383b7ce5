package dev.parlance.proxy.admin;

import java.util.List;

/** Whether the sidecar can take traffic. Never blocks: it is asked on an event loop. */
public interface HealthPort {
  /** Why it cannot, one short sentence each; empty if it can. */
  List<String> notReady();
}
