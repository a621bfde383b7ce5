package dev.parlance.proxy.pact;

import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.pact.PactDocument;
import dev.parlance.ledger.pact.PactNote;
import dev.parlance.policy.pact.PactScore.Ending;
import dev.parlance.proxy.gate.Pacts.Named;
import dev.parlance.proxy.gate.Pacts.Outcome;
import dev.parlance.proxy.gate.Pacts.Standing;
import dev.parlance.proxy.pact.Negotiation.Fault;
import dev.parlance.proxy.pact.Negotiations.Ongoing;
import dev.parlance.service.Result;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Lets the first request under a pact in: both signatures must hold, and the pact is on the ledger,
 * durably, before anybody gets the request. Used on the loop only.
 */
final class Admission {
  private final PactContext context;
  private final Negotiations negotiations;
  private final Dissolutions dissolutions;
  private final Map<String, CompletableFuture<Outcome>> underWay = new HashMap<>();

  Admission(PactContext context, Negotiations negotiations, Dissolutions dissolutions) {
    this.context = context;
    this.negotiations = negotiations;
    this.dissolutions = dissolutions;
  }

  CompletableFuture<Outcome> admit(Named named) {
    Optional<ActivePact> known = context.table().of(named.id());
    if (known.isPresent()) {
      return CompletableFuture.completedFuture(standing(known.get(), named.sha256()));
    }
    // Two that bring different signatures or hashes do not share an answer.
    String same = named.id() + ";" + named.sha256() + ";" + named.signature().orElse("");
    CompletableFuture<Outcome> asked = underWay.get(same);
    if (asked != null) {
      return asked.copy();
    }
    CompletableFuture<Outcome> result = new CompletableFuture<>();
    underWay.put(same, result);
    CompletableFuture<?> _ =
        result.whenComplete((_, _) -> context.loop().run(() -> underWay.remove(same)));
    negotiations
        .ofPact(named.id())
        .ifPresentOrElse(one -> first(one, named, result), () -> ask(named, result));
    return result.copy();
  }

  private static Outcome standing(ActivePact pact, String sha256) {
    if (!pact.sha256().equals(sha256)) {
      return new Outcome.Refused("pact_hash_differs", "the pact here has another hash");
    }
    return pact.standing() == Standing.ENDED
        ? new Outcome.Refused("pact_ended", pact.endReason().orElse(Ending.VALIDITY_EXPIRED.code()))
        : new Outcome.Agreed(pact);
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
              result.complete(
                  standing(context.table().of(terms.id()).orElseThrow(), terms.sha256()));
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
            case Result.Done<PactControl.View>(PactControl.View view) ->
                result.complete(adopt(named, view));
          }
        });
  }

  private Outcome adopt(Named named, PactControl.View view) {
    Optional<ActivePact> meanwhile = context.table().of(named.id());
    if (meanwhile.isPresent()) {
      return standing(meanwhile.get(), named.sha256());
    }
    byte[] note = view.note().getBytes(StandardCharsets.UTF_8);
    if (!(PactNote.unverified(note)
            instanceof PactNote.Reading.Good(PactDocument document, String sha256, var _))
        || !document.pact().equals(named.id())
        || !document.isParty(context.party())) {
      return new Outcome.Refused("pact_unknown", "the local agent is no party of it");
    }
    if (!sha256.equals(named.sha256())) {
      return new Outcome.Refused("pact_hash_differs", "the pact on the ledger has another hash");
    }
    if (view.state().equals("dissolved") || context.loop().wallMs() >= document.endMs()) {
      return new Outcome.Refused(
          "pact_ended", view.reason().orElse(Ending.VALIDITY_EXPIRED.code()));
    }
    Optional<Fault> crowded = context.crowded();
    if (crowded.isPresent()) {
      return crowded.get().outcome();
    }
    ActivePact pact = context.adopted(document, view.note());
    if (view.state().equals("in_dispute")) {
      pact.disputed();
    }
    context.events().transition("attestation", "adopted");
    dissolutions.begun(pact, Optional.empty());
    return new Outcome.Agreed(pact);
  }
}
