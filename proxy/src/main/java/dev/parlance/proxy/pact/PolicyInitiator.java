package dev.parlance.proxy.pact;

import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.pact.PactMessages;
import dev.parlance.ledger.pact.PactMessages.Batch;
import dev.parlance.ledger.pact.PactMessages.Incoming;
import dev.parlance.ledger.pact.PactMessages.Reading;
import dev.parlance.ledger.pact.PactMessages.Refusal;
import dev.parlance.ledger.pact.PartyProof;
import dev.parlance.ledger.pact.PartyProof.Challenge;
import dev.parlance.policy.pact.PactCase;
import dev.parlance.policy.pact.PactEvent;
import dev.parlance.policy.pact.PactEvent.Invocation;
import dev.parlance.policy.pact.PactFault;
import dev.parlance.policy.pact.PactState;
import dev.parlance.policy.pact.PactState.Phase;
import dev.parlance.policy.pact.Predicate;
import dev.parlance.proxy.gate.Pacts;
import dev.parlance.proxy.gate.Pacts.Outcome;
import dev.parlance.proxy.pact.PactControl.HandedOver;
import dev.parlance.proxy.pact.PactNegotiation.About;
import dev.parlance.proxy.pact.PactNegotiation.Fault;
import dev.parlance.proxy.pact.PactNegotiation.Role;
import dev.parlance.proxy.pact.PactNegotiation.Speaker;
import dev.parlance.proxy.pact.PactNegotiation.Step;
import dev.parlance.service.Result;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * The negotiations for which requests of the local agent are held: one at a time with a party at a
 * place, others wait for the same. Where a pact holds already, whoever listens at a place shows
 * first that it holds the party's key. Used on the loop only.
 */
final class PolicyInitiator {
  /** Most batches that are sent in one negotiation. */
  static final int MAX_BATCHES = 64;

  /**
   * How often it is asked whether an arbiter has decided, in milliseconds: no oftener than
   * templates are asked for.
   */
  private static final long DECISION_POLL_MS = 1_000;

  private static final int ID_CHARS = 26;
  private static final int SALT_BYTES = 32;
  private static final String BASE32 = "abcdefghijklmnopqrstuvwxyz234567";

  private final PactContext context;
  private final PactLoop loop;
  private final PolicySpeaker speaker;
  private final FailureReports reports;
  private final Dissolutions dissolutions;
  private final CaseHandover cases;
  private final SecureRandom random = new SecureRandom();
  private final Map<Way, CompletableFuture<Outcome>> underWay = new HashMap<>();

  /** A party, and where it is asked: one that does not answer holds up nobody elsewhere. */
  private record Way(String peer, Optional<ActivePact> under, Object place) {}

  PolicyInitiator(
      PactContext context,
      PolicySpeaker speaker,
      FailureReports reports,
      Dissolutions dissolutions,
      CaseHandover cases) {
    this.context = context;
    this.cases = cases;
    this.loop = context.loop();
    this.speaker = speaker;
    this.reports = reports;
    this.dissolutions = dissolutions;
  }

  /**
   * A pact with that party: the one that holds, or one that is negotiated now.
   *
   * @param under the only one that is of use, if it is one
   */
  CompletableFuture<Outcome> obtain(
      String peer, Optional<ActivePact> under, Pacts.Channel channel) {
    Way way = new Way(peer, under, channel.place());
    CompletableFuture<Outcome> same = underWay.get(way);
    if (same != null) {
      return same.copy();
    }
    Optional<ActivePact> held = under.or(() -> context.table().with(peer));
    Optional<Fault> unfit = held.isPresent() ? Optional.empty() : unfit(peer);
    if (unfit.isPresent()) {
      return CompletableFuture.completedFuture(unfit.get().outcome());
    }
    Asking asking = new Asking(peer, channel, under.isEmpty());
    underWay.put(way, asking.result);
    CompletableFuture<?> _ =
        asking.result.whenComplete((_, _) -> underWay.remove(way, asking.result));
    held.ifPresentOrElse(asking::under, asking::begin);
    return asking.result.copy();
  }

  private Optional<Fault> unfit(String peer) {
    if (peer.equals(context.party())) {
      return Optional.of(Fault.of(PactFault.BAD_PARTIES, "nobody has a pact with itself"));
    }
    return underWay.size() >= Negotiations.MAX_NEGOTIATIONS
        ? Optional.of(Negotiations.tooMany())
        : context.crowded(peer);
  }

  /** 130 random bits. */
  private String newId() {
    StringBuilder id = new StringBuilder();
    random.ints(ID_CHARS, 0, BASE32.length()).forEach(at -> id.append(BASE32.charAt(at)));
    return id.toString();
  }

