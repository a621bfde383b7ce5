package dev.parlance.proxy.exchange;

import dev.parlance.proxy.audit.AuditEvent;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.Mode;
import dev.parlance.proxy.config.RouteRule;
import dev.parlance.proxy.config.RouteRule.Read;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.destination.Destinations;
import dev.parlance.proxy.destination.Destinations.Target;
import dev.parlance.proxy.destination.OriginSecurity;
import dev.parlance.proxy.exchange.body.VerdictFields;
import dev.parlance.proxy.gate.Pacts;
import dev.parlance.proxy.identity.Caller;
import dev.parlance.proxy.identity.Denials;
import dev.parlance.relay.api.Destination;
import dev.parlance.relay.api.ExchangeHandler;
import dev.parlance.relay.api.ExchangeHandler.Rejection;
import dev.parlance.relay.api.HttpProtocol;
import dev.parlance.relay.api.NameLookup;
import dev.parlance.relay.api.ServerCall;
import dev.parlance.relay.api.TlsPeer;
import dev.parlance.relay.api.WholeRequest;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.relay.http1.FieldRules;
import dev.parlance.service.config.HostPort;
import dev.parlance.wire.Codecs;
import dev.parlance.wire.api.Notice;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Handles the requests of one listener: finds route and destination and starts the exchange. */
public final class SidecarHandler implements ExchangeHandler {
  private static final int OK = 200;
  private static final int FORBIDDEN = 403;
  private static final int TOO_LARGE = 413;

  /** The listener itself counts the connections it turns away, also those it tells nothing. */
  private static final String CONNECTIONS = "connections";

  private static final String IDENTITY = "identity";

  private static final Target.Refused MISDIRECTED =
      new Target.Refused(
          421, "misdirected", "the name of the handshake (SNI) is not the one of the request");

  private static final Target.Refused DENIED =
      new Target.Refused(FORBIDDEN, "peer_denied", "the caller is denied (identity.deny)");

  private static final Target.Refused NOT_ALLOWED =
      new Target.Refused(
          FORBIDDEN, "peer_not_allowed", "the caller is not among those of the route (allow)");

  private static final Rejection NO_TUNNEL =
      new Rejection(
          405,
          "http1",
          "connect_denied",
          "a tunnel cannot be read; to let it pass, add its host to outbound.tunnels");

  private static final Rejection OUTSIDE_PACT =
      new Rejection(
          FORBIDDEN,
          "http1",
          "tunnel_outside_pact",
          "nobody can read what is called there, and a pact under which the agent works does not"
              + " name the host; to let it pass, name it in hosts of the pact");

  private static final Set<Target.Refused> OF_IDENTITY = Set.of(MISDIRECTED, DENIED, NOT_ALLOWED);

  private final Services services;
  private final Direction direction;
  private final Destinations destinations;
  private final Denials denials;
  private volatile Setup setup;

  /** A configuration and what all its exchanges share. */
  private record Setup(
      SidecarConfig config,
      Codecs codecs,
      List<String> names,
      Map<String, RoutePlan> plans,
      boolean isTap,
      boolean mayPassLarge) {
    static Setup of(SidecarConfig config, Direction direction, Check.Order checks) {
      Map<String, RoutePlan> plans = new HashMap<>();
      config
          .routes()
          .forEach(rule -> plans.put(rule.name(), new RoutePlan(rule, direction, config, checks)));
      return new Setup(
          config,
          new Codecs(config.limits().json()),
          config.outboundNames(),
          plans,
          config.routes().stream().allMatch(rule -> rule.mode() == Mode.OBSERVE),
          config.routes().stream()
              .anyMatch(rule -> rule.mode() == Mode.OBSERVE || rule.read() == Read.NONE));
    }
  }

  /** A handler for a listener that nothing is redirected to. */
  public SidecarHandler(Services services, Direction direction) {
    this(
        services,
        direction,
        (_, _, then) -> then.accept(new NameLookup.Found.Failed("none")),
        OriginSecurity.NONE,
        Denials.NONE);
  }

  /**
   * A handler for one listener.
   *
   * @param names looks up what redirected requests say
   * @param security of outbound destinations
   * @param denials who is refused whatever shows his identity
   */
  public SidecarHandler(
      Services services,
      Direction direction,
      NameLookup names,
      OriginSecurity security,
      Denials denials) {
    this.services = services;
    this.denials = denials;
    this.direction = direction;
    this.destinations = new Destinations(direction, names, security);
    this.setup = Setup.of(services.config().get(), direction, services.checks());
  }

