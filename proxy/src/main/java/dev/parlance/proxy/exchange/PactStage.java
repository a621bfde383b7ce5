package dev.parlance.proxy.exchange;

import dev.parlance.policy.commit.Finality;
import dev.parlance.policy.pact.PactCategory;
import dev.parlance.policy.pact.PactCheck;
import dev.parlance.policy.pact.PactScore.Ending;
import dev.parlance.policy.pact.PactTerms;
import dev.parlance.policy.route.Reason;
import dev.parlance.proxy.config.ControlSettings;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.PactRule.Demand;
import dev.parlance.proxy.config.PactSettings;
import dev.parlance.proxy.config.PactSettings.OnNoPeer;
import dev.parlance.proxy.config.PactSettings.OnUnmeasured;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.proxy.gate.PactMeasure;
import dev.parlance.proxy.gate.Pacts;
import dev.parlance.wire.api.RoundMark;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stage that holds a message to its pact.
 *
 * <pre>
 *   outbound request   the pact with the peer, which is negotiated where the route requires one
 *   inbound request    the pact that it names
 *   answer             the pact of its request
 *   other requests     the pact that the local agent works under in the same flow: its actions
 * </pre>
 *
 * Nothing blocks: what has to be asked is awaited. Where nothing is enforced, nothing is
 * negotiated, and the log says what would have been.
 */
final class PactStage {
  private static final Logger log = LoggerFactory.getLogger(PactStage.class);
  private static final double NS_PER_MS = 1e6;
  private static final int FIRST_ERROR = 400;

  /** Most of a clause's item that is repeated. */
  private static final int ITEM_CHARS = 200;

  private PactStage() {}

  /** What becomes of it. */
  sealed interface Passage {
    /** It goes on. */
    record On() implements Passage {}

    /** It is refused. */
    record Stopped(Reason reason, String detail) implements Passage {}

    /** A person decides. */
    record Held(Reason reason, String detail) implements Passage {}

    /**
     * Its author may send a better one; if it cannot, the pact is in dispute.
     *
     * @param faults what is wrong with it beyond the clause, for its author alone; may be empty
     */
    record Again(Pacts.Held pact, Reason reason, String detail, String faults) implements Passage {}
  }

  static final Passage ON = new Passage.On();

  /** What a person may have released, whatever stands against it. */
  @FunctionalInterface
  interface Releasable {
    /** True if a person has released exactly this message. */
    boolean isReleased();
  }

  /** A stream: a person releases the answer that was made of it. */
  static final Releasable NEVER_RELEASED = () -> false;

  /** Deals with a message, which then is told what becomes of it. */
  static Step take(ExchangeContext at, MessageStages message) {
    if (message.leg() == Leg.RESPONSE) {
      return message.afterPact(answer(at, message));
    }
    Optional<Passage> action = action(at, message);
    if (action.isPresent() || !at.rule.pact().isOn()) {
      return message.afterPact(action.orElse(ON));
    }
    return at.direction == Direction.OUTBOUND ? outbound(at, message) : inbound(at, message);
  }

  // ---- requests of the local agent ----

  private static Step outbound(ExchangeContext at, MessageStages message) {
    boolean required = at.rule.pact().demand() == Demand.REQUIRED;
    Optional<String> peer = peer(at);
    if (peer.isEmpty()) {
      return message.afterPact(
          required ? stop(at, Reason.PACT_REQUIRED, "nobody knows who listens there") : ON);
    }
    Optional<Pacts.Held> holding = at.services.pacts().with(peer.get());
    if (holding.isPresent()) {
      return under(at, message, holding.get());
    }
    if (PactTalkStage.asks(message)) {
      return message.afterPact(asking(at));
    }
    if (!required || at.observing()) {
      return message.afterPact(required ? stop(at, Reason.PACT_REQUIRED, "there is none") : ON);
    }
    return negotiated(at, message, peer.get());
  }

  private static Step negotiated(ExchangeContext at, MessageStages message, String peer) {
    long bytes = message.plainBody().length();
    long most = at.config.pacts().map(PactSettings::heldBytes).orElse(0L);
    if (!at.services.held().beginNegotiation(bytes, most)) {
      return message.afterPact(
          stop(at, Reason.PACT_UNAVAILABLE, "too much is held by negotiations already"));
    }
    return new Step.Await<>(
        Step.Source.PACT,
        at.services
            .pacts()
            .obtain(peer, new PactChannel(at))
            .whenComplete((_, _) -> at.services.held().endNegotiation(bytes)),
        outcome ->
            outcome instanceof Pacts.Outcome.Agreed(Pacts.Held pact) && !isRefused(at, pact)
                ? under(at, message, pact)
                : message.afterPact(withoutPact(at, outcome)));
  }

