package dev.parlance.proxy.pact;

import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.pact.PactMessages;
import dev.parlance.ledger.pact.PactMessages.Batch;
import dev.parlance.ledger.pact.PactMessages.Incoming;
import dev.parlance.ledger.pact.PactMessages.Reading;
import dev.parlance.policy.pact.PactEvent;
import dev.parlance.policy.pact.PactState.Phase;
import dev.parlance.policy.pact.Predicate;
import dev.parlance.proxy.gate.Pacts;
import dev.parlance.proxy.gate.Pacts.Outcome;
import dev.parlance.service.Result;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Negotiations that the local agent's sidecar begins: one at a time with a party, others wait for
 * the same. Used on the loop only.
 */
final class Invitations {
  /** Most negotiations under way. */
  static final int MAX_RUNS = 256;

  /** Most batches that are sent in one. */
  static final int MAX_BATCHES = 64;

  private static final int ID_BYTES = 16;
  private static final int ID_CHARS = 26;
  private static final int BASE32_BITS = 5;
  private static final String BASE32 = "abcdefghijklmnopqrstuvwxyz234567";

  private final PactContext context;
  private final FailureReports reports;
  private final Function<byte[], byte[]> random;
  private final BiConsumer<ActivePact, Pacts.Channel> begun;
  private final Map<String, Inviting> byPeer = new HashMap<>();

  /**
   * None yet.
   *
   * @param begun takes a pact that both have signed, before anybody hears of it
   */
  Invitations(
      PactContext context, FailureReports reports, BiConsumer<ActivePact, Pacts.Channel> begun) {
    this.context = context;
    this.reports = reports;
    this.begun = begun;
    SecureRandom source = new SecureRandom();
    this.random =
        bytes -> {
          source.nextBytes(bytes);
          return bytes;
        };
  }

  /** A pact with that party: the one that holds, or one that is negotiated now. */
  CompletableFuture<Outcome> obtain(String peer, Pacts.Channel channel) {
    Optional<ActivePact> held = context.table().with(peer);
    if (held.isPresent()) {
      return CompletableFuture.completedFuture(new Outcome.Agreed(held.get()));
    }
    Inviting underWay = byPeer.get(peer);
    if (underWay != null) {
      return underWay.result.copy();
    }
    if (peer.equals(context.party())) {
      return refused("BAD_PARTIES", "nobody has a pact with itself");
    }
    if (byPeer.size() >= MAX_RUNS) {
      return refused("too_many_negotiations", MAX_RUNS + " are under way");
    }
    if (context.table().active() >= context.rules().get().maxActive()) {
      return refused("too_many_pacts", context.table().active() + " pacts hold");
    }
    Inviting inviting = new Inviting(peer, channel);
    byPeer.put(peer, inviting);
    inviting.begin();
    return inviting.result.copy();
  }

  private static CompletableFuture<Outcome> refused(String code, String detail) {
    return CompletableFuture.completedFuture(new Outcome.Refused(code, detail));
  }

  private String newId() {
    byte[] bytes = random.apply(new byte[ID_BYTES]);
    StringBuilder id = new StringBuilder();
    int bits = 0;
    int held = 0;
    for (int at = 0; id.length() < ID_CHARS; ) {
      if (held < BASE32_BITS) {
        bits = bits << Byte.SIZE | (at < ID_BYTES ? bytes[at] & 0xff : 0);
        at++;
        held += Byte.SIZE;
      }
      held -= BASE32_BITS;
      id.append(BASE32.charAt(bits >>> held & 31));
      bits &= (1 << held) - 1;
    }
    return id.toString();
  }

  /** One negotiation. */
  private final class Inviting {
    private final String peer;
    private final Pacts.Channel channel;
    private final PactRules rules = context.rules().get();
    private final long beganMs = context.loop().elapsedMs();
    private final CompletableFuture<Outcome> result = new CompletableFuture<>();
    private NegotiationRun.About about;
    private int batches;
    private boolean again;

    Inviting(String peer, Pacts.Channel channel) {
      this.peer = peer;
      this.channel = channel;
      this.about = newAbout();
    }

    private NegotiationRun.About newAbout() {
      String id = newId();
      return new NegotiationRun.About(
          context.party(), peer, "n-" + id, "p-" + id, rules.validityMs());
    }

