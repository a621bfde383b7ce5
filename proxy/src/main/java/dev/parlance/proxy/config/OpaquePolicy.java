package dev.parlance.proxy.config;

import dev.parlance.policy.text.Coded;

/** What a redirected connection gets that does not begin like HTTP. */
public enum OpaquePolicy implements Coded {
  /** It is closed. */
  REFUSE,
  /** Its bytes go on unread, and it is counted. */
  PASS
}