  @Override
  public void onRequest(ServerCall call, WholeRequest request) {
    Setup now = setup();
    Caller caller = caller(now, call, request);
    Optional<Target.Refused> refused = refusal(now.config(), call, request, caller);
    if (refused.isPresent()) {
      refuse(call, request, caller, refused.get());
    } else if (direction == Direction.INBOUND
        && ExchangeContext.mediaType(request.headers()).equals(Pacts.BATCH_TYPE)) {
      RouteRule rule =
          now.config().route(direction, request.authority(), request.target(), caller.id());
      if (isKeptOut(rule, caller)) {
        refuse(call, request, caller, NOT_ALLOWED);
      } else {
        negotiate(call, request, caller);
      }
    } else {
      destinations.find(
          now.config(),
          now.names(),
          call,
          request,
          caller.id(),
          target -> run(now, call, request, caller, target));
    }
  }

  /** What stands against a request on this connection, whatever its route. */
  private Optional<Target.Refused> refusal(
      SidecarConfig config, ServerCall call, WholeRequest request, Caller caller) {
    Optional<String> asked = call.tls().flatMap(TlsPeer::serverName);
    if (asked.isPresent()
        && HostPort.parse(request.authority())
            .filter(authority -> authority.host().equalsIgnoreCase(asked.get()))
            .isEmpty()) {
      return Optional.of(MISDIRECTED);
    }
    return caller.id().filter(id -> denials.has(config.identity(), id)).map(_ -> DENIED);
  }

  private void run(Setup now, ServerCall call, WholeRequest request, Caller caller, Target target) {
    switch (target) {
      case Target.Allowed(Destination _, RouteRule rule)
          when direction == Direction.INBOUND && isKeptOut(rule, caller) ->
          refuse(call, request, caller, NOT_ALLOWED);
      case Target.Allowed(Destination _, RouteRule rule)
          when rule.mode() != Mode.OBSERVE && FieldRules.hasAlias(request.headers()) -> {
        request.body().release();
        String layer = call.protocol() == HttpProtocol.HTTP2 ? "http2" : "http1";
        call.respond(
            rejected(
                new Rejection(400, layer, "header_name_underscore", "'_' in a name for '-'"),
                caller.key()),
            true);
      }
      case Target.Allowed(Destination destination, RouteRule rule) when rule.read() == Read.NONE ->
          unread(now, call, toUpstream(rule, request), destination, rule).run();
      case Target.Allowed(Destination destination, RouteRule rule) ->
          exchange(now, call, toUpstream(rule, request), caller, destination, rule).run();
      case Target.Refused refused -> refuse(call, request, caller, refused);
    }
  }

  private UnreadExchange unread(
      Setup now, ServerCall call, WholeRequest request, Destination destination, RouteRule rule) {
    return new UnreadExchange(
        services, now.config(), now.codecs(), rule, direction, call, request, destination);
  }

  private Exchange exchange(
      Setup now,
      ServerCall call,
      WholeRequest request,
      Caller caller,
      Destination destination,
      RouteRule rule) {
    return new Exchange(
        services,
        now.config(),
        now.codecs(),
        Optional.ofNullable(now.plans().get(rule.name())).orElseThrow(),
        direction,
        call,
        caller,
        request,
        destination);
  }

  private static WholeRequest toUpstream(RouteRule rule, WholeRequest request) {
    return rule.upstream()
        .map(upstream ->
            new WholeRequest(
                request.method(),
                upstream.target(rule.match().pathPrefix(), request.target()),
                upstream.authority(),
                false,
                request.headers(),
                request.body()))
        .orElse(request);
  }

  /** Where a route only observes, who it is not for is written down and goes on. */
  private boolean isKeptOut(RouteRule rule, Caller caller) {
    if (rule.allow().matches(caller.id())) {
      return false;
    }
    if (rule.mode() == Mode.OBSERVE) {
      note(IDENTITY, NOT_ALLOWED.code() + "_observed", caller.key());
    }
    return rule.mode() != Mode.OBSERVE;
  }

  /** What another sidecar says of a pact is for this one, and never for the agent. */
  private void negotiate(ServerCall call, WholeRequest request, Caller caller) {
    if (request.body().readableBytes() > Pacts.MAX_BATCH_BYTES) {
      refuse(call, request, caller, LARGE_BATCH);
      return;
    }
    byte[] body = ByteBufUtil.getBytes(request.body());
    request.body().release();
    CompletableFuture<?> _ =
        services
            .pacts()
            .negotiate(body)
            .thenAccept(
                answer -> call.loop().execute(() -> call.respond(negotiated(answer), false)));
  }

  private static WholeResponse negotiated(byte[] body) {
    HttpHeaders headers = new DefaultHttpHeaders();
    headers.set(HttpHeaderNames.CONTENT_TYPE, Pacts.BATCH_TYPE);
    headers.set(HttpHeaderNames.CACHE_CONTROL, "no-store");
    return new WholeResponse(OK, headers, Unpooled.wrappedBuffer(body));
  }

  private void refuse(
      ServerCall call, WholeRequest request, Caller caller, Target.Refused refused) {
    request.body().release();
    call.respond(rejected(rejection(refused), caller.key()), refused.equals(DENIED));
  }