  private static Passage withoutPact(ExchangeContext at, Pacts.Outcome outcome) {
    return switch (outcome) {
      case Pacts.Outcome.Agreed(Pacts.Held pact) ->
          stop(at, Reason.PACT_UNKNOWN, "the other side does not know pact " + pact.id());
      // Who has just refused a pact is a sidecar: without one it is somebody else.
      case Pacts.Outcome.NoPeer(String detail) ->
          !at.sentAgain
                  && at.config.pacts().filter(one -> one.onNoPeer() == OnNoPeer.PASS).isPresent()
              ? passedWithout(detail)
              : stop(at, Reason.PACT_NO_PEER, detail);
      case Pacts.Outcome.Refused(String code, String detail) ->
          stop(at, reason(code), code + ": " + detail);
      case Pacts.Outcome.Unavailable(String detail) -> stop(at, Reason.PACT_UNAVAILABLE, detail);
    };
  }

  /** True if the other side has refused a request under this very pact. */
  private static boolean isRefused(ExchangeContext at, Pacts.Held pact) {
    return at.sentAgain && at.pact.filter(was -> was.id().equals(pact.id())).isPresent();
  }

  /**
   * True if the request shall go out once more, under another pact: the sidecar opposite says that
   * it has not delivered it, because it does not know the pact, or because that has ended. Once,
   * where a pact is required, and never after anything of an answer has gone on.
   */
  static boolean goesAgain(ExchangeContext at) {
    if (at.sentAgain
        || at.pact.isEmpty()
        || at.observing()
        || at.rule.pact().demand() != Demand.REQUIRED
        || at.responder.isGiven()) {
      return false;
    }
    Pacts.Held pact = at.pact.get();
    boolean unread =
        at.saidOfPact.refusedUnread(pact, Reason.PACT_UNKNOWN)
            || at.saidOfPact.refusedUnread(pact, Reason.PACT_ENDED);
    return unread && peer(at).filter(pact.peer()::equals).isPresent();
  }

  /** Why the other side has refused the request. */
  static Reason refusedFor(ExchangeContext at) {
    return reason(at.saidOfPact.refused().orElse(""));
  }

  /** The other side does not know the pact: it is not used any more, and another one is made. */
  static Step again(ExchangeContext at, MessageStages message) {
    Pacts.Held refused = at.pact.orElseThrow();
    at.services.pacts().forget(refused);
    log.atInfo()
        .addKeyValue("route", at.rule.name())
        .addKeyValue("pact", refused.id())
        .addKeyValue("code", at.saidOfPact.refused().orElse(""))
        .log("the other side does not take the pact: the request goes once more, under another");
    return negotiated(at, message, refused.peer());
  }

  private static Passage passedWithout(String detail) {
    log.atWarn().addKeyValue("detail", detail).log("a message goes on without a pact: no sidecar");
    return ON;
  }

  private static Reason reason(String code) {
    return switch (code) {
      case "pact_unknown" -> Reason.PACT_UNKNOWN;
      case "pact_hash_differs" -> Reason.PACT_HASH_DIFFERS;
      case "pact_ended" -> Reason.PACT_ENDED;
      case "pact_disputed" -> Reason.PACT_DISPUTED;
      default -> Reason.PACT_REQUIRED;
    };
  }

  static Optional<String> peer(ExchangeContext at) {
    return at.rule
        .pact()
        .peer()
        .or(() ->
            at.config
                .control()
                .flatMap(control ->
                    control.peers().stream()
                        .filter(one ->
                            one.hosts().stream()
                                .anyMatch(pattern ->
                                    pattern.matches(at.destination.host(), at.destination.port())))
                        .map(ControlSettings.PeerHosts::agent)
                        .findFirst()));
  }

