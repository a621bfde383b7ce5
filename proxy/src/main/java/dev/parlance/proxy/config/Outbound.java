package dev.parlance.proxy.config;

import dev.parlance.service.config.Listen;
import java.util.List;
import java.util.Set;

/**
 * The way of the local agent's own requests: a forward proxy, or where they are redirected to.
 *
 * @param listen where the agent reaches it
 * @param allow destinations it may ask for; none allows nothing
 * @param allowLoopback whether a destination on this machine is allowed
 * @param originProtocol which version of HTTP destinations are spoken to in
 * @param transparent whether connections are redirected here, and go on to where they were going
 * @param opaque what a redirected connection gets that begins neither like HTTP nor like TLS
 * @param tunnels hosts to which TLS and CONNECT go on unread, of those that are allowed
 * @param opaquePorts ports of destinations whose redirected connections go on unread, 1-65535
 * @param tls whether destinations are encrypted to and have to show who they are; not {@link
 *     TlsMode#EXTERNAL}
 */
public record Outbound(
    Listen listen,
    List<HostPattern> allow,
    boolean allowLoopback,
    OriginProtocol originProtocol,
    boolean transparent,
    OpaquePolicy opaque,
    List<HostPattern> tunnels,
    Set<Integer> opaquePorts,
    TlsMode tls) {
  /** Takes copies of the lists; refuses ways past the reading that a proxy has not. */
  public Outbound {
    allow = List.copyOf(allow);
    tunnels = List.copyOf(tunnels);
    opaquePorts = Set.copyOf(opaquePorts);
    if (!transparent && (opaque != OpaquePolicy.REFUSE || !opaquePorts.isEmpty())) {
      throw new IllegalArgumentException("only redirected connections can be opaque");
    }
  }

  /** True if any pattern matches the destination. */
  public boolean allows(String host, int port) {
    return matches(allow, host, port);
  }

  /** True if bytes for this destination may go on unread. */
  public boolean tunnelsTo(String host, int port) {
    return allows(host, port) && matches(tunnels, host, port);
  }

  private static boolean matches(List<HostPattern> patterns, String host, int port) {
    for (HostPattern pattern : patterns) {
      if (pattern.matches(host, port)) {
        return true;
      }
    }
    return false;
  }
}
