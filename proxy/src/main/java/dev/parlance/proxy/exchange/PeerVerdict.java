package dev.parlance.proxy.exchange;

import dev.parlance.policy.header.AspHeader;
import dev.parlance.policy.route.Reason;
import dev.parlance.policy.route.Route;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.exchange.body.VerdictFields;
import dev.parlance.proxy.gate.Leg;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The verdict that the sidecar opposite has written beside a message. It is believed in two things,
 * that a person released the message there and that it is held there, and only of peers that the
 * configuration names ({@code review.trustFrom}); it goes on in a field of its own beside the
 * verdict of this sidecar. Of an agent whose sidecar tells its decisions through the control plane
 * it goes on beside a message that such a decision holds for. What comes from the local agent is
 * never believed.
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

  // What goes on is no place for words.

  private static final Predicate<String> CODES =
      Pattern.compile("[a-z_]{1,40}(, [a-z_]{1,40})*").asMatchPredicate();
  private static final Predicate<String> ID =
      Pattern.compile("d-[0-9a-z-]{1,60}").asMatchPredicate();

  private PeerVerdict() {}

  /**
   * Takes the fields of a verdict off a message.
   *
   * @return what a peer says that is trusted
   */
  static Word take(ExchangeContext exchange, Leg leg, HttpHeaders headers) {
    Optional<String> route =
        exchange.comesIn(leg) ? value(headers, VerdictFields.ROUTE) : Optional.empty();
    boolean released = route.filter(code -> isReleased(code, headers)).isPresent();
    boolean trusted = route.isPresent() && isTrusted(exchange, leg);
    // Nobody else gets to see it.
    exchange.peerTold =
        trusted || (route.isPresent() && exchange.agents().isPresent())
            ? Optional.of(told(route.get(), headers))
            : Optional.empty();
    exchange.peerSaysReleased = released;
    if (!trusted) {
      exchange.stripFields(headers, leg);
      return Word.NOTHING;
    }
    if (!exchange.rule.isTap()) {
      int _ = VerdictFields.strip(headers);
      headers.set(FIELD, exchange.peerTold.orElseThrow());
    }
    return route.get().equals(Route.YIELD.code())
        ? Word.HELD
        : released ? Word.RELEASED : Word.NOTHING;
  }

  /** The message that a person is said to have decided about there. */
  static Optional<String> decided(HttpHeaders headers) {
    return value(headers, VerdictFields.ROUTE)
        .filter(route ->
            isReleased(route, headers)
                || value(headers, VerdictFields.REASON)
                    .filter(Reason.REJECTED.code()::equals)
                    .isPresent())
        .flatMap(_ -> value(headers, VerdictFields.REVIEW));
  }

  private static boolean isReleased(String route, HttpHeaders headers) {
    return route.equals(Route.EXECUTE.code())
        && value(headers, VerdictFields.REASON).filter(Reason.RELEASED.code()::equals).isPresent();
  }

  private static String told(String route, HttpHeaders headers) {
    String reasons = value(headers, VerdictFields.REASON).filter(CODES).orElse("");
    StringBuilder told = new StringBuilder("route=").append(route);
    told.append("; reason=\"").append(reasons).append('"');
    value(headers, VerdictFields.DECISION)
        .filter(ID)
        .ifPresent(id -> told.append("; decision=").append(id));
    value(headers, VerdictFields.SIGNAL)
        .flatMap(AspHeader::parse)
        .map(AspHeader::text)
        .ifPresent(signal -> told.append("; signal=\"").append(signal).append('"'));
    return told.toString();
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
        ? exchange.direction == Direction.INBOUND
            && (trusted.contains(exchange.caller.key())
                || trusted.contains(exchange.caller.address()))
        : exchange.direction == Direction.OUTBOUND
            && (trusted.contains(exchange.destination.toString())
                || trusted.contains(exchange.destination.host()));
  }
}
