package dev.parlance.proxy.exchange;

import dev.parlance.policy.text.Utf8Span;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.wire.api.RequestHead;
import dev.parlance.wire.api.ResponseHead;
import dev.parlance.wire.bytes.MediaType;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.plumbing.PlumbingCall;
import dev.parlance.wire.plumbing.Shape;
import java.util.Optional;

/**
 * The bounds of what passes by its name. Nobody judges it, so a name must be no way past the gate:
 * what does not look like what it is called is unjudged like anything else.
 */
final class PlumbingBounds {
  /** Code of what has a name whose switch is off. */
  static final String OFF = "plumbing_off";

  /** Code of one whose target is too long. */
  static final String TARGET = "plumbing_target";

  /** Code of words that a core governs. */
  static final String TERMS = "plumbing_terms";

  private PlumbingBounds() {}

  /** The name under which a request passes that no codec reads; empty if it has none. */
  static Optional<PlumbingCall> find(ExchangeContext exchange, String unread, PlainBody body) {
    RequestHead head = exchange.head;
    return PlumbingCall.of(head, body.isEmpty(), /* isUnclaimed= */ unread.equals("method"))
        // Where every message is bound to a pact, only what has no body and is known passes.
        .filter(call -> call.isNamed() || !exchange.checks.any(check -> check.binds(Leg.REQUEST)));
  }

  /** Code of what keeps a request from passing by its name; empty if nothing does. */
  static Optional<String> request(ExchangeContext exchange, PlumbingCall call, PlainBody body) {
    RequestHead head = exchange.head;
    if (!exchange.config.plumbing().passes(call.name())) {
      return Optional.of(OFF);
    }
    if (head.target().length() > call.targetBytes()) {
      return Optional.of(TARGET);
    }
    return body(exchange, call.request(), MediaType.of(head.fields()), body)
        .or(() -> governed(exchange, Optional.of(Shape.decoded(Utf8Span.of(head.target())))));
  }

  /** The same of its answer. What goes wrong is told in any type, and bounded as errors are. */
  static Optional<String> answer(
      ExchangeContext exchange, PlumbingCall call, ResponseHead head, PlainBody body) {
    MediaType type = MediaType.of(head.fields());
    if (!ResponseHead.isError(head.status())) {
      return body(exchange, call.answer(), type, body);
    }
    return body.length() > exchange.config.limits().errorBytes()
        ? Optional.of(Shape.SIZE)
        : governed(exchange, Shape.text(type, body, exchange.config.limits().json()));
  }

  private static Optional<String> body(
      ExchangeContext exchange, Shape shape, MediaType type, PlainBody body) {
    var limits = exchange.config.limits();
    return shape
        .fault(type, body, limits.json(), limits.plumbingBytes())
        .or(() -> governed(exchange, Shape.text(type, body, limits.json())));
  }

  /** Where messages have consequences the guard of the core reads what nobody judges. */
  private static Optional<String> governed(ExchangeContext exchange, Optional<Utf8Span> text) {
    return exchange.observing()
            || !exchange.rule.consequential()
            || text.filter(known ->
                    exchange.checks.untested(known, Utf8Span.EMPTY).isEmpty()
                        && !exchange
                            .services
                            .gate()
                            .hasGoverned(known, exchange.rule, exchange.keys.peerAuthority()))
                .isPresent()
        ? Optional.empty()
        : Optional.of(TERMS);
  }
}
