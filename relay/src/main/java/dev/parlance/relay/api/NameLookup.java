package dev.parlance.relay.api;

import io.netty.channel.EventLoop;
import java.net.InetAddress;
import java.util.Set;
import java.util.function.Consumer;

/** Looks up what addresses a name has, without blocking. */
@FunctionalInterface
public interface NameLookup {
  /** What came of a look-up. */
  sealed interface Found {
    /**
     * The name has addresses.
     *
     * @param addresses at least one
     */
    record Addresses(Set<InetAddress> addresses) implements Found {
      /** Takes a copy. */
      public Addresses {
        addresses = Set.copyOf(addresses);
      }
    }

    /** There is no such name, or it has no address. */
    record None() implements Found {}

    /**
     * Nobody knows: the servers did not answer, or not in time.
     *
     * @param detail for the log
     */
    record Failed(String detail) implements Found {}
  }

  /**
   * Looks a name up.
   *
   * @param loop where the answer is taken; called on it
   * @param name a host name, no address
   * @param then called once, on the loop; may be called before this returns
   */
  void find(EventLoop loop, String name, Consumer<Found> then);
}
