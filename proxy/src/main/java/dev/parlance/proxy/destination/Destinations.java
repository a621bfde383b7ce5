package dev.parlance.proxy.destination;

import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.Inbound;
import dev.parlance.proxy.config.Outbound;
import dev.parlance.proxy.config.RouteRule;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.relay.api.AddressGuard;
import dev.parlance.relay.api.Destination;
import dev.parlance.relay.api.HttpProtocol;
import dev.parlance.relay.api.NameLookup;
import dev.parlance.relay.api.ServerCall;
import dev.parlance.relay.api.WholeRequest;
import dev.parlance.service.config.HostPort;
import dev.parlance.service.identity.SpiffeId;
import io.netty.util.NetUtil;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds destination and route of the requests of one listener.
 *
 * @param names looks up what redirected requests say
 * @param security of outbound destinations
 */
public record Destinations(Direction direction, NameLookup names, OriginSecurity security) {
  private static final int HTTP_PORT = 80;
  private static final int FORBIDDEN = 403;
  private static final int BAD_REQUEST = 400;
  private static final int UNAVAILABLE = 503;

  private static final Logger log = LoggerFactory.getLogger(Destinations.class);

  private static final Target BAD_HOST =
      new Target.Refused(
          BAD_REQUEST, "bad_authority", "expected a host and an optional port in Host");

  private static final Target DENIED =
      new Target.Refused(
          FORBIDDEN,
          "destination_denied",
          "the destination is not among the allowed ones (outbound.allow)");

  private static final Target TO_OURSELVES =
      new Target.Refused(
          FORBIDDEN,
          "destination_denied",
          "the request is addressed to the sidecar itself; for a client that knows only a base URL,"
              + " give a route match.direction outbound, match.pathPrefix and upstream");

  private static final Target NO_AGENT =
      new Target.Refused(FORBIDDEN, "no_inbound", "no agent is configured");

  private static final Target NOT_REDIRECTED =
      new Target.Refused(
          FORBIDDEN, "not_redirected", "the connection was made to the sidecar itself");

  private static final Target TO_A_PROXY =
      new Target.Refused(
          FORBIDDEN,
          "proxy_request",
          "a request to another proxy; expected one to its destination");

  private static final Target UNKNOWN_PEER =
      new Target.Refused(
          FORBIDDEN,
          "peer_unknown",
          "who the destination has to be is not configured (identity.peers, or allow of the"
              + " route)");

  private static final Target UNVERIFIED =
      new Target.Refused(
          UNAVAILABLE, "host_unverified", "the name server does not answer; try again later");

  /** What was found. */
  public sealed interface Target {
    /** It may go there, under this route. */
    record Allowed(Destination destination, RouteRule rule) implements Target {}

    /** It may not go on. */
    record Refused(int status, String code, String detail) implements Target {}
  }

  /**
   * Finds out.
   *
   * @param ruled the names that rules are for
   * @param caller who asks, if that is known
   * @param then called on the loop of the call, now or later, and not at all if the caller has gone
   *     meanwhile; then the body is released
   */
  public void find(
      SidecarConfig config,
      List<String> ruled,
      ServerCall call,
      WholeRequest request,
      Optional<SpiffeId> caller,
      Consumer<Target> then) {
    if (direction == Direction.OUTBOUND
        && config.listeners().outbound().filter(Outbound::transparent).isPresent()) {
      redirected(config, ruled, call, request, then);
      return;
    }
    then.accept(
        switch (direction) {
          case INBOUND ->
              inbound(config, call, request)
                  .<Target>map(to ->
                      new Target.Allowed(
                          to,
                          config.route(direction, request.authority(), request.target(), caller)))
                  .orElse(NO_AGENT);
          case OUTBOUND -> outbound(config, call, request);
        });
  }

  private Target allowed(Destination to, SidecarConfig config, RouteRule rule) {
    return security
        .secured(config, to, rule)
        .<Target>map(secured -> new Target.Allowed(secured, rule))
        .orElse(UNKNOWN_PEER);
  }

  /** Where the configuration itself says where a request goes, that is allowed. */
  private static Optional<Target> upstream(
      SidecarConfig config, WholeRequest request, boolean toListener) {
    return config
        .upstream(request.authority(), request.target(), toListener)
        .map(rule -> {
          RouteRule.Upstream upstream = rule.upstream().orElseThrow();
          Destination to =
              new Destination(
                  upstream.host(),
                  upstream.port(),
                  request.isGrpc() ? HttpProtocol.HTTP2 : HttpProtocol.HTTP1);
          return new Target.Allowed(
              upstream.encrypted() ? to.over(UpstreamTls.of(upstream.ca())) : to, rule);
        });
  }

