package dev.parlance.proxy.pact;

import dev.parlance.policy.commit.Finality;
import dev.parlance.policy.pact.PactCategory;
import dev.parlance.policy.pact.PactCheck;
import dev.parlance.policy.pact.PactScore.Ending;
import dev.parlance.policy.pact.PactTerms;
import dev.parlance.policy.route.Reason;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.PactSettings;
import dev.parlance.proxy.config.PactSettings.OnUnmeasured;
import dev.parlance.proxy.exchange.CheckedMessage;
import dev.parlance.proxy.exchange.ExchangeContext;
import dev.parlance.proxy.exchange.Passage;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.proxy.gate.PactBeside;
import dev.parlance.proxy.gate.PactMeasure;
import dev.parlance.proxy.gate.Pacts;
import dev.parlance.wire.api.Notice;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What becomes of a message by the clauses of a pact: measures it, finds the clause that it does
 * not keep to, and says what that leads to. Where nothing is enforced the message goes on, and
 * record and log say what would have become of it.
 */
final class PactClauses {
  private static final Logger log = LoggerFactory.getLogger(PactClauses.class);
  private static final int FIRST_ERROR = 400;

  /** Most of a clause's item that is repeated. */
  private static final int ITEM_CHARS = 200;

  /** Most of a name that is repeated. */
  private static final int NAME_CHARS = 64;

  /** A stream: a person releases the answer that was made of it. */
  static final BooleanSupplier NEVER_RELEASED = () -> false;

  private final ExchangeContext exchange;
  private final Pacts pacts;

  PactClauses(ExchangeContext exchange) {
    this.exchange = exchange;
    this.pacts = exchange.services().pacts();
  }

  /**
   * What the local agent calls while it works under a pact is its action, whatever the route; what
   * it says of a task that was begun under one belongs to that one.
   *
   * @param begun the pact of the task that it is about
   */
  Optional<Passage> action(CheckedMessage message, Optional<Pacts.Held> begun) {
    if (exchange.direction() != Direction.OUTBOUND) {
      return Optional.empty();
    }
    if (begun.isPresent() && !begun.get().isInitiator()) {
      Pacts.Held pact = begun.get();
      boolean toParty = PactFinder.peer(exchange).filter(pact.peer()::equals).isPresent();
      Optional<Passage> against =
          beyond(message, pact, PactTerms.Leg.ANSWER).or(() -> action(message, pact, toParty));
      if (against.isPresent() || toParty) {
        return against;
      }
    }
    for (Pacts.Held pact : pacts.works(exchange.flow())) {
      Optional<Passage> against = action(message, pact, false);
      if (against.isPresent()) {
        return against;
      }
    }
    return Optional.empty();
  }

  /**
   * @param toParty true if it tells the other party of a task that was begun under the pact,
   *     whatever {@code hosts} lists
   */
  private Optional<Passage> action(CheckedMessage message, Pacts.Held pact, boolean toParty) {
    Optional<PactCheck.Finding> broken = brokenBy(message, pact.check());
    if (broken.isEmpty() || (toParty && broken.get().isOf(PactTerms.Key.HOSTS))) {
      return Optional.empty();
    }
    exchange.record().under(pact.id());
    pact.observed(true, new PactCheck.Result(List.of(broken.get()), PactCheck.Action.BLOCK));
    String clause = clause(pact, broken.get());
    boolean approvable = broken.get().isOf(PactTerms.Key.APPROVE);
    if (approvable && message.isReleased()) {
      return Optional.empty();
    }
    return Optional.of(
        approvable ? hold(Reason.PACT_APPROVAL, clause) : stop(Reason.PACT_ACTION, clause));
  }

  /**
   * What a pact has against a message that is not counted under it: one about a task that was begun
   * under it, or the answer to one.
   */
  Optional<Passage> beyond(CheckedMessage message, Pacts.Held pact, PactTerms.Leg leg) {
    PactMeasure measure = PactMeasure.begin(leg, message.body(), exchange.config().limits().json());
    try {
      measure.message(
          message.document(), exchange.protocol(), ExchangeContext.mediaType(message.headers()));
      measure.judged(message.judgment(), message.hasWords());
      Optional<PactCheck.Finding> broken = pact.check().violated(measure);
      broken.ifPresent(_ -> exchange.record().under(pact.id()));
      return broken
          .map(one ->
              stop(
                  reason(one.predicate().kind().orElseThrow()),
                  clause(pact, one, measure.offender())))
          .filter(passage -> !(passage instanceof Passage.On));
    } finally {
      measure.end();
    }
  }

