package dev.parlance.proxy.pact;

import dev.parlance.policy.commit.Finality;
import dev.parlance.policy.pact.PactTerms;
import dev.parlance.policy.route.Reason;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.PactRule.Demand;
import dev.parlance.proxy.config.PactSettings.Actions;
import dev.parlance.proxy.config.RouteRule;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.exchange.Check;
import dev.parlance.proxy.exchange.CheckedMessage;
import dev.parlance.proxy.exchange.ExchangeContext;
import dev.parlance.proxy.exchange.Passage;
import dev.parlance.proxy.gate.ClaimCheck;
import dev.parlance.proxy.gate.Digests;
import dev.parlance.proxy.gate.Judgment;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.proxy.gate.PactMeasure;
import dev.parlance.proxy.gate.Pacts;
import dev.parlance.proxy.gate.Rounds;
import dev.parlance.proxy.pact.ExchangeProof.Resumption;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.wire.api.Frame;
import dev.parlance.wire.api.MessageView;
import dev.parlance.wire.api.Plumbing;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.RoundMark;
import dev.parlance.wire.json.JsonDocument;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The check that holds a message to its pact.
 *
 * <pre>
 *   outbound request   the pact with the peer, which is negotiated where the route requires one
 *   inbound request    the pact that it names
 *   answer             the pact of its request
 *   about a task       the pact that the task was begun under, whatever the route
 *   other requests     the pact that the local agent works under in the same flow: its actions
 * </pre>
 *
 * Where nothing is enforced, nothing is negotiated, and the log says what would have been.
 */
public final class PactGuard implements Check {
  /** The kind; where the route looks at pacts, and for all that the local agent may call. */
  public static final Kind KIND =
      new Kind(PactGuard::line, (exchange, _) -> new PactGuard(exchange));

  /** A request that is refused for one of these may go once more, under another pact. */
  private static final Set<Reason> OF_THE_PACT = Set.of(Reason.PACT_UNKNOWN, Reason.PACT_ENDED);

  /** Most pacts that are made for one request, each in the place of one that is used up. */
  private static final int MAX_RENEWALS = 8;

  private static Optional<String> line(
      Leg leg, Direction direction, RouteRule rule, SidecarConfig config) {
    if (!rule.pact().isOn() && config.pacts().isEmpty()) {
      return Optional.empty();
    }
    boolean acts = leg == Leg.REQUEST && direction == Direction.OUTBOUND;
    return Optional.of(
        "pact     "
            + rule.pact().demand().code()
            + rule.pact().peer().map(peer -> ", with " + peer).orElse("")
            + (acts ? "; actions under a pact" : "")
            + (rule.pact().isOn() ? "" : "; tasks begun under one"));
  }

  static PactGuard among(List<Check> checks) {
    for (Check check : checks) {
      if (check instanceof PactGuard guard) {
        return guard;
      }
    }
    throw new IllegalStateException("negotiations belong to pacts");
  }

  private static final Logger log = LoggerFactory.getLogger(PactGuard.class);

  final ExchangeContext exchange;
  final NegotiationCheck negotiation;
  final PactClauses clauses;
  final PactFinder finder;
  private final ExchangeProof proof;
  private final Pacts pacts;

  /** The request; empty if nobody could read it. */
  private Optional<MessageView> asked = Optional.empty();

  /** The task that the answer is about. */
  private Optional<String> answered = Optional.empty();

  /** The pact under which the task was begun that the request is about. */
  private Optional<Pacts.Held> begun = Optional.empty();

  /** The pact that the request names; empty if it names none, or the route looks at none. */
  private Optional<Pacts.Named> named = Optional.empty();

  /** The pact that both messages are held to; empty if there is none, or nothing is enforced. */
  private Optional<Pacts.Held> current = Optional.empty();

  /** True once the request has gone out a second time, because the other side knew no such pact. */
  private boolean sentAgain;

  /** The pact that the answer refers to. */
  private PactFields.Reference reference = PactFields.Reference.NOTHING;

  /** True if the request goes on without a pact, because it asks for one and for nothing else. */
  private boolean asksForPact;

  /** True from when the local agent is asked under the pact until its answer is given. */
  private boolean works;

