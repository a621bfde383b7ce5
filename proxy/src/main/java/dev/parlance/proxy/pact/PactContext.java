package dev.parlance.proxy.pact;

import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.pact.PactDocument;
import dev.parlance.policy.pact.PactEvent.Ratification;
import dev.parlance.policy.pact.PactState;
import dev.parlance.policy.pact.PactState.Clause;
import dev.parlance.policy.pact.PactState.Opening;
import dev.parlance.policy.pact.PactState.Phase;
import dev.parlance.policy.pact.PactState.Signed;
import dev.parlance.policy.pact.PactState.Status;
import dev.parlance.policy.pact.PactState.Talks;
import dev.parlance.policy.pact.Predicate;
import dev.parlance.proxy.gate.Pacts;
import dev.parlance.service.Result;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What negotiations, admission and dissolutions of pacts share.
 *
 * @param party id of the local agent
 * @param rules as configured now
 */
record PactContext(
    String party,
    Supplier<PactRules> rules,
    PartyKey key,
    PeerKeys peerKeys,
    TemplateCache templates,
    PactTable table,
    PactControl control,
    PactLoop loop,
    Pacts.Events events) {

  /** Hands a result to the loop; at once if it is there already, for the caller is on the loop. */
  <T> void onLoop(CompletableFuture<T> future, Consumer<T> then) {
    if (future.isDone()) {
      then.accept(future.join());
    } else {
      CompletableFuture<?> _ = future.thenAccept(value -> loop.run(() -> then.accept(value)));
    }
  }

  /** The keys of a party, none if they cannot be had. */
  void keysOf(String peer, Consumer<Result<List<VerifierKey>>> then) {
    onLoop(peerKeys.of(peer), then);
  }

  /** A pact of this sidecar's own negotiation. */
  ActivePact active(NegotiationRun run, ActivePact.Terms terms, Optional<String> signature) {
    long offsetMs = run.wallOffsetMs();
    return new ActivePact(
        terms,
        run.state(),
        party,
        signature,
        () -> loop.wallMs() + offsetMs,
        rules.get().clockSkewMs());
  }

  /** A pact that was signed before, by its note alone. */
  ActivePact adopted(PactDocument document, String note) {
    ActivePact.Terms terms = NegotiationRun.terms(document, note);
    return new ActivePact(
        terms,
        attested(document, terms.predicates()),
        party,
        Optional.empty(),
        loop::wallMs,
        rules.get().clockSkewMs());
  }

  /** The machine's state of a pact that holds, of which only the note is known. */
  private static PactState attested(PactDocument document, List<Predicate> predicates) {
    TreeMap<String, Clause> clauses = new TreeMap<>();
    predicates.forEach(
        one -> clauses.put(one.id(), new Clause(one, document.initiator(), Status.LOCKED)));
    Ratification terms =
        new Ratification(
            document.negotiation(),
            document.pact(),
            Predicate.hash(predicates),
            document.history(),
            document.startMs(),
            document.endMs(),
            Map.of(document.initiator(), true, document.responder(), true));
    return new PactState(
        Phase.ACTIVE,
        Map.of(),
        Optional.of(
            new Opening(
                document.negotiation(),
                document.initiator(),
                document.responder(),
                document.startMs(),
                document.endMs() - document.startMs(),
                List.of())),
        new Talks(
            clauses,
            Optional.empty(),
            "",
            document.responder(),
            0,
            0,
            OptionalLong.empty(),
            Set.of(),
            Set.of(),
            Set.of()),
        Optional.of(new Signed(terms, Set.of(document.initiator(), document.responder()))),
        Optional.empty(),
        document.history());
  }
}
