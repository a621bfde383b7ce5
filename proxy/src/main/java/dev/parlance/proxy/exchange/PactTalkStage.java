package dev.parlance.proxy.exchange;

import dev.parlance.policy.route.Reason;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.exchange.PactStage.Passage;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.proxy.gate.Pacts;
import dev.parlance.proxy.gate.Pacts.MessageResult;
import dev.parlance.wire.api.PactMark;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The stage that takes what a message says in a negotiation that the agents lead themselves: last
 * of all, so that nothing is taken that does not go on.
 *
 * <pre>
 *   nothing                  on
 *   of the local agent       on if the machine takes it; a ratification if the policy allows it,
 *                            with the sidecar's signature beside it
 *   of the other agent       on if the machine takes it; a ratification if it is signed, and the
 *                            last one when the pact is on the ledger
 *   unreadable               refused
 * </pre>
 *
 * Where nothing is enforced, nothing is taken.
 */
final class PactTalkStage {
  private PactTalkStage() {}

  /** Deals with a message, which then is told what becomes of it. */
  static Step take(ExchangeContext at, MessageStages message) {
    return switch (message.pactMark()) {
      case PactMark.None _ -> Step.NEXT;
      case PactMark.Unreadable(String detail) ->
          message.afterPact(illegal(at, message, "malformed", detail));
      case PactMark.Statement said ->
          at.observing()
              ? Step.NEXT
              : new Step.Await<>(
                  Step.Source.PACT,
                  asked(at, message, said.json()),
                  result -> message.afterPact(passage(at, message, result)));
    };
  }

  /**
   * True if a message may go on without a pact where one is required, for it asks for one and says
   * nothing else; one that cannot be read goes on as far as here, where it is refused.
   */
  static boolean asks(MessageStages message) {
    return switch (message.pactMark()) {
      case PactMark.None _ -> false;
      case PactMark.Statement said -> said.alone();
      case PactMark.Unreadable _ -> true;
    };
  }

  private static CompletableFuture<MessageResult> asked(
      ExchangeContext at, MessageStages message, byte[] json) {
    Pacts pacts = at.services.pacts();
    boolean outbound = at.direction == Direction.OUTBOUND;
    Optional<Pacts.Channel> channel =
        outbound ? Optional.of(new PactChannel(at)) : Optional.empty();
    boolean own = (message.leg() == Leg.REQUEST) == outbound;
    return own
        ? pacts.fromOwnAgent(json, outbound ? PactStage.peer(at) : Optional.empty(), channel)
        : pacts.fromPeerAgent(json, at.ratified, channel);
  }

  private static Passage passage(ExchangeContext at, MessageStages message, MessageResult result) {
    return switch (result) {
      case MessageResult.Accepted accepted -> {
        at.accepted = Optional.of(accepted);
        yield PactStage.ON;
      }
      case MessageResult.Refused(String code, String detail) -> illegal(at, message, code, detail);
      case MessageResult.Unavailable(String detail) ->
          PactStage.stop(at, Reason.PACT_UNAVAILABLE, detail);
    };
  }

  private static Passage illegal(
      ExchangeContext at, MessageStages message, String code, String detail) {
    at.responder.refusesTalk(code, message.leg() == Leg.RESPONSE);
    return PactStage.stop(at, Reason.PACT_ILLEGAL_MOVE, code + ": " + detail);
  }
}