  /** Pacts that were made in the place of one whose limit is reached. */
  private int renewals;

  /** True once it is shown that the answer is under the pact. */
  private boolean shown;

  /** What the sidecar of the caller is told of a refusal. */
  private Optional<String> refusal = Optional.empty();

  /** Why a request that names a pact goes to nobody, if that is because of the pact. */
  private Optional<Reason> undelivered = Optional.empty();

  /** The sidecar opposite has, and may have delivered the request before that. */
  private boolean beganAgain;

  /** True if the refusal is for what was said in a negotiation. */
  private boolean refusesNegotiation;

  private Optional<StreamPact> stream = Optional.empty();

  private PactGuard(ExchangeContext exchange) {
    this.exchange = exchange;
    this.pacts = exchange.services().pacts();
    this.clauses = new PactClauses(exchange);
    this.finder = new PactFinder(this);
    this.proof = new ExchangeProof(exchange);
    this.negotiation = new NegotiationCheck(this);
  }

  // ---- what comes ----

  @Override
  public void fields(Leg leg, HttpHeaders fields) {
    switch (leg) {
      case REQUEST -> {
        if (exchange.direction() == Direction.INBOUND) {
          named = PactFields.take(fields);
          if (named.isPresent()) {
            proof.came(fields, exchange.wireBody());
          }
        }
      }
      case RESPONSE -> {
        if (exchange.direction() == Direction.OUTBOUND
            && (current.isPresent() || negotiation.isAccepted())) {
          reference = PactFields.reference(fields);
          proof.came(fields, exchange.wireBody());
        }
      }
    }
  }

  @Override
  public boolean read(Leg leg, MessageView message) {
    if (leg == Leg.REQUEST) {
      asked = Optional.of(message);
      begun = task(message).flatMap(pacts::ofTask);
    } else {
      answered = task(message);
    }
    return false;
  }

  private static Optional<String> task(MessageView message) {
    return message.correlation().taskId().filter(id -> !id.isEmpty());
  }

  /** The public card of the local agent, which says how to come to a pact with it, is asked for. */
  private boolean isCard() {
    return asked
        .filter(RequestView.class::isInstance)
        .flatMap(view -> ((RequestView) view).plumbing())
        .filter(Plumbing.AGENT_CARD::equals)
        .filter(_ -> exchange.direction() == Direction.INBOUND)
        .filter(_ -> exchange.request().method().equals(HttpMethod.GET))
        .filter(_ -> exchange.request().target().indexOf('?') < 0)
        .isPresent();
  }

  PactFields.Reference reference() {
    return reference;
  }

  @Override
  public boolean binds(Leg leg) {
    if (exchange.observing() || isCard()) {
      return false;
    }
    return leg == Leg.RESPONSE
        ? current.isPresent() || asksForPact
        : named.isPresent()
            || isRequired()
            || (exchange.direction() == Direction.OUTBOUND
                && !pacts.works(exchange.flow()).isEmpty());
  }

  /**
   * Nothing goes on without a pact: by its route, because the local agent works under none, or
   * because it is about what was begun under one.
   */
  boolean isRequired() {
    return exchange.rule().pact().demand() == Demand.REQUIRED || isOutsideWork() || isOfTask();
  }

  /** True if it is about a task that was begun under a pact, and between the parties of it. */
  private boolean isOfTask() {
    return begun
        .filter(PactGuard::isOpen)
        .filter(pact ->
            exchange.direction() == Direction.INBOUND
                || finder.peer().filter(pact.peer()::equals).isPresent())
        .isPresent();
  }

  /** The party that has to speak here in place of this one: of the route, or of the task. */
  Optional<String> inPlaceOf(String party) {
    return Stream.of(
            exchange.rule().pact().peer(), begun.filter(_ -> isOfTask()).map(Pacts.Held::peer))
        .flatMap(Optional::stream)
        .filter(wanted -> !wanted.equals(party))
        .findFirst();
  }

  /** True if it is of the party that was asked for the pact, which answers under it. */
  private boolean isPush(Pacts.Held pact) {
    return pact.isInitiator() == (exchange.direction() == Direction.INBOUND);
  }

