package dev.parlance.proxy.pact;

import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.pact.PactDocument;
import dev.parlance.ledger.pact.PactMessages.Incoming;
import dev.parlance.ledger.pact.PactStatement;
import dev.parlance.ledger.pact.PactStatementNote;
import dev.parlance.policy.pact.PactState;
import dev.parlance.policy.pact.Predicate;
import dev.parlance.proxy.gate.Pacts;
import dev.parlance.proxy.gate.Pacts.Outcome;
import dev.parlance.proxy.pact.PactNegotiation.Role;
import dev.parlance.proxy.pact.PactNegotiation.Speaker;
import dev.parlance.service.Result;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiPredicate;
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
  /** One party has at most this part of the room for pacts. */
  private static final int PARTIES = 4;

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

  /**
   * Tries the keys of a party that are remembered, and once more what it has now: a signature may
   * be of a newer key.
   *
   * @param attempt with these keys, true if they are the last ones; false if it wants others
   */
  void tryKeys(
      String peer,
      BiPredicate<List<VerifierKey>, Boolean> attempt,
      Consumer<Result.Refused<?>> without) {
    keysOf(
        peer,
        first -> {
          if (!tried(first, false, attempt, without)) {
            onLoop(peerKeys.again(peer), newer -> tried(newer, true, attempt, without));
          }
        });
  }

  private static boolean tried(
      Result<List<VerifierKey>> keys,
      boolean isLast,
      BiPredicate<List<VerifierKey>, Boolean> attempt,
      Consumer<Result.Refused<?>> without) {
    return switch (keys) {
      case Result.Done<List<VerifierKey>>(List<VerifierKey> its) -> attempt.test(its, isLast);
      case Result.Refused<List<VerifierKey>> refused -> {
        without.accept(refused);
        yield true;
      }
    };
  }

  /**
   * Takes the key under which the messages of a pact are proven, from the keys with which the
   * parties have signed it.
   *
   * @param then hears that it is agreed; refused as {@code pact_unknown} if other keys have signed
   */
  void bind(ActivePact pact, Consumer<Outcome> then) {
    if (pact.isBound()) {
      then.accept(new Outcome.Agreed(pact));
      return;
    }
    tryKeys(
        pact.peer(),
        (keys, isLast) -> {
          boolean bound = pact.bind(key.all(), keys);
          if (bound || isLast) {
            then.accept(
                bound
                    ? new Outcome.Agreed(pact)
                    : new Outcome.Refused("pact_unknown", "keys that nobody here has signed it"));
          }
          return bound || isLast;
        },
        refused -> then.accept(outcome(refused)));
  }

  /** Why there is no room for another pact with a party, which has at most its share of it. */
  Optional<PactNegotiation.Fault> crowded(String peer) {
    int most = rules.get().maxActive();
    int active = table.active();
    return active >= most || table.activeOf(peer) >= Math.max(1, most / PARTIES)
        ? Optional.of(new PactNegotiation.Fault("too_many_pacts", active + " pacts hold"))
        : Optional.empty();
  }

  /** True if the same may be done later. */
  static boolean isAway(Result.Refused<?> refused) {
    return refused.kind() == Result.Kind.UNAVAILABLE || refused.kind() == Result.Kind.EXHAUSTED;
  }

  /** What a refusal of the control plane makes of a request for a pact. */
  static Outcome outcome(Result.Refused<?> refused) {
    return isAway(refused)
        ? new Outcome.Unavailable(refused.message())
        : new Outcome.Refused(refused.reason(), refused.message());
  }

  /** A statement of the local agent's side, signed. */
  String sign(PactStatement said) {
    return new String(PactStatementNote.sign(said, key.current()), StandardCharsets.UTF_8);
  }

  /** What a message comes to. */
  PactNegotiation.Step accept(PactNegotiation now, Incoming said, List<VerifierKey> keys) {
    return now.accept(said, keys, key.current().verifier(), loop.elapsedMs());
  }

  /** A pact of this sidecar's own negotiation. */
  ActivePact active(PactNegotiation made, ActivePact.Terms terms) {
    long offsetMs = made.clock().wallOffsetMs();
    // Agents' signatures went beside their ratifications, a responder's with its batch.
    boolean owesSignature =
        made.about().speaker() == Speaker.POLICY && made.about().role() == Role.INITIATOR;
    return new ActivePact(
        terms,
        made.state(),
        party,
        owesSignature ? made.signature(party) : Optional.empty(),
        () -> loop.wallMs() + offsetMs,
        rules.get().clockSkewMs());
  }

  /**
   * A pact that was signed before, by its note.
   *
   * @param known private predicates of it, by their ids
   * @return empty if others are private
   */
  Optional<ActivePact> adopted(PactDocument document, String note, Map<String, Predicate> known) {
    return ActivePact.Terms.of(document, note, known).map(terms -> adopted(document, terms));
  }

  /** A pact that was signed before and is only to be ended; nothing may go under it. */
  ActivePact toEnd(PactDocument document, String note) {
    return adopted(document, ActivePact.Terms.shown(document, note));
  }

  private ActivePact adopted(PactDocument document, ActivePact.Terms terms) {
    PactState state =
        PactState.attested(
            document.pact(),
            document.negotiation(),
            document.initiator(),
            document.responder(),
            terms.predicates(),
            document.startMs(),
            document.endMs(),
            document.history());
    ActivePact pact =
        new ActivePact(
            terms, state, party, Optional.empty(), loop::wallMs, rules.get().clockSkewMs());
    pact.takenUp();
    return pact;
  }
}