  private Optional<PactCheck.Finding> brokenBy(CheckedMessage message, PactCheck check) {
    PactMeasure measure =
        PactMeasure.begin(PactTerms.Leg.REQUEST, message.body(), exchange.config().limits().json());
    try {
      measure.action(message.document(), exchange.protocol(), exchange.destination().host());
      return check.violated(measure);
    } finally {
      measure.end();
    }
  }

  /**
   * Where the pact stands.
   *
   * @param isReleased true if a person has released the message, whatever stands against it
   * @return empty if the pact covers the message
   */
  Optional<Passage> standing(Pacts.Held pact, BooleanSupplier isReleased) {
    return switch (pact.standing()) {
      case ACTIVE -> Optional.empty();
      case PENDING ->
          Optional.of(stop(Reason.PACT_REQUIRED, "pact " + pact.id() + " has not begun"));
      case ENDED -> Optional.of(stop(Reason.PACT_ENDED, "pact " + pact.id()));
      case DISPUTED ->
          isReleased.getAsBoolean()
              ? Optional.empty()
              : Optional.of(hold(Reason.PACT_DISPUTED, "pact " + pact.id()));
    };
  }

  /** What messages of this exchange are held against beside their pact. */
  PactMeasure.Standards standards(Pacts.Held pact) {
    return new PactMeasure.Standards(pacts.schemas(), exchange.services().gate(), pact.peer());
  }

  /**
   * Holds a message to the pact.
   *
   * @param number of the message under the pact
   */
  Passage check(
      CheckedMessage message,
      Pacts.Held pact,
      long number,
      OptionalDouble tookMs,
      Optional<Finality> proven) {
    boolean request = message.leg() == Leg.REQUEST;
    boolean own = request == (exchange.direction() == Direction.OUTBOUND);
    // What became of a task is an answer, though its party sends it as a request.
    PactTerms.Leg leg = own == pact.isInitiator() ? PactTerms.Leg.REQUEST : PactTerms.Leg.ANSWER;
    Optional<Passage> beside = beside(pact, leg, message.headers());
    if (beside.isPresent()) {
      return beside.get();
    }
    PactMeasure measure = PactMeasure.begin(leg, message.body(), exchange.config().limits().json());
    PactCheck.Result result;
    PactCheck.Result counted;
    String faults;
    String offender;
    try {
      measure.message(
          message.document(), exchange.protocol(), ExchangeContext.mediaType(message.headers()));
      measure.took(tookMs);
      measure.judged(message.judgment(), message.hasWords());
      measure.proven(proven);
      measure.error(message.status() >= FIRST_ERROR);
      if (pact.check().asks(PactTerms.Key.SCHEMA) || pact.check().asks(PactTerms.Key.CERTIFIED)) {
        measure.against(standards(pact));
      }
      pact.count(leg, number, message.body().length(), measure.counts());
      result = pact.check().check(measure);
      faults = measure.faults();
      offender = measure.offender();
      counted =
          request && !own && result.isBlamed() && measure.isDoubtful(pact.check())
              ? result.withNamesOfNobody()
              : result;
    } finally {
      measure.end();
    }
    observed(pact, own, counted);
    return passage(pact, own, message.leg(), result, offender, faults, message::isReleased);
  }

  /**
   * What the names beside a message lead to. A gateway may have added one, so that they are refused
   * and nobody's violation.
   */
  Optional<Passage> beside(Pacts.Held pact, PactTerms.Leg leg, HttpHeaders headers) {
    if (!pact.check().asks(PactTerms.Key.FIELDS) && !pact.check().asks(PactTerms.Key.DENY_FIELDS)) {
      return Optional.empty();
    }
    String target = leg == PactTerms.Leg.REQUEST ? exchange.request().target() : "";
    PactBeside names = new PactBeside(leg, headers, target, exchange.protocol());
    Optional<PactCheck.Finding> broken = pact.check().violated(names);
    Passage passage =
        broken.isPresent()
            ? stop(Reason.PACT_SCOPE, clause(pact, broken.get(), names.offender()))
            : names.isRead()
                ? Passage.ON
                : unmeasured(
                    "pact " + pact.id() + ": JSON beside the body that nobody knows the names of");
    return Optional.of(passage).filter(one -> !(one instanceof Passage.On));
  }

  /** Counts what came of a message that is proven; what its author answers for may end the pact. */
  void observed(Pacts.Held pact, boolean own, PactCheck.Result result) {
    pact.observed(own, result);
    // What our own agent wrote has not reached the other side: nothing was broken there.
    if (result.action() == PactCheck.Action.BLOCK_AND_DISSOLVE
        && !own
        && result.isBlamed()
        && !exchange.observing()) {
      pacts.end(pact, Ending.VIOLATED, Optional.of(pact.peer()));
    }
  }

