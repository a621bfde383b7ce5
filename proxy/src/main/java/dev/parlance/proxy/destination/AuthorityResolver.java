package dev.parlance.proxy.destination;

import dev.parlance.relay.api.NameLookup;
import io.netty.channel.EventLoop;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Resolves the authority of a redirected request against DNS. Its connection goes to an address
 * that nobody can argue with; the host it names is the agent's word. The name counts if DNS says
 * that the address is one of its own. Else the address itself is the host, and to choose a rule it
 * counts as well as every host that a rule names and that has this address: who lies about the
 * name, or leaves it out, does not get round the rules for the one he really talks to.
 */
final class AuthorityResolver {
  /** What came of it. */
  sealed interface Outcome {
    /**
     * The host counts.
     *
     * @param host the name, or the address
     * @param aliases other hosts that the rules are chosen by
     */
    record Known(String host, List<String> aliases) implements Outcome {
      /** Takes a copy. */
      public Known {
        aliases = List.copyOf(aliases);
      }
    }

    /**
     * Nobody knows now.
     *
     * @param name the name that could not be looked up
     */
    record Unknown(String name) implements Outcome {}
  }

  private final NameLookup names;
  private final EventLoop loop;
  private final InetAddress address;
  private final List<String> ruled;
  private final Consumer<Outcome> then;
  private final Set<String> aliases = new LinkedHashSet<>();
  private int awaited;
  private Optional<String> failed = Optional.empty();

  /**
   * For one request.
   *
   * @param address where its connection was going
   * @param ruled the names that rules are for
   * @param then called once, on the loop; may be called before {@link #of} returns
   */
  AuthorityResolver(
      NameLookup names,
      EventLoop loop,
      InetAddress address,
      List<String> ruled,
      Consumer<Outcome> then) {
    this.names = names;
    this.loop = loop;
    this.address = address;
    this.ruled = ruled;
    this.then = then;
  }

  /**
   * Finds out.
   *
   * @param claimed the host that the request names
   */
  void of(String claimed) {
    Optional<InetAddress> literal = literal(claimed);
    if (literal.isPresent()) {
      byAddress();
      return;
    }
    names.find(
        loop,
        claimed,
        found -> {
          switch (found) {
            case NameLookup.Found.Addresses(Set<InetAddress> own) -> {
              if (own.contains(address)) {
                then.accept(new Outcome.Known(claimed, List.of()));
              } else {
                byAddress();
              }
            }
            case NameLookup.Found.None() -> byAddress();
            case NameLookup.Found.Failed _ -> then.accept(new Outcome.Unknown(claimed));
          }
        });
  }

  private void byAddress() {
    awaited = ruled.size() + 1;
    for (String name : ruled) {
      names.find(
          loop,
          name,
          found -> {
            switch (found) {
              case NameLookup.Found.Addresses(Set<InetAddress> own) -> {
                if (own.contains(address)) {
                  aliases.add(name);
                }
              }
              case NameLookup.Found.None() -> {}
              case NameLookup.Found.Failed _ -> failed = Optional.of(name);
            }
            oneLess();
          });
    }
    oneLess();
  }

  private void oneLess() {
    awaited--;
    if (awaited == 0) {
      // A rule of which nobody knows whether it is for this address may be the strict one.
      then.accept(
          failed.isPresent()
              ? new Outcome.Unknown(failed.get())
              : new Outcome.Known(address.getHostAddress(), List.copyOf(aliases)));
    }
  }

  /** The address that a host is written as. */
  static Optional<InetAddress> literal(String host) {
    byte[] bytes = NetUtil.createByteArrayFromIpAddressString(host);
    if (bytes == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(InetAddress.getByAddress(bytes));
    } catch (UnknownHostException e) {
      throw new IllegalStateException("four or sixteen bytes are always an address", e);
    }
  }
}
