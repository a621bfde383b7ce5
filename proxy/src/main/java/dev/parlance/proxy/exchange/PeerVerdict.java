package dev.parlance.proxy.exchange;

import dev.parlance.policy.route.Reason;
import dev.parlance.policy.route.Route;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.gate.Leg;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import java.util.List;
import java.util.Optional;

/**
 * The verdict that the sidecar opposite has written beside a message. It is believed in two things,
 * that a person released the message there and that it is held there, and only of peers that the
 * configuration names ({@code review.trustFrom}); it goes on in a field of its own beside the
 * verdict of this sidecar. What comes from the local agent is never believed.
 */
final class PeerVerdict {
  /** What it says of reviews. */
  enum Word {
    /** Nothing, or nobody believes it. */
    NOTHING,
    /** A person released the message. */
    RELEASED,
    /** In its place stands the refusal of a message that is held. */
    HELD
  }

  /** The peer's verdict: its route, reasons, decision and ASP header. */
  static final AsciiString FIELD = AsciiString.cached("Parlance-Peer");

  private static final int MAX_PART_CHARS = 256;

  private PeerVerdict() {}

  /**
   * Takes the fields of a verdict off a message.
   *
   * @return what a peer says that is trusted
   */
  static Word take(ExchangeContext exchange, Leg leg, HttpHeaders headers) {
    Optional<String> route =
        isTrusted(exchange, leg) ? value(headers, VerdictFields.ROUTE) : Optional.empty();
    if (route.isEmpty()) {
      exchange.record.forgedFields(VerdictFields.strip(headers), leg);
      return Word.NOTHING;
    }
    String reasons = value(headers, VerdictFields.REASON).orElse("");
    StringBuilder told = new StringBuilder("route=").append(route.get());
    told.append("; reason=\"").append(reasons).append('"');
    value(headers, VerdictFields.DECISION).ifPresent(id -> told.append("; decision=").append(id));
    value(headers, VerdictFields.SIGNAL)
        .ifPresent(signal -> told.append("; signal=\"").append(signal).append('"'));
    int _ = VerdictFields.strip(headers);
    headers.set(FIELD, told.toString());
    if (route.get().equals(Route.YIELD.code())) {
      return Word.HELD;
    }
    boolean released =
        route.get().equals(Route.EXECUTE.code()) && reasons.equals(Reason.RELEASED.code());
    return released ? Word.RELEASED : Word.NOTHING;
  }

  private static Optional<String> value(HttpHeaders headers, AsciiString name) {
    return Optional.ofNullable(headers.get(name))
        .filter(text -> text.length() <= MAX_PART_CHARS && text.indexOf('"') < 0);
  }

  private static boolean isTrusted(ExchangeContext exchange, Leg leg) {
    List<String> trusted = exchange.config.storage().review().trustFrom();
    if (trusted.isEmpty()) {
      return false;
    }
    return leg == Leg.REQUEST
        ? exchange.direction == Direction.INBOUND && trusted.contains(exchange.call.peer())
        : exchange.direction == Direction.OUTBOUND
            && (trusted.contains(exchange.destination.toString())
                || trusted.contains(exchange.destination.host()));
  }
}