  /** A negotiation that a request of the local agent waits for. */
  private final class Asking {
    private final String peer;
    private final Pacts.Channel channel;
    private final boolean mayNegotiate;
    private final PactRules rules = context.rules().get();
    private final long beganMs = loop.elapsedMs();
    private final CompletableFuture<Outcome> result = new CompletableFuture<>();
    private int batches;
    private boolean again;

    /** The case whose decision is offered, if one was decided. */
    private Optional<PactCase> settles = Optional.empty();

    /** What both have signed to hand it over. */
    private Optional<byte[]> report = Optional.empty();

    /** The case that this negotiation was handed over as. */
    private Optional<PactCase> opened = Optional.empty();

    Asking(String peer, Pacts.Channel channel, boolean mayNegotiate) {
      this.peer = peer;
      this.channel = channel;
      this.mayNegotiate = mayNegotiate;
    }

    // ---- a pact that holds ----

    void under(ActivePact pact) {
      context.bind(
          pact,
          outcome -> {
            if (outcome instanceof Outcome.Refused) {
              // Other keys have signed it: nobody can speak under it any more.
              context.table().unused(pact);
              begin();
            } else if (outcome instanceof Outcome.Agreed && !pact.isSeenAt(channel.place())) {
              challenge(pact);
            } else {
              result.complete(outcome);
            }
          });
    }

    private void challenge(ActivePact pact) {
      limit();
      Challenge asked = new Challenge(pact.id(), pact.sha256(), newId(), pact.signature());
      CompletableFuture<?> _ =
          channel
              .send(asked.bytes())
              .handle((answer, failure) -> {
                loop.run(() -> {
                  if (result.isDone()) {
                    return;
                  }
                  if (failure != null) {
                    finish(new Outcome.Unavailable("nobody answers: " + failure.getMessage()));
                    return;
                  }
                  Optional<Batch> batch =
                      answer
                          .filter(bytes -> PactMessages.batch(bytes) instanceof Reading.Good<Batch>)
                          .map(bytes -> ((Reading.Good<Batch>) PactMessages.batch(bytes)).get());
                  String code = batch.flatMap(Batch::refused).map(Refusal::code).orElse("");
                  if (batch
                      .flatMap(Batch::proof)
                      .filter(told -> pact.isAnswer(told, asked.nonce()))
                      .isPresent()) {
                    pact.seenAt(channel.place());
                    finish(new Outcome.Agreed(pact));
                  } else if (code.equals("pact_unknown") || code.equals("pact_ended")) {
                    begin(); // which asks for the party's signature
                  } else if (code.equals("pact_unavailable")) {
                    finish(new Outcome.Unavailable("the other side cannot tell now"));
                  } else {
                    finish(
                        new Outcome.Refused(
                            "pact_unproven", "whoever listens there has no key of " + peer));
                  }
                });
                return true;
              });
    }

    private void limit() {
      loop.later(
          rules.timeoutMs(),
          () ->
              finish(
                  opened
                      .map(Asking::escalated)
                      .orElseGet(() ->
                          new Outcome.Unavailable("no pact within " + rules.timeoutMs() + " ms"))));
    }

    // ---- a pact that is negotiated ----

    void begin() {
      if (!mayNegotiate) {
        finish(new Outcome.Refused("pact_unknown", peer + " does not know the pact there"));
        return;
      }
      limit();
      context.keysOf(peer, _ -> {});
      // Nobody can look at an invitation's signature before the key is known.
      context.onLoop(
          context.key().offered(),
          _ -> {
            if (cases.arbiter(peer).isEmpty()) {
              offer(rules.moves().offered(peer));
            } else {
              cases.settle(
                  peer,
                  handed -> {
                    if (handed.isPresent()) {
                      opened = handed;
                      hold(handed.get());
                    } else {
                      context.onLoop(context.control().handedOver(peer), this::goOn);
                    }
                  });
            }
          });
    }

    private void offer(List<String> templates) {
      context.onLoop(context.templates().ensure(templates), _ -> invite());
    }

    /** Nothing is negotiated again that an arbiter has still to decide, or has decided. */
    private void goOn(Result<Optional<HandedOver>> answer) {
      if (result.isDone()) {
        return;
      }
      if (!(answer instanceof Result.Done<Optional<HandedOver>>(Optional<HandedOver> last))) {
        finish(PactContext.outcome((Result.Refused<Optional<HandedOver>>) answer));
        return;
      }
      Optional<PactCase> handed =
          last.map(HandedOver::handed)
              .filter(one ->
                  cases.arbiter(peer).filter(by -> by.name().equals(one.arbiter())).isPresent())
              .filter(one -> loop.wallMs() < one.untilMs());
      String state = handed.flatMap(_ -> last).map(HandedOver::state).orElse("expired");
      switch (state) {
        case "waiting" -> finish(escalated(handed.orElseThrow()));
        case "refused" ->
            finish(
                new Outcome.Refused(
                    "arbiter_refused",
                    handed.orElseThrow().arbiter()
                        + " has decided "
                        + handed.orElseThrow().negotiation()
                        + ": no pact"));
        case "decided" -> {
          settles = handed;
          report = last.map(one -> one.report().getBytes(StandardCharsets.UTF_8));
          batches = 0;
          offer(List.of(handed.orElseThrow().reference()));
        }
        default -> offer(rules.moves().offered(peer));
      }
    }

