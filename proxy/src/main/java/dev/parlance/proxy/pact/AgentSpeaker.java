package dev.parlance.proxy.pact;

import dev.parlance.ledger.pact.PactMessages;
import dev.parlance.ledger.pact.PactMessages.Incoming;
import dev.parlance.ledger.pact.PactMessages.Reading;
import dev.parlance.ledger.pact.PartyProof;
import dev.parlance.policy.pact.PactEvent;
import dev.parlance.policy.pact.PactEvent.Invocation;
import dev.parlance.policy.pact.PactEvent.Ratification;
import dev.parlance.policy.pact.PactFault;
import dev.parlance.policy.pact.PactNegotiator.Move;
import dev.parlance.policy.pact.PactState;
import dev.parlance.policy.pact.PactState.Phase;
import dev.parlance.proxy.gate.Pacts;
import dev.parlance.proxy.gate.Pacts.MessageResult;
import dev.parlance.proxy.gate.Pacts.MessageResult.Accepted;
import dev.parlance.proxy.pact.Negotiations.Invitation;
import dev.parlance.proxy.pact.Negotiations.Ongoing;
import dev.parlance.proxy.pact.PactNegotiation.Fault;
import dev.parlance.proxy.pact.PactNegotiation.Role;
import dev.parlance.service.Result;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/**
 * Negotiations that agents lead themselves. The sidecar says nothing in them: it runs the machine
 * on what both agents say, signs a ratification of its own agent if its policy allows the clauses,
 * and checks the signature of the other side's. Used on the loop only.
 *
 * @param underWay the negotiations that agents lead
 * @param ofSidecars negotiations whose pacts agents' must not be
 */