  /** True if the party that was asked asks itself, which the pact is not for. */
  boolean isTurned(Pacts.Held pact) {
    return isPush(pact) && !tells();
  }

  /** True if a party tells the one that has asked it what became of a task: an answer, later. */
  private boolean tells() {
    return asked.filter(view -> view instanceof RequestView told && told.tells()).isPresent();
  }

  /** True if only a pact of its own covers what the local agent calls. */
  private boolean isOutsideWork() {
    return exchange.direction() == Direction.OUTBOUND
        && exchange.config().pacts().filter(one -> one.actions() == Actions.STRICT).isPresent()
        && !pacts.isAtWork()
        && begun
            .filter(pact -> tells() && isPush(pact) && pact.check().asks(PactTerms.Key.HOSTS))
            .isEmpty();
  }

  @Override
  public Result request(CheckedMessage message) {
    Optional<Passage> action = clauses.action(message, begun);
    if (action.isPresent() || (isCard() && named.isEmpty())) {
      return action.orElse(Passage.ON);
    }
    if (!exchange.rule().pact().isOn() && !isOfTask()) {
      return isOutsideWork()
          ? clauses.stop(Reason.PACT_ACTION, "outside of open requests, without a pact of its own")
          : Passage.ON;
    }
    if (exchange.direction() == Direction.INBOUND) {
      return finder.inbound(message, named);
    }
    return isOfTask() && tells() && isPush(begun.orElseThrow())
        ? finder.under(message, begun.get())
        : finder.outbound(message);
  }

  /** True if the other side has refused a request under this very pact. */
  boolean isRefused(Pacts.Held pact) {
    return sentAgain && current.filter(was -> was.id().equals(pact.id())).isPresent();
  }

  boolean isSentAgain() {
    return sentAgain;
  }

  /**
   * The sidecar opposite says, proven, that it has not delivered the request, because it does not
   * know the pact, or because that has ended. Once, where a pact is required, and never after
   * anything of an answer has gone on.
   */
  @Override
  public Optional<Reason> refusedUnread() {
    if (reference.refused().isEmpty()
        || sentAgain
        || current.isEmpty()
        || exchange.observing()
        || exchange.isAnswered()) {
      return Optional.empty();
    }
    Pacts.Held pact = current.get();
    if (reference.refusedUnread(pact, Reason.PACT_UNPROVEN)) {
      Resumption resumed = proof.resumed(pact);
      beganAgain = resumed == Resumption.LATER;
      if (resumed == Resumption.AGAIN) {
        return Optional.of(Reason.PACT_UNPROVEN);
      }
    }
    if (!isRequired() || isPush(pact) || finder.peer().filter(pact.peer()::equals).isEmpty()) {
      return Optional.empty();
    }
    return OF_THE_PACT.stream()
        .filter(
            reason -> reference.refusedUnread(pact, reason) && proof.isUndelivered(pact, reason))
        .findFirst();
  }

  /**
   * The other side does not know the pact: it is not used any more, and another one is made. If it
   * only wants another stamp, it gets one.
   */
  @Override
  public Result again(CheckedMessage request) {
    sentAgain = true;
    Pacts.Held refused = current.orElseThrow();
    if (reference.refusedUnread(refused, Reason.PACT_UNPROVEN)) {
      return under(request, refused);
    }
    pacts.forget(refused);
    log.atInfo()
        .addKeyValue("route", exchange.rule().name())
        .addKeyValue("pact", refused.id())
        .addKeyValue("code", reference.refused().orElse(""))
        .log("the other side does not take the pact: the request goes once more, under another");
    return finder.negotiated(request, refused.peer());
  }

  // ---- of a negotiation that the agents lead ----

  /** It asks for a pact, and for nothing else. */
  Passage asking() {
    asksForPact = !exchange.observing();
    return Passage.ON;
  }

  /** The answer to what asked for a pact is part of the negotiation, too, or says nothing. */
  private Passage answerToAsking(CheckedMessage message) {
    boolean words =
        message.judgment().filter(judged -> !judged.message().answer().isEmpty()).isPresent()
            || !message.unread().isEmpty();
    return isRequired() && words && !negotiation.asks()
        ? clauses.stop(Reason.PACT_REQUIRED, "the answer says more than what it says of the pact")
        : Passage.ON;
  }