    private static Outcome escalated(PactCase open) {
      return new Outcome.Refused(
          "pact_escalated", open.arbiter() + " decides " + open.negotiation());
    }

    private void invite() {
      if (result.isDone()) {
        return;
      }
      List<String> offered =
          settles.map(one -> List.of(one.reference())).orElse(rules.moves().offered(peer));
      List<String> known =
          offered.stream()
              .filter(context.templates().of(offered)::containsKey)
              .limit(PactMessages.MAX_MESSAGES)
              .toList();
      if (settles.isPresent() && known.isEmpty() && opened.isPresent()) {
        hold(opened.get());
        return;
      }
      if (settles.isPresent() && known.isEmpty()) {
        finish(new Outcome.Unavailable("the decision of the arbiter could not be had"));
        return;
      }
      PactLoop.Moment now = loop.now();
      String id = newId();
      About about =
          new About(
              Role.INITIATOR,
              Speaker.POLICY,
              context.party(),
              peer,
              "n-" + id,
              settles.map(PactCase::pact).orElse("p-" + id),
              rules.validityMs(),
              context.table().usedUp(peer),
              salts());
      Step step =
          PactNegotiation.begin(
                  about,
                  new PactNegotiation.Clock(now.wallMs(), now, rules.clockSkewMs()),
                  context.templates().of(known))
              .invite(
                  new Invocation(
                      about.negotiation(),
                      context.party(),
                      peer,
                      rules.timeoutMs(),
                      rules.maxDurationMs(),
                      known),
                  new PactMessages.Offer(
                      about.pact(),
                      rules.validityMs(),
                      context.templates().digests(known),
                      about.replaces(),
                      new TreeMap<>(about.salts())),
                  now.elapsedMs());
      if (known.isEmpty()) {
        List<Predicate> proposed = rules.moves().proposed(peer);
        if (step.fault().isEmpty() && proposed.isEmpty()) {
          finish(new Outcome.Refused("declined", "the policy offers nothing to " + peer));
          return;
        }
        step =
            step.then(next ->
                next.say(
                    new PactEvent.Proposal(next.id(), proposed, OptionalLong.empty()),
                    now.elapsedMs()));
      }
      if (step.fault().isPresent()) {
        finish(step.fault().get().outcome());
      } else {
        send(step.next());
      }
    }

    private Map<String, String> salts() {
      Map<String, String> salts = new HashMap<>();
      for (String id : rules.moves().hidden(peer)) {
        byte[] salt = new byte[SALT_BYTES];
        random.nextBytes(salt);
        salts.put(id, HexFormat.of().formatHex(salt));
      }
      return salts;
    }

    private void send(PactNegotiation now) {
      if (++batches > MAX_BATCHES) {
        finish(new Outcome.Refused("too_many_messages", batches + " batches"));
        return;
      }
      CompletableFuture<?> _ =
          channel
              .send(PartyProof.batch(now.unsent(), context.key().current(), report))
              .handle((answer, failure) -> {
                loop.run(() -> {
                  if (failure == null) {
                    answered(now.sent(), answer);
                  } else {
                    finish(new Outcome.Unavailable("nobody answers: " + failure.getMessage()));
                  }
                });
                return true;
              });
    }

    private void answered(PactNegotiation now, Optional<byte[]> answer) {
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
        case Reading.Good<Batch>(Batch batch) when !PolicySpeaker.isSigned(batch) -> {
          boolean _ = take(now, batch, List.of(), true);
        }
        case Reading.Good<Batch>(Batch batch) ->
            context.tryKeys(
                peer,
                (keys, isLast) -> take(now, batch, keys, isLast),
                refused -> finish(PactContext.outcome(refused)));
      }
    }

    /** Takes an answer; false if it wants newer keys. */
    private boolean take(
        PactNegotiation before, Batch batch, List<VerifierKey> keys, boolean isLast) {
      if (result.isDone()) {
        return true;
      }
      Step step = before.taken();
      for (Incoming one : batch.messages()) {
        step = step.then(next -> context.accept(next, one, keys));
      }
      if (step.fault().isPresent()) {
        if (step.fault().get().isSignature() && !isLast) {
          return false;
        }
        reports.badFaith(before.id(), peer);
        leave(step.next(), "hostile_counterparty");
        finish(step.fault().get().outcome());
      } else if (batch.refused().filter(this::isLate).isPresent()) {
        again = true;
        invite();
      } else if (batch.refused().isPresent()) {
        finish(new Outcome.Refused(batch.refused().get().code(), batch.refused().get().detail()));
      } else {
        proceed(step.next());
      }
      return true;
    }