  /** What the local agent calls while it works under a pact is its action, whatever the route. */
  private static Optional<Passage> action(ExchangeContext at, MessageStages message) {
    if (at.direction != Direction.OUTBOUND) {
      return Optional.empty();
    }
    Optional<Pacts.Held> works = at.services.pacts().ofFlow(at.keys.flow());
    if (works.isEmpty()) {
      return Optional.empty();
    }
    Pacts.Held pact = works.get();
    Optional<PactCheck.Finding> broken = brokenBy(at, message, pact.check());
    if (broken.isEmpty()) {
      return Optional.empty();
    }
    at.record.under(pact.id());
    pact.observed(true, new PactCheck.Result(List.of(broken.get()), PactCheck.Action.BLOCK));
    String clause = clause(pact, broken.get());
    boolean approvable = broken.get().isOf(PactTerms.Key.APPROVE);
    if (approvable && message.isReleased()) {
      return Optional.empty();
    }
    return Optional.of(
        approvable ? hold(at, Reason.PACT_APPROVAL, clause) : stop(at, Reason.PACT_ACTION, clause));
  }

  private static Optional<PactCheck.Finding> brokenBy(
      ExchangeContext at, MessageStages message, PactCheck check) {
    PactMeasure measure =
        PactMeasure.begin(PactTerms.Leg.REQUEST, message.plainBody(), at.config.limits().json());
    try {
      measure.action(message.view().document(), at.record.protocol, at.destination.host());
      return check.violated(measure);
    } finally {
      measure.end();
    }
  }

  // ---- requests of the other party ----

  private static Step inbound(ExchangeContext at, MessageStages message) {
    if (at.named.isEmpty() && PactTalkStage.asks(message)) {
      return message.afterPact(asking(at));
    }
    if (at.named.isEmpty()) {
      return message.afterPact(
          at.rule.pact().demand() == Demand.REQUIRED
              ? stop(at, Reason.PACT_REQUIRED, "the request names none")
              : ON);
    }
    Pacts.Named named = at.named.get();
    Optional<Pacts.Held> known = at.services.pacts().of(named.id());
    if (known.isPresent() && named.signature().isEmpty()) {
      return matching(at, message, named, known.get());
    }
    if (at.observing()) {
      return message.afterPact(stop(at, Reason.PACT_UNKNOWN, named.id()));
    }
    return new Step.Await<>(
        Step.Source.PACT,
        at.services.pacts().admit(named),
        outcome ->
            switch (outcome) {
              case Pacts.Outcome.Agreed(Pacts.Held pact) -> matching(at, message, named, pact);
              case Pacts.Outcome.NoPeer(String detail) ->
                  message.afterPact(stop(at, Reason.PACT_UNKNOWN, detail));
              case Pacts.Outcome.Refused(String code, String detail) ->
                  message.afterPact(stop(at, reason(code), code + ": " + detail));
              case Pacts.Outcome.Unavailable(String detail) ->
                  message.afterPact(stop(at, Reason.PACT_UNAVAILABLE, detail));
            });
  }

  private static Step matching(
      ExchangeContext at, MessageStages message, Pacts.Named named, Pacts.Held pact) {
    return named.sha256().equals(pact.sha256())
        ? under(at, message, pact)
        : message.afterPact(stop(at, Reason.PACT_HASH_DIFFERS, "pact " + pact.id()));
  }

  // ---- of a negotiation that the agents lead ----

  /** It asks for a pact, and for nothing else. */
  private static Passage asking(ExchangeContext at) {
    at.asksForPact = !at.observing();
    return ON;
  }

  /** The answer to what asked for a pact is part of the negotiation, too, or says nothing. */
  private static Passage answerToAsking(ExchangeContext at, MessageStages message) {
    boolean required = at.rule.pact().demand() == Demand.REQUIRED;
    boolean words =
        message.judgment().filter(judged -> !judged.message().answer().isEmpty()).isPresent()
            || !message.unreadParts().isEmpty();
    return required && words && !PactTalkStage.asks(message)
        ? stop(at, Reason.PACT_REQUIRED, "the answer says more than what it says of the pact")
        : ON;
  }

  // ---- under a pact ----

  /** What a request has proven by a claim may have to be asked for first. */
  private static Step under(ExchangeContext at, MessageStages message, Pacts.Held pact) {
    return message.mark() instanceof RoundMark.Claim claim
            && pact.check().asks(PactTerms.Key.FINALITY)
        ? RoundStage.proven(
            at,
            claim,
            message.wholeTextSha256(),
            level -> message.afterPact(request(at, message, pact, level)))
        : message.afterPact(request(at, message, pact, PactMeasure.UNCLAIMED));
  }

