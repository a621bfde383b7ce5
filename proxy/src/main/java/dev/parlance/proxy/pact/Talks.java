package dev.parlance.proxy.pact;

import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.pact.PactMessages;
import dev.parlance.ledger.pact.PactMessages.Incoming;
import dev.parlance.ledger.pact.PactMessages.Offer;
import dev.parlance.ledger.pact.PactMessages.Reading;
import dev.parlance.ledger.pact.PactStatement;
import dev.parlance.policy.pact.PactEvent;
import dev.parlance.policy.pact.PactEvent.Invocation;
import dev.parlance.policy.pact.PactEvent.Ratification;
import dev.parlance.policy.pact.PactFault;
import dev.parlance.policy.pact.PactState;
import dev.parlance.policy.pact.PactState.Phase;
import dev.parlance.proxy.gate.PactTalks.Heard;
import dev.parlance.proxy.gate.Pacts;
import dev.parlance.service.Result;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/**
 * Negotiations that agents lead themselves. The sidecar says nothing in them: it runs the machine
 * on what both agents say, signs a ratification of its own agent if its policy allows the clauses,
 * and checks the signature of the other side's. Used on the loop only.
 *
 * <table>
 * <caption>Refused before the machine is asked; nothing has changed then</caption>
 * <tr><td>malformed</td><td>no message of {@code pact-1}, or one over a limit</td></tr>
 * <tr><td>NOT_A_PARTY</td><td>a message in somebody else's name</td></tr>
 * <tr><td>BAD_PARTIES</td><td>an invocation for somebody else than the route's peer</td></tr>
 * <tr><td>BAD_LIMITS</td><td>a negotiation of more than {@value #MAX_MS} ms</td></tr>
 * <tr><td>CLOCKS_APART</td><td>a time too far from the time here, or before the last one</td></tr>
 * <tr><td>TEMPLATE_UNKNOWN</td><td>a template whose text is another one here</td></tr>
 * <tr><td>OUT_OF_STATE</td><td>a negotiation or pact id that was there already, a dissolution</td>
 *     </tr>
 * <tr><td>OUT_OF_TURN</td><td>a message while the one before it is still checked</td></tr>
 * <tr><td>NOT_ALLOWED</td><td>a ratification that the policy does not allow</td></tr>
 * <tr><td>too_many_negotiations, too_many_pacts, too_many_messages</td><td>there is no room</td>
 *     </tr>
 * </table>
 */
final class Talks {
  /** Most negotiations under way. */
  static final int MAX_TALKS = 256;

  /** Most messages of one. */
  static final int MAX_TURNS = 64;

  /** Most bytes of all messages of one, canonical. */
  static final int MAX_BYTES = 256 << 10;

  /** Longest negotiation, in milliseconds: ten minutes. */
  static final long MAX_MS = 600_000;

  private static final int MAX_DETAILS = 5;

  private final PactWorks works;
  private final Responses responses;
  private final Complaints complaints;
  private final BiConsumer<ActivePact, Optional<Pacts.Channel>> signed;
  private final BiConsumer<ActivePact, Optional<Pacts.Channel>> attested;
  private final Map<String, Talk> byId = new HashMap<>();

  /**
   * None yet.
   *
   * @param signed takes a pact to which the local agent's signature was the last one
   * @param attested takes a pact that is on the ledger
   */
  Talks(
      PactWorks works,
      Responses responses,
      Complaints complaints,
      BiConsumer<ActivePact, Optional<Pacts.Channel>> signed,
      BiConsumer<ActivePact, Optional<Pacts.Channel>> attested) {
    this.works = works;
    this.responses = responses;
    this.complaints = complaints;
    this.signed = signed;
    this.attested = attested;
  }

  /** One negotiation. */
  private static final class Talk {
    private final NegotiationRun run;
    private int turns;
    private long bytes;

    /** What the local agent said last, and what was answered; empty once the other one speaks. */
    private Optional<Said> own = Optional.empty();

    /** True while keys or the ledger are asked about a message. */
    private boolean busy;

    private Talk(NegotiationRun run) {
      this.run = run;
    }

    private record Said(String canonical, NegotiationRun.Before before, Heard.Taken taken) {}

