package dev.parlance.proxy.pact;

import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.pact.PactDocument;
import dev.parlance.ledger.pact.PactMessages;
import dev.parlance.ledger.pact.PactMessages.Batch;
import dev.parlance.ledger.pact.PactMessages.Incoming;
import dev.parlance.ledger.pact.PactMessages.Reading;
import dev.parlance.ledger.pact.PactMessages.Refusal;
import dev.parlance.ledger.pact.PactNote;
import dev.parlance.ledger.pact.PactStatement;
import dev.parlance.ledger.pact.PactStatementNote;
import dev.parlance.ledger.pact.PartyProof;
import dev.parlance.ledger.pact.PartyProof.Challenge;
import dev.parlance.policy.pact.PactEvent;
import dev.parlance.policy.pact.PactEvent.Invocation;
import dev.parlance.policy.pact.PactFault;
import dev.parlance.policy.pact.PactNegotiator.Move;
import dev.parlance.policy.pact.PactScore.Ending;
import dev.parlance.policy.pact.PactState.Phase;
import dev.parlance.proxy.gate.Pacts.Held;
import dev.parlance.proxy.gate.Pacts.Named;
import dev.parlance.proxy.gate.Pacts.Outcome;
import dev.parlance.proxy.gate.Pacts.Standing;
import dev.parlance.proxy.pact.Negotiations.Invitation;
import dev.parlance.proxy.pact.Negotiations.Ongoing;
import dev.parlance.proxy.pact.PactNegotiation.Fault;
import dev.parlance.proxy.pact.PactNegotiation.Role;
import dev.parlance.proxy.pact.PactNegotiation.Step;
import dev.parlance.service.Result;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The sidecar's side of negotiations for an agent that knows nothing of pacts, by its policy:
 * answers the batches of other sidecars as responder, and lets in the first request under a pact;
 * {@link PolicyInitiator} is the other role. Used on the loop only.
 */
final class PolicySpeaker {
  private final PactContext context;
  private final Negotiations invited;
  private final Negotiations ofAgents;
  private final FailureReports reports;
  private final Dissolutions dissolutions;
  private final CaseHandover cases;

  /** Most pacts that are looked at, or told of, at a time because a request names them. */
  private static final int MAX_ADMITTING = 256;

  /**
   * Of these that nobody has negotiated here, so that anybody may have named them: half, and half
   * of the calls to the control plane.
   */
  static final int MAX_ASKED_ABOUT = 128;

  private final Map<String, CompletableFuture<Outcome>> underWay = new HashMap<>();
  private int askedAbout;

