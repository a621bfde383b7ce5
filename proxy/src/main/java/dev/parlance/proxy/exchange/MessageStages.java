package dev.parlance.proxy.exchange;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.route.Reason;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.proxy.config.OnFailure;
import dev.parlance.proxy.gate.Judgment;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.wire.api.Annotatable;
import dev.parlance.wire.api.MessageView;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.VerdictHeader;
import dev.parlance.wire.bytes.Edit;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.WireFault;
import dev.parlance.wire.json.JsonDocument;
import java.util.List;
import java.util.Optional;

/**
 * Runs the stages of one message that is read whole, in the order of its {@link RoutePlan}. Each
 * stage either leaves the message to the next one or says with a {@link Step} what becomes of it.
 * Here stands what both legs have in common.
 */
abstract sealed class MessageStages implements CheckedMessage, Check.Wording, Enforcement.Subject
    permits RequestStage, UnaryAnswer {
  final ExchangeContext exchange;
  private final Leg leg;
  private final List<RoutePlan.Stage> stages;
  private int next;

  // What was read.
  private Annotatable read = Annotatable.NOWHERE;
  private Optional<AgentMessage> said = Optional.empty();
  private List<String> unread = List.of();

  /** What of it is measured, if not all. */
  private Optional<Check.Words> words = Optional.empty();

  // What came of judging: a judgment, or why there is none, or neither for a message without words.
  private Optional<Judgment> judgment = Optional.empty();
  private String unjudged = "";
  private OnFailure unjudgedPolicy = OnFailure.BLOCK;
  private Optional<VerdictHeader> verdict = Optional.empty();

  MessageStages(ExchangeContext exchange, Leg leg, List<RoutePlan.Stage> stages) {
    this.exchange = exchange;
    this.leg = leg;
    this.stages = stages;
  }

  /** Takes the stages that are left, up to the first that decides about the message. */
  final Step go() {
    while (next < stages.size()) {
      Step step = stages.get(next++).take().apply(this);
      if (!(step instanceof Step.Next)) {
        return step;
      }
    }
    throw new IllegalStateException("the last stage of a message decides");
  }

  @Override
  public Step proceed() {
    return go();
  }

  // ---- what differs by leg ----

  /** The first stage; tells {@link #wasRead} what there is. */
  abstract Step read();

  /** Whose budget the message draws on, and what it is held against. */
  abstract Optional<Judgment> judged(AgentMessage message, ExchangeContext.Aside beside);

  /** A message with a judgment goes on. */
  abstract Step deliver(Judgment judged, VerdictHeader told);

  /** A message that nobody judged goes on all the same. */
  abstract Step deliverUnjudged(
      List<Edit> edits, String what, OnFailure policy, VerdictHeader warning);

  /** Says nothing against the bytes as they came. */
  abstract Step pass(List<Edit> edits, Optional<VerdictHeader> told);

  /** What the peer is told of a broken message. */
  abstract Notice malformed(WireFault fault, String detail);

  /** What was not read is passed or refused under this policy. */
  void unreadUnder(OnFailure policy) {}

  /** The head of an answer that is refused; empty for a request. */
  Optional<WholeResponse> head() {
    return Optional.empty();
  }

  /** The answer that a refusal stands for; empty for a request. */
  Optional<ResponseView> rejected() {
    return Optional.empty();
  }

  // ---- as checks see it ----

  @Override
  public final Leg leg() {
    return leg;
  }

  @Override
  public int status() {
    return 0;
  }

  @Override
  public final PlainBody body() {
    return exchange.body.plain().body();
  }

  @Override
  public final JsonDocument document() {
    return read.document();
  }

  @Override
  public final List<String> unread() {
    return unread;
  }

  @Override
  public final boolean hasWords() {
    return said.isPresent() || !unread.isEmpty();
  }

  @Override
  public final Optional<Judgment> judgment() {
    return judgment;
  }

  @Override
  public final Optional<Utf8Span> text() {
    return judgment.map(judged -> judged.message().answer());
  }

  @Override
  public final String route() {
    return verdict.orElseThrow().route();
  }

  @Override
  public final String decisionId() {
    return verdict.orElseThrow().decisionId();
  }

  @Override
  public boolean isReleased() {
    return false;
  }

  // ---- what stands against it ----

  @Override
  public final Optional<Judgment> draft() {
    return judgment;
  }

  @Override
  public final Optional<VerdictHeader> verdict() {
    return verdict;
  }

  @Override
  public Optional<byte[]> repair(String instruction) {
    return Optional.empty();
  }

  @Override
  public boolean mayBeHeld() {
    return true;
  }

  @Override
  public void drop() {
    exchange.body.release();
  }

  @Override
  public Step refuse(Notice notice, String code) {
    return new Step.Refuse(notice, rejected(), head(), "");
  }

  @Override
  public final void stoppedUnread(Reason reason) {
    exchange.record.stoppedUnread(reason, leg, decisionId(), body(), status());
  }

  @Override
  public VerdictHeader notAskedAgain(VerdictHeader spent) {
    return spent;
  }

  // ---- read ----

  /**
   * What there is. That a message says nothing to people is no fault of it if it speaks to a check:
   * then there is nothing to judge.
   */
  final void wasRead(MessageView view) {
    read = view;
    said = view.message();
    unread = view.unread();
    boolean speaks = exchange.checks.read(leg, view);
    if (speaks
        && unread.isEmpty()
        && said.filter(text -> !text.answer().toString().isBlank()).isEmpty()) {
      said = Optional.empty();
    }
  }

  final Annotatable sites() {
    return read;
  }

  /** A message that no codec could read, or of which too much is unread. */
  final Step unjudged(String what) {
    boolean isBound = exchange.checks.any(check -> check.binds(leg));
    return unjudged(what, isBound ? OnFailure.BLOCK : exchange.onUnjudged());
  }

  private Step unjudged(String what, OnFailure policy) {
    String id = exchange.services.gate().newId();
    exchange.record.unjudged(what, policy, leg, id, body(), status());
    unreadUnder(policy);
    return switch (policy) {
      case BLOCK -> {
        exchange.body.release();
        yield new Step.Refuse(Notices.unjudged(what, leg, exchange), Optional.empty(), head(), "");
      }
      case WARN -> pass(List.of(), Optional.of(exchange.unjudged(id)));
      case ALLOW -> pass(List.of(), Optional.empty());
    };
  }

  final Step broken(WireFault fault, String detail) {
    if (exchange.observing()) {
      unreadUnder(OnFailure.WARN);
      String id = exchange.services.gate().newId();
      exchange.record.unjudged("malformed", OnFailure.WARN, leg, id, body(), status());
      return pass(List.of(), Optional.of(exchange.unjudged(id)));
    }
    exchange.record.malformed(fault);
    exchange.body.release();
    return new Step.Refuse(malformed(fault, detail), Optional.empty());
  }

  /** The stage that stops a message which holds something that nobody could read. */
  Step stopUnread() {
    Optional<String> blocking = Unread.blocking(exchange, unread);
    return blocking.isPresent() ? unjudged(blocking.get(), OnFailure.BLOCK) : Step.NEXT;
  }

  // ---- judge ----

  /** The stage of a check that looks at the words before they are judged. */
  final Step words(Check check) {
    Check.Result result = said.isEmpty() ? check.wordless(leg) : check.words(this);
    return exchange.enforcement.step(check, result, this);
  }

  @Override
  public final AgentMessage said() {
    return said.orElseThrow();
  }

  @Override
  public final void divide(Check.Words divided) {
    words = Optional.of(divided);
  }

  @Override
  public final void echo(Utf8Span known) {
    said = said.map(all -> Check.Words.echoing(all, known));
  }

  private Optional<Judgment> judgedWords() {
    AgentMessage all = said.orElseThrow();
    if (words.isEmpty()) {
      return judged(all, ExchangeContext.Aside.NOTHING);
    }
    Check.Words divided = words.get();
    return judged(
        new AgentMessage(divided.judged(), all.question(), all.evidence()),
        new ExchangeContext.Aside(divided.beside(), divided.lines()));
  }

  @Override
  public final Step judgeAgain(Check.Words divided) {
    if (isReleased()) {
      return Step.NEXT; // a person has seen all of it
    }
    words = Optional.of(divided);
    Step step = decide(judgedWords());
    return step instanceof Step.Next && judgment.filter(now -> !exchange.goesOn(now)).isPresent()
        ? exchange.enforcement.step(judgment.orElseThrow(), this)
        : step;
  }

  /**
   * The stage that measures the message, holds it against the certified core, asks the second stage
   * about what the first leaves open, and decides.
   */
  final Step judge() {
    Optional<Judgment> first = said.isEmpty() ? Optional.empty() : judgedWords();
    Optional<Step> wait =
        first.flatMap(open -> exchange.reconsidered(open, rejected(), this::decideLast));
    return wait.isPresent() ? wait.get() : decide(first);
  }

  private Step decideLast(Judgment last) {
    Step step = decide(Optional.of(last));
    return step instanceof Step.Next ? go() : step;
  }

  private Step decide(Optional<Judgment> found) {
    if (said.isEmpty()) {
      if (!unread.isEmpty()) {
        unjudged = unread.getFirst();
        unjudgedPolicy = Unread.policy(exchange, unread);
      }
      verdict = Optional.of(exchange.unjudged(exchange.services.gate().newId()));
      return Step.NEXT;
    }
    judgment = found;
    if (judgment.isPresent()) {
      exchange.record.decided(judgment.get(), leg, body(), status());
      verdict = Optional.of(judgment.get().annotation());
      return Step.NEXT;
    }
    unjudgedPolicy = exchange.onUnjudged();
    if (unjudgedPolicy == OnFailure.BLOCK) {
      return unjudged(Unread.JUDGING_LIMIT);
    }
    unjudged = Unread.JUDGING_LIMIT;
    verdict = Optional.of(exchange.unjudged(exchange.services.gate().newId()));
    return Step.NEXT;
  }

  /** A verdict in place of the judge's. */
  final void told(VerdictHeader other) {
    verdict = Optional.of(other);
  }

  /** The stage of a check. */
  final Step check(Check check) {
    return exchange.enforcement.step(
        check, leg == Leg.REQUEST ? check.request(this) : check.answer(this), this);
  }

  // ---- pass ----

  /** The last stage: the message goes on, with the verdict in its body and beside it. */
  final Step pass() {
    if (judgment.isPresent()) {
      return deliver(judgment.get(), verdict.orElseThrow());
    }
    return unjudged.isEmpty()
        ? pass(exchange.strip(read), Optional.empty())
        : deliverUnjudged(exchange.strip(read), unjudged, unjudgedPolicy, verdict.orElseThrow());
  }
}
