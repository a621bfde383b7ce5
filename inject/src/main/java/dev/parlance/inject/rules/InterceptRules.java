package dev.parlance.inject.rules;

import java.net.InetAddress;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What is redirected to a sidecar, and what is not.
 *
 * @param inboundPort where connections to the pod go, 1-65535
 * @param outboundPort where connections of the pod's processes go, 1-65535, another one
 * @param uid user of the sidecar, whose own connections go out
 * @param excludeInboundPorts ports of the pod that others reach unread
 * @param excludeOutboundPorts ports elsewhere that the pod's processes reach unread
 * @param excludeUids users whose connections go out unread
 * @param nameServers where questions to port 53 go out; at most 16
 */
public record InterceptRules(
    int inboundPort,
    int outboundPort,
    long uid,
    SortedSet<Integer> excludeInboundPorts,
    SortedSet<Integer> excludeOutboundPorts,
    SortedSet<Long> excludeUids,
    List<InetAddress> nameServers) {
  /** Health, probes and metrics of the sidecar: never intercepted. */
  public static final int HEALTH_PORT = 15_020;

  /** Largest user id; the next one means none. */
  public static final long MAX_UID = 0xffff_fffeL;

  private static final int MAX_PORT = 65_535;
  private static final int MAX_SERVERS = 16;

  /** Takes copies; refuses ports and users that there are not, and one port for two. */
  public InterceptRules {
    checkPort("inbound port", inboundPort);
    checkPort("outbound port", outboundPort);
    if (inboundPort == outboundPort) {
      throw new IllegalArgumentException("expected two ports, got " + inboundPort + " for both");
    }
    checkUid(uid);
    excludeInboundPorts = new TreeSet<>(excludeInboundPorts);
    excludeInboundPorts.forEach(port -> checkPort("excluded inbound port", port));
    excludeInboundPorts.add(HEALTH_PORT);
    excludeOutboundPorts = new TreeSet<>(excludeOutboundPorts);
    excludeOutboundPorts.forEach(port -> checkPort("excluded outbound port", port));
    excludeUids = new TreeSet<>(excludeUids);
    excludeUids.forEach(InterceptRules::checkUid);
    nameServers = nameServers.stream().distinct().toList();
    if (nameServers.size() > MAX_SERVERS) {
      throw new IllegalArgumentException(
          "expected at most " + MAX_SERVERS + " name servers, got " + nameServers.size());
    }
    if (excludeInboundPorts.contains(inboundPort)) {
      throw new IllegalArgumentException("the inbound port " + inboundPort + " is excluded");
    }
  }

  private static void checkPort(String what, int port) {
    if (port < 1 || port > MAX_PORT) {
      throw new IllegalArgumentException(what + ": expected 1 to 65535, got " + port);
    }
  }

  private static void checkUid(long uid) {
    if (uid < 0 || uid > MAX_UID) {
      throw new IllegalArgumentException("user: expected 0 to " + MAX_UID + ", got " + uid);
    }
  }
}
