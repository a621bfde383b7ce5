package dev.parlance.proxy.pact;

import dev.parlance.policy.route.Reason;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.exchange.Check;
import dev.parlance.proxy.exchange.CheckedMessage;
import dev.parlance.proxy.exchange.ExchangeContext;
import dev.parlance.proxy.exchange.Passage;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.proxy.gate.Pacts;
import dev.parlance.proxy.gate.Pacts.MessageResult;
import dev.parlance.wire.api.MessageView;
import dev.parlance.wire.api.PactMark;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The check of what a message says in a negotiation that the agents lead themselves: last of all,
 * so that nothing is accepted that does not go on.
 *
 * <pre>
 *   nothing                  on
 *   of the local agent       on if the machine accepts it; a ratification if the policy allows it,
 *                            with the sidecar's signature beside it
 *   of the other agent       on if the machine accepts it; a ratification if it is signed, and the
 *                            last one when the pact is on the ledger
 *   unreadable               refused
 * </pre>
 *
 * Where nothing is enforced, nothing is accepted.
 */
public final class NegotiationCheck implements Check {
  /** The kind; where the route looks at pacts. */
  public static final Kind KIND =
      new Kind(
          (_, _, rule, _) ->
              rule.pact().isOn()
                  ? Optional.of("negotiate messages of the agents' own negotiations")
                  : Optional.empty(),
          (_, begun) -> PactGuard.among(begun).negotiation);

  private final PactGuard guard;
  private final ExchangeContext exchange;
  private PactMark mark = PactMark.NONE;

  /** The signature that the other sidecar has put beside a ratification of its agent. */
  private Optional<String> ratified = Optional.empty();

  /** The message that was accepted last in this exchange. */
  private Optional<MessageResult.Accepted> accepted = Optional.empty();

  /** Why the other sidecar has refused a message of the local agent. */
  private Optional<String> refused = Optional.empty();

  NegotiationCheck(PactGuard guard) {
    this.guard = guard;
    this.exchange = guard.exchange;
  }

  boolean isAccepted() {
    return accepted.isPresent();
  }

  Optional<String> refused() {
    return refused;
  }

  /**
   * True if a message may go on without a pact where one is required, for it asks for one and says
   * nothing else; one that cannot be read goes on as far as here, where it is refused.
   */
  boolean asks() {
    return switch (mark) {
      case PactMark.None _ -> false;
      case PactMark.Statement said -> said.alone();
      case PactMark.Unreadable _ -> true;
    };
  }

  @Override
  public void fields(Leg leg, HttpHeaders fields) {
    mark = PactMark.NONE;
    boolean ofPeer = (leg == Leg.REQUEST) == (exchange.direction() == Direction.INBOUND);
    if (ofPeer) {
      ratified = PactFields.ratification(fields);
    }
    boolean isRefused =
        ofPeer
            && leg == Leg.RESPONSE
            && accepted.isPresent()
            && guard.reference().id().equals(PactFields.NEGOTIATION);
    if (isRefused) {
      // What the local agent has said does not count if the other side has refused it.
      refused = guard.reference().refused();
      exchange.services().pacts().retract(accepted.get());
    }
  }

  /** That an answer within a negotiation says nothing else is no fault of it. */
  @Override
  public boolean read(Leg leg, MessageView message) {
    mark = message.pact();
    return concerns(leg) || accepted.isPresent();
  }

  @Override
  public boolean concerns(Leg leg) {
    return !(mark instanceof PactMark.None);
  }

  /** What negotiates a pact is looked at whole. */
  @Override
  public boolean needsWhole() {
    return accepted.isPresent();
  }

  @Override
  public Result request(CheckedMessage message) {
    return take(message.leg());
  }

  @Override
  public Result answer(CheckedMessage message) {
    return take(message.leg());
  }

  private Result take(Leg leg) {
    return switch (mark) {
      case PactMark.None _ -> Passage.ON;
      case PactMark.Unreadable(String detail) -> illegal(leg, "malformed", detail);
      case PactMark.Statement said ->
          exchange.observing()
              ? Passage.ON
              : new Awaited<>(Source.PACT, sent(leg, said.json()), result -> passage(leg, result));
    };
  }

  private CompletableFuture<MessageResult> sent(Leg leg, byte[] json) {
    Pacts pacts = exchange.services().pacts();
    boolean outbound = exchange.direction() == Direction.OUTBOUND;
    Optional<Pacts.Channel> channel =
        outbound ? Optional.of(new PactChannel(exchange)) : Optional.empty();
    boolean own = (leg == Leg.REQUEST) == outbound;
    return own
        ? pacts.fromOwnAgent(json, outbound ? guard.finder.peer() : Optional.empty(), channel)
        : pacts.fromPeerAgent(json, ratified, channel);
  }

  private Passage passage(Leg leg, MessageResult result) {
    return switch (result) {
      case MessageResult.Accepted now -> {
        accepted = Optional.of(now);
        yield Passage.ON;
      }
      case MessageResult.Refused(String code, String detail) -> illegal(leg, code, detail);
      case MessageResult.Unavailable(String detail) ->
          guard.clauses.stop(Reason.PACT_UNAVAILABLE, detail);
    };
  }

  private Passage illegal(Leg leg, String code, String detail) {
    guard.refusesNegotiation(code, leg);
    return guard.clauses.stop(Reason.PACT_ILLEGAL_MOVE, code + ": " + detail);
  }

  @Override
  public void stopped(Reason reason, Leg leg) {
    guard.stopped(reason, leg);
  }

  @Override
  public void toAgent(HttpHeaders fields) {
    if (exchange.direction() == Direction.OUTBOUND) {
      writeRatification(fields);
    }
  }

  @Override
  public void toCaller(HttpHeaders fields) {
    if (exchange.direction() == Direction.INBOUND) {
      writeRatification(fields);
    }
  }

  /** The local agent's signature, if it has ratified a pact in this exchange. */
  private void writeRatification(HttpHeaders fields) {
    accepted
        .flatMap(MessageResult.Accepted::signature)
        .ifPresent(text -> fields.set(PactFields.RATIFICATION, text));
  }
}