  // ---- under a pact ----

  /** What a request has proven by a claim may have to be asked for first. */
  Result under(CheckedMessage message, Pacts.Held pact) {
    boolean isOpen = isOpen(pact);
    if (isOpen && !exchange.observing() && !pact.isBound()) {
      return clauses.stop(
          Reason.PACT_UNAVAILABLE, "the key of " + pact.peer() + " could not be had");
    }
    if (isOpen && exchange.direction() == Direction.INBOUND && pact.isBound()) {
      Optional<String> unproven = proof.request(pact);
      if (unproven.isPresent()) {
        return clauses.stop(Reason.PACT_UNPROVEN, "pact " + pact.id() + ": " + unproven.get());
      }
    }
    if (isOpen && exchange.direction() == Direction.OUTBOUND && !exchange.observing()) {
      proof.begins(pact);
    }
    return pact.check().asks(PactTerms.Key.FINALITY)
            && asked.map(MessageView::round).orElse(RoundMark.NONE) instanceof RoundMark.Claim claim
        ? proven(message, pact, claim)
        : request(message, pact, PactMeasure.UNCLAIMED);
  }

  private static boolean isOpen(Pacts.Held pact) {
    return pact.standing() == Pacts.Standing.ACTIVE || pact.standing() == Pacts.Standing.DISPUTED;
  }

  /** The finality that a claim proves; empty if nobody could be asked. */
  private Result proven(CheckedMessage message, Pacts.Held pact, RoundMark.Claim claim) {
    Optional<String> textSha256 =
        message
            .judgment()
            .filter(_ -> message.unread().isEmpty())
            .map(judged -> Digests.sha256(judged.message().answer().toByteArray()));
    Rounds rounds = exchange.services().rounds();
    Optional<Rounds.Known> noted = rounds.noted(claim);
    return noted.isPresent()
        ? request(message, pact, Optional.of(ClaimCheck.proven(claim, noted.get(), textSha256)))
        : new Awaited<>(
            Source.ROUND,
            rounds.status(claim.id()),
            reply ->
                request(
                    message,
                    pact,
                    switch (reply) {
                      case Rounds.Known known ->
                          Optional.of(ClaimCheck.proven(claim, known, textSha256));
                      case Rounds.Refused _ -> Optional.of(Finality.NONE);
                      case Rounds.Unavailable _ -> Optional.empty();
                    }));
  }

  private Result request(CheckedMessage message, Pacts.Held pact, Optional<Finality> proven) {
    exchange.record().under(pact.id());
    if (isOpen(pact) && !exchange.observing()) {
      // That a message waits for a person is an answer under its pact, too.
      current = Optional.of(pact);
    }
    Optional<Passage> against = clauses.standing(pact, message::isReleased);
    if (against.isPresent()) {
      return against.get();
    }
    Passage passage =
        clauses.check(
            message,
            pact,
            proof.number(/* request= */ true),
            isPush(pact) ? OptionalDouble.of(0) : OptionalDouble.empty(), // nobody has waited
            proven);
    if (isUsedUp(passage)) {
      renewals++;
      pacts.usedUp(pact);
      return finder.negotiated(message, pact.peer());
    }
    if (passage instanceof Passage.On
        && exchange.direction() == Direction.INBOUND
        && !isPush(pact)
        && !exchange.observing()) {
      works = true;
      pacts.working(pact, exchange.flow());
    }
    return passage;
  }

  /**
   * Nothing more goes under the pact of the local agent's request: where one is required, it asks
   * for another.
   */
  private boolean isUsedUp(Passage passage) {
    return passage instanceof Passage.Stopped stopped
        && stopped.reason() == Reason.PACT_TERMINATION
        && exchange.direction() == Direction.OUTBOUND
        && isRequired()
        && current.filter(this::isPush).isEmpty()
        && finder.peer().isPresent()
        && renewals < MAX_RENEWALS;
  }