    void begin() {
      context
          .loop()
          .later(
              rules.timeoutMs(),
              () -> finish(new Outcome.Unavailable("no pact within " + rules.timeoutMs() + " ms")));
      context.keysOf(peer, _ -> {});
      List<String> offered = rules.moves().offered(peer);
      context.onLoop(context.templates().ensure(offered), _ -> invite(offered));
    }

    private void invite(List<String> offered) {
      if (result.isDone()) {
        return;
      }
      List<String> known =
          offered.stream()
              .filter(context.templates().of(offered)::containsKey)
              .limit(PactMessages.MAX_MESSAGES)
              .toList();
      PactLoop.Moment now = context.loop().now();
      NegotiationRun begun =
          new NegotiationRun(
              context.loop(),
              about,
              context.templates().of(known),
              now.wallMs(),
              now,
              rules.clockSkewMs());
      Optional<NegotiationRun.Fault> fault =
          begun.invite(
              new PactEvent.Invocation(
                  about.negotiation(),
                  context.party(),
                  peer,
                  rules.timeoutMs(),
                  rules.maxDurationMs(),
                  known),
              new PactMessages.Offer(
                  about.pact(), rules.validityMs(), context.templates().digests(known)));
      if (fault.isEmpty() && known.isEmpty()) {
        List<Predicate> proposed = rules.moves().proposed(peer);
        if (proposed.isEmpty()) {
          finish(new Outcome.Refused("declined", "the policy offers nothing to " + peer));
          return;
        }
        fault =
            begun.say(new PactEvent.Proposal(about.negotiation(), proposed, OptionalLong.empty()));
      }
      if (fault.isPresent()) {
        finish(new Outcome.Refused(fault.get().code(), fault.get().detail()));
        return;
      }
      send(begun);
    }

    private void send(NegotiationRun of) {
      if (++batches > MAX_BATCHES) {
        finish(new Outcome.Refused("too_many_messages", batches + " batches"));
        return;
      }
      CompletableFuture<?> _ =
          channel
              .send(of.drain(Optional.empty()))
              .handle((answer, failure) -> {
                context
                    .loop()
                    .run(() -> {
                      if (failure == null) {
                        answered(of, answer);
                      } else {
                        finish(new Outcome.Unavailable("nobody answers: " + failure.getMessage()));
                      }
                    });
                return true;
              });
    }

    private void answered(NegotiationRun of, Optional<byte[]> answer) {
      if (result.isDone()) {
        return;
      }
      if (answer.isEmpty()) {
        finish(new Outcome.NoPeer("whoever answers for " + peer + " does not negotiate"));
        return;
      }
      switch (PactMessages.batch(answer.get())) {
        case Reading.Refused<Batch>(PactMessages.Fault fault, String detail) ->
            finish(
                new Outcome.Refused(
                    "malformed", fault.name().toLowerCase(Locale.ROOT) + ": " + detail));
        // Without a signature in it nobody's key is wanted.
        case Reading.Good<Batch>(Batch batch) when !isSigned(batch) ->
            take(of, batch, List.of(), true);
        case Reading.Good<Batch>(Batch batch) ->
            context.keysOf(
                peer,
                keys -> {
                  switch (keys) {
                    case Result.Done<List<VerifierKey>>(List<VerifierKey> its) ->
                        take(of, batch, its, false);
                    case Result.Refused<List<VerifierKey>>(
                            Result.Kind kind,
                            String reason,
                            String detail) ->
                        finish(
                            kind == Result.Kind.UNAVAILABLE || kind == Result.Kind.EXHAUSTED
                                ? new Outcome.Unavailable(detail)
                                : new Outcome.Refused(reason, detail));
                  }
                });
      }
    }

    private static boolean isSigned(Batch batch) {
      return batch.messages().stream()
          .anyMatch(one -> one.message().body() instanceof PactEvent.Ratification);
    }