  /**
   * Nothing was said.
   *
   * @param invited the negotiations to which other sidecars invite
   * @param ofAgents those that agents lead, which may go to an arbiter
   */
  PolicySpeaker(
      PactContext context,
      Negotiations invited,
      Negotiations ofAgents,
      FailureReports reports,
      Dissolutions dissolutions,
      CaseHandover cases) {
    this.context = context;
    this.cases = cases;
    this.invited = invited;
    this.ofAgents = ofAgents;
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
  Turn speak(PactNegotiation now, PactRules rules) {
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
      case Reading.Good<Batch>(Batch batch) when batch.challenge().isPresent() ->
          answer(batch.challenge().get(), answer);
      case Reading.Good<Batch>(Batch batch)
          when batch.messages().isEmpty() && batch.report().isPresent() ->
          answer(batch.report().get(), answer);
      case Reading.Good<Batch>(Batch batch) when batch.messages().isEmpty() ->
          answer.complete(refusal("malformed", "a batch without messages"));
      case Reading.Good<Batch>(Batch batch) -> {
        Incoming first = batch.messages().getFirst();
        switch (first.message().body()) {
          case PactEvent.Dissolution said -> dissolutions.accept(first, said, answer);
          case Invocation said ->
              invited.begin(
                  new Invitation(
                      Role.RESPONDER,
                      first,
                      said,
                      first.message().from(),
                      arrived,
                      batch.proof(),
                      batch.report()),
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

  /** Shows that this party holds the key of a pact, to who is about to send words under it. */
  private void answer(Challenge asked, CompletableFuture<byte[]> answer) {
    context.onLoop(
        admit(new Named(asked.pact(), asked.sha256(), asked.signature())),
        outcome ->
            answer.complete(
                switch (outcome) {
                  case Outcome.Agreed(Held pact) ->
                      PartyProof.answer(((ActivePact) pact).answer(asked.nonce()));
                  case Outcome.Refused(String code, String detail) -> refusal(code, detail);
                  case Outcome.NoPeer(String detail) -> refusal("pact_unknown", detail);
                  case Outcome.Unavailable(String detail) -> refusal("pact_unavailable", detail);
                }));
  }

  /** Signs that a negotiation goes to an arbiter, if it was led here, too. */
  private void answer(byte[] report, CompletableFuture<byte[]> answer) {
    if (PactStatementNote.unverified(report)
            instanceof PactStatementNote.Reading.Good(PactStatement said, _)
        && said instanceof PactStatement.Report handed) {
      Optional<Ongoing> known =
          invited.of(handed.negotiation()).or(() -> ofAgents.of(handed.negotiation()));
      cases.sign(report, handed, known.map(one -> one.now), answer);
    } else {
      answer.complete(refusal("malformed", "case: expected a signed report"));
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
    Optional<Fault> fault =
        isSettled ? Optional.empty() : one.take(speak(one.now, context.rules().get()).step());
    // Its pact is made by another negotiation, of what the arbiter decides.
    one.done |= one.now.phase() == Phase.ESCALATED;
    return sent(one, batch.messages().size() - 1, fault);
  }

  private static byte[] sent(Ongoing one, int index, Optional<Fault> fault) {
    byte[] batch =
        PactMessages.write(
            one.now.unsent(), fault.map(why -> new Refusal(index, why.code(), why.detail())));
    one.now = one.now.sent();
    return batch;
  }

  // ---- first requests ----

  /**
   * Lets the first request under a pact in: both signatures must hold, and the pact is on the
   * ledger, durably, before anybody gets the request.
   */
  CompletableFuture<Outcome> admit(Named named) {
    Optional<ActivePact> known = context.table().of(named.id());
    if (known.isPresent()) {
      CompletableFuture<Outcome> bound = new CompletableFuture<>();
      standing(known.get(), named.sha256(), bound);
      return bound;
    }
    // Two that bring different signatures or hashes do not share an answer.
    String same = named.id() + ";" + named.sha256() + ";" + named.signature().orElse("");
    CompletableFuture<Outcome> asked = underWay.get(same);
    if (asked != null) {
      return asked.copy();
    }
    Optional<Ongoing> negotiated = invited.ofPact(named.id());
    if (underWay.size() >= MAX_ADMITTING
        || (negotiated.isEmpty() && askedAbout >= MAX_ASKED_ABOUT)) {
      return CompletableFuture.completedFuture(
          new Outcome.Unavailable("too many pacts are asked about already"));
    }
    int asks = negotiated.isEmpty() ? 1 : 0;
    CompletableFuture<Outcome> result = new CompletableFuture<>();
    underWay.put(same, result);
    askedAbout += asks;
    CompletableFuture<?> _ =
        result.whenComplete((_, _) ->
            context
                .loop()
                .run(() -> {
                  underWay.remove(same);
                  askedAbout -= asks;
                }));
    negotiated.ifPresentOrElse(one -> first(one, named, result), () -> ask(named, result));
    return result.copy();
  }

  private void standing(ActivePact pact, String sha256, CompletableFuture<Outcome> result) {
    if (!pact.sha256().equals(sha256)) {
      result.complete(new Outcome.Refused("pact_hash_differs", "the pact here has another hash"));
    } else if (pact.standing() == Standing.ENDED) {
      result.complete(
          new Outcome.Refused(
              "pact_ended", pact.endReason().orElse(Ending.VALIDITY_EXPIRED.code())));
    } else {
      context.bind(pact, result::complete);
    }
  }

  /** The last signature. */
  private void first(Ongoing one, Named named, CompletableFuture<Outcome> result) {
    if (!one.now.sha256().equals(Optional.of(named.sha256()))) {
      result.complete(new Outcome.Refused("pact_hash_differs", "the pact here has another hash"));
    } else if (named.signature().isPresent()) {
      context.tryKeys(
          one.now.peer(),
          (keys, isLast) -> check(one, named.signature().get(), keys, isLast, result),
          refused -> result.complete(PactContext.outcome(refused)));
    } else if (one.now.agreed().isPresent()) {
      attest(one, one.now.agreed().get(), result);
    } else {
      result.complete(
          new Outcome.Refused("pact_not_signed", "expected the signature of " + one.now.peer()));
    }
  }

  private boolean check(
      Ongoing one,
      String signature,
      List<VerifierKey> keys,
      boolean isLast,
      CompletableFuture<Outcome> result) {
    VerifierKey own = context.key().current().verifier();
    List<VerifierKey> others = keys.stream().filter(key -> !key.hasKeyOf(own)).toList();
    Optional<Fault> fault =
        one.take(one.now.countersigned(signature, others, context.loop().elapsedMs()));
    Optional<ActivePact.Terms> terms = one.now.agreed();
    if (fault.isEmpty() && terms.isPresent()) {
      attest(one, terms.get(), result);
    } else if (isLast) {
      result.complete(
          new Outcome.Refused(
              fault.map(Fault::code).orElse("pact_not_signed"),
              fault.map(Fault::detail).orElse("a signature is missing")));
    } else {
      return false;
    }
    return true;
  }

  private void attest(Ongoing one, ActivePact.Terms terms, CompletableFuture<Outcome> result) {
    context.onLoop(
        context.control().attest(terms.note()),
        answer -> {
          switch (answer) {
            case Result.Done<PactControl.View>(PactControl.View view)
                when view.state().equals("dissolved") -> {
              one.done = true;
              result.complete(new Outcome.Refused("pact_ended", view.reason().orElse("dissolved")));
            }
            case Result.Done<PactControl.View> _ -> {
              if (context.table().of(terms.id()).isEmpty()) {
                context.events().transition("attestation", "attested");
                dissolutions.begun(context.active(one.now, terms), Optional.empty());
                one.done = true;
              }
              standing(context.table().of(terms.id()).orElseThrow(), terms.sha256(), result);
            }
            case Result.Refused<PactControl.View> refused -> refused(refused, result);
          }
        });
  }

  private void refused(
      Result.Refused<PactControl.View> refused, CompletableFuture<Outcome> result) {
    if (!PactContext.isAway(refused)) {
      context.events().transition("attestation", "refused");
    }
    result.complete(PactContext.outcome(refused));
  }

  /** Nobody has negotiated it here, or before a restart: the ledger knows. */
  private void ask(Named named, CompletableFuture<Outcome> result) {
    context.onLoop(
        context.control().get(named.id()),
        answer -> {
          switch (answer) {
            case Result.Refused<PactControl.View> refused -> refused(refused, result);
            case Result.Done<PactControl.View>(PactControl.View view) -> adopt(named, view, result);
          }
        });
  }

  private void adopt(Named named, PactControl.View view, CompletableFuture<Outcome> result) {
    byte[] note = view.note().getBytes(StandardCharsets.UTF_8);
    if (!(PactNote.unverified(note)
            instanceof PactNote.Reading.Good(PactDocument document, String sha256, var _))
        || !document.pact().equals(named.id())
        || !document.isParty(context.party())) {
      result.complete(new Outcome.Refused("pact_unknown", "the local agent is no party of it"));
    } else if (!sha256.equals(named.sha256())) {
      result.complete(
          new Outcome.Refused("pact_hash_differs", "the pact on the ledger has another hash"));
    } else if (view.state().equals("dissolved")
        || dissolutions.isOwed(named.id())
        || context.loop().wallMs() >= document.endMs()) {
      result.complete(
          new Outcome.Refused("pact_ended", view.reason().orElse(Ending.VALIDITY_EXPIRED.code())));
    } else {
      Optional<ActivePact> adopted =
          context.adopted(document, view.note(), dissolutions.hidden(document.pact()));
      if (adopted.isEmpty()) {
        result.complete(
            new Outcome.Refused("pact_unknown", "its private clauses are not known here any more"));
        return;
      }
      ActivePact pact = adopted.get();
      context.bind(
          pact,
          outcome -> {
            Optional<ActivePact> meanwhile = context.table().of(named.id());
            Optional<Fault> crowded = context.crowded(pact.peer());
            if (meanwhile.isPresent()) {
              standing(meanwhile.get(), named.sha256(), result);
            } else if (crowded.isPresent()) {
              result.complete(crowded.get().outcome());
            } else {
              if (outcome instanceof Outcome.Agreed) {
                taken(pact, view);
              }
              result.complete(outcome);
            }
          });
    }
  }

  private void taken(ActivePact pact, PactControl.View view) {
    if (view.state().equals("in_dispute")) {
      pact.disputed();
    }
    context.events().transition("attestation", "adopted");
    dissolutions.begun(pact, Optional.empty());
  }
}