  @Override
  public Passage answer(CheckedMessage message) {
    Optional<String> refused = negotiation.refused();
    if (refused.isPresent()) {
      return clauses.stop(Reason.PACT_ILLEGAL_MOVE, "the other side refuses it: " + refused.get());
    }
    if (current.isEmpty()) {
      return asksForPact ? answerToAsking(message) : Passage.ON;
    }
    Pacts.Held pact = current.get();
    exchange.record().under(pact.id());
    Optional<Passage> against =
        notUnderIt(pact, () -> proof.answer(pact, message.status(), message.headers()));
    if (against.isEmpty()) {
      against = clauses.standing(pact, message::isReleased);
    }
    if (against.isEmpty() && isPush(pact)) {
      return clauses.beyond(message, pact, PactTerms.Leg.REQUEST).orElse(Passage.ON);
    }
    if (against.isEmpty() && answered.isPresent()) {
      pacts.began(pact, answered.get());
      against =
          pacts
              .ofTask(answered.get())
              .filter(one -> !one.id().equals(pact.id()))
              .filter(one ->
                  exchange.direction() == Direction.INBOUND || one.peer().equals(pact.peer()))
              .flatMap(one -> clauses.beyond(message, one, PactTerms.Leg.ANSWER));
    }
    return against.isPresent()
        ? against.get()
        : clauses.check(
            message,
            pact,
            proof.number(/* request= */ false),
            OptionalDouble.of(exchange.tookMs()),
            PactMeasure.UNCLAIMED);
  }

  /** The other side refuses the pact, or its answer is not under it; empty if it is. */
  private Optional<Passage> notUnderIt(Pacts.Held pact, BooleanSupplier isProven) {
    if (exchange.direction() != Direction.OUTBOUND) {
      return Optional.empty();
    }
    if (reference.refused().isPresent()) {
      String code = reference.refused().get();
      Reason reason = PactFinder.reason(code);
      if (OF_THE_PACT.contains(reason) && proof.isRefused(pact, reason)) {
        pacts.forget(pact);
      } else if (OF_THE_PACT.contains(reason)) {
        pact.lostAt(exchange.destination()); // anybody's word: the other party is asked
      }
      return Optional.of(
          clauses.stop(
              reason,
              beganAgain
                  ? "the other side has begun again while the request under pact "
                      + pact.id()
                      + " was under way: it may have been delivered"
                  : "the other side refuses pact " + pact.id() + ": " + code));
    }
    if (!reference.names(pact)) {
      pact.lostAt(exchange.destination());
      return Optional.of(
          clauses.stop(Reason.PACT_HASH_DIFFERS, "the answer is not under pact " + pact.id()));
    }
    if (!isProven.getAsBoolean()) {
      pact.lostAt(exchange.destination());
      return Optional.of(
          clauses.stop(
              Reason.PACT_UNPROVEN, "nothing proves that the answer is of " + pact.peer()));
    }
    pact.confirmed();
    shown = true;
    return Optional.empty();
  }

  @Override
  public Passage head(HttpHeaders fields) {
    if (current.isEmpty()) {
      return Passage.ON;
    }
    if (exchange.direction() == Direction.OUTBOUND) {
      List<String> references = fields.getAll(PactFields.PACT);
      List<String> proofs = fields.getAll(PactFields.PROOF);
      List<String> up = fields.getAll(PactFields.UP);
      reference = PactFields.reference(fields);
      proof.came(fields);
      if (refusedUnread().isPresent()) {
        fields.set(PactFields.PACT, references); // read whole, as the refusal that it is
        fields.set(PactFields.PROOF, proofs);
        fields.set(PactFields.UP, up);
        return Passage.ON;
      }
    }
    Pacts.Held pact = current.get();
    exchange.record().under(pact.id());
    if (isPush(pact)) {
      return clauses.stop(Reason.PACT_UNMEASURED, "a stream in answer to what became of a task");
    }
    Passage passage =
        notUnderIt(pact, () -> proof.stream(pact, fields))
            .or(() -> clauses.standing(pact, PactClauses.NEVER_RELEASED))
            .or(() -> clauses.beside(pact, PactTerms.Leg.ANSWER, fields))
            .orElse(Passage.ON);
    if (passage instanceof Passage.Stopped) {
      return passage;
    }
    stream = Optional.of(new StreamPact(exchange, clauses, pact, proof, fields));
    return Passage.ON;
  }