  private static boolean isLoopback(String host) {
    byte[] address = NetUtil.createByteArrayFromIpAddressString(host);
    return address == null
        ? host.equalsIgnoreCase("localhost")
        : AddressGuard.address(address).isLoopbackAddress();
  }

  private Target outbound(SidecarConfig config, ServerCall call, WholeRequest request) {
    Optional<HostPort> authority = HostPort.parse(request.authority());
    if (authority.isEmpty() || config.listeners().outbound().isEmpty()) {
      return BAD_HOST;
    }
    String host = authority.get().host();
    int port = authority.get().port() < 0 ? HTTP_PORT : authority.get().port();
    boolean toListener = port == call.localPort() && isLoopback(host);
    Optional<Target> upstream = upstream(config, request, toListener);
    if (upstream.isPresent()) {
      return upstream.get();
    }
    if (toListener) {
      return TO_OURSELVES;
    }
    if (port == 0) {
      return new Target.Refused(BAD_REQUEST, "bad_authority", "expected a port of 1-65535");
    }
    Outbound rules = config.listeners().outbound().get();
    return rules.allows(host, port)
        ? allowed(
            new Destination(host, port, rules.originProtocol().of(request.isGrpc())),
            config,
            config.route(direction, request.authority(), request.target(), Optional.empty()))
        : DENIED;
  }

  /** Where the local agent takes a request: where its sender was going, else as configured. */
  private static Optional<Destination> inbound(
      SidecarConfig config, ServerCall call, WholeRequest request) {
    if (config.listeners().inbound().isEmpty()) {
      return Optional.empty();
    }
    Inbound inbound = config.listeners().inbound().get();
    Optional<InetSocketAddress> original =
        inbound.transparent() ? call.originalDestination() : Optional.empty();
    if (original.isEmpty()) {
      return inbound.destination(request.isGrpc());
    }
    InetSocketAddress to = original.get();
    return Optional.of(
        new Destination(
            to.getAddress().getHostAddress(),
            to.getPort(),
            inbound.agentProtocol().of(request.isGrpc(), call.protocol()),
            Optional.of(to.getAddress())));
  }

  // ---- redirected requests ----

  /** A request of the agent, which believes that it talks to its destination. */
  private void redirected(
      SidecarConfig config,
      List<String> ruled,
      ServerCall call,
      WholeRequest request,
      Consumer<Target> then) {
    Optional<HostPort> claimed = HostPort.parse(request.authority());
    Optional<InetSocketAddress> original = call.originalDestination();
    if (claimed.isEmpty()) {
      then.accept(BAD_HOST);
    } else if (original.isEmpty()) {
      then.accept(upstream(config, request, true).orElse(NOT_REDIRECTED));
    } else if (request.absoluteForm()) {
      then.accept(TO_A_PROXY);
    } else {
      InetSocketAddress to = original.get();
      new AuthorityResolver(
              names,
              call.loop(),
              to.getAddress(),
              ruled,
              outcome -> {
                if (call.isOpen()) {
                  then.accept(known(config, call, request, to, outcome));
                } else {
                  request.body().release();
                }
              })
          .of(claimed.get().host());
    }
  }

  private Target known(
      SidecarConfig config,
      ServerCall call,
      WholeRequest request,
      InetSocketAddress to,
      AuthorityResolver.Outcome outcome) {
    return switch (outcome) {
      case AuthorityResolver.Outcome.Known(String host, List<String> aliases) -> {
        List<String> hosts = new ArrayList<>();
        hosts.add(HostPort.format(host, to.getPort()));
        aliases.forEach(alias -> hosts.add(HostPort.format(alias, to.getPort())));
        Outbound rules = config.listeners().outbound().orElseThrow();
        yield rules.allows(host, to.getPort())
            ? allowed(
                new Destination(
                    host,
                    to.getPort(),
                    rules.originProtocol().of(request.isGrpc(), call.protocol()),
                    Optional.of(to.getAddress())),
                config,
                config.route(direction, hosts, request.target()))
            : DENIED;
      }
      case AuthorityResolver.Outcome.Unknown(String name) -> {
        log.atDebug().addKeyValue("name", name).log("no look-up");
        yield UNVERIFIED;
      }
    };
  }
}
