package dev.parlance.proxy.config;

import dev.parlance.policy.text.Coded;

/** What a redirected connection gets that begins neither like HTTP nor like TLS. */
public enum OpaquePolicy implements Coded {
  /** It is closed. */
  REFUSE,
  /** Its bytes go on unread, and it is counted. */
  PASS
}
