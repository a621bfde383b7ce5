package dev.parlance.proxy.main;

import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.OpaquePolicy;
import dev.parlance.proxy.config.Outbound;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.relay.api.Redirection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What becomes of redirected connections by the configuration that is in force.
 *
 * <pre>
 *                                       inbound              outbound
 *   not redirected                      to agent, if any     closed  not_redirected
 *   not addressed to this machine       closed  not_ours     -
 *   came over a card                    -                    closed  not_local
 *   destination port in opaquePorts     -                    unread, if allowed
 *   begins like HTTP                    read                 read
 *   begins otherwise                    read, and refused    closed  tls_refused, opaque_refused;
 *                                                            with opaque: pass unread, if allowed
 * </pre>
 *
 * <p>Inbound never lets anything by unread. What goes on is put to the address guard before it is
 * connected to, so neither listener is ever led back to one of our own.
 */
final class RedirectRules implements Redirection {
  private static final Logger log = LoggerFactory.getLogger(RedirectRules.class);

  private static final Passage READ = new Passage.Read();
  private static final Passage NOT_REDIRECTED =
      new Passage.Closed("not_redirected", "a connection to the sidecar itself");
  private static final Passage NOT_OURS =
      new Passage.Closed("not_ours", "the destination is not an address of this machine");
  private static final Passage NOT_LOCAL =
      new Passage.Closed("not_local", "only the local agent's connections are redirected here");
  private static final Passage DENIED =
      new Passage.Closed("destination_denied", "not among outbound.allow");
  private static final Passage TLS =
      new Passage.Closed("tls_refused", "TLS cannot be read; see outbound.opaque");
  private static final Passage OPAQUE =
      new Passage.Closed("opaque_refused", "not HTTP; see outbound.opaque");

  private final Direction direction;
  private final Supplier<SidecarConfig> config;

  /** Addresses of this machine, as far as they were asked for; looking them up costs a little. */
  private final Set<InetAddress> ours = ConcurrentHashMap.newKeySet();

  RedirectRules(Direction direction, Supplier<SidecarConfig> config) {
    this.direction = direction;
    this.config = config;
  }

  @Override
  public Passage accepted(Optional<InetSocketAddress> original, InetSocketAddress local) {
    return switch (direction) {
      case INBOUND -> inbound(original);
      case OUTBOUND -> outbound(original, local);
    };
  }

  private Passage inbound(Optional<InetSocketAddress> original) {
    if (original.isPresent()) {
      return isOurs(original.get().getAddress()) ? READ : NOT_OURS;
    }
    boolean known = config.get().inbound().flatMap(inbound -> inbound.agent()).isPresent();
    return known ? READ : NOT_REDIRECTED;
  }

  private Passage outbound(Optional<InetSocketAddress> original, InetSocketAddress local) {
    if (original.isEmpty()) {
      return NOT_REDIRECTED;
    }
    if (!local.getAddress().isLoopbackAddress()) {
      return NOT_LOCAL;
    }
    Outbound rules = config.get().outbound().orElseThrow();
    return rules.opaquePorts().contains(original.get().getPort())
        ? unread(rules, original.get(), "port")
        : READ;
  }

  @Override
  public boolean looks() {
    return direction == Direction.OUTBOUND;
  }

  @Override
  public Passage unreadable(InetSocketAddress original, Form form) {
    Outbound rules = config.get().outbound().orElseThrow();
    boolean passes = rules.opaque() == OpaquePolicy.PASS;
    return switch (form) {
      case TLS -> passes ? unread(rules, original, "tls") : TLS;
      case OTHER -> passes ? unread(rules, original, "not_http") : OPAQUE;
    };
  }

  private static Passage unread(Outbound rules, InetSocketAddress to, String reason) {
    return rules.allows(to.getAddress().getHostAddress(), to.getPort())
        ? new Passage.Unread(reason)
        : DENIED;
  }

  private boolean isOurs(InetAddress address) {
    if (ours.contains(address)) {
      return true;
    }
    try {
      boolean found = NetworkInterface.getByInetAddress(address) != null;
      if (found) {
        ours.add(address);
      }
      return found;
    } catch (SocketException e) {
      log.atWarn().setCause(e).log("the addresses of this machine cannot be read");
      return false;
    }
  }
}
