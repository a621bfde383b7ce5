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
import dev.parlance.proxy.gate.Pacts;
import dev.parlance.proxy.gate.Pacts.MessageResult;
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

  private final PactContext context;
  private final Responses responses;
  private final FailureReports reports;
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
      PactContext context,
      Responses responses,
      FailureReports reports,
      BiConsumer<ActivePact, Optional<Pacts.Channel>> signed,
      BiConsumer<ActivePact, Optional<Pacts.Channel>> attested) {
    this.context = context;
    this.responses = responses;
    this.reports = reports;
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

    private record Said(
        String canonical, NegotiationRun.Before before, MessageResult.Accepted accepted) {}

    private MessageResult.Accepted accept(
        Incoming said, boolean byOwn, NegotiationRun.Before before, Optional<String> signature) {
      turns++;
      bytes += said.message().canonical().length();
      MessageResult.Accepted accepted =
          new MessageResult.Accepted(run.negotiation(), turns, signature);
      own =
          byOwn
              ? Optional.of(new Said(said.message().canonical(), before, accepted))
              : Optional.empty();
      return accepted;
    }

    /** Whoever did not hear whether a message arrived says it again. */
    private Optional<MessageResult.Accepted> repeated(Incoming said) {
      return own.filter(last -> last.canonical().equals(said.message().canonical()))
          .map(Said::accepted);
    }
  }

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
      result.complete(new MessageResult.Refused(code, detail));
    }

    void refuse(Result.Refused<?> why) {
      if (why.kind() == Result.Kind.UNAVAILABLE || why.kind() == Result.Kind.EXHAUSTED) {
        result.complete(new MessageResult.Unavailable(why.message()));
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
      CompletableFuture<MessageResult> result) {
    Optional<Incoming> read = read(json, result);
    if (read.isEmpty()) {
      return;
    }
    MessageInFlight message =
        new MessageInFlight(read.get(), true, arrived, Optional.empty(), channel, result);
    String from = message.message().from();
    if (!from.equals(context.party())) {
      message.refuse(PactFault.NOT_A_PARTY, "from: expected " + context.party() + ", got " + from);
    } else if (!message.said().signatures().isEmpty()) {
      message.refuse("malformed", "signatures: it is the sidecar that signs");
    } else if (message.message().body() instanceof Invocation one) {
      if (peer.filter(other -> !other.equals(one.target())).isPresent()) {
        message.refuse(PactFault.BAD_PARTIES, "target: expected " + peer.get());
      } else {
        invited(message, one, one.target());
      }
    } else {
      known(message, peer);
    }
  }

  /** The other agent says something. */
  void others(
      byte[] json,
      PactLoop.Moment arrived,
      Optional<String> beside,
      Optional<Pacts.Channel> channel,
      CompletableFuture<MessageResult> result) {
    Optional<Incoming> read = read(json, result);
    if (read.isEmpty()) {
      return;
    }
    MessageInFlight message =
        new MessageInFlight(read.get(), false, arrived, beside, channel, result);
    String from = message.message().from();
    if (from.equals(context.party())) {
      message.refuse(PactFault.NOT_A_PARTY, "from: the local agent has not said this");
    } else if (message.message().body() instanceof Invocation one) {
      if (one.target().equals(context.party())) {
        invited(message, one, from);
      } else {
        message.refuse(PactFault.BAD_PARTIES, "target: expected " + context.party());
      }
    } else {
      known(message, Optional.of(from));
    }
  }

  private static Optional<Incoming> read(byte[] json, CompletableFuture<MessageResult> result) {
    return switch (PactMessages.message(json)) {
      case Reading.Good<Incoming>(Incoming said) -> Optional.of(said);
      case Reading.Refused<Incoming>(PactMessages.Fault fault, String detail) -> {
        result.complete(new MessageResult.Refused("malformed", fault.code() + ": " + detail));
        yield Optional.empty();
      }
    };
  }

  /** A message of a negotiation that has begun. */
  private void known(MessageInFlight message, Optional<String> peer) {
    switch (message.message().body()) {
      case PactEvent.Negotiating one -> {
        Talk talk = byId.get(one.negotiation());
        if (talk == null) {
          message.refuse(PactFault.UNKNOWN_NEGOTIATION, "no negotiation " + one.negotiation());
        } else if (peer.filter(other -> !other.equals(talk.run.peer())).isPresent()) {
          message.refuse(PactFault.NOT_A_PARTY, "it is a negotiation with " + talk.run.peer());
        } else {
          inTurn(talk, message);
        }
      }
      case PactEvent.Dissolution _ ->
          message.refuse(PactFault.OUT_OF_STATE, "a sidecar ends pacts, on its own address");
      case PactEvent.Unknown one ->
          message.refuse(PactFault.UNKNOWN_TYPE, "no message " + one.type());
    }
  }

  private void inTurn(Talk talk, MessageInFlight message) {
    Optional<MessageResult.Accepted> before =
        message.own() ? talk.repeated(message.said()) : Optional.empty();
    if (before.isPresent()) {
      message.result().complete(before.get());
      return;
    }
    if (talk.busy) {
      message.refuse(PactFault.OUT_OF_TURN, "the message before it is still checked");
      return;
    }
    Optional<NegotiationRun.Fault> unfit =
        tooMuch(talk, message.said()).or(() -> talk.run.untimely(message.message().atMs()));
    if (unfit.isPresent()) {
      message.refuse(unfit.get());
    } else if (message.message().body() instanceof Ratification body) {
      ratified(talk, message, body);
    } else {
      NegotiationRun.Before was = talk.run.now();
      Optional<NegotiationRun.Fault> fault =
          message.own()
              ? talk.run.spoken(message.message())
              : talk.run.take(message.said(), List.of(), context.key().current().verifier());
      finish(talk, message, was, fault);
    }
  }

  private void finish(
      Talk talk,
      MessageInFlight message,
      NegotiationRun.Before was,
      Optional<NegotiationRun.Fault> fault) {
    if (fault.isPresent()) {
      message.refuse(fault.get());
    } else {
      message.result().complete(talk.accept(message.said(), message.own(), was, Optional.empty()));
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

  private void invited(MessageInFlight message, Invocation said, String peer) {
    Talk before = byId.get(said.negotiation());
    if (before != null && message.own() && before.repeated(message.said()).isPresent()) {
      message.result().complete(before.repeated(message.said()).get());
      return;
    }
    Optional<NegotiationRun.Fault> unfit = unfit(message, said, peer);
    if (unfit.isPresent()) {
      message.refuse(unfit.get());
      return;
    }
    context.onLoop(
        context.templates().ensure(said.templates()),
        _ -> {
          Optional<NegotiationRun.Fault> still =
              unfit(message, said, peer).or(() -> stale(message.said().offer(), said));
          if (still.isPresent()) {
            message.refuse(still.get());
          } else {
            begin(message, said, peer);
          }
        });
  }

  private Optional<NegotiationRun.Fault> unfit(
      MessageInFlight message, Invocation said, String peer) {
    long apartMs = message.message().atMs() - message.arrived().wallMs();
    if (peer.equals(context.party()) || !said.source().equals(message.message().from())) {
      return fault(PactFault.BAD_PARTIES.name(), "expected another party, and its own word");
    }
    if (Math.abs(apartMs) > context.rules().get().clockSkewMs()) {
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
    int active = context.table().active();
    return active >= context.rules().get().maxActive()
        ? fault("too_many_pacts", active + " pacts hold")
        : Optional.empty();
  }

  private static Optional<NegotiationRun.Fault> fault(String code, String detail) {
    return Optional.of(new NegotiationRun.Fault(code, detail));
  }

  /** Where the invocation says which text a template has, it is the one here. */
  private Optional<NegotiationRun.Fault> stale(Optional<Offer> offer, Invocation said) {
    Map<String, String> theirs = offer.map(Offer::templates).orElse(new TreeMap<>());
    for (Map.Entry<String, String> here :
        context.templates().digests(said.templates()).entrySet()) {
      if (!theirs.getOrDefault(here.getKey(), here.getValue()).equals(here.getValue())) {
        return fault(PactFault.TEMPLATE_UNKNOWN.name(), here.getKey() + " has another text here");
      }
    }
    return Optional.empty();
  }

  private void begin(MessageInFlight message, Invocation said, String peer) {
    long skewMs = context.rules().get().clockSkewMs();
    NegotiationRun run =
        new NegotiationRun(
            context.loop(),
            new NegotiationRun.About(context.party(), peer, said.negotiation(), "", 1),
            context.templates().of(said.templates()),
            message.message().atMs(),
            message.arrived(),
            skewMs);
    NegotiationRun.Before was = run.now();
    Optional<NegotiationRun.Fault> fault =
        message.own()
            ? run.spoken(message.message())
            : run.take(message.said(), List.of(), context.key().current().verifier());
    Talk talk = new Talk(run);
    if (fault.isEmpty()) {
      byId.put(run.negotiation(), talk);
      context.keysOf(peer, _ -> {});
      // As long as an invitation like this would be in time, its id stays used.
      context.loop().later(said.timeoutMs() + 2 * skewMs, () -> over(talk));
    }
    finish(talk, message, was, fault);
  }

  private void over(Talk talk) {
    byId.remove(talk.run.negotiation(), talk);
    if (talk.run.state().phase() != Phase.ACTIVE) {
      context.events().transition("negotiation", "refused");
    }
  }

  // ---- ratification ----

  private void ratified(Talk talk, MessageInFlight message, Ratification body) {
    boolean isFirst = talk.run.pact().isEmpty();
    if (isFirst && isUsed(body.pact())) {
      message.refuse(PactFault.OUT_OF_STATE, "there was a pact " + body.pact() + " before");
    } else if (message.own()) {
      sign(talk, message, body);
    } else if (message.beside().isEmpty()) {
      message.refuse(PactFault.BAD_SIGNATURE, "no sidecar of " + talk.run.peer() + " has signed");
    } else {
      talk.busy = true;
      context.keysOf(talk.run.peer(), keys -> check(talk, message, keys, false));
    }
  }

  private boolean isUsed(String pact) {
    return context.table().of(pact).isPresent()
        || responses.ofPact(pact).isPresent()
        || byId.values().stream().anyMatch(talk -> talk.run.pact().equals(pact));
  }

  /** The machine first, then the policy, then the key. */
  private void sign(Talk talk, MessageInFlight message, Ratification body) {
    NegotiationRun run = talk.run;
    NegotiationRun.Before was = run.now();
    PactRules rules = context.rules().get();
    Optional<NegotiationRun.Fault> fault =
        run.unratifiable(message.message().atMs(), body).or(this::crowded);
    if (fault.isPresent()) {
      message.refuse(fault.get());
      return;
    }
    Optional<String> signature = run.signature(context.party());
    if (signature.isEmpty()) {
      PactMoves.Move move =
          rules.moves().next(run.state(), run.negotiation(), context.party(), run.peer());
      if (!(move instanceof PactMoves.Move.Sign)) {
        message.refuse("NOT_ALLOWED", notAllowed(run, move));
        return;
      }
      fault =
          run.sign(message.message().atMs(), body, context.key().current(), rules.maxDurationMs());
      if (fault.isPresent()) {
        message.refuse(fault.get());
        return;
      }
      signature = run.signature(context.party());
    }
    MessageResult.Accepted accepted = talk.accept(message.said(), true, was, signature);
    run.agreed()
        .ifPresent(terms -> {
          context.events().transition("negotiation", "agreed");
          signed.accept(context.active(run, terms, Optional.empty()), message.channel());
        });
    message.result().complete(accepted);
  }

  /** Which clauses it is: whoever negotiates must know what to change. */
  private String notAllowed(NegotiationRun run, PactMoves.Move move) {
    if (!(move instanceof PactMoves.Move.Leave(String _, List<PactStatement.Detail> details))) {
      return "the policy signs nothing with " + run.peer();
    }
    reports.incompatible(run.negotiation(), run.peer(), details);
    return details.stream()
        .limit(MAX_DETAILS)
        .map(one -> (one.predicate() + " " + one.key() + " " + one.ours()).strip())
        .collect(Collectors.joining(", ", "the policy with " + run.peer() + ": ", ""));
  }

  private void check(
      Talk talk, MessageInFlight message, Result<List<VerifierKey>> keys, boolean refreshed) {
    switch (keys) {
      case Result.Refused<List<VerifierKey>> refused -> {
        talk.busy = false;
        message.refuse(refused);
      }
      case Result.Done<List<VerifierKey>>(List<VerifierKey> its) -> {
        NegotiationRun.Before was = talk.run.now();
        Optional<NegotiationRun.Fault> fault =
            talk.run.take(withSignature(message), its, context.key().current().verifier());
        boolean unsigned = fault.filter(why -> why.code().equals("BAD_SIGNATURE")).isPresent();
        if (unsigned && !refreshed) {
          // It may be of a key that is newer than what is remembered.
          context.onLoop(
              context.peerKeys().again(talk.run.peer()),
              newer -> check(talk, message, newer, true));
        } else if (fault.isEmpty() && talk.run.agreed().isPresent()) {
          attest(talk, message, was, talk.run.agreed().get());
        } else {
          talk.busy = false;
          finish(talk, message, was, fault);
        }
      }
    }
  }

  /** The signature beside the message counts; what stands in it was written by an agent. */
  private static Incoming withSignature(MessageInFlight message) {
    return new Incoming(
        message.message(),
        message.said().offer(),
        new TreeMap<>(Map.of(message.message().from(), message.beside().orElseThrow())),
        Optional.empty());
  }

  /** Nobody hears that both have signed before it is on the ledger. */
  private void attest(
      Talk talk, MessageInFlight message, NegotiationRun.Before was, ActivePact.Terms terms) {
    context.onLoop(
        context.control().attest(terms.note()),
        answer -> {
          talk.busy = false;
          switch (answer) {
            case Result.Done<PactControl.View>(PactControl.View view)
                when view.state().equals("dissolved") ->
                message.refuse("pact_ended", view.reason().orElse("dissolved"));
            case Result.Done<PactControl.View> _ -> {
              context.events().transition("negotiation", "agreed");
              context.events().transition("attestation", "attested");
              if (context.table().of(terms.id()).isEmpty()) {
                attested.accept(
                    context.active(talk.run, terms, Optional.empty()), message.channel());
              }
              finish(talk, message, was, Optional.empty());
            }
            case Result.Refused<PactControl.View> refused -> {
              talk.run.back(was);
              context.events().transition("attestation", "refused");
              message.refuse(refused);
            }
          }
        });
  }

  // ---- refused by the other side ----

  /** As if the local agent had not said it, if nobody has said anything since. */
  void retract(MessageResult.Accepted accepted) {
    Talk talk = byId.get(accepted.negotiation());
    if (talk == null
        || talk.busy
        || talk.run.state().phase() == Phase.ACTIVE
        || talk.own.filter(said -> said.accepted().equals(accepted)).isEmpty()) {
      return;
    }
    if (accepted.turn() == 1) {
      byId.remove(accepted.negotiation(), talk);
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
