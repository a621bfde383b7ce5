package dev.parlance.proxy.pact;

import dev.parlance.policy.route.Reason;
import dev.parlance.proxy.config.ControlSettings;
import dev.parlance.proxy.config.PactSettings;
import dev.parlance.proxy.config.PactSettings.Actions;
import dev.parlance.proxy.config.PactSettings.OnNoPeer;
import dev.parlance.proxy.exchange.Check;
import dev.parlance.proxy.exchange.CheckedMessage;
import dev.parlance.proxy.exchange.ExchangeContext;
import dev.parlance.proxy.exchange.Passage;
import dev.parlance.proxy.gate.Pacts;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the pact of a request: the one with the peer, negotiated where the route requires one, or
 * the one that the request of the other party names.
 */
final class PactFinder {
  private static final Logger log = LoggerFactory.getLogger(PactFinder.class);

  private final PactGuard guard;
  private final ExchangeContext exchange;
  private final PactClauses clauses;
  private final Pacts pacts;

  PactFinder(PactGuard guard) {
    this.guard = guard;
    this.exchange = guard.exchange;
    this.clauses = guard.clauses;
    this.pacts = exchange.services().pacts();
  }

  // ---- requests of the local agent ----

  Check.Result outbound(CheckedMessage message) {
    boolean required = guard.isRequired();
    Optional<String> peer = peer();
    if (peer.isEmpty()) {
      return required
          ? clauses.stop(Reason.PACT_REQUIRED, "nobody knows who listens there")
          : Passage.ON;
    }
    Optional<Pacts.Held> holding = pacts.with(peer.get());
    if (holding.isPresent()) {
      return under(message, holding.get());
    }
    if (guard.negotiation.asks()) {
      return guard.asking();
    }
    if (!required || exchange.observing()) {
      return required ? clauses.stop(Reason.PACT_REQUIRED, "there is none") : Passage.ON;
    }
    return negotiated(message, peer.get());
  }

  /** What goes under this very pact, to where its other party has shown its key. */
  Check.Result under(CheckedMessage message, Pacts.Held pact) {
    return (pact.isBound() && pact.isSeenAt(exchange.destination())) || exchange.observing()
        ? guard.under(message, pact)
        : awaited(message, channel -> pacts.show(pact, channel));
  }

  Check.Result negotiated(CheckedMessage message, String peer) {
    return awaited(message, channel -> pacts.obtain(peer, channel));
  }

  private Check.Result awaited(
      CheckedMessage message, Function<Pacts.Channel, CompletableFuture<Pacts.Outcome>> ask) {
    long bytes = message.body().length();
    long most = exchange.config().pacts().map(PactSettings::heldBytes).orElse(0L);
    if (!exchange.services().held().beginNegotiation(bytes, most)) {
      return clauses.stop(Reason.PACT_UNAVAILABLE, "too much is held by negotiations already");
    }
    return new Check.Awaited<>(
        Check.Source.PACT,
        ask.apply(new PactChannel(exchange))
            .whenComplete((_, _) -> exchange.services().held().endNegotiation(bytes)),
        outcome ->
            outcome instanceof Pacts.Outcome.Agreed(Pacts.Held pact) && !guard.isRefused(pact)
                ? guard.under(message, pact)
                : withoutPact(outcome));
  }

  private Passage withoutPact(Pacts.Outcome outcome) {
    return switch (outcome) {
      case Pacts.Outcome.Agreed(Pacts.Held pact) ->
          clauses.stop(Reason.PACT_UNKNOWN, "the other side does not know pact " + pact.id());
      // Who has just refused a pact is a sidecar: without one it is somebody else.
      case Pacts.Outcome.NoPeer(String detail) ->
          !guard.isSentAgain()
                  && exchange
                      .config()
                      .pacts()
                      .filter(one -> one.onNoPeer() == OnNoPeer.PASS)
                      .filter(one -> one.actions() != Actions.STRICT)
                      .isPresent()
              ? passedWithout(detail)
              : clauses.stop(Reason.PACT_NO_PEER, detail);
      case Pacts.Outcome.Refused(String code, String detail) ->
          clauses.stop(reason(code), code + ": " + detail);
      case Pacts.Outcome.Unavailable(String detail) ->
          clauses.stop(Reason.PACT_UNAVAILABLE, detail);
    };
  }

