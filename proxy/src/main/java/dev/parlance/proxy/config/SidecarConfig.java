package dev.parlance.proxy.config;

import dev.parlance.policy.route.Profile;
import dev.parlance.relay.api.HttpMessageLimits;
import dev.parlance.relay.api.Timeouts;
import dev.parlance.service.config.Binder.Inline;
import dev.parlance.service.config.Listen;
import dev.parlance.service.identity.SpiffeId;
import dev.parlance.wire.json.JsonScanner;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One whole, valid configuration; immutable.
 *
 * @param node name of this sidecar in verdicts and logs
 * @param mode default of all routes
 * @param listeners where it listens
 * @param probes what it asks the local agent in the kubelet's stead; names are unique
 * @param routes first match wins; the last one matches everything
 * @param profiles the built-in profiles and the configured ones, by name
 * @param limits bounds of messages and connections
 * @param plumbing what passes by its name
 * @param timeouts bounds in time
 * @param storage what it keeps
 * @param streams bounds of streamed answers
 * @param startup what is done before the sidecar is ready
 * @param control where certified cores come from
 * @param pacts how pacts are negotiated and kept, if there are any
 * @param lexicon how boards of coined terms are dealt with
 * @param identity who it is and whom it believes
 * @param verdicts whose verdicts are believed, and how own ones are made
 * @param entailment the second stage of judging claims, if there is one
 * @param traces where traces are exported to, if they are
 * @param revision first 12 hex digits of the SHA-256 of the file
 */
public record SidecarConfig(
    String node,
    Mode mode,
    Listeners listeners,
    List<Probe> probes,
    List<RouteRule> routes,
    Map<String, Profile> profiles,
    Limits limits,
    PlumbingSettings plumbing,
    Times timeouts,
    Storage storage,
    StreamSettings streams,
    StartupSettings startup,
    Optional<ControlSettings> control,
    Optional<PactSettings> pacts,
    BoardSettings lexicon,
    IdentitySettings identity,
    VerdictSettings verdicts,
    Optional<EntailmentSettings> entailment,
    Optional<TraceSettings> traces,
    String revision) {
  /**
   * True if nothing goes on unread but to hosts that the pacts name under which the agent works.
   */
  public boolean holdsTunnels() {
    return mode == Mode.ENFORCE
        && pacts.filter(one -> one.actions() == PactSettings.Actions.STRICT).isPresent();
  }

  /** Refuses a configuration without a route for everything. */
  public SidecarConfig {
    routes = List.copyOf(routes);
    probes = List.copyOf(probes);
    profiles = Map.copyOf(profiles);
    if (routes.isEmpty() || !routes.getLast().match().matchesAll()) {
      throw new IllegalArgumentException("expected a last route that matches everything");
    }
  }

  /**
   * Where a sidecar listens.
   *
   * @param inbound the listener in front of the local agent
   * @param outbound the forward proxy for the local agent
   * @param admin the admin listener, on loopback
   * @param health the listener for probes and scrapers, if there is one
   * @param portsFile where the bound ports are written
   */
  public record Listeners(
      Optional<Inbound> inbound,
      Optional<Outbound> outbound,
      Listen admin,
      Optional<Listen> health,
      Optional<Path> portsFile) {
    /** Refuses a sidecar through which nothing goes. */
    public Listeners {
      if (inbound.isEmpty() && outbound.isEmpty()) {
        throw new IllegalArgumentException("expected at least one of inbound and outbound");
      }
    }
  }

  /**
   * Bounds of messages and connections.
   *
   * @param http bounds of HTTP messages
   * @param json bounds of JSON documents
   * @param judgingMs most processor time that judging one message may take by its estimate, in
   *     milliseconds, 1 or more
   * @param errorBytes largest error of an agent that passes, 0 or more
   * @param flows most flows whose budget is kept at a time, 1 or more
   * @param plumbingBytes largest body that passes by its name, in bytes, 1 or more
   */
  public record Limits(
      @Inline HttpMessageLimits http,
      @Inline JsonScanner.Limits json,
      int judgingMs,
      int errorBytes,
      int flows,
      int plumbingBytes) {
    /** Refuses bounds that nothing would keep to. */
    public Limits {
      if (judgingMs < 1 || errorBytes < 0 || flows < 1 || plumbingBytes < 1) {
        throw new IllegalArgumentException(
            "expected judgingMs, flows, plumbingBytes >= 1, errorBytes >= 0");
      }
    }
  }

  /**
   * Bounds in time.
   *
   * @param http of HTTP messages
   * @param drainMs longest wait for requests under way when the sidecar stops, 0 or more
   * @param noticeMs for so long of it new connections are still taken, 0 to {@code drainMs}
   */
  public record Times(@Inline Timeouts http, int drainMs, int noticeMs) {
    /** Refuses a notice that is longer than the drain. */
    public Times {
      if (noticeMs < 0 || noticeMs > drainMs) {
        throw new IllegalArgumentException("expected 0 <= noticeMs <= drainMs");
      }
    }
  }

  /**
   * What a sidecar keeps.
   *
   * @param dataDir folder of the review journal, decision log and admin token; absolute
   * @param review bounds of the review queue
   * @param decisionLog bounds of the decision log
   * @param evidence what is kept of relayed results
   */
  public record Storage(
      Path dataDir,
      ReviewSettings review,
      DecisionLogSettings decisionLog,
      EvidenceSettings evidence) {}

  /**
   * The first route that matches.
   *
   * @param direction the listener
   * @param host the request's authority, {@code host} or {@code host:port}
   * @param path the request's target; its query does not count
   * @param caller who asks, of inbound requests
   */
  public RouteRule route(Direction direction, String host, String path, Optional<SpiffeId> caller) {
    String normalised = RoutePath.normalise(path);
    for (RouteRule rule : routes) {
      if (rule.upstream().isEmpty() && rule.match().matches(direction, host, normalised, caller)) {
        return rule;
      }
    }
    return routes.getLast();
  }

  /**
   * The first route that matches for any of these hosts.
   *
   * @param hosts authorities, all of which are the same place
   */
  public RouteRule route(Direction direction, List<String> hosts, String path) {
    String normalised = RoutePath.normalise(path);
    for (RouteRule rule : routes) {
      for (String host : hosts) {
        if (rule.upstream().isEmpty()
            && rule.match().matches(direction, host, normalised, Optional.empty())) {
          return rule;
        }
      }
    }
    return routes.getLast();
  }

  /**
   * The first route with an upstream that matches a request of the local agent. One without {@code
   * match.host} is for requests alone that are addressed to the listener itself.
   *
   * @param toListener whether this one is
   */
  public Optional<RouteRule> upstream(String host, String path, boolean toListener) {
    for (RouteRule rule : routes) {
      if (rule.upstream().isPresent()
          && (toListener || !rule.match().host().matchesAll())
          && rule.match()
              .matches(Direction.OUTBOUND, host, RoutePath.normalise(path), Optional.empty())) {
        return Optional.of(rule);
      }
    }
    return Optional.empty();
  }

  /** The hosts of routes for redirected requests, where a route is for one name. */
  public List<String> outboundNames() {
    return routes.stream()
        .map(RouteRule::match)
        .filter(match -> match.direction().filter(one -> one == Direction.INBOUND).isEmpty())
        .flatMap(match -> match.host().name().stream())
        .distinct()
        .toList();
  }

  /** The effective configuration in the shape of the file, every default filled in; no secrets. */
  public Map<String, Object> toDisplayMap() {
    return DisplayMap.of(this);
  }
}
