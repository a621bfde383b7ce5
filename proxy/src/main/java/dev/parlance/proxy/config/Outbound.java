package dev.parlance.proxy.config;

import java.util.List;

/**
 * The forward proxy for the local agent's own requests.
 *
 * @param listen where the agent reaches it
 * @param allow destinations it may ask for; none allows nothing
 * @param allowLoopback whether a destination on this machine is allowed
 * @param originProtocol which version of HTTP destinations are spoken to in
 */
public record Outbound(
    Listen listen, List<HostPattern> allow, boolean allowLoopback, OriginProtocol originProtocol) {
  /** A proxy that speaks the usual protocols. */
  public Outbound(Listen listen, List<HostPattern> allow, boolean allowLoopback) {
    this(listen, allow, allowLoopback, OriginProtocol.AUTO);
  }

  /** Takes a copy of the list. */
  public Outbound {
    allow = List.copyOf(allow);
  }

  /** True if any pattern matches the destination. */
  public boolean allows(String host, int port) {
    for (HostPattern pattern : allow) {
      if (pattern.matches(host, port)) {
        return true;
      }
    }
    return false;
  }
}
