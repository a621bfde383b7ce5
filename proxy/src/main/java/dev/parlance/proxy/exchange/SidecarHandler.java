package dev.parlance.proxy.exchange;

import dev.parlance.proxy.audit.AuditEvent;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.Inbound;
import dev.parlance.proxy.config.Outbound;
import dev.parlance.proxy.config.RouteRule;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.gate.Pacts;
import dev.parlance.relay.api.Destination;
import dev.parlance.relay.api.ExchangeHandler;
import dev.parlance.relay.api.ExchangeHandler.Rejection;
import dev.parlance.relay.api.HttpProtocol;
import dev.parlance.relay.api.NameLookup;
import dev.parlance.relay.api.ServerCall;
import dev.parlance.relay.api.WholeRequest;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.service.config.HostPort;
import dev.parlance.wire.Codecs;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.Refusal;
import io.netty.buffer.ByteBufUtil;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Handles the requests of one listener: finds route and destination and starts the exchange. */
public final class SidecarHandler implements ExchangeHandler {
  private static final int HTTP_PORT = 80;
  private static final int FORBIDDEN = 403;
  private static final int BAD_REQUEST = 400;
  private static final int TOO_LARGE = 413;
  private static final int UNAVAILABLE = 503;

  /** The listener itself counts the connections it turns away, also those it tells nothing. */
  private static final String CONNECTIONS = "connections";

  private static final Logger log = LoggerFactory.getLogger(SidecarHandler.class);

  private final Services services;
  private final Direction direction;
  private final NameLookup names;
  private volatile Setup setup;

  /** A configuration and what all its exchanges share. */
  private record Setup(
      SidecarConfig config, Codecs codecs, List<String> names, Map<String, RoutePlan> plans) {
    static Setup of(SidecarConfig config) {
      return new Setup(
          config, new Codecs(config.limits().json()), config.outboundNames(), RoutePlan.of(config));
    }
  }

  /** A handler for a listener that nothing is redirected to. */
  public SidecarHandler(Services services, Direction direction) {
    this(services, direction, (_, _, then) -> then.accept(new NameLookup.Found.Failed("none")));
  }

  /**
   * A handler for one listener.
   *
   * @param names looks up what redirected requests say
   */
  public SidecarHandler(Services services, Direction direction, NameLookup names) {
    this.services = services;
    this.direction = direction;
    this.names = names;
    this.setup = Setup.of(services.config().get());
  }

  @Override
  public void onRequest(ServerCall exchange, WholeRequest request) {
    Setup now = setup();
    boolean redirected =
        direction == Direction.OUTBOUND
            && now.config().listeners().outbound().filter(Outbound::transparent).isPresent();
    if (redirected) {
      redirected(now, exchange, request);
    } else {
      Target target = destination(now.config(), exchange, request);
      RouteRule rule = now.config().route(direction, request.authority(), request.target());
      run(now, exchange, request, target, rule);
    }
  }

  private void run(
      Setup now, ServerCall exchange, WholeRequest request, Target target, RouteRule rule) {
    if (direction == Direction.INBOUND
        && AnswerHead.mediaType(request.headers()).equals(PactChannel.TYPE)) {
      negotiate(exchange, request);
      return;
    }
    switch (target) {
      case Target.Allowed(Destination destination) ->
          new Exchange(
                  services,
                  now.config(),
                  now.codecs(),
                  plan(now, rule),
                  direction,
                  exchange,
                  request,
                  destination)
              .run();
      case Target.Refused refused -> refuse(exchange, request, refused);
    }
  }

  /** What another sidecar says of a pact is for this one, and never for the agent. */
  private void negotiate(ServerCall exchange, WholeRequest request) {
    if (request.body().readableBytes() > Pacts.MAX_BATCH_BYTES) {
      refuse(exchange, request, LARGE_BATCH);
      return;
    }
    byte[] body = ByteBufUtil.getBytes(request.body());
    request.body().release();
    CompletableFuture<?> _ =
        services
            .pacts()
            .negotiate(body)
            .thenAccept(answer ->
                exchange.loop().execute(() -> exchange.respond(PactChannel.answer(answer), false)));
  }

  private static RoutePlan plan(Setup now, RouteRule rule) {
    RoutePlan plan = now.plans().get(rule.name());
    return plan == null ? RoutePlan.of(rule) : plan;
  }

  private void refuse(ServerCall exchange, WholeRequest request, Target.Refused refused) {
    request.body().release();
    exchange.respond(
        rejected(
            new Rejection(refused.status(), "destination", refused.code(), refused.detail()),
            exchange.peer()),
        false);
  }

  /** A request of the agent, which believes that it talks to its destination. */
  private void redirected(Setup now, ServerCall exchange, WholeRequest request) {
    Optional<HostPort> claimed = HostPort.parse(request.authority());
    Optional<InetSocketAddress> original = exchange.originalDestination();
    if (claimed.isEmpty()) {
      refuse(exchange, request, BAD_HOST);
    } else if (original.isEmpty()) {
      refuse(exchange, request, NOT_REDIRECTED);
    } else if (request.absoluteForm()) {
      refuse(exchange, request, TO_A_PROXY);
    } else {
      InetSocketAddress to = original.get();
      new AuthorityResolver(
              names,
              exchange.loop(),
              to.getAddress(),
              now.names(),
              outcome -> known(now, exchange, request, to, outcome))
          .of(claimed.get().host());
    }
  }

