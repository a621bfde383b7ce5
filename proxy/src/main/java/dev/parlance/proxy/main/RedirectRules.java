package dev.parlance.proxy.main;

import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.OpaquePolicy;
import dev.parlance.proxy.config.Outbound;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.relay.api.InterceptionPolicy;
import dev.parlance.relay.api.NameLookup;
import io.netty.channel.EventLoop;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What becomes of redirected connections by the configuration that is in force.
 *
 * <pre>
 *                                       inbound              outbound
 *   not redirected                      to agent, if any     to an upstream, if any, else
 *                                                            closed  not_redirected
 *   not addressed to this machine       closed  not_ours     -
 *   came over a card                    -                    closed  not_local
 *   destination port in opaquePorts     -                    unread, if allowed
 *   begins like HTTP                    read                 read
 *   begins as TLS                       read, and refused    unread to a host of tunnels, if DNS says
 *                                                            that the address is its, and no pact
 *                                                            is against it (tunnel_outside_pact);
 *                                                            else closed  tls_refused
 *   begins otherwise                    read, and refused    closed  opaque_refused;
 *                                                            with opaque: pass unread, if allowed
 * </pre>
 *
 * <p>Inbound never lets anything by unread. What goes on is put to the address guard before it is
 * connected to, so neither listener is ever led back to one of our own.
 */
final class RedirectRules implements InterceptionPolicy {
  private static final Logger log = LoggerFactory.getLogger(RedirectRules.class);

  private static final AtomicLong NEXT_LINE_NS = new AtomicLong(System.nanoTime());
  private static final String OF_TLS = "tls";
  private static final Action READ = new Action.Intercept();
  private static final Action NOT_REDIRECTED =
      new Action.Refuse("not_redirected", "a connection to the sidecar itself");
  private static final Action NOT_OURS =
      new Action.Refuse("not_ours", "the destination is not an address of this machine");
  private static final Action NOT_LOCAL =
      new Action.Refuse("not_local", "only the local agent's connections are redirected here");
  private static final Action DENIED =
      new Action.Refuse("destination_denied", "not among outbound.allow");
  private static final Action TLS =
      new Action.Refuse(
          "tls_refused", "TLS cannot be read; to let it pass, add its host to outbound.tunnels");
  private static final Action OUTSIDE_PACT =
      new Action.Refuse(
          "tunnel_outside_pact",
          "a pact under which the agent works does not name the host; see pacts.actions");
  private static final Action OPAQUE =
      new Action.Refuse("opaque_refused", "not HTTP; see outbound.opaque");

  private final Direction direction;
  private final Supplier<SidecarConfig> config;
  private final NameLookup names;
  private final Predicate<String> againstPact;

  /** Addresses of this machine, as far as they were asked for; looking them up costs a little. */
  private final Set<InetAddress> ours = ConcurrentHashMap.newKeySet();

  /**
   * @param names looks up what handshakes name
   * @param againstPact true for a host that a pact under which the local agent works does not name
   */
  RedirectRules(
      Direction direction,
      Supplier<SidecarConfig> config,
      NameLookup names,
      Predicate<String> againstPact) {
    this.direction = direction;
    this.config = config;
    this.names = names;
    this.againstPact = againstPact;
  }

  @Override
  public Action accepted(Optional<InetSocketAddress> original, InetSocketAddress local) {
    return switch (direction) {
      case INBOUND -> inbound(original);
      case OUTBOUND -> outbound(original, local);
    };
  }

  private Action inbound(Optional<InetSocketAddress> original) {
    if (original.isPresent()) {
      return isOurs(original.get().getAddress()) ? READ : NOT_OURS;
    }
    boolean known =
        config.get().listeners().inbound().flatMap(inbound -> inbound.agent()).isPresent();
    return known ? READ : NOT_REDIRECTED;
  }

  private Action outbound(Optional<InetSocketAddress> original, InetSocketAddress local) {
    if (original.isEmpty() && !hasUpstream()) {
      return NOT_REDIRECTED;
    }
    if (!local.getAddress().isLoopbackAddress()) {
      return NOT_LOCAL;
    }
    Outbound rules = config.get().listeners().outbound().orElseThrow();
    return original.filter(to -> rules.opaquePorts().contains(to.getPort())).isPresent()
        ? unread(rules, original.get(), "port")
        : READ;
  }

  private boolean hasUpstream() {
    return config.get().routes().stream().anyMatch(rule -> rule.upstream().isPresent());
  }

  @Override
  public boolean looks() {
    return direction == Direction.OUTBOUND;
  }

  @Override
  public void unreadable(
      EventLoop loop,
      InetSocketAddress original,
      Form form,
      Optional<String> serverName,
      Consumer<Action> then) {
    Outbound rules = config.get().listeners().outbound().orElseThrow();
    String address = original.getAddress().getHostAddress();
    int port = original.getPort();
    if (form == Form.OTHER) {
      then.accept(
          rules.opaque() == OpaquePolicy.PASS ? unread(rules, original, "not_http") : OPAQUE);
    } else if (rules.tunnelsTo(address, port)) {
      then.accept(through(address));
    } else if (serverName.filter(name -> rules.tunnelsTo(name, port)).isPresent()) {
      names.find(
          loop,
          serverName.get(),
          found ->
              then.accept(
                  found instanceof NameLookup.Found.Addresses(Set<InetAddress> own)
                          && own.contains(original.getAddress())
                      ? through(serverName.get())
                      : refused(serverName, original)));
    } else {
      then.accept(refused(serverName, original));
    }
  }

  /** Unread, unless a pact under which the agent works has not named the host. */
  private Action through(String host) {
    return config.get().holdsTunnels() && againstPact.test(host)
        ? OUTSIDE_PACT
        : new Action.PassThrough(OF_TLS);
  }

  /** All are counted and in the decision log; here one a second stands for them. */
  private static Action refused(Optional<String> serverName, InetSocketAddress to) {
    long nowNs = System.nanoTime();
    long dueNs = NEXT_LINE_NS.get();
    if (nowNs - dueNs >= 0
        && NEXT_LINE_NS.compareAndSet(dueNs, nowNs + TimeUnit.SECONDS.toNanos(1))) {
      log.atWarn()
          .addKeyValue("host", serverName.orElse(""))
          .addKeyValue("address", to)
          .log("TLS was refused: to let it pass, add its host to outbound.tunnels");
    }
    return TLS;
  }

  private static Action unread(Outbound rules, InetSocketAddress to, String reason) {
    return rules.allows(to.getAddress().getHostAddress(), to.getPort())
        ? new Action.PassThrough(reason)
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