    /**
     * An invitation that a slow machine, or a connection that had to be made, held up too long says
     * a time that is past when it arrives. The next one is quicker; clocks that are wrong stay so.
     */
    private boolean isLate(Refusal refused) {
      return !again && batches == 1 && refused.code().equals(PactNegotiation.CLOCKS_APART);
    }

    private void proceed(PactNegotiation now) {
      if (now.isOver()) {
        finish(
            new Outcome.Refused(
                now.state().end().map(PactState.End::reason).orElse("timeout"),
                peer + " has walked away"));
        return;
      }
      PolicySpeaker.Turn turn =
          now.phase() == Phase.ACTIVE
              ? new PolicySpeaker.Turn(now.taken(), Optional.empty())
              : speaker.speak(now, rules);
      PactNegotiation next = turn.step().next();
      if (turn.left().isPresent() || turn.step().fault().isPresent()) {
        goodbye(next);
        finish(
            turn.left()
                .map(why -> new Fault(why.reason(), "the policy does not allow what is asked for"))
                .or(turn.step()::fault)
                .orElseThrow()
                .outcome());
      } else if (next.phase() == Phase.ACTIVE) {
        agreed(next);
      } else if (next.unsent().isEmpty() && next.phase() == Phase.ESCALATED) {
        handOver(next);
      } else if (next.unsent().isEmpty()) {
        finish(new Outcome.Refused("OUT_OF_TURN", peer + " has said nothing"));
      } else {
        send(next);
      }
    }

    /** Both have asked for the arbiter: the ledger has the case before anybody hears. */
    private void handOver(PactNegotiation now) {
      cases.open(
          now,
          channel,
          this::finish,
          open -> {
            opened = Optional.of(open);
            hold(open);
          });
    }

    /**
     * The request that has led to the case waits for its decision, as long as the rest of the
     * negotiation's time is enough to make the pact.
     */
    private void hold(PactCase open) {
      long leftMs =
          Math.min(
              beganMs + rules.timeoutMs() * 3 / 4 - loop.elapsedMs(),
              open.untilMs() - loop.wallMs());
      if (leftMs <= 0) {
        finish(escalated(open));
        return;
      }
      loop.later(
          Math.min(DECISION_POLL_MS, leftMs),
          () -> context.onLoop(context.control().handedOver(peer), last -> look(open, last)));
    }

    private void look(PactCase open, Result<Optional<HandedOver>> last) {
      boolean isDecided =
          last instanceof Result.Done<Optional<HandedOver>>(Optional<HandedOver> told)
              && told.filter(one -> one.handed().equals(open))
                  .filter(one -> one.state().equals("decided") || one.state().equals("refused"))
                  .isPresent();
      if (isDecided) {
        goOn(last);
      } else if (!result.isDone()) {
        hold(open);
      }
    }

    private void agreed(PactNegotiation now) {
      Optional<ActivePact.Terms> terms = now.agreed();
      if (terms.isEmpty()) {
        finish(new Outcome.Refused("BAD_SIGNATURE", "a signature is missing"));
        return;
      }
      ActivePact pact = context.active(now, terms.get());
      pact.seenAt(channel.place());
      dissolutions.signed(pact, Optional.of(channel));
      finish(new Outcome.Agreed(pact));
    }

    private void leave(PactNegotiation now, String reason) {
      if (!now.isOver()) {
        goodbye(now.leave(reason, loop.elapsedMs()));
      }
    }

    /** Says so to the other side, whether it hears it or not. */
    private void goodbye(PactNegotiation now) {
      if (!now.unsent().isEmpty() && now.unsent().getLast().body() instanceof PactEvent.Walkaway) {
        CompletableFuture<?> _ = channel.send(PactMessages.write(now.unsent(), Optional.empty()));
      }
    }

    private void finish(Outcome outcome) {
      if (result.isDone()) {
        return;
      }
      String how =
          switch (outcome) {
            case Outcome.Agreed _ -> "agreed";
            case Outcome.Refused(String code, _) ->
                code.equals("pact_escalated") ? "escalated" : "refused";
            case Outcome.NoPeer _ -> "no_peer";
            case Outcome.Unavailable _ -> "unavailable";
          };
      context.events().transition("negotiation", how);
      context.events().negotiated((loop.elapsedMs() - beganMs) / 1000.0);
      result.complete(outcome);
    }
  }
}