    private Heard.Taken took(
        Incoming said, boolean byOwn, NegotiationRun.Before before, Optional<String> signature) {
      turns++;
      bytes += said.message().canonical().length();
      Heard.Taken taken = new Heard.Taken(run.negotiation(), turns, signature);
      own =
          byOwn
              ? Optional.of(new Said(said.message().canonical(), before, taken))
              : Optional.empty();
      return taken;
    }

    /** Whoever did not hear whether a message arrived says it again. */
    private Optional<Heard.Taken> repeated(Incoming said) {
      return own.filter(last -> last.canonical().equals(said.message().canonical()))
          .map(Said::taken);
    }
  }

  /**
   * A message under way.
   *
   * @param own true if the local agent wrote it
   * @param arrived when it was here, by the clocks here: what it waits for is no difference of
   *     clocks
   * @param beside base64 of the signature that the other sidecar has put beside it
   * @param heard is told what came of it
   */
  private record Saying(
      Incoming said,
      boolean own,
      PactLoop.Moment arrived,
      Optional<String> beside,
      Optional<Pacts.Channel> channel,
      CompletableFuture<Heard> heard) {
    PactEvent.Message message() {
      return said.message();
    }

    void refuse(PactFault fault, String detail) {
      refuse(fault.name(), detail);
    }

    void refuse(NegotiationRun.Fault fault) {
      refuse(fault.code(), fault.detail());
    }

    void refuse(String code, String detail) {
      heard.complete(new Heard.Refused(code, detail));
    }

    void refuse(Result.Refused<?> why) {
      if (why.kind() == Result.Kind.UNAVAILABLE || why.kind() == Result.Kind.EXHAUSTED) {
        heard.complete(new Heard.Unavailable(why.message()));
      } else {
        refuse(why.reason(), why.message());
      }
    }
  }

  // ---- both sides ----

  /** The local agent says something. */
  void own(
      byte[] json,
      PactLoop.Moment arrived,
      Optional<String> peer,
      Optional<Pacts.Channel> channel,
      CompletableFuture<Heard> heard) {
    Optional<Incoming> read = read(json, heard);
    if (read.isEmpty()) {
      return;
    }
    Saying saying = new Saying(read.get(), true, arrived, Optional.empty(), channel, heard);
    String from = saying.message().from();
    if (!from.equals(works.party())) {
      saying.refuse(PactFault.NOT_A_PARTY, "from: expected " + works.party() + ", got " + from);
    } else if (!saying.said().signatures().isEmpty()) {
      saying.refuse("malformed", "signatures: it is the sidecar that signs");
    } else if (saying.message().body() instanceof Invocation one) {
      if (peer.filter(other -> !other.equals(one.target())).isPresent()) {
        saying.refuse(PactFault.BAD_PARTIES, "target: expected " + peer.get());
      } else {
        invited(saying, one, one.target());
      }
    } else {
      known(saying, peer);
    }
  }

  /** The other agent says something. */
  void others(
      byte[] json,
      PactLoop.Moment arrived,
      Optional<String> beside,
      Optional<Pacts.Channel> channel,
      CompletableFuture<Heard> heard) {
    Optional<Incoming> read = read(json, heard);
    if (read.isEmpty()) {
      return;
    }
    Saying saying = new Saying(read.get(), false, arrived, beside, channel, heard);
    String from = saying.message().from();
    if (from.equals(works.party())) {
      saying.refuse(PactFault.NOT_A_PARTY, "from: the local agent has not said this");
    } else if (saying.message().body() instanceof Invocation one) {
      if (one.target().equals(works.party())) {
        invited(saying, one, from);
      } else {
        saying.refuse(PactFault.BAD_PARTIES, "target: expected " + works.party());
      }
    } else {
      known(saying, Optional.of(from));
    }
  }

  private static Optional<Incoming> read(byte[] json, CompletableFuture<Heard> heard) {
    return switch (PactMessages.message(json)) {
      case Reading.Good<Incoming>(Incoming said) -> Optional.of(said);
      case Reading.Refused<Incoming>(PactMessages.Fault fault, String detail) -> {
        heard.complete(new Heard.Refused("malformed", fault.code() + ": " + detail));
        yield Optional.empty();
      }
    };
  }