  /**
   * What becomes of a message by what was found.
   *
   * @param own true if the local agent's
   * @param offender a name that breaks a clause of scope, or nothing
   * @param faults what is wrong beyond the clauses, for the author alone
   * @param isReleased true if a person has released it, whatever stands against it
   */
  Passage passage(
      Pacts.Held pact,
      boolean own,
      Leg leg,
      PactCheck.Result result,
      String offender,
      String faults,
      BooleanSupplier isReleased) {
    return switch (result.action()) {
      case PASS -> Passage.ON;
      case UNMEASURED -> unmeasured(clause(pact, pact.check().deciding(result)));
      case YIELD ->
          isReleased.getAsBoolean()
              ? Passage.ON
              : hold(Reason.PACT_APPROVAL, clause(pact, pact.check().deciding(result)));
      case BLOCK, BLOCK_AND_DISSOLVE, REGENERATE_THEN_DISPUTE -> {
        PactCheck.Finding broken = pact.check().deciding(result);
        PactCategory category = broken.predicate().kind().orElseThrow();
        exchange.services().metrics().pactViolation(category);
        Reason reason = reason(category);
        String clause = clause(pact, broken, category == PactCategory.SCOPE ? offender : "");
        if (result.action() == PactCheck.Action.REGENERATE_THEN_DISPUTE
            && own
            && leg == Leg.RESPONSE
            && !exchange.observing()) {
          log(reason, clause);
          yield again(pact, stopped(reason, clause), clause, faults);
        }
        yield stop(reason, clause);
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

  private Passage unmeasured(String clause) {
    OnUnmeasured policy =
        exchange.config().pacts().map(PactSettings::onUnmeasured).orElse(OnUnmeasured.BLOCK);
    return switch (policy) {
      case BLOCK -> stop(Reason.PACT_UNMEASURED, clause);
      case WARN -> {
        log(Reason.PACT_UNMEASURED, clause);
        yield Passage.ON;
      }
      case ALLOW -> Passage.ON;
    };
  }

  /** Which clause it is and what it says: who is to keep to it must know. */
  private static String clause(Pacts.Held pact, PactCheck.Finding finding) {
    return clause(pact, finding, "");
  }

  private static String clause(Pacts.Held pact, PactCheck.Finding finding, String offender) {
    String item = finding.item().map(PactTerms.Item::text).orElse("");
    String shown = item.length() > ITEM_CHARS ? item.substring(0, ITEM_CHARS) + "..." : item;
    String clause =
        ("pact " + pact.id() + ", clause " + finding.predicate().id() + " " + shown).strip();
    return offender.isEmpty()
        ? clause
        : clause + ": field " + offender.substring(0, Math.min(offender.length(), NAME_CHARS));
  }

  /** If it cannot be mended, the pact is in dispute, and a person decides. */
  private Passage again(Pacts.Held pact, Passage.Stopped stopped, String clause, String faults) {
    return new Passage.Again(
        stopped.reason(),
        "Your answer does not keep to "
            + clause
            + (faults.isEmpty() ? "" : " (" + faults + ")")
            + ". Give one that does, and only that.",
        () -> {
          pacts.end(pact, Ending.DISPUTE_ESCALATED, Optional.empty());
          return new Passage.Held(stopped);
        });
  }

  Passage stop(Reason reason, String detail) {
    log(reason, detail);
    return exchange.observing() ? Passage.ON : stopped(reason, detail);
  }

  private Passage hold(Reason reason, String detail) {
    log(reason, detail);
    return exchange.observing() ? Passage.ON : new Passage.Held(stopped(reason, detail));
  }

  private static Passage.Stopped stopped(Reason reason, String detail) {
    return new Passage.Stopped(
        reason,
        reason.code(),
        detail + comingAgain(reason),
        reason == Reason.PACT_UNAVAILABLE || reason == Reason.PACT_ESCALATED
            ? Notice.Kind.UNAVAILABLE
            : Notice.Kind.PACT_REFUSED);
  }

  /** What becomes of the same message if it is sent again. */
  private static String comingAgain(Reason reason) {
    return switch (reason) {
      case PACT_UNAVAILABLE, PACT_ESCALATED -> "; try again later";
      case PACT_ENDED, PACT_UNKNOWN, PACT_HASH_DIFFERS -> "; it needs a new pact";
      case PACT_DISPUTED, PACT_APPROVAL -> "";
      default -> "; sent again as it is, it stays so";
    };
  }

  private void log(Reason reason, String detail) {
    exchange.record().outOfPact(reason, detail);
    log.atInfo()
        .addKeyValue("route", exchange.rule().name())
        .addKeyValue("mode", exchange.rule().mode().code())
        .addKeyValue("reason", reason.code())
        .addKeyValue("detail", detail)
        .log("a message does not keep to a pact");
  }
}
