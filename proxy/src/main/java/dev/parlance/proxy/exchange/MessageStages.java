package dev.parlance.proxy.exchange;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.pact.PactScore.Ending;
import dev.parlance.policy.route.Decision;
import dev.parlance.policy.route.Reason;
import dev.parlance.policy.route.Route;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.OnFailure;
import dev.parlance.proxy.config.PactRule.Demand;
import dev.parlance.proxy.exchange.RoundStage.Passage;
import dev.parlance.proxy.gate.Digests;
import dev.parlance.proxy.gate.Gate;
import dev.parlance.proxy.gate.Judgment;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.wire.api.Annotatable;
import dev.parlance.wire.api.MessageView;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.PactMark;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.RoundMark;
import dev.parlance.wire.api.VerdictHeader;
import dev.parlance.wire.bytes.Edit;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.WireFault;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import java.util.Optional;

/**
 * Runs the stages of one message that is read whole, in the order of its {@link RoutePlan}. Each
 * stage either leaves the message to the next one or says with a {@link Step} what becomes of it.
 * Here stands what both legs have in common.
 */
abstract sealed class MessageStages implements PactStage.Releasable
    permits RequestStage, UnaryAnswer {
  final ExchangeContext at;
  private final Leg leg;
  private final List<RoutePlan.Stage> stages;
  private int next;

  /** How the message went on before, once it is sent again. */
  private Optional<Step> goingAgain = Optional.empty();

  // What was read.
  private Annotatable read = Annotatable.NOWHERE;
  private Optional<AgentMessage> said = Optional.empty();
  private List<String> unread = List.of();
  private RoundMark mark = RoundMark.NONE;
  private PactMark pactMark = PactMark.NONE;

  // What came of judging: a judgment, or why there is none, or neither for a message without words.
  private Optional<Judgment> judgment = Optional.empty();
  private String unjudged = "";
  private OnFailure unjudgedPolicy = OnFailure.BLOCK;
  private Optional<VerdictHeader> verdict = Optional.empty();

  MessageStages(ExchangeContext at, Leg leg, List<RoutePlan.Stage> stages) {
    this.at = at;
    this.leg = leg;
    this.stages = stages;
  }

  /** Takes the stages that are left, up to the first that decides about the message. */
  final Step go() {
    while (next < stages.size()) {
      Step step = take(stages.get(next++));
      if (!(step instanceof Step.Next)) {
        return step;
      }
    }
    throw new IllegalStateException("the last stage of a message decides");
  }

  private Step take(RoutePlan.Stage stage) {
    return switch (stage) {
      case READ -> read();
      case RELEASED -> released();
      case UNREAD -> unread();
      case JUDGE -> judge();
      case ENFORCE -> enforce();
      case PACT -> pact();
      case ROUND -> round();
      case NEGOTIATE -> PactTalkStage.take(at, this);
      case PASS -> pass();
    };
  }

  /** Goes on after a stage that had to wait. */
  private Step go(Step step) {
    return step instanceof Step.Next ? go() : step;
  }

  final Leg leg() {
    return leg;
  }

  /** What came of judging, if it was judged. */
  final Optional<Judgment> judgment() {
    return judgment;
  }

  // ---- what differs by leg ----

  /** The first stage; tells {@link #wasRead} what there is. */
  abstract Step read();

  /** Delivers what a person has released in place of this message. */
  Step released() {
    return Step.NEXT;
  }

  /** Whose budget the message draws on, and what it is held against. */
  abstract Optional<Judgment> judged(AgentMessage message);

  /** A person may have released exactly this message. */
  Optional<VerdictHeader> releasedVerdict(Judgment rejected) {
    return Optional.empty();
  }

  /** The control plane has nothing against the message; it may have taken its proposal. */
  abstract Step admitted(Optional<RoundStage.Ticket> taken, Optional<Judgment> judged);

  /** A message with a judgment goes on. */
  abstract Step deliver(Judgment judged, VerdictHeader told);

  /** A message that nobody judged goes on all the same. */
  abstract Step deliverUnjudged(
      List<Edit> edits, String what, OnFailure policy, VerdictHeader warning);

  /** Its author may mend it, and has paid for that. */
  abstract Step regenerate(Judgment rejected, VerdictHeader spent);

  /** It is held. */
  abstract Step hold(Judgment held);

  /** Says nothing against the bytes as they came. */
  abstract Step pass(List<Edit> edits, Optional<VerdictHeader> told);

  /** What the peer is told of a broken message. */
  abstract Notice malformed(WireFault fault, String detail);

  /** What was not read is passed or refused under this policy. */
  void unreadUnder(OnFailure policy) {}

  /** Fields beside the message. */
  abstract HttpHeaders headers();

  /** True if a person has released exactly this message. */
  boolean isReleased(Judgment judged) {
    return false;
  }

  /** The body with which the local agent is asked again; empty if it cannot be. */
  Optional<byte[]> repair(String instruction) {
    return Optional.empty();
  }

  /** HTTP status of an answer, 0 of a request. */
  int status() {
    return 0;
  }

  /** The answer that a refusal stands for; empty for a request. */
  Optional<ResponseView> rejected() {
    return Optional.empty();
  }

  /** A released message does not arrive now. */
  void giveBack() {}

  /** True if a message with a round at fault may be held for a person. */
  boolean mayBeHeld() {
    return true;
  }

  // ---- read ----

  final void wasRead(
      Annotatable view, Optional<AgentMessage> message, List<String> parts, RoundMark round) {
    read = view;
    said = message;
    unread = parts;
    mark = round;
  }

  /**
   * Where the route looks at pacts, the message may speak in the negotiation of one. Without words
   * beside that there is nothing to judge: that an answer is empty is no fault of it.
   */
  final void marked(MessageView message) {
    if (!at.rule.pact().isOn()) {
      return;
    }
    pactMark = message.pact();
    boolean negotiates = isNegotiating() || at.accepted.isPresent();
    if (negotiates
        && unread.isEmpty()
        && said.filter(text -> !text.answer().toString().isBlank()).isEmpty()) {
      said = Optional.empty();
    }
  }

  final PactMark pactMark() {
    return pactMark;
  }

  /** True if it speaks in a negotiation, where the route looks at pacts. */
  final boolean isNegotiating() {
    return !(pactMark instanceof PactMark.None);
  }

  final Annotatable view() {
    return read;
  }

  final List<String> unreadParts() {
    return unread;
  }

  final RoundMark mark() {
    return mark;
  }

  final boolean hasNoRoundToAsk() {
    return RoundStage.isIdle(at, leg, mark, speaks());
  }

  private boolean speaks() {
    return leg == Leg.RESPONSE || said.isPresent() || !unread.isEmpty();
  }

  /** Hex SHA-256 of what was judged; empty if it holds more than that, or no words. */
  final Optional<String> wholeTextSha256() {
    return judgment
        .filter(_ -> unread.isEmpty())
        .map(judged -> Digests.sha256(judged.message().answer().toByteArray()));
  }

  /** True if it has words, or something that may be. */
  final boolean hasWords() {
    return said.isPresent() || !unread.isEmpty();
  }

  final PlainBody plainBody() {
    return at.body.plain().body();
  }

  /** A message that no codec could read, or of which too much is unread. */
  final Step unjudged(String what) {
    OnFailure policy = isBoundByPact() ? OnFailure.BLOCK : at.onUnjudged();
    String id = at.services.gate().newId();
    at.record.unjudged(what, policy, leg, id, plainBody(), status());
    unreadUnder(policy);
    return switch (policy) {
      case BLOCK -> {
        at.body.release();
        yield new Step.Refuse(Notices.unjudged(what), Optional.empty(), status(), "");
      }
      case WARN -> pass(List.of(), Optional.of(at.unjudged(id)));
      case ALLOW -> pass(List.of(), Optional.empty());
    };
  }

  /**
   * True if the message goes on under a pact or not at all: what cannot be read cannot be held to
   * it, and does not go on.
   */
  final boolean isBoundByPact() {
    if (at.observing()) {
      return false;
    }
    return leg == Leg.RESPONSE
        ? at.pact.isPresent() || at.asksForPact
        : at.named.isPresent()
            || at.rule.pact().demand() == Demand.REQUIRED
            || (at.direction == Direction.OUTBOUND
                && at.services.pacts().ofFlow(at.keys.flow()).isPresent());
  }

  final Step broken(WireFault fault, String detail) {
    if (at.observing()) {
      unreadUnder(OnFailure.WARN);
      String id = at.services.gate().newId();
      at.record.unjudged("malformed", OnFailure.WARN, leg, id, plainBody(), status());
      return pass(List.of(), Optional.of(at.unjudged(id)));
    }
    at.record.malformed(fault);
    at.body.release();
    return new Step.Refuse(malformed(fault, detail), Optional.empty());
  }

  private Step unread() {
    Optional<String> blocking = Unread.blocking(at, unread);
    return blocking.isPresent() ? unjudged(blocking.get()) : Step.NEXT;
  }

  // ---- judge ----

  private Step judge() {
    if (said.isEmpty()) {
      if (!unread.isEmpty()) {
        unjudged = unread.getFirst();
        unjudgedPolicy = Unread.policy(at, unread);
      }
      verdict = Optional.of(at.unjudged(at.services.gate().newId()));
      return Step.NEXT;
    }
    judgment = judged(said.get());
    if (judgment.isPresent()) {
      at.record.decided(judgment.get(), leg, plainBody(), status());
      verdict = Optional.of(judgment.get().annotation());
      return Step.NEXT;
    }
    unjudgedPolicy = at.onUnjudged();
    if (unjudgedPolicy == OnFailure.BLOCK) {
      return unjudged(Unread.JUDGING_LIMIT);
    }
    unjudged = Unread.JUDGING_LIMIT;
    verdict = Optional.of(at.unjudged(at.services.gate().newId()));
    return Step.NEXT;
  }

  private Step enforce() {
    if (judgment.isEmpty() || ExchangeContext.passes(judgment.get())) {
      return Step.NEXT;
    }
    Optional<VerdictHeader> released = releasedVerdict(judgment.get());
    if (released.isPresent()) {
      verdict = released;
      return Step.NEXT;
    }
    return sendBack(judgment.get());
  }

  private Step sendBack(Judgment bad) {
    at.body.release();
    return switch (bad.decision()) {
      case Decision.Regenerate _ ->
          switch (at.services.gate().regenerate(bad, at.rule)) {
            case Gate.Charge.Granted(VerdictHeader spent) -> regenerate(bad, spent);
            case Gate.Charge.Denied(Reason _, Judgment denied) -> {
              at.record.amended(denied);
              yield hold(denied);
            }
          };
      case Decision.Yield _ -> hold(bad);
      case Decision.Execute _, Decision.Warn _ ->
          throw new IllegalStateException("nothing stands against " + bad.id());
    };
  }

  // ---- pact ----

  private Step pact() {
    return PactStage.take(at, this);
  }

  /** The message was held to its pact. */
  final Step afterPact(PactStage.Passage passage) {
    Step step = kept(passage);
    if (step instanceof Step.Next && goingAgain.isPresent()) {
      at.record.sentAgain(at.services.gate().newId(), leg, PactStage.refusedFor(at), plainBody());
      return goingAgain.get();
    }
    return go(step);
  }

  /** Asks for another pact; what keeps to it goes on as it did before. */
  final Step underAnotherPact(Step before) {
    goingAgain = Optional.of(before);
    return PactStage.again(at, this);
  }

  @Override
  public final boolean isReleased() {
    return judgment.isPresent() && isReleased(judgment.get());
  }

  private Step kept(PactStage.Passage passage) {
    return switch (passage) {
      case PactStage.Passage.On _ -> Step.NEXT;
      case PactStage.Passage.Stopped(Reason reason, String detail) -> outOfPact(reason, detail);
      case PactStage.Passage.Held(Reason reason, String detail) -> heldForPact(reason, detail);
      case PactStage.Passage.Again again -> againForPact(again);
    };
  }

  private Step outOfPact(Reason reason, String detail) {
    at.responder.refusesPact(reason.code(), leg == Leg.RESPONSE);
    return stop(reason, Notices.pact(reason, detail, verdict.map(at::told)));
  }

  private Step heldForPact(Reason reason, String detail) {
    if (judgment.isEmpty() || !mayBeHeld()) {
      return outOfPact(reason, detail);
    }
    at.body.release();
    at.record.stopped(Route.YIELD, reason);
    return hold(judgment.get().with(Notices.heldForPact(verdict.orElseThrow(), reason)));
  }

  /** What the local agent is told when its answer does not keep to the pact. */
  static String forPact(PactStage.Passage.Again wanted) {
    return "Your answer does not keep to "
        + wanted.detail()
        + (wanted.faults().isEmpty() ? "" : " (" + wanted.faults() + ")")
        + ". Give one that does, and only that.";
  }

  /** The local agent mends its answer while its flow can pay; then the pact is in dispute. */
  private Step againForPact(PactStage.Passage.Again wanted) {
    if (judgment.isPresent()
        && at.services.gate().regenerate(judgment.get(), at.rule)
            instanceof Gate.Charge.Granted(VerdictHeader spent)) {
      Optional<byte[]> again = repair(forPact(wanted));
      if (again.isPresent()) {
        at.body.release();
        at.record.stopped(Route.REGENERATE, wanted.reason());
        at.record.acted(ExchangeReport.ASK_AGAIN, Optional.empty());
        return new Step.AskAgain(spent, again.get());
      }
    }
    at.services.pacts().end(wanted.pact(), Ending.DISPUTE_ESCALATED, Optional.empty());
    return heldForPact(wanted.reason(), wanted.detail());
  }

  // ---- round ----

  private Step round() {
    if (hasNoRoundToAsk()) {
      return Step.NEXT;
    }
    VerdictHeader told = verdict.orElseThrow();
    return RoundStage.take(
        at,
        new RoundStage.Message(
            leg,
            mark,
            judgment.map(judged -> judged.message().answer().toByteArray()),
            unread.isEmpty(),
            speaks(),
            plainBody(),
            told.route(),
            told.decisionId()),
        passage -> go(passed(passage)));
  }

  private Step passed(Passage passage) {
    return switch (passage) {
      case Passage.On(Optional<RoundStage.Ticket> taken) -> admitted(taken, judgment);
      case Passage.Stopped(Reason reason, String code, String detail) -> stop(reason, code, detail);
      case Passage.Held(String detail) -> {
        if (judgment.isPresent() && mayBeHeld()) {
          at.body.release();
          at.record.stopped(Route.YIELD, Reason.ROUND_UNAVAILABLE);
          yield hold(judgment.get().with(Notices.heldForRound(verdict.orElseThrow())));
        }
        yield stop(Reason.ROUND_UNAVAILABLE, Reason.ROUND_UNAVAILABLE.code(), detail);
      }
    };
  }

  private Step stop(Reason reason, String code, String detail) {
    return stop(
        reason, Notices.round(reason, code, detail, Optional.of(at.told(verdict.orElseThrow()))));
  }

  private Step stop(Reason reason, Notice notice) {
    VerdictHeader told = verdict.orElseThrow();
    PlainBody body = plainBody();
    at.body.release();
    giveBack();
    if (judgment.isPresent() && goingAgain.isEmpty()) {
      at.record.stopped(Route.REGENERATE, reason);
      at.record.acted("refuse", Optional.empty());
    } else {
      at.record.stoppedUnread(reason, leg, told.decisionId(), body, status());
    }
    return new Step.Refuse(notice, rejected());
  }

  // ---- pass ----

  private Step pass() {
    if (judgment.isPresent()) {
      return deliver(judgment.get(), verdict.orElseThrow());
    }
    return unjudged.isEmpty()
        ? pass(read.strip(), Optional.empty())
        : deliverUnjudged(read.strip(), unjudged, unjudgedPolicy, verdict.orElseThrow());
  }
}
