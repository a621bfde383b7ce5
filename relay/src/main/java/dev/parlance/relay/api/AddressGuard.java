package dev.parlance.relay.api;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Decides which resolved addresses may be connected to. It looks at the address that a connection
 * will really use, never at the name, so a name that begins to point to loopback or to a metadata
 * service gains nothing.
 *
 * @param loopbackAllowed true for a sidecar's own agent, and for demonstrations on one machine
 * @param ownPorts ports of this process's listeners; never reached through one of our addresses
 * @param ownAddresses addresses of this machine besides loopback
 */
public record AddressGuard(
    boolean loopbackAllowed, Set<Integer> ownPorts, Set<InetAddress> ownAddresses) {
  /** Takes copies. */
  public AddressGuard {
    ownPorts = Set.copyOf(ownPorts);
    ownAddresses = Set.copyOf(ownAddresses);
  }

  /** A guard that knows the addresses of this machine as they are now. */
  public static AddressGuard forThisMachine(boolean loopbackAllowed, Set<Integer> ownPorts)
      throws SocketException {
    Set<InetAddress> addresses = new HashSet<>();
    for (NetworkInterface card : NetworkInterface.networkInterfaces().toList()) {
      card.inetAddresses().forEach(addresses::add);
    }
    return new AddressGuard(loopbackAllowed, ownPorts, addresses);
  }

  /** Why this address is refused; empty if it is not. An unresolved one is refused. */
  public Optional<String> refusal(InetSocketAddress address) {
    InetAddress resolved = address.getAddress();
    if (resolved == null) {
      return Optional.of("unresolved");
    }
    InetAddress ip = embedded(resolved);
    if (ip.isAnyLocalAddress() || (ip instanceof Inet4Address && ip.getAddress()[0] == 0)) {
      return Optional.of("any_local");
    }
    if (ip.isMulticastAddress() || isBroadcast(ip)) {
      return Optional.of("multicast");
    }
    if (ip.isLinkLocalAddress()) {
      return Optional.of("link_local");
    }
    boolean own = ip.isLoopbackAddress() || ownAddresses.contains(ip);
    if (own && ownPorts.contains(address.getPort())) {
      return Optional.of("own_listener");
    }
    if (ip.isLoopbackAddress() && !loopbackAllowed) {
      return Optional.of("loopback");
    }
    return Optional.empty();
  }

  private static boolean isBroadcast(InetAddress ip) {
    return Arrays.equals(ip.getAddress(), new byte[] {-1, -1, -1, -1});
  }

  /** The IPv4 address inside ::a.b.c.d, 64:ff9b::/96 and 2002::/16, else the address itself. */
  private static InetAddress embedded(InetAddress address) {
    byte[] b = address.getAddress();
    if (b.length != 16) {
      return address;
    }
    boolean zeros = true;
    for (int i = 4; i < 12 && zeros; i++) {
      zeros = b[i] == 0;
    }
    boolean nat64 =
        zeros && b[0] == 0 && b[1] == 0x64 && b[2] == (byte) 0xff && b[3] == (byte) 0x9b;
    boolean compatible =
        zeros && b[0] == 0 && b[1] == 0 && b[2] == 0 && b[3] == 0 && (b[12] != 0 || b[13] != 0);
    if (nat64 || compatible) {
      return ipv4(b, 12);
    }
    return b[0] == 0x20 && b[1] == 0x02 ? ipv4(b, 2) : address;
  }

  private static InetAddress ipv4(byte[] b, int from) {
    return address(Arrays.copyOfRange(b, from, from + 4));
  }

  /** The address of four or sixteen bytes. */
  public static InetAddress address(byte[] bytes) {
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new IllegalStateException("four or sixteen bytes are always an address", e);
    }
  }
}
