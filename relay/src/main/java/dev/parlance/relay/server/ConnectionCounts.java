package dev.parlance.relay.server;

import dev.parlance.relay.api.HttpMessageLimits;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the open connections of a listener, in all and by the addresses of their clients, and says
 * which is one too many. Addresses of IPv6 count by their first half: a network is given all that
 * begin alike. Thread-safe.
 */
final class ConnectionCounts {
  /** So many connections over a bound are told why; beyond, they are closed without a word. */
  static final int POLITE_REFUSALS = 64;

  /** What becomes of a connection that has come. */
  enum Admission {
    TAKEN,
    /** There are too many in all; it is told so. */
    FULL,
    /** There are too many of its address; it is told so. */
    ADDRESS_FULL,
    /** As {@link #FULL}, and too many are being told. */
    FULL_UNTOLD,
    /** As {@link #ADDRESS_FULL}, and too many are being told. */
    ADDRESS_FULL_UNTOLD;

    /** The reason of one that is not taken, as counters and logs have it. */
    String code() {
      return this == ADDRESS_FULL || this == ADDRESS_FULL_UNTOLD
          ? "address_connections"
          : "connection_limit";
    }
  }

  private final int most;
  private final int mostOfAddress;
  private final AtomicInteger taken = new AtomicInteger();
  private final AtomicInteger told = new AtomicInteger();
  private final ConcurrentMap<Object, Integer> byAddress = new ConcurrentHashMap<>();

  ConnectionCounts(HttpMessageLimits limits) {
    most = limits.connections();
    int share = limits.connectionsPerAddress();
    mostOfAddress = share < most ? share : Integer.MAX_VALUE;
  }

  /** Counts a connection; {@link #left} has to follow when it is closed. */
  Admission came(InetAddress client) {
    Object network = network(client);
    if (byAddress.merge(network, 1, Integer::sum) > mostOfAddress) {
      oneLess(network);
      return addOne(told, tellable()) ? Admission.ADDRESS_FULL : Admission.ADDRESS_FULL_UNTOLD;
    }
    if (!addOne(taken, most)) {
      oneLess(network);
      return addOne(told, tellable()) ? Admission.FULL : Admission.FULL_UNTOLD;
    }
    return Admission.TAKEN;
  }

  /**
   * A connection is closed.
   *
   * @param admission what {@link #came} said of it
   */
  void left(InetAddress client, Admission admission) {
    switch (admission) {
      case TAKEN -> {
        taken.decrementAndGet();
        oneLess(network(client));
      }
      case FULL, ADDRESS_FULL -> told.decrementAndGet();
      case FULL_UNTOLD, ADDRESS_FULL_UNTOLD -> {}
    }
  }

  private int tellable() {
    return Math.min(most, POLITE_REFUSALS);
  }

  private void oneLess(Object network) {
    byAddress.computeIfPresent(network, (_, count) -> count == 1 ? null : count - 1);
  }

  private static boolean addOne(AtomicInteger count, int most) {
    return count.getAndUpdate(now -> Math.min(now + 1, most)) < most;
  }

  /** What an address counts as; those of IPv4, and of IPv6 without a network, as they are. */
  private static Object network(InetAddress client) {
    if (client instanceof Inet6Address) {
      long first = ByteBuffer.wrap(client.getAddress()).getLong();
      if (first != 0) {
        return first;
      }
    }
    return client;
  }
}