record AgentSpeaker(
    PactContext context,
    Negotiations underWay,
    Negotiations ofSidecars,
    FailureReports reports,
    Dissolutions dissolutions,
    CaseHandover cases) {
  /** Most messages of a negotiation. */
  static final int MAX_TURNS = 64;

  /** Most bytes of all messages of one, canonical. */
  static final int MAX_BYTES = 256 << 10;

  private static final int MAX_DETAILS = 5;

  /**
   * A message that the local agent has sent.
   *
   * @param before the negotiation without it
   */
  record Sent(String canonical, PactNegotiation before, Accepted result) {}

  /**
   * A message under way.
   *
   * @param own true if the local agent wrote it
   * @param arrived when it was here, by the clocks here: what it waits for is no difference of
   *     clocks
   * @param beside base64 of the signature that the other sidecar has put beside it
   * @param result is told what came of it
   */
  private record MessageInFlight(
      Incoming said,
      boolean own,
      PactLoop.Moment arrived,
      Optional<String> beside,
      Optional<Pacts.Channel> channel,
      CompletableFuture<MessageResult> result) {
    String from() {
      return said.message().from();
    }

    long atMs() {
      return said.message().atMs();
    }

    String canonical() {
      return said.message().canonical();
    }

    void refuse(PactFault fault, String detail) {
      refuse(Fault.of(fault, detail));
    }

    void refuse(Fault fault) {
      result.complete(new MessageResult.Refused(fault.code(), fault.detail()));
    }

    void refuse(Result.Refused<?> why) {
      result.complete(
          PactContext.isAway(why)
              ? new MessageResult.Unavailable(why.message())
              : new MessageResult.Refused(why.reason(), why.message()));
    }
  }

  // ---- both sides ----

  /**
   * An agent says something.
   *
   * @param own true if it is the local one
   * @param peer the other party, where the route names it
   * @param result is told what came of it
   */
  void say(
      byte[] json,
      boolean own,
      PactLoop.Moment arrived,
      Optional<String> peer,
      Optional<String> beside,
      Optional<Pacts.Channel> channel,
      CompletableFuture<MessageResult> result) {
    switch (PactMessages.message(json)) {
      case Reading.Refused<Incoming>(PactMessages.Fault fault, String detail) ->
          result.complete(new MessageResult.Refused("malformed", fault.code() + ": " + detail));
      case Reading.Good<Incoming>(Incoming said) -> {
        var message = new MessageInFlight(said, own, arrived, beside, channel, result);
        String from = message.from();
        Optional<String> me = Optional.of(context.party());
        if (own && !from.equals(context.party())) {
          message.refuse(
              PactFault.NOT_A_PARTY, "from: expected " + context.party() + ", got " + from);
        } else if (own && !said.signatures().isEmpty()) {
          message.refuse(new Fault("malformed", "signatures: it is the sidecar that signs"));
        } else if (!own && from.equals(context.party())) {
          message.refuse(PactFault.NOT_A_PARTY, "from: the local agent has not said this");
        } else {
          take(message, own ? peer : Optional.of(from), own ? peer : me);
        }
      }
    }
  }

  /**
   * Takes a message of who may say it.
   *
   * @param peer the other party, if it is known
   * @param target whom an invocation must be for, if that is known
   */
  private void take(MessageInFlight message, Optional<String> peer, Optional<String> target) {
    switch (message.said().message().body()) {
      case Invocation said -> {
        if (target.filter(one -> !one.equals(said.target())).isPresent()) {
          message.refuse(PactFault.BAD_PARTIES, "target: expected " + target.get());
        } else {
          invited(message, said);
        }
      }
      case PactEvent.Negotiating said -> {
        Optional<Ongoing> known = underWay.of(said.negotiation());
        if (known.isEmpty()) {
          message.refuse(PactFault.UNKNOWN_NEGOTIATION, "no negotiation " + said.negotiation());
        } else if (peer.filter(other -> !other.equals(known.get().now.peer())).isPresent()) {
          message.refuse(
              PactFault.NOT_A_PARTY, "it is a negotiation with " + known.get().now.peer());
        } else {
          inTurn(known.get(), message);
        }
      }
      case PactEvent.Dissolution _ ->
          message.refuse(PactFault.OUT_OF_STATE, "a sidecar ends pacts, on its own address");
      case PactEvent.Unknown one ->
          message.refuse(PactFault.UNKNOWN_TYPE, "no message " + one.type());
    }
  }

  private void invited(MessageInFlight message, Invocation said) {
    Optional<Accepted> before =
        underWay.of(said.negotiation()).flatMap(known -> repeated(known, message));
    if (before.isPresent()) {
      message.result().complete(before.get());
      return;
    }
    underWay.begin(
        new Invitation(
            message.own() ? Role.INITIATOR : Role.RESPONDER,
            message.said(),
            said,
            message.own() ? said.target() : message.from(),
            message.arrived(),
            message.beside(),
            Optional.empty()),
        message::refuse,
        begun -> {
          PactNegotiation was = begun.now;
          Optional<Fault> fault = begun.take(context.accept(was, message.said(), List.of()));
          if (fault.isEmpty()) {
            underWay.keep(begun, said.timeoutMs());
          }
          if (fault.isPresent()) {
            message.refuse(fault.get());
          } else {
            Optional<String> signature =
                message.own()
                    ? Optional.of(
                        PartyProof.sign(message.said().message(), context.key().current()))
                    : Optional.empty();
            message.result().complete(accepted(begun, message, was, signature));
          }
        });
  }

  private void inTurn(Ongoing one, MessageInFlight message) {
    Optional<Accepted> before = repeated(one, message);
    if (before.isPresent()) {
      message.result().complete(before.get());
      return;
    }
    if (one.busy) {
      message.refuse(PactFault.OUT_OF_TURN, "the message before it is still checked");
      return;
    }
    PactNegotiation was = one.now;
    Optional<Fault> unfit =
        tooMuch(one, message)
            .or(() -> was.untimely(message.atMs(), context.loop().elapsedMs(), false));
    if (unfit.isPresent()) {
      message.refuse(unfit.get());
    } else if (message.said().message().body() instanceof Ratification body) {
      ratified(one, message, body);
    } else {
      finish(one, message, was, one.take(context.accept(was, message.said(), List.of())));
      if (was.phase() != Phase.ESCALATED && one.now.phase() == Phase.ESCALATED) {
        escalated(one.now, message.channel());
      }
    }
  }

  /**
   * An arbiter decides: whoever has invited hands it over, where the other sidecar can be asked.
   */
  private void escalated(PactNegotiation now, Optional<Pacts.Channel> channel) {
    if (now.about().role() == Role.INITIATOR && cases.arbiter(now.peer()).isPresent()) {
      channel.ifPresent(to -> cases.owe(now, to));
    }
  }

  private static Optional<Fault> tooMuch(Ongoing one, MessageInFlight message) {
    return one.turns >= MAX_TURNS || one.bytes + message.canonical().length() > MAX_BYTES
        ? Optional.of(
            new Fault(
                "too_many_messages",
                "expected at most %d messages and %d bytes".formatted(MAX_TURNS, MAX_BYTES)))
        : Optional.empty();
  }

  /** Whoever did not hear whether a message arrived says it again. */
  private static Optional<Accepted> repeated(Ongoing one, MessageInFlight message) {
    return one.last
        .filter(sent -> message.own() && sent.canonical().equals(message.canonical()))
        .map(Sent::result);
  }

  private static void finish(
      Ongoing one, MessageInFlight message, PactNegotiation was, Optional<Fault> fault) {
    if (fault.isPresent()) {
      message.refuse(fault.get());
    } else {
      message.result().complete(accepted(one, message, was, Optional.empty()));
    }
  }

  private static Accepted accepted(
      Ongoing one, MessageInFlight message, PactNegotiation was, Optional<String> signature) {
    one.turns++;
    one.bytes += message.canonical().length();
    Accepted result = new Accepted(was.id(), one.turns, signature);
    one.last =
        message.own() ? Optional.of(new Sent(message.canonical(), was, result)) : Optional.empty();
    return result;
  }

  // ---- ratification ----

  private void ratified(Ongoing one, MessageInFlight message, Ratification body) {
    boolean isUsed =
        one.now.pact().isEmpty()
            && (underWay.isUsed(body.pact()) || ofSidecars.ofPact(body.pact()).isPresent());
    if (isUsed) {
      message.refuse(PactFault.OUT_OF_STATE, "there was a pact " + body.pact() + " before");
    } else if (message.own()) {
      sign(one, message, body);
    } else if (message.beside().isEmpty()) {
      message.refuse(PactFault.BAD_SIGNATURE, "no sidecar of " + one.now.peer() + " has signed");
    } else {
      // The signature beside the message counts; what stands in it was written by an agent.
      Incoming signed =
          new Incoming(
              message.said().message(),
              message.said().offer(),
              new TreeMap<>(Map.of(message.from(), message.beside().get())),
              Optional.empty());
      one.busy = true;
      context.tryKeys(
          one.now.peer(),
          (keys, isLast) -> check(one, message, context.accept(one.now, signed, keys), isLast),
          refused -> {
            one.busy = false;
            message.refuse(refused);
          });
    }
  }

  /** The machine first, then the policy, then the key. */
  private void sign(Ongoing one, MessageInFlight message, Ratification body) {
    PactNegotiation was = one.now;
    PactRules rules = context.rules().get();
    Optional<Fault> fault =
        one.take(was.unsigned(message.atMs(), body)).or(() -> context.crowded(was.peer()));
    if (fault.isEmpty() && was.signature(context.party()).isEmpty()) {
      Move move = rules.moves().next(was.state(), context.party(), was.peer());
      fault =
          move instanceof Move.Ratify
              ? one.take(
                  was.sign(message.atMs(), body, context.key().current(), rules.maxDurationMs()))
              : Optional.of(new Fault("NOT_ALLOWED", notAllowed(was, move)));
    }
    if (fault.isPresent()) {
      message.refuse(fault.get());
      return;
    }
    Accepted result = accepted(one, message, was, one.now.signature(context.party()));
    one.now
        .agreed()
        .ifPresent(terms -> {
          context.events().transition("negotiation", "agreed");
          dissolutions.signed(context.active(one.now, terms), message.channel());
        });
    message.result().complete(result);
  }

  /** Which clauses it is: whoever negotiates must know what to change. */
  private String notAllowed(PactNegotiation of, Move move) {
    if (!(move instanceof Move.GiveUp left)) {
      return "the policy signs nothing with " + of.peer();
    }
    reports.incompatible(of.id(), of.peer(), left.incompatibilities());
    return left.incompatibilities().stream()
        .limit(MAX_DETAILS)
        .map(one -> (one.predicate().orElse("") + " " + one.key() + " " + one.ours()).strip())
        .collect(Collectors.joining(", ", "the policy with " + of.peer() + ": ", ""));
  }

  /** What the other side's ratification comes to; false if it may be signed with a newer key. */
  private boolean check(
      Ongoing one, MessageInFlight message, PactNegotiation.Step step, boolean isLast) {
    if (step.fault().filter(Fault::isSignature).isPresent() && !isLast) {
      return false;
    }
    PactNegotiation was = one.now;
    Optional<Fault> fault = one.take(step);
    Optional<ActivePact.Terms> terms = one.now.agreed();
    if (fault.isEmpty() && terms.isPresent()) {
      attest(one, message, was, terms.get());
    } else {
      one.busy = false;
      finish(one, message, was, fault);
    }
    return true;
  }

  /** Nobody hears that both have signed before it is on the ledger. */
  private void attest(
      Ongoing one, MessageInFlight message, PactNegotiation was, ActivePact.Terms terms) {
    context.onLoop(
        context.control().attest(terms.note()),
        answer -> {
          one.busy = false;
          switch (answer) {
            case Result.Done<PactControl.View>(PactControl.View view)
                when view.state().equals("dissolved") ->
                message.refuse(new Fault("pact_ended", view.reason().orElse("dissolved")));
            case Result.Done<PactControl.View> _ -> {
              context.events().transition("negotiation", "agreed");
              context.events().transition("attestation", "attested");
              if (context.table().of(terms.id()).isEmpty()) {
                dissolutions.begun(context.active(one.now, terms), message.channel());
              }
              finish(one, message, was, Optional.empty());
            }
            case Result.Refused<PactControl.View> refused -> {
              one.now = was;
              context.events().transition("attestation", "refused");
              message.refuse(refused);
            }
          }
        });
  }

  // ---- refused by the other side ----

  /** As if the local agent had not said it, if nobody has said anything since. */
  void retract(Accepted accepted) {
    Optional<Ongoing> known =
        underWay
            .of(accepted.negotiation())
            .filter(one -> !one.busy && one.now.phase() != Phase.ACTIVE);
    Optional<Sent> sent =
        known.flatMap(one -> one.last).filter(last -> last.result().equals(accepted));
    if (known.isEmpty() || sent.isEmpty()) {
      return;
    }
    if (accepted.turn() == 1) {
      underWay.forget(known.get());
    } else {
      known.get().now = sent.get().before();
      known.get().turns--;
      known.get().last = Optional.empty();
    }
  }

  /** The state of a negotiation, for tests. */
  Optional<PactState> state(String negotiation) {
    return underWay.of(negotiation).map(one -> one.now.state());
  }
}