  @Override
  public boolean waitsForAll() {
    return stream.isPresent() && stream.get().waits();
  }

  @Override
  public Passage piece(Frame event, Function<Frame, JsonDocument> json) {
    return stream.isPresent() ? stream.get().event(event, json.apply(event)) : Passage.ON;
  }

  @Override
  public Passage whole(Optional<Judgment> judgment, boolean hasWords) {
    return stream.isPresent() ? stream.get().whole(judgment, hasWords) : Passage.ON;
  }

  @Override
  public void arriving(ByteBuf piece) {
    stream.ifPresent(all -> all.arriving(piece));
  }

  @Override
  public void arrivedAll(HttpHeaders trailers) {
    stream.ifPresent(all -> all.arrivedAll(trailers));
  }

  @Override
  public boolean wantsRest() {
    return stream.isPresent() && stream.get().wantsRest();
  }

  // ---- beside the messages ----

  @Override
  public void leaves(HttpHeaders fields, ByteBuf body) {
    if (exchange.direction() == Direction.OUTBOUND && current.isPresent()) {
      proof.prove(current.get(), fields, body);
    }
  }

  @Override
  public void leaves(WholeResponse reply) {
    if (exchange.direction() != Direction.INBOUND) {
      return;
    }
    if (refusal.isPresent()) {
      Optional<Pacts.Held> pact = named.flatMap(one -> pacts.of(one.id()));
      pact.ifPresent(known -> proof.proveExpected(known, reply.headers()));
      undelivered.ifPresent(reason ->
          proof.proveUndelivered(named.orElseThrow().id(), pact, reason, reply.headers()));
    } else if (current.isPresent()) {
      proof.proveAnswer(current.get(), reply.status(), reply.headers(), reply.body());
    }
  }

  @Override
  public void leaves(HttpHeaders fields) {
    if (exchange.direction() == Direction.INBOUND && current.isPresent()) {
      proof.proveStream(current.get(), fields);
    }
  }

  @Override
  public void leaving(ByteBuf piece) {
    if (exchange.direction() == Direction.INBOUND) {
      proof.piece(piece);
    }
  }

  @Override
  public void leftAll(HttpHeaders trailers) {
    if (exchange.direction() == Direction.INBOUND && current.isPresent()) {
      proof.proveEnd(current.get(), trailers);
    }
  }

  /** The pact of a request stands beside it on its way to the other sidecar only. */
  @Override
  public void toAgent(HttpHeaders fields) {
    if (exchange.direction() == Direction.OUTBOUND && current.isPresent()) {
      PactFields.write(fields, current.get());
      current.get().signature().ifPresent(text -> fields.set(PactFields.SIGNATURE, text));
    }
  }

  /** Whoever asks is told under which pact the answer is, or why there is none. */
  @Override
  public void toCaller(HttpHeaders fields) {
    if (exchange.direction() == Direction.OUTBOUND) {
      if (shown) {
        PactFields.write(fields, current.orElseThrow());
      }
      return;
    }
    if (refusal.isPresent()) {
      fields.set(PactFields.PACT, refusal.get());
    } else if (current.isPresent()) {
      PactFields.write(fields, current.get());
    }
  }

  @Override
  public void stopped(Reason reason, Leg leg) {
    if (!refusesNegotiation) {
      refusal =
          named.map(pact -> PactFields.refused(pact.id(), reason.code(), leg == Leg.RESPONSE));
      undelivered =
          Optional.of(reason)
              .filter(_ -> leg == Leg.REQUEST && named.isPresent())
              .filter(OF_THE_PACT::contains);
    }
  }

  /** The refusal that follows is for what was said in a negotiation of the agents. */
  void refusesNegotiation(String code, Leg leg) {
    refusesNegotiation = true;
    refusal = Optional.of(PactFields.refused(PactFields.NEGOTIATION, code, leg == Leg.RESPONSE));
  }

  @Override
  public void over() {
    if (works) {
      works = false;
      pacts.done(current.orElseThrow(), exchange.flow());
    }
  }
}