  /** A message of a negotiation that has begun. */
  private void known(Saying saying, Optional<String> peer) {
    switch (saying.message().body()) {
      case PactEvent.Negotiating one -> {
        Talk talk = byId.get(one.negotiation());
        if (talk == null) {
          saying.refuse(PactFault.UNKNOWN_NEGOTIATION, "no negotiation " + one.negotiation());
        } else if (peer.filter(other -> !other.equals(talk.run.peer())).isPresent()) {
          saying.refuse(PactFault.NOT_A_PARTY, "it is a negotiation with " + talk.run.peer());
        } else {
          inTurn(talk, saying);
        }
      }
      case PactEvent.Dissolution _ ->
          saying.refuse(PactFault.OUT_OF_STATE, "a sidecar ends pacts, on its own address");
      case PactEvent.Unknown one ->
          saying.refuse(PactFault.UNKNOWN_TYPE, "no message " + one.type());
    }
  }

  private void inTurn(Talk talk, Saying saying) {
    Optional<Heard.Taken> before = saying.own() ? talk.repeated(saying.said()) : Optional.empty();
    if (before.isPresent()) {
      saying.heard().complete(before.get());
      return;
    }
    if (talk.busy) {
      saying.refuse(PactFault.OUT_OF_TURN, "the message before it is still checked");
      return;
    }
    Optional<NegotiationRun.Fault> unfit =
        tooMuch(talk, saying.said()).or(() -> talk.run.untimely(saying.message().atMs()));
    if (unfit.isPresent()) {
      saying.refuse(unfit.get());
    } else if (saying.message().body() instanceof Ratification body) {
      ratified(talk, saying, body);
    } else {
      NegotiationRun.Before was = talk.run.now();
      Optional<NegotiationRun.Fault> fault =
          saying.own()
              ? talk.run.spoken(saying.message())
              : talk.run.take(saying.said(), List.of(), works.key().current().verifier());
      finish(talk, saying, was, fault);
    }
  }

  private void finish(
      Talk talk, Saying saying, NegotiationRun.Before was, Optional<NegotiationRun.Fault> fault) {
    if (fault.isPresent()) {
      saying.refuse(fault.get());
    } else {
      saying.heard().complete(talk.took(saying.said(), saying.own(), was, Optional.empty()));
    }
  }

  private static Optional<NegotiationRun.Fault> tooMuch(Talk talk, Incoming said) {
    return talk.turns >= MAX_TURNS || talk.bytes + said.message().canonical().length() > MAX_BYTES
        ? Optional.of(
            new NegotiationRun.Fault(
                "too_many_messages",
                "expected at most %d messages and %d bytes".formatted(MAX_TURNS, MAX_BYTES)))
        : Optional.empty();
  }

  // ---- invocation ----

  private void invited(Saying saying, Invocation said, String peer) {
    Talk before = byId.get(said.negotiation());
    if (before != null && saying.own() && before.repeated(saying.said()).isPresent()) {
      saying.heard().complete(before.repeated(saying.said()).get());
      return;
    }
    Optional<NegotiationRun.Fault> unfit = unfit(saying, said, peer);
    if (unfit.isPresent()) {
      saying.refuse(unfit.get());
      return;
    }
    works.onLoop(
        works.templates().ensure(said.templates()),
        _ -> {
          Optional<NegotiationRun.Fault> still =
              unfit(saying, said, peer).or(() -> stale(saying.said().offer(), said));
          if (still.isPresent()) {
            saying.refuse(still.get());
          } else {
            begin(saying, said, peer);
          }
        });
  }

  private Optional<NegotiationRun.Fault> unfit(Saying saying, Invocation said, String peer) {
    long apartMs = saying.message().atMs() - saying.arrived().wallMs();
    if (peer.equals(works.party()) || !said.source().equals(saying.message().from())) {
      return fault(PactFault.BAD_PARTIES.name(), "expected another party, and its own word");
    }
    if (Math.abs(apartMs) > works.rules().get().clockSkewMs()) {
      return fault(NegotiationRun.CLOCKS_APART, "t is " + apartMs + " ms from the time here");
    }
    if (said.timeoutMs() > MAX_MS) {
      return fault(PactFault.BAD_LIMITS.name(), "timeout_ms: expected at most " + MAX_MS);
    }
    if (byId.containsKey(said.negotiation())) {
      return fault(PactFault.OUT_OF_STATE.name(), "this was negotiated before");
    }
    if (byId.size() >= MAX_TALKS) {
      return fault("too_many_negotiations", MAX_TALKS + " are under way");
    }
    return crowded();
  }