  @SuppressWarnings("ReferenceEquality") // comparing what configurations say would take too long
  private Setup setup() {
    SidecarConfig config = services.config().get();
    Setup now = setup;
    if (now.config() != config) { // two loops may both make one; either is right
      now = Setup.of(config, direction, services.checks());
      setup = now;
    }
    return now;
  }

  @Override
  public boolean isTap() {
    return setup().isTap();
  }

  @Override
  public boolean mayPassLarge() {
    return setup().mayPassLarge();
  }

  @Override
  public Tunnel onConnect(String authority) {
    Optional<HostPort> to = HostPort.parse(authority).filter(host -> host.port() > 0);
    if (direction == Direction.INBOUND || to.isEmpty()) {
      return new Tunnel.Refused(Rejection.CONNECT_DENIED);
    }
    return setup()
        .config()
        .listeners()
        .outbound()
        .filter(rules -> !rules.transparent())
        .filter(rules -> rules.tunnelsTo(to.get().host(), to.get().port()))
        .<Tunnel>map(_ ->
            isOutsidePact(to.get().host())
                ? new Tunnel.Refused(OUTSIDE_PACT)
                : new Tunnel.Open(new Destination(to.get().host(), to.get().port())))
        .orElse(new Tunnel.Refused(NO_TUNNEL));
  }

  private boolean isOutsidePact(String host) {
    return setup().config().holdsTunnels() && services.pacts().against(host).isPresent();
  }

  @Override
  public void onPassage(ServerCall call, String reason, WholeRequest begun, Consumer<Tunnel> then) {
    Setup now = setup();
    Caller caller = caller(now, call, begun);
    Optional<Target.Refused> refused = refusal(now.config(), call, begun, caller);
    if (refused.isPresent()) {
      then.accept(new Tunnel.Refused(rejection(refused.get())));
      return;
    }
    destinations.find(
        now.config(),
        now.names(),
        call,
        begun,
        caller.id(),
        target ->
            then.accept(
                switch (target) {
                  case Target.Allowed(Destination to, RouteRule rule)
                      when mayPass(rule, begun, caller)
                          && (to.protocol() == HttpProtocol.HTTP1
                              || call.protocol() == HttpProtocol.HTTP2) -> {
                    passes(now, call, reason, begun, caller, to, rule);
                    yield new Tunnel.Open(to, rule.upstream().map(_ -> toUpstream(rule, begun)));
                  }
                  case Target.Allowed _ -> new Tunnel.Refused(Rejection.BODY_TOO_LARGE);
                  case Target.Refused none -> new Tunnel.Refused(rejection(none));
                }));
  }

  private boolean mayPass(RouteRule rule, WholeRequest begun, Caller caller) {
    return rule.mode() == Mode.OBSERVE
        || (rule.read() == Read.NONE
            && !FieldRules.hasAlias(begun.headers())
            && !(direction == Direction.INBOUND && isKeptOut(rule, caller)));
  }

  /** A request goes on as it comes. */
  private void passes(
      Setup now,
      ServerCall call,
      String reason,
      WholeRequest begun,
      Caller caller,
      Destination to,
      RouteRule rule) {
    if (rule.read() == Read.NONE) {
      unread(now, call, begun, to, rule).leaves();
      return;
    }
    if (direction == Direction.OUTBOUND) {
      int _ = VerdictFields.strip(begun.headers());
    }
    exchange(now, call, begun, caller, to, rule)
        .goesOnUnread(
            switch (reason) {
              case "body" -> "body_too_large";
              case "grpc" -> "open_call";
              default -> reason;
            });
  }

  private Caller caller(Setup now, ServerCall call, WholeRequest request) {
    return direction == Direction.INBOUND
        ? Caller.of(call, request, now.config())
        : new Caller(call.peer(), Optional.empty());
  }

  private static Rejection rejection(Target.Refused refused) {
    String layer = OF_IDENTITY.contains(refused) ? IDENTITY : "destination";
    return new Rejection(refused.status(), layer, refused.code(), refused.detail());
  }

  @Override
  public WholeResponse onRejected(Rejection rejection) {
    return rejected(rejection, "");
  }

  private WholeResponse rejected(Rejection rejection, String peer) {
    note(rejection.layer(), rejection.code(), peer);
    Notice notice =
        new Notice(
                Notice.Kind.MALFORMED,
                rejection.code(),
                rejection.detail(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty())
            .under(rejection.status());
    return Responder.response(Codecs.plain(notice), notice);
  }

  private void note(String layer, String code, String peer) {
    if (!layer.equals(CONNECTIONS)) {
      services.metrics().rejected(layer, code);
    }
    services
        .log()
        .append(
            new AuditEvent.RejectionEvent(
                services.wallClockMs().getAsLong(),
                services.gate().node(),
                direction.code(),
                layer,
                code,
                peer));
  }

  private static final Target.Refused LARGE_BATCH =
      new Target.Refused(TOO_LARGE, "pact_too_large", "expected at most 256 KiB of negotiation");
}