  private Passage passedWithout(String detail) {
    log.atWarn().addKeyValue("detail", detail).log("a message goes on without a pact: no sidecar");
    return Passage.ON;
  }

  Optional<String> peer() {
    return peer(exchange);
  }

  /** Who listens where a request goes, by the route or by the hosts of peers. */
  static Optional<String> peer(ExchangeContext exchange) {
    return exchange
        .rule()
        .pact()
        .peer()
        .or(() ->
            exchange
                .config()
                .control()
                .flatMap(control ->
                    control.peers().stream()
                        .filter(one ->
                            one.hosts().stream()
                                .anyMatch(pattern ->
                                    pattern.matches(
                                        exchange.destination().host(),
                                        exchange.destination().port())))
                        .map(ControlSettings.PeerHosts::agent)
                        .findFirst()));
  }

  // ---- requests of the other party ----

  Check.Result inbound(CheckedMessage message, Optional<Pacts.Named> named) {
    if (named.isEmpty() && guard.negotiation.asks()) {
      return guard.asking();
    }
    if (named.isEmpty()) {
      return guard.isRequired()
          ? clauses.stop(Reason.PACT_REQUIRED, "the request names none")
          : Passage.ON;
    }
    Pacts.Named name = named.get();
    Optional<Pacts.Held> known = pacts.of(name.id());
    if (known.isPresent() && name.signature().isEmpty() && known.get().isBound()) {
      return matching(message, name, known.get());
    }
    if (exchange.observing()) {
      return clauses.stop(Reason.PACT_UNKNOWN, name.id());
    }
    return new Check.Awaited<>(
        Check.Source.PACT,
        pacts.admit(name),
        outcome ->
            switch (outcome) {
              case Pacts.Outcome.Agreed(Pacts.Held pact) -> matching(message, name, pact);
              case Pacts.Outcome.NoPeer(String detail) -> clauses.stop(Reason.PACT_UNKNOWN, detail);
              case Pacts.Outcome.Refused(String code, String detail) ->
                  clauses.stop(reason(code), code + ": " + detail);
              case Pacts.Outcome.Unavailable(String detail) ->
                  clauses.stop(Reason.PACT_UNAVAILABLE, detail);
            });
  }

  private Check.Result matching(CheckedMessage message, Pacts.Named named, Pacts.Held pact) {
    Optional<String> wanted = guard.inPlaceOf(pact.peer());
    if (wanted.isPresent()) {
      return clauses.stop(
          Reason.PACT_REQUIRED,
          "pact " + pact.id() + " is with " + pact.peer() + ", expected one with " + wanted.get());
    }
    if (guard.isTurned(pact)) {
      return clauses.stop(
          Reason.PACT_REQUIRED,
          "pact "
              + pact.id()
              + " is for what "
              + pact.peer()
              + " was asked; what it asks needs one of its own");
    }
    return named.sha256().equals(pact.sha256())
        ? guard.under(message, pact)
        : clauses.stop(Reason.PACT_HASH_DIFFERS, "pact " + pact.id());
  }

  static Reason reason(String code) {
    return switch (code) {
      case "pact_unknown" -> Reason.PACT_UNKNOWN;
      case "pact_hash_differs" -> Reason.PACT_HASH_DIFFERS;
      case "pact_ended" -> Reason.PACT_ENDED;
      case "pact_unproven" -> Reason.PACT_UNPROVEN;
      case "pact_disputed" -> Reason.PACT_DISPUTED;
      case "pact_escalated" -> Reason.PACT_ESCALATED;
      case "pact_unavailable", // whoever asks later may get it
          "control_unavailable",
          "ledger_unavailable",
          "too_many_pacts",
          "too_many_negotiations" ->
          Reason.PACT_UNAVAILABLE;
      default -> Reason.PACT_REQUIRED;
    };
  }
}