  private Optional<NegotiationRun.Fault> crowded() {
    int active = works.table().active();
    return active >= works.rules().get().maxActive()
        ? fault("too_many_pacts", active + " pacts hold")
        : Optional.empty();
  }

  private static Optional<NegotiationRun.Fault> fault(String code, String detail) {
    return Optional.of(new NegotiationRun.Fault(code, detail));
  }

  /** Where the invocation says which text a template has, it is the one here. */
  private Optional<NegotiationRun.Fault> stale(Optional<Offer> offer, Invocation said) {
    Map<String, String> theirs = offer.map(Offer::templates).orElse(new TreeMap<>());
    for (Map.Entry<String, String> here : works.templates().digests(said.templates()).entrySet()) {
      if (!theirs.getOrDefault(here.getKey(), here.getValue()).equals(here.getValue())) {
        return fault(PactFault.TEMPLATE_UNKNOWN.name(), here.getKey() + " has another text here");
      }
    }
    return Optional.empty();
  }

  private void begin(Saying saying, Invocation said, String peer) {
    long skewMs = works.rules().get().clockSkewMs();
    NegotiationRun run =
        new NegotiationRun(
            works.loop(),
            new NegotiationRun.About(works.party(), peer, said.negotiation(), "", 1),
            works.templates().of(said.templates()),
            saying.message().atMs(),
            saying.arrived(),
            skewMs);
    NegotiationRun.Before was = run.now();
    Optional<NegotiationRun.Fault> fault =
        saying.own()
            ? run.spoken(saying.message())
            : run.take(saying.said(), List.of(), works.key().current().verifier());
    Talk talk = new Talk(run);
    if (fault.isEmpty()) {
      byId.put(run.negotiation(), talk);
      works.keysOf(peer, _ -> {});
      // As long as an invitation like this would be in time, its id stays used.
      works.loop().later(said.timeoutMs() + 2 * skewMs, () -> over(talk));
    }
    finish(talk, saying, was, fault);
  }

  private void over(Talk talk) {
    byId.remove(talk.run.negotiation(), talk);
    if (talk.run.state().phase() != Phase.ACTIVE) {
      works.events().transition("negotiation", "refused");
    }
  }

  // ---- ratification ----

  private void ratified(Talk talk, Saying saying, Ratification body) {
    boolean isFirst = talk.run.pact().isEmpty();
    if (isFirst && isUsed(body.pact())) {
      saying.refuse(PactFault.OUT_OF_STATE, "there was a pact " + body.pact() + " before");
    } else if (saying.own()) {
      sign(talk, saying, body);
    } else if (saying.beside().isEmpty()) {
      saying.refuse(PactFault.BAD_SIGNATURE, "no sidecar of " + talk.run.peer() + " has signed");
    } else {
      talk.busy = true;
      works.keysOf(talk.run.peer(), keys -> check(talk, saying, keys, false));
    }
  }

  private boolean isUsed(String pact) {
    return works.table().of(pact).isPresent()
        || responses.ofPact(pact).isPresent()
        || byId.values().stream().anyMatch(talk -> talk.run.pact().equals(pact));
  }

  /** The machine first, then the policy, then the key. */
  private void sign(Talk talk, Saying saying, Ratification body) {
    NegotiationRun run = talk.run;
    NegotiationRun.Before was = run.now();
    PactRules rules = works.rules().get();
    Optional<NegotiationRun.Fault> fault =
        run.unratifiable(saying.message().atMs(), body).or(this::crowded);
    if (fault.isPresent()) {
      saying.refuse(fault.get());
      return;
    }
    Optional<String> signature = run.signature(works.party());
    if (signature.isEmpty()) {
      PactMoves.Move move =
          rules.moves().next(run.state(), run.negotiation(), works.party(), run.peer());
      if (!(move instanceof PactMoves.Move.Sign)) {
        saying.refuse("NOT_ALLOWED", notAllowed(run, move));
        return;
      }
      fault = run.sign(saying.message().atMs(), body, works.key().current(), rules.maxDurationMs());
      if (fault.isPresent()) {
        saying.refuse(fault.get());
        return;
      }
      signature = run.signature(works.party());
    }
    Heard.Taken taken = talk.took(saying.said(), true, was, signature);
    run.agreed()
        .ifPresent(terms -> {
          works.events().transition("negotiation", "agreed");
          signed.accept(works.active(run, terms, Optional.empty()), saying.channel());
        });
    saying.heard().complete(taken);
  }

