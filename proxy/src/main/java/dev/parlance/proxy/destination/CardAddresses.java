package dev.parlance.proxy.destination;

import dev.parlance.service.config.HostPort;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The addresses that agent cards name, held against the one that their caller used. A client goes
 * where the card points: if that is another address, it goes past the sidecar. Any thread.
 */
public final class CardAddresses {
  /** Addresses that are remembered; whatever varies more than that is no mistake in a file. */
  private static final int MAX_KNOWN = 16;

  private static final int ABSENT = -1;
  private static final int HTTP = 80;
  private static final int HTTPS = 443;
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "::1");

  private final Set<String> known = ConcurrentHashMap.newKeySet();

  /**
   * The first address that does not lead where its caller is led; empty if all do.
   *
   * @param named URLs, or {@code host:port} as gRPC has them
   * @param used authorities under which the caller knows the agent
   */
  public static Optional<String> elsewhere(List<String> named, List<String> used) {
    return named.stream()
        .filter(address -> !address.isEmpty() && !address.startsWith("/"))
        .filter(address -> used.stream().noneMatch(authority -> leadsTo(address, authority)))
        .findFirst();
  }

  private static boolean leadsTo(String address, String authority) {
    Optional<HostPort> to = HostPort.parse(authorityOf(address));
    Optional<HostPort> used = HostPort.parse(authority);
    return to.isPresent()
        && used.isPresent()
        && isSameHost(to.get().host(), used.get().host())
        && isSamePort(to.get().port(), used.get().port());
  }

  private static String authorityOf(String address) {
    int scheme = address.indexOf("://");
    int from = scheme < 0 ? 0 : scheme + 3;
    int end = from;
    while (end < address.length() && "/?#".indexOf(address.charAt(end)) < 0) {
      end++;
    }
    return address.substring(from, end);
  }

  private static boolean isSameHost(String one, String other) {
    return one.equalsIgnoreCase(other) || (LOOPBACK.contains(one) && LOOPBACK.contains(other));
  }

  /** Whether TLS ends before the sidecar is not known here: no port is that of either scheme. */
  private static boolean isSamePort(int one, int other) {
    return one == other || (isUsual(one) && isUsual(other));
  }

  private static boolean isUsual(int port) {
    return port == ABSENT || port == HTTP || port == HTTPS;
  }

  /** True the first time that an address is asked about. */
  public boolean isNew(String address) {
    return known.size() < MAX_KNOWN && known.add(address);
  }
}