  private static Passage request(
      ExchangeContext at, MessageStages message, Pacts.Held pact, Optional<Finality> proven) {
    at.record.under(pact.id());
    boolean isOpen =
        pact.standing() == Pacts.Standing.ACTIVE || pact.standing() == Pacts.Standing.DISPUTED;
    if (isOpen && !at.observing()) {
      // That a message waits for a person is an answer under its pact, too.
      at.pact = Optional.of(pact);
    }
    Optional<Passage> against = standing(at, pact, message);
    if (against.isPresent()) {
      return against.get();
    }
    Passage passage = check(at, message, pact, OptionalDouble.empty(), proven);
    if (passage instanceof Passage.On && at.direction == Direction.INBOUND && !at.observing()) {
      at.worksUnder(pact);
    }
    return passage;
  }

  /**
   * Where the pact stands.
   *
   * @param message asked whether a person has released it
   * @return empty if the pact covers the message
   */
  static Optional<Passage> standing(ExchangeContext at, Pacts.Held pact, Releasable message) {
    return switch (pact.standing()) {
      case ACTIVE -> Optional.empty();
      case PENDING ->
          Optional.of(stop(at, Reason.PACT_REQUIRED, "pact " + pact.id() + " has not begun"));
      case ENDED -> Optional.of(stop(at, Reason.PACT_ENDED, "pact " + pact.id()));
      case DISPUTED ->
          message.isReleased()
              ? Optional.empty()
              : Optional.of(hold(at, Reason.PACT_DISPUTED, "pact " + pact.id()));
    };
  }

  private static Passage answer(ExchangeContext at, MessageStages message) {
    if (at.refusedTalk.isPresent()) {
      return stop(
          at, Reason.PACT_ILLEGAL_MOVE, "the other side refuses it: " + at.refusedTalk.get());
    }
    if (at.pact.isEmpty()) {
      return at.asksForPact ? answerToAsking(at, message) : ON;
    }
    Pacts.Held pact = at.pact.get();
    at.record.under(pact.id());
    Optional<Passage> against = notUnderIt(at, pact);
    if (against.isEmpty()) {
      against = standing(at, pact, message);
    }
    return against.isPresent()
        ? against.get()
        : check(at, message, pact, OptionalDouble.of(tookMs(at)), PactMeasure.UNCLAIMED);
  }

  /** Milliseconds since the request. */
  static double tookMs(ExchangeContext at) {
    return (System.nanoTime() - at.startNs) / NS_PER_MS;
  }

  /** The other side refuses the pact, or its answer is not under it; empty if it is. */
  private static Optional<Passage> notUnderIt(ExchangeContext at, Pacts.Held pact) {
    if (at.direction != Direction.OUTBOUND) {
      return Optional.empty();
    }
    PactFields.Reference said = at.saidOfPact;
    if (said.refused().isPresent()) {
      String code = said.refused().get();
      Reason reason = reason(code);
      if (reason == Reason.PACT_UNKNOWN || reason == Reason.PACT_ENDED) {
        at.services.pacts().forget(pact);
      }
      return Optional.of(
          stop(at, reason, "the other side refuses pact " + pact.id() + ": " + code));
    }
    if (!said.names(pact)) {
      return Optional.of(
          stop(at, Reason.PACT_HASH_DIFFERS, "the answer is not under pact " + pact.id()));
    }
    pact.confirmed();
    return Optional.empty();
  }

  /**
   * Holds the head of a streamed answer to the pact of its request.
   *
   * @return empty if the events may come, each of which is held to it then
   */
  static Optional<Passage> head(ExchangeContext at, Pacts.Held pact) {
    at.record.under(pact.id());
    return notUnderIt(at, pact)
        .or(() -> standing(at, pact, NEVER_RELEASED))
        .filter(passage -> !(passage instanceof Passage.Held));
  }

  /** What messages of this exchange are held against beside their pact. */
  static PactMeasure.Standards standards(ExchangeContext at, Pacts.Held pact) {
    return new PactMeasure.Standards(
        at.services.pacts().schemas(), at.services.gate(), pact.peer());
  }

  private static Passage check(
      ExchangeContext at,
      MessageStages message,
      Pacts.Held pact,
      OptionalDouble tookMs,
      Optional<Finality> proven) {
    boolean request = message.leg() == Leg.REQUEST;
    boolean own = request == (at.direction == Direction.OUTBOUND);
    PactTerms.Leg leg = request ? PactTerms.Leg.REQUEST : PactTerms.Leg.ANSWER;
    PactMeasure measure = PactMeasure.begin(leg, message.plainBody(), at.config.limits().json());
    PactCheck.Result result;
    String faults;
    try {
      measure.message(
          message.view().document(), at.record.protocol, AnswerHead.mediaType(message.headers()));
      measure.took(tookMs);
      measure.judged(message.judgment(), message.hasWords());
      measure.proven(proven);
      measure.error(message.status() >= FIRST_ERROR);
      if (pact.check().asks(PactTerms.Key.SCHEMA) || pact.check().asks(PactTerms.Key.CERTIFIED)) {
        measure.against(standards(at, pact));
      }
      pact.count(own, message.plainBody().length(), measure.counts());
      result = pact.check().check(measure);
      faults = measure.faults();
    } finally {
      measure.end();
    }
    pact.observed(own, result);
    return passage(at, pact, own, message.leg(), result, faults, message);
  }