  /** Which clauses it is: whoever negotiates must know what to change. */
  private String notAllowed(NegotiationRun run, PactMoves.Move move) {
    if (!(move instanceof PactMoves.Move.Leave(String _, List<PactStatement.Detail> details))) {
      return "the policy signs nothing with " + run.peer();
    }
    complaints.incompatible(run.negotiation(), run.peer(), details);
    return details.stream()
        .limit(MAX_DETAILS)
        .map(one -> (one.predicate() + " " + one.key() + " " + one.ours()).strip())
        .collect(Collectors.joining(", ", "the policy with " + run.peer() + ": ", ""));
  }

  private void check(Talk talk, Saying saying, Result<List<VerifierKey>> keys, boolean refreshed) {
    switch (keys) {
      case Result.Refused<List<VerifierKey>> refused -> {
        talk.busy = false;
        saying.refuse(refused);
      }
      case Result.Done<List<VerifierKey>>(List<VerifierKey> its) -> {
        NegotiationRun.Before was = talk.run.now();
        Optional<NegotiationRun.Fault> fault =
            talk.run.take(withSignature(saying), its, works.key().current().verifier());
        boolean unsigned = fault.filter(why -> why.code().equals("BAD_SIGNATURE")).isPresent();
        if (unsigned && !refreshed) {
          // It may be of a key that is newer than what is remembered.
          works.onLoop(
              works.peerKeys().again(talk.run.peer()), newer -> check(talk, saying, newer, true));
        } else if (fault.isEmpty() && talk.run.agreed().isPresent()) {
          attest(talk, saying, was, talk.run.agreed().get());
        } else {
          talk.busy = false;
          finish(talk, saying, was, fault);
        }
      }
    }
  }

  /** The signature beside the message counts; what stands in it was written by an agent. */
  private static Incoming withSignature(Saying saying) {
    return new Incoming(
        saying.message(),
        saying.said().offer(),
        new TreeMap<>(Map.of(saying.message().from(), saying.beside().orElseThrow())),
        Optional.empty());
  }

  /** Nobody hears that both have signed before it is on the ledger. */
  private void attest(Talk talk, Saying saying, NegotiationRun.Before was, ActivePact.Terms terms) {
    works.onLoop(
        works.control().attest(terms.note()),
        answer -> {
          talk.busy = false;
          switch (answer) {
            case Result.Done<PactControl.View>(PactControl.View view)
                when view.state().equals("dissolved") ->
                saying.refuse("pact_ended", view.reason().orElse("dissolved"));
            case Result.Done<PactControl.View> _ -> {
              works.events().transition("negotiation", "agreed");
              works.events().transition("attestation", "attested");
              if (works.table().of(terms.id()).isEmpty()) {
                attested.accept(works.active(talk.run, terms, Optional.empty()), saying.channel());
              }
              finish(talk, saying, was, Optional.empty());
            }
            case Result.Refused<PactControl.View> refused -> {
              talk.run.back(was);
              works.events().transition("attestation", "refused");
              saying.refuse(refused);
            }
          }
        });
  }

  // ---- refused by the other side ----

  /** As if the local agent had not said it, if nobody has said anything since. */
  void retract(Heard.Taken taken) {
    Talk talk = byId.get(taken.negotiation());
    if (talk == null
        || talk.busy
        || talk.run.state().phase() == Phase.ACTIVE
        || talk.own.filter(said -> said.taken().equals(taken)).isEmpty()) {
      return;
    }
    if (taken.turn() == 1) {
      byId.remove(taken.negotiation(), talk);
    } else {
      talk.run.back(talk.own.get().before());
      talk.turns--;
      talk.own = Optional.empty();
    }
  }

  /** The state of a negotiation, for tests. */
  Optional<PactState> state(String negotiation) {
    return Optional.ofNullable(byId.get(negotiation)).map(talk -> talk.run.state());
  }
}
