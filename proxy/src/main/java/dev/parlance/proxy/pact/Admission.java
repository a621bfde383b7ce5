package dev.parlance.proxy.pact;

import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.pact.PactDocument;
import dev.parlance.ledger.pact.PactNote;
import dev.parlance.proxy.gate.Pacts.Named;
import dev.parlance.proxy.gate.Pacts.Outcome;
import dev.parlance.proxy.gate.Pacts.Standing;
import dev.parlance.service.Result;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Lets the first request under a pact in: both signatures must hold, and the pact is on the ledger,
 * durably, before anybody gets the request. Used on the loop only.
 */
final class Admission {
  private final PactContext context;
  private final Responses responses;
  private final Consumer<ActivePact> admitted;
  private final Map<String, CompletableFuture<Outcome>> underWay = new HashMap<>();

  /**
   * Nothing under way.
   *
   * @param admitted takes a pact that is on the ledger, before anybody hears of it
   */
  Admission(PactContext context, Responses responses, Consumer<ActivePact> admitted) {
    this.context = context;
    this.responses = responses;
    this.admitted = admitted;
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
    Optional<NegotiationRun> run = responses.ofPact(named.id());
    if (run.isPresent()) {
      first(run.get(), named, result);
    } else {
      ask(named, result);
    }
    return result.copy();
  }

  private static Outcome standing(ActivePact pact, String sha256) {
    if (!pact.sha256().equals(sha256)) {
      return new Outcome.Refused("pact_hash_differs", "the pact here has another hash");
    }
    return pact.standing() == Standing.ENDED
        ? new Outcome.Refused("pact_ended", pact.endReason().orElse("validity_expired"))
        : new Outcome.Agreed(pact);
  }

  /** The last signature. */
  private void first(NegotiationRun run, Named named, CompletableFuture<Outcome> result) {
    if (!run.sha256().equals(Optional.of(named.sha256()))) {
      result.complete(new Outcome.Refused("pact_hash_differs", "the pact here has another hash"));
      return;
    }
    if (named.signature().isEmpty()) {
      if (run.agreed().isPresent()) {
        attest(run, run.agreed().get(), result);
      } else {
        result.complete(
            new Outcome.Refused("pact_not_signed", "expected the signature of " + run.peer()));
      }
      return;
    }
    context.keysOf(run.peer(), keys -> check(run, named, keys, false, result));
  }

  private void check(
      NegotiationRun run,
      Named named,
      Result<List<VerifierKey>> keys,
      boolean again,
      CompletableFuture<Outcome> result) {
    switch (keys) {
      case Result.Refused<List<VerifierKey>>(Result.Kind kind, String reason, String detail) ->
          result.complete(
              kind == Result.Kind.UNAVAILABLE || kind == Result.Kind.EXHAUSTED
                  ? new Outcome.Unavailable(detail)
                  : new Outcome.Refused(reason, detail));
      case Result.Done<List<VerifierKey>>(List<VerifierKey> its) -> {
        VerifierKey own = context.key().current().verifier();
        List<VerifierKey> others = its.stream().filter(key -> !key.hasKeyOf(own)).toList();
        Optional<NegotiationRun.Fault> fault =
            run.signedBy(named.signature().orElseThrow(), others);
        if (fault.isEmpty() && run.agreed().isPresent()) {
          attest(run, run.agreed().get(), result);
        } else if (!again) {
          context.onLoop(
              context.peerKeys().again(run.peer()),
              newer -> check(run, named, newer, true, result));
        } else {
          result.complete(
              new Outcome.Refused(
                  fault.map(NegotiationRun.Fault::code).orElse("pact_not_signed"),
                  fault.map(NegotiationRun.Fault::detail).orElse("a signature is missing")));
        }
      }
    }
  }

  private void attest(
      NegotiationRun run, ActivePact.Terms terms, CompletableFuture<Outcome> result) {
    context.onLoop(
        context.control().attest(terms.note()),
        answer -> {
          switch (answer) {
            case Result.Done<PactControl.View>(PactControl.View view)
                when view.state().equals("dissolved") -> {
              responses.done(run);
              result.complete(new Outcome.Refused("pact_ended", view.reason().orElse("dissolved")));
            }
            case Result.Done<PactControl.View> _ -> {
              Optional<ActivePact> meanwhile = context.table().of(terms.id());
              if (meanwhile.isEmpty()) {
                context.events().transition("attestation", "attested");
                admitted.accept(context.active(run, terms, Optional.empty()));
                responses.done(run);
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
    if (refused.kind() == Result.Kind.UNAVAILABLE || refused.kind() == Result.Kind.EXHAUSTED) {
      result.complete(new Outcome.Unavailable(refused.message()));
    } else {
      context.events().transition("attestation", "refused");
      result.complete(new Outcome.Refused(refused.reason(), refused.message()));
    }
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
      return new Outcome.Refused("pact_ended", view.reason().orElse("validity_expired"));
    }
    if (context.table().active() >= context.rules().get().maxActive()) {
      return new Outcome.Refused("too_many_pacts", context.table().active() + " pacts hold");
    }
    ActivePact pact = context.adopted(document, view.note());
    if (view.state().equals("in_dispute")) {
      pact.disputed();
    }
    context.events().transition("attestation", "adopted");
    admitted.accept(pact);
    return new Outcome.Agreed(pact);
  }
}
