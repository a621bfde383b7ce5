package dev.parlance.proxy.act;

import dev.parlance.proxy.audit.RejectionEvent;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.HostPort;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.relay.Destination;
import dev.parlance.proxy.relay.Exchange;
import dev.parlance.proxy.relay.ExchangeHandler;
import dev.parlance.proxy.relay.HttpProtocol;
import dev.parlance.proxy.relay.Rejection;
import dev.parlance.proxy.relay.WholeRequest;
import dev.parlance.proxy.relay.WholeResponse;
import dev.parlance.proxy.wire.Codecs;
import dev.parlance.proxy.wire.Notice;
import dev.parlance.proxy.wire.Refusal;
import java.util.Optional;

/**
 * What a listener of one direction does: finds the route and the destination, starts the exchange.
 */
public final class SidecarHandler implements ExchangeHandler {
  private static final int HTTP_PORT = 80;
  private static final int FORBIDDEN = 403;
  private static final int BAD_REQUEST = 400;

  /** The listener itself counts the connections it turns away, also those it tells nothing. */
  private static final String CONNECTIONS = "connections";

  private final Services services;
  private final Direction direction;
  private volatile Setup setup;

  /** A configuration and the codecs that keep to it, which all its exchanges share. */
  private record Setup(SidecarConfig config, Codecs codecs) {
    static Setup of(SidecarConfig config) {
      return new Setup(config, new Codecs(config.json()));
    }
  }

  /** A handler for one listener. */
  public SidecarHandler(Services services, Direction direction) {
    this.services = services;
    this.direction = direction;
    this.setup = Setup.of(services.config().get());
  }

  @Override
  public void onRequest(Exchange exchange, WholeRequest request) {
    Setup now = setup();
    SidecarConfig config = now.config();
    switch (destination(config, request)) {
      case Target.Allowed(Destination destination) ->
          new Transaction(
                  services,
                  config,
                  now.codecs(),
                  config.route(direction, request.authority(), request.target()),
                  direction,
                  exchange,
                  request,
                  destination)
              .run();
      case Target.Refused(int status, String code, String detail) -> {
        request.body().release();
        exchange.respond(
            rejected(new Rejection(status, "destination", code, detail), exchange.peer()), false);
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
            new RejectionEvent(
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
    return Replies.of(Replies.withStatus(refusal, rejection.status()), notice);
  }

  private sealed interface Target {
    record Allowed(Destination destination) implements Target {}

    record Refused(int status, String code, String detail) implements Target {}
  }

  private Target destination(SidecarConfig config, WholeRequest request) {
    return switch (direction) {
      case INBOUND ->
          config
              .inbound()
              .flatMap(inbound -> inbound.destination(request.isGrpc()))
              .<Target>map(Target.Allowed::new)
              .orElseGet(
                  () -> new Target.Refused(FORBIDDEN, "no_inbound", "no agent is configured"));
      case OUTBOUND -> {
        Optional<HostPort> authority = HostPort.parse(request.authority());
        if (authority.isEmpty() || config.outbound().isEmpty()) {
          yield new Target.Refused(
              BAD_REQUEST, "bad_authority", "expected a host and an optional port in Host");
        }
        String host = authority.get().host();
        int port = authority.get().port() < 0 ? HTTP_PORT : authority.get().port();
        if (port == 0) {
          yield new Target.Refused(BAD_REQUEST, "bad_authority", "expected a port of 1-65535");
        }
        HttpProtocol protocol = config.outbound().get().originProtocol().of(request.isGrpc());
        yield config.outbound().get().allows(host, port)
            ? new Target.Allowed(new Destination(host, port, protocol))
            : new Target.Refused(
                FORBIDDEN,
                "destination_denied",
                "the destination is not among the allowed ones (outbound.allow)");
      }
    };
  }
}