  /**
   * What becomes of a message by what was found.
   *
   * @param own true if the local agent's
   * @param faults what is wrong beyond the clauses, for the author alone
   * @param message asked whether a person has released it
   */
  static Passage passage(
      ExchangeContext at,
      Pacts.Held pact,
      boolean own,
      Leg leg,
      PactCheck.Result result,
      String faults,
      Releasable message) {
    return switch (result.action()) {
      case PASS -> ON;
      case UNMEASURED -> unmeasured(at, pact, result);
      case YIELD ->
          message.isReleased()
              ? ON
              : hold(at, Reason.PACT_APPROVAL, clause(pact, pact.check().deciding(result)));
      case BLOCK, BLOCK_AND_DISSOLVE, REGENERATE_THEN_DISPUTE -> {
        PactCheck.Finding broken = pact.check().deciding(result);
        PactCategory category = broken.predicate().kind().orElseThrow();
        at.services.metrics().pactViolation(category);
        Reason reason = reason(category);
        String clause = clause(pact, broken);
        // What our own agent wrote has not reached the other side: nothing was broken there.
        if (result.action() == PactCheck.Action.BLOCK_AND_DISSOLVE && !own && !at.observing()) {
          at.services.pacts().end(pact, Ending.VIOLATED, Optional.of(pact.peer()));
        }
        if (result.action() == PactCheck.Action.REGENERATE_THEN_DISPUTE
            && own
            && leg == Leg.RESPONSE
            && !at.observing()) {
          log(at, reason, clause);
          yield new Passage.Again(pact, reason, clause, faults);
        }
        yield stop(at, reason, clause);
      }
    };
  }

  /** The reason of a message that breaks a clause, by what the clause is about. */
  private static Reason reason(PactCategory broken) {
    return switch (broken) {
      case SCOPE -> Reason.PACT_SCOPE;
      case ACTION -> Reason.PACT_ACTION;
      case OUTPUT -> Reason.PACT_OUTPUT;
      case SUCCESS -> Reason.PACT_SUCCESS;
      case TERMINATION -> Reason.PACT_TERMINATION;
      case FAILURE, DISPUTE, AUDIT ->
          throw new IllegalArgumentException("no message can break " + broken);
    };
  }

  private static Passage unmeasured(ExchangeContext at, Pacts.Held pact, PactCheck.Result result) {
    OnUnmeasured policy =
        at.config.pacts().map(PactSettings::onUnmeasured).orElse(OnUnmeasured.BLOCK);
    String clause = clause(pact, pact.check().deciding(result));
    return switch (policy) {
      case BLOCK -> stop(at, Reason.PACT_UNMEASURED, clause);
      case WARN -> {
        log(at, Reason.PACT_UNMEASURED, clause);
        yield ON;
      }
      case ALLOW -> ON;
    };
  }

  /** Which clause it is and what it says: who is to keep to it must know. */
  private static String clause(Pacts.Held pact, PactCheck.Finding finding) {
    String item = finding.item().map(PactTerms.Item::text).orElse("");
    String shown = item.length() > ITEM_CHARS ? item.substring(0, ITEM_CHARS) + "..." : item;
    return ("pact " + pact.id() + ", clause " + finding.predicate().id() + " " + shown).strip();
  }

  static Passage stop(ExchangeContext at, Reason reason, String detail) {
    log(at, reason, detail);
    return at.observing() ? ON : new Passage.Stopped(reason, detail);
  }

  private static Passage hold(ExchangeContext at, Reason reason, String detail) {
    log(at, reason, detail);
    return at.observing() ? ON : new Passage.Held(reason, detail);
  }

  private static void log(ExchangeContext at, Reason reason, String detail) {
    at.record.outOfPact(reason, detail);
    log.atInfo()
        .addKeyValue("route", at.rule.name())
        .addKeyValue("mode", at.rule.mode().code())
        .addKeyValue("reason", reason.code())
        .addKeyValue("detail", detail)
        .log("a message does not keep to a pact");
  }
}
