package dev.parlance.proxy.pact;

import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.pact.PactMessages;
import dev.parlance.ledger.pact.PactMessages.Batch;
import dev.parlance.ledger.pact.PactMessages.Incoming;
import dev.parlance.ledger.pact.PactMessages.Reading;
import dev.parlance.ledger.pact.PactMessages.Refusal;
import dev.parlance.policy.pact.PactEvent;
import dev.parlance.policy.pact.PactEvent.Invocation;
import dev.parlance.policy.pact.PactFault;
import dev.parlance.policy.pact.PactNegotiator.Move;
import dev.parlance.policy.pact.PactState.Phase;
import dev.parlance.proxy.pact.Negotiation.Fault;
import dev.parlance.proxy.pact.Negotiation.Role;
import dev.parlance.proxy.pact.Negotiation.Step;
import dev.parlance.proxy.pact.Negotiations.Invitation;
import dev.parlance.proxy.pact.Negotiations.Ongoing;
import dev.parlance.service.Result;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The sidecar's side of negotiations for an agent that knows nothing of pacts, by its policy:
 * answers the batches of other sidecars as responder; {@link PolicyInitiator} is the other role.
 * Used on the loop only.
 */
final class PolicySpeaker {
  private final PactContext context;
  private final Negotiations invited;
  private final FailureReports reports;
  private final Dissolutions dissolutions;

  /**
   * Nothing was said.
   *
   * @param invited the negotiations to which other sidecars invite
   */
  PolicySpeaker(
      PactContext context,
      Negotiations invited,
      FailureReports reports,
      Dissolutions dissolutions) {
    this.context = context;
    this.invited = invited;
    this.reports = reports;
    this.dissolutions = dissolutions;
  }

  // ---- either role ----

  /**
   * What the policy has said.
   *
   * @param left that it walks away, and why
   */
  record Turn(Step step, Optional<Move.GiveUp> left) {}

  /** Says what the policy says until it is the other side's turn, and signs what is agreed. */
  Turn speak(Negotiation now, PactRules rules) {
    long elapsedMs = context.loop().elapsedMs();
    return switch (rules.moves().next(now.state(), context.party(), now.peer())) {
      case Move.Wait _ -> new Turn(now.taken(), Optional.empty());
      case Move.Say(List<PactEvent.Body> bodies) -> {
        Step step = now.taken();
        for (PactEvent.Body body : bodies) {
          step = step.then(next -> next.say(body, elapsedMs));
        }
        yield step.fault().isEmpty() && step.next().phase() == Phase.CONVERGED
            ? speak(step.next(), rules)
            : new Turn(step, Optional.empty());
      }
      case Move.Ratify _ -> {
        Step step = now.sign(rules, context.key().current(), elapsedMs);
        yield new Turn(
            step.fault().isEmpty()
                ? step
                : new Step(step.next().leave("incompatible_pacts", elapsedMs), step.fault()),
            Optional.empty());
      }
      case Move.GiveUp left -> {
        reports.incompatible(now.id(), now.peer(), left.incompatibilities());
        yield new Turn(
            now.say(new PactEvent.Walkaway(now.id(), left.reason()), elapsedMs), Optional.of(left));
      }
    };
  }

  /** True if a key is needed to take it. */
  static boolean isSigned(Batch batch) {
    return batch.messages().stream()
        .anyMatch(one -> one.message().body() instanceof PactEvent.Ratification);
  }

  // ---- responder ----

  /** A batch that only refuses. */
  static byte[] refusal(String code, String detail) {
    return PactMessages.write(List.of(), Optional.of(new Refusal(0, code, detail)));
  }

  /**
   * The answer to a batch.
   *
   * @param arrived when it was there, whole
   */
  void answer(byte[] body, PactLoop.Moment arrived, CompletableFuture<byte[]> answer) {
    switch (PactMessages.batch(body)) {
      case Reading.Refused<Batch>(PactMessages.Fault fault, String detail) ->
          answer.complete(refusal("malformed", fault.code() + ": " + detail));
      case Reading.Good<Batch>(Batch batch) when batch.messages().isEmpty() ->
          answer.complete(refusal("malformed", "a batch without messages"));
      case Reading.Good<Batch>(Batch batch) -> {
        Incoming first = batch.messages().getFirst();
        switch (first.message().body()) {
          case PactEvent.Dissolution said -> dissolutions.accept(first, said, answer);
          case Invocation said ->
              invited.begin(
                  new Invitation(Role.RESPONDER, first, said, first.message().from(), arrived),
                  why -> answer.complete(refusal(why.code(), why.detail())),
                  begun -> {
                    invited.keep(
                        begun, Math.min(said.timeoutMs(), context.rules().get().timeoutMs()));
                    answer(begun, batch, answer);
                  });
          case PactEvent.Negotiating said ->
              invited
                  .of(said.negotiation())
                  .ifPresentOrElse(
                      known -> answer(known, batch, answer),
                      () ->
                          answer.complete(
                              refusal(
                                  PactFault.UNKNOWN_NEGOTIATION.name(),
                                  "no such negotiation here")));
          case PactEvent.Unknown _ ->
              answer.complete(refusal(PactFault.UNKNOWN_TYPE.name(), "no such message"));
        }
      }
    }
  }

  private void answer(Ongoing one, Batch batch, CompletableFuture<byte[]> answer) {
    if (!isSigned(batch)) {
      answer.complete(answer(one, batch, List.of()));
      return;
    }
    context.keysOf(
        one.now.peer(),
        keys ->
            answer.complete(
                switch (keys) {
                  case Result.Done<List<VerifierKey>>(List<VerifierKey> its) ->
                      answer(one, batch, its);
                  case Result.Refused<List<VerifierKey>> refused ->
                      refusal(refused.reason(), refused.message());
                }));
  }

  private byte[] answer(Ongoing one, Batch batch, List<VerifierKey> keys) {
    for (int i = 0; i < batch.messages().size(); i++) {
      Incoming message = batch.messages().get(i);
      boolean leaves =
          one.now.phase() == Phase.CONVERGED
              && message.message().body() instanceof PactEvent.Walkaway;
      Optional<Fault> fault = one.take(context.accept(one.now, message, keys));
      if (leaves || (fault.isPresent() && one.now.isOver())) {
        reports.badFaith(one.now.id(), one.now.peer());
      }
      if (fault.isPresent()) {
        return sent(one, i, fault);
      }
    }
    boolean isSettled = one.now.isOver() || one.now.phase() == Phase.ACTIVE;
    return sent(
        one,
        batch.messages().size() - 1,
        isSettled ? Optional.empty() : one.take(speak(one.now, context.rules().get()).step()));
  }

  private static byte[] sent(Ongoing one, int index, Optional<Fault> fault) {
    byte[] batch =
        PactMessages.write(
            one.now.unsent(), fault.map(why -> new Refusal(index, why.code(), why.detail())));
    one.now = one.now.sent();
    return batch;
  }
}