  private void known(
      Setup now,
      ServerCall exchange,
      WholeRequest request,
      InetSocketAddress to,
      AuthorityResolver.Outcome outcome) {
    if (!exchange.isOpen()) {
      request.body().release();
      return;
    }
    switch (outcome) {
      case AuthorityResolver.Outcome.Known(String host, List<String> aliases) -> {
        List<String> hosts = new ArrayList<>();
        hosts.add(HostPort.format(host, to.getPort()));
        aliases.forEach(alias -> hosts.add(HostPort.format(alias, to.getPort())));
        Outbound rules = now.config().listeners().outbound().orElseThrow();
        Target target =
            rules.allows(host, to.getPort())
                ? new Target.Allowed(
                    new Destination(
                        host,
                        to.getPort(),
                        rules.originProtocol().of(request.isGrpc(), exchange.protocol()),
                        Optional.of(to.getAddress())))
                : DENIED;
        run(now, exchange, request, target, now.config().route(direction, hosts, request.target()));
      }
      case AuthorityResolver.Outcome.Unknown(String name) -> {
        log.atDebug().addKeyValue("name", name).log("no look-up");
        refuse(exchange, request, UNVERIFIED);
      }
    }
  }

  @SuppressWarnings("ReferenceEquality") // comparing what configurations say would take too long
  private Setup setup() {
    SidecarConfig config = services.config().get();
    Setup now = setup;
    if (now.config() != config) { // two loops may both make one; either is right
      now = Setup.of(config);
      setup = now;
    }
    return now;
  }

  @Override
  public WholeResponse onRejected(Rejection rejection) {
    return rejected(rejection, "");
  }

  private WholeResponse rejected(Rejection rejection, String peer) {
    if (!rejection.layer().equals(CONNECTIONS)) {
      services.metrics().rejected(rejection.layer(), rejection.code());
    }
    services
        .log()
        .append(
            new AuditEvent.RejectionEvent(
                services.wallClockMs().getAsLong(),
                services.gate().node(),
                direction.code(),
                rejection.layer(),
                rejection.code(),
                peer));
    Notice notice =
        new Notice(
            Notice.Kind.MALFORMED,
            rejection.code(),
            rejection.detail(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    Refusal refusal = Codecs.plain(notice);
    return Responder.response(Responder.withStatus(refusal, rejection.status()), notice);
  }

  private static final Target.Refused BAD_HOST =
      new Target.Refused(
          BAD_REQUEST, "bad_authority", "expected a host and an optional port in Host");

  private static final Target DENIED =
      new Target.Refused(
          FORBIDDEN,
          "destination_denied",
          "the destination is not among the allowed ones (outbound.allow)");

  private static final Target.Refused LARGE_BATCH =
      new Target.Refused(TOO_LARGE, "pact_too_large", "expected at most 256 KiB of negotiation");

  private static final Target NO_AGENT =
      new Target.Refused(FORBIDDEN, "no_inbound", "no agent is configured");

  private static final Target.Refused NOT_REDIRECTED =
      new Target.Refused(
          FORBIDDEN, "not_redirected", "the connection was made to the sidecar itself");

  private static final Target.Refused TO_A_PROXY =
      new Target.Refused(
          FORBIDDEN,
          "proxy_request",
          "a request to another proxy; expected one to its destination");

  private static final Target.Refused UNVERIFIED =
      new Target.Refused(
          UNAVAILABLE, "host_unverified", "the name server does not answer; try again later");

  private sealed interface Target {
    record Allowed(Destination destination) implements Target {}

    record Refused(int status, String code, String detail) implements Target {}
  }

  private Target destination(SidecarConfig config, ServerCall exchange, WholeRequest request) {
    return switch (direction) {
      case INBOUND -> {
        Optional<Destination> to = inbound(config, exchange, request);
        yield to.isPresent() ? new Target.Allowed(to.get()) : NO_AGENT;
      }
      case OUTBOUND -> {
        Optional<HostPort> authority = HostPort.parse(request.authority());
        if (authority.isEmpty() || config.listeners().outbound().isEmpty()) {
          yield BAD_HOST;
        }
        String host = authority.get().host();
        int port = authority.get().port() < 0 ? HTTP_PORT : authority.get().port();
        if (port == 0) {
          yield new Target.Refused(BAD_REQUEST, "bad_authority", "expected a port of 1-65535");
        }
        HttpProtocol protocol =
            config.listeners().outbound().get().originProtocol().of(request.isGrpc());
        yield config.listeners().outbound().get().allows(host, port)
            ? new Target.Allowed(new Destination(host, port, protocol))
            : DENIED;
      }
    };
  }

  /** Where the local agent takes a request: where its sender was going, else as configured. */
  private static Optional<Destination> inbound(
      SidecarConfig config, ServerCall exchange, WholeRequest request) {
    if (config.listeners().inbound().isEmpty()) {
      return Optional.empty();
    }
    Inbound inbound = config.listeners().inbound().get();
    Optional<InetSocketAddress> original =
        inbound.transparent() ? exchange.originalDestination() : Optional.empty();
    if (original.isEmpty()) {
      return inbound.destination(request.isGrpc());
    }
    InetSocketAddress to = original.get();
    return Optional.of(
        new Destination(
            to.getAddress().getHostAddress(),
            to.getPort(),
            inbound.agentProtocol().of(request.isGrpc(), exchange.protocol()),
            Optional.of(to.getAddress())));
  }
}