    private void take(NegotiationRun of, Batch batch, List<VerifierKey> keys, boolean refreshed) {
      if (result.isDone()) {
        return;
      }
      for (int i = 0; i < batch.messages().size(); i++) {
        Incoming one = batch.messages().get(i);
        Optional<NegotiationRun.Fault> fault =
            of.take(one, keys, context.key().current().verifier());
        if (fault.isPresent() && fault.get().code().equals("BAD_SIGNATURE") && !refreshed) {
          // It may be of a key that is newer than what is remembered.
          Batch rest =
              new Batch(batch.messages().subList(i, batch.messages().size()), batch.refused());
          context.onLoop(
              context.peerKeys().again(peer),
              found ->
                  take(
                      of,
                      rest,
                      found instanceof Result.Done<List<VerifierKey>>(List<VerifierKey> newer)
                          ? newer
                          : keys,
                      true));
          return;
        }
        if (fault.isPresent()) {
          reports.badFaith(about.negotiation(), peer);
          leave(of, "hostile_counterparty");
          finish(new Outcome.Refused(fault.get().code(), fault.get().detail()));
          return;
        }
      }
      if (batch.refused().isPresent() && isLate(batch.refused().get())) {
        again = true;
        about = newAbout();
        invite(rules.moves().offered(peer));
        return;
      }
      if (batch.refused().isPresent()) {
        finish(new Outcome.Refused(batch.refused().get().code(), batch.refused().get().detail()));
        return;
      }
      proceed(of);
    }

    /**
     * An invitation that a slow machine, or a connection that had to be made, held up too long says
     * a time that is past when it arrives. The next one is quicker; clocks that are wrong stay so.
     */
    private boolean isLate(PactMessages.Refusal refused) {
      return !again && batches == 1 && refused.code().equals(NegotiationRun.CLOCKS_APART);
    }

    private void proceed(NegotiationRun of) {
      if (of.isOver()) {
        finish(
            new Outcome.Refused(
                of.state().end().map(end -> end.reason()).orElse("timeout"),
                peer + " has walked away"));
        return;
      }
      if (of.state().phase() == Phase.ACTIVE) {
        agreed(of);
        return;
      }
      switch (rules.moves().next(of.state(), about.negotiation(), context.party(), peer)) {
        case PactMoves.Move.Say(List<PactEvent.Body> bodies) -> {
          for (PactEvent.Body body : bodies) {
            Optional<NegotiationRun.Fault> fault = of.say(body);
            if (fault.isPresent()) {
              finish(new Outcome.Refused(fault.get().code(), fault.get().detail()));
              return;
            }
          }
          if (of.state().phase() == Phase.CONVERGED) {
            proceed(of);
          } else {
            send(of);
          }
        }
        case PactMoves.Move.Sign _ -> {
          boolean last = of.state().phase() == Phase.RATIFYING;
          Optional<NegotiationRun.Fault> fault =
              of.sign(context.key().current(), rules.maxDurationMs());
          if (fault.isPresent()) {
            leave(of, "incompatible_pacts");
            finish(new Outcome.Refused(fault.get().code(), fault.get().detail()));
          } else if (last) {
            agreed(of);
          } else {
            send(of);
          }
        }
        case PactMoves.Move.Leave(String reason, var details) -> {
          reports.incompatible(about.negotiation(), peer, details);
          leave(of, reason);
          finish(new Outcome.Refused(reason, "the policy does not allow what is asked for"));
        }
        case PactMoves.Move.Wait _ ->
            finish(new Outcome.Refused("OUT_OF_TURN", peer + " has said nothing"));
      }
    }

    private void agreed(NegotiationRun of) {
      Optional<ActivePact.Terms> terms = of.agreed();
      if (terms.isEmpty()) {
        finish(new Outcome.Refused("BAD_SIGNATURE", "a signature is missing"));
        return;
      }
      ActivePact pact = context.active(of, terms.get(), of.signature(context.party()));
      begun.accept(pact, channel);
      finish(new Outcome.Agreed(pact));
    }

    /** Says so to the other side, whether it hears it or not. */
    private void leave(NegotiationRun of, String reason) {
      if (!of.isOver() && of.say(new PactEvent.Walkaway(about.negotiation(), reason)).isEmpty()) {
        CompletableFuture<?> _ = channel.send(of.drain(Optional.empty()));
      }
    }

    private void finish(Outcome outcome) {
      if (result.isDone()) {
        return;
      }
      byPeer.remove(peer, this);
      context
          .events()
          .transition(
              "negotiation",
              switch (outcome) {
                case Outcome.Agreed _ -> "agreed";
                case Outcome.Refused _ -> "refused";
                case Outcome.NoPeer _ -> "no_peer";
                case Outcome.Unavailable _ -> "unavailable";
              });
      context.events().negotiated((context.loop().elapsedMs() - beganMs) / 1000.0);
      result.complete(outcome);
    }
  }
}
