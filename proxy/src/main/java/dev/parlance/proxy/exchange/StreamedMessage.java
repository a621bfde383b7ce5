package dev.parlance.proxy.exchange;

import dev.parlance.policy.route.Decision;
import dev.parlance.policy.route.Reason;
import dev.parlance.proxy.config.OnFailure;
import dev.parlance.proxy.config.StreamMode;
import dev.parlance.proxy.exchange.body.VerdictFields;
import dev.parlance.proxy.gate.Gate;
import dev.parlance.proxy.gate.Judgment;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.proxy.stream.StreamBuffer;
import dev.parlance.proxy.stream.StreamGate;
import dev.parlance.proxy.stream.StreamGate.Extent;
import dev.parlance.proxy.stream.StreamGate.Outcome;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.wire.api.AgentError;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.StreamReader;
import dev.parlance.wire.api.VerdictHeader;
import dev.parlance.wire.bytes.PlainBody;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What has come of a streamed answer so far, and what was judged of it, as {@link Enforcement} sees
 * it.
 */
abstract sealed class StreamedMessage extends StreamSink implements Enforcement.Subject
    permits StreamingAnswer {
  /** What more text may still mend. */
  private static final Set<Reason> MENDABLE =
      Set.copyOf(
          EnumSet.of(
              Reason.G_LOW,
              Reason.S_HIGH,
              Reason.D_CRIT,
              Reason.D_WARN,
              Reason.EMPTY_ANSWER,
              Reason.SHORT_ANSWER,
              Reason.QUESTION_ECHO,
              Reason.NO_EVIDENCE,
              Reason.ACTED));

  final RequestView asked;
  final StreamReader reader;

  /** True if nothing may go on before all of it has come, because a check asks for that. */
  final boolean waitsForAll;

  final StreamMode mode;
  final StreamBuffer buffer;
  StreamGate gate;

  /** The judgment of all that was said when it was judged last. */
  Optional<Judgment> judgment = Optional.empty();

  /** The verdict of what goes on. */
  Optional<VerdictHeader> verdict = Optional.empty();

  /** Codes of what was not read since then. */
  List<String> unread = List.of();

  HttpHeaders trailers = new DefaultHttpHeaders();

  /** The second stage is asked about all of it; nothing is decided before it has spoken. */
  boolean asksSecond;

  /** The error with which the agent ends its answer. */
  Optional<AgentError> failure = Optional.empty();

  StreamedMessage(
      ExchangeContext exchange, StreamReader reader, int status, HttpHeaders headers, long nowMs) {
    super(exchange, status, headers);
    this.asked = exchange.asked.orElseThrow();
    this.reader = reader;
    // What was decided elsewhere is known by its whole text.
    this.waitsForAll = exchange.checks.any(Check::waitsForAll) || exchange.mayFollowPeer();
    this.mode = waitsForAll ? StreamMode.HOLD : exchange.streamMode();
    VerdictFields.bodyChanged(headers);
    PassedFields.boundHead(exchange, headers);
    this.buffer =
        new StreamBuffer(
            mode,
            exchange.config.streams().holdBytes(),
            exchange.observing(),
            exchange.services.held().share(),
            exchange.config.storage().decisionLog().bodyDigest());
    this.gate = StreamGate.open(mode, exchange.config.streams(), nowMs);
    if (mode == StreamMode.OBSERVE) {
      buffer.giveUpTranscript();
    }
  }

  // ---- judging ----

  /** Tells the gate. */
  abstract void judged(Outcome outcome);

  final void judge(Extent extent, long nowMs) {
    if (reader.saidBytes() == 0 && !unread.isEmpty()) {
      // Nothing was said, and what nobody can read may pass: there is nothing to judge.
      passUnjudged(
          unread.getFirst(),
          exchange.observing() ? OnFailure.ALLOW : Unread.policy(exchange, unread));
      return;
    }
    if (reader.isWordless() || (waitsForAll && reader.saidBytes() == 0)) {
      good();
      return;
    }
    long heldMs = buffer.isIdle() ? 0 : nowMs - gate.waiting().sinceMs();
    Optional<Judgment> judged = judgeSoFar();
    if (judged.isEmpty()) {
      tooMuch();
      return;
    }
    Optional<Step> wait =
        extent == Extent.COMPLETE && mode != StreamMode.OBSERVE
            ? exchange.reconsidered(
                judged.get(),
                Optional.of(reader.soFar()),
                last -> {
                  asksSecond = false;
                  if (!isOver()) {
                    decide(last, extent, heldMs);
                  }
                  return Step.NEXT;
                })
            : Optional.empty();
    if (wait.isPresent()) {
      asksSecond = true;
      follow(wait.get());
    } else {
      decide(judged.get(), extent, heldMs);
    }
  }

  private void decide(Judgment now, Extent extent, long heldMs) {
    judgment = Optional.of(now);
    exchange.record.decided(now, buffer, status, heldMs);
    Outcome outcome = outcome(now, extent);
    switch (outcome) {
      case GOOD -> {
        if (waitsForAll && isStoppedWhole()) {
          return;
        }
        verdict = Optional.of(exchange.checks.told(Unread.verdict(exchange, now, unread)));
        unread = List.of();
        exchange.record.forwarded(gate.waiting().bytes());
        if (extent == Extent.COMPLETE) {
          exchange.services.gate().delivered(now, exchange.rule);
        }
        exchange.remember(now);
        exchange.observe(reader.soFar());
      }
      case NOT_YET -> {
        if (!waitsForItsEnd(now)) {
          exchange.record.acted("wait", Optional.empty());
        }
      }
      case BAD -> {}
    }
    exchange.report.hand();
    judged(outcome);
  }

  /** What was said so far would take too long to judge. */
  private void tooMuch() {
    OnFailure policy = onUnjudged();
    if (policy == OnFailure.BLOCK) {
      block(Unread.JUDGING_LIMIT);
    } else {
      passUnjudged(Unread.JUDGING_LIMIT, policy);
    }
  }

  private void passUnjudged(String what, OnFailure policy) {
    String id = exchange.services.gate().newId();
    recordUnjudged(what, policy, id);
    exchange.report.hand();
    verdict = policy == OnFailure.WARN ? Optional.of(exchange.unjudged(id)) : Optional.empty();
    unread = List.of();
    good();
  }

  /** Nothing stands against what waits, but perhaps a check. */
  private void good() {
    if (!waitsForAll || !isStoppedWhole()) {
      judged(Outcome.GOOD);
    }
  }

  /** True if a check has something against the whole answer; then it is over. */
  final boolean isStoppedWhole() {
    return isStopped(exchange.checks.whole(judgment, reader.saidBytes() > 0));
  }

  final boolean isStopped(Optional<ExchangeChecks.Stop> stop) {
    if (stop.isEmpty()) {
      return false;
    }
    Step step = exchange.enforcement.step(stop.get().check(), stop.get().passage(), this);
    if (step instanceof Step.Next) {
      return false;
    }
    follow(step);
    return true;
  }

  final OnFailure onUnjudged() {
    if (exchange.checks.any(check -> check.binds(Leg.RESPONSE))) {
      return OnFailure.BLOCK;
    }
    return mode == StreamMode.OBSERVE ? OnFailure.ALLOW : exchange.onUnjudged();
  }

  final void block(String what) {
    recordUnjudged(what, OnFailure.BLOCK, exchange.services.gate().newId());
    follow(refuse(Notices.unjudged(what, Leg.RESPONSE, exchange), "unjudged"));
  }

  final void recordUnjudged(String what, OnFailure policy, String id) {
    exchange.record.unjudged(what, policy, Leg.RESPONSE, id, PlainBody.none(), status);
  }

  // ---- what a judgment means ----

  /** Judges what was said so far; empty if that would take too long. */
  final Optional<Judgment> judgeSoFar() {
    return exchange.judgeAnswer(
        reader.soFar(),
        exchange.checks.measured(reader.said()),
        ExchangeContext.Aside.NOTHING,
        exchange.keys.answer(asked));
  }

  final Outcome outcome(Judgment now, Extent extent) {
    if (mode == StreamMode.OBSERVE || exchange.goesOn(now)) {
      return Outcome.GOOD;
    }
    boolean mayMend = extent == Extent.PARTIAL && MENDABLE.containsAll(now.decision().reasons());
    return mayMend || waitsForItsEnd(now) ? Outcome.NOT_YET : Outcome.BAD;
  }

  /** A stream that a person is to release is held whole, with the events behind the bad one. */
  final boolean waitsForItsEnd(Judgment now) {
    return mode == StreamMode.HOLD
        && failure.isEmpty()
        && !gate.bodyEnded()
        && now.decision() instanceof Decision.Yield;
  }

  /** The gate says that the rest does not go on. */
  final Step cut(String code) {
    if (code.equals(StreamGate.TURNED_BAD)) {
      Judgment bad = judgment.orElseThrow();
      VerdictHeader charged = charged(bad);
      exchange.record.acted("cut", Optional.empty());
      return refuse(Notices.regenerate(charged, bad.instructionInRefusal()), code);
    }
    if (judgment.filter(this::waitsForItsEnd).isPresent()) {
      return hold(judgment.get());
    }
    exchange.record.streamRejected(code);
    return refuse(Notices.cut(code), code);
  }

  /** The verdict with the flow's budget as it is after this draft. */
  private VerdictHeader charged(Judgment bad) {
    return switch (exchange.services.gate().regenerate(bad, exchange.rule)) {
      case Gate.Charge.Granted(VerdictHeader spent) -> spent;
      case Gate.Charge.Denied(Reason _, Judgment denied) -> {
        exchange.record.amended(denied);
        yield denied.annotation();
      }
    };
  }

  // ---- what stands against it ----

  @Override
  public final Leg leg() {
    return Leg.RESPONSE;
  }

  @Override
  public final Optional<Judgment> judgment() {
    return judgment;
  }

  /** What it has said so far is what its flow pays for; once the caller has seen it, nothing is. */
  @Override
  public final Optional<Judgment> draft() {
    if (exchange.isAnswered()) {
      return Optional.empty();
    }
    if (judgment.isEmpty()) {
      judgment = judgeSoFar();
      judgment.ifPresent(now -> exchange.record.decided(now, buffer, status, 0));
    }
    return judgment;
  }

  @Override
  public final Optional<VerdictHeader> verdict() {
    return judgment.map(Judgment::annotation);
  }

  /**
   * Empty once the caller has seen something: else it would see two tasks, or one twice. Empty for
   * an answer that its agent has ended with an error.
   */
  @Override
  public final Optional<byte[]> repair(String instruction) {
    return exchange.isAnswered() || failure.isPresent()
        ? Optional.empty()
        : exchange.repair(instruction, reader.soFar());
  }

  /** A person decides about an answer that is there, whole; another one does not go on. */
  @Override
  public final boolean mayBeHeld() {
    return waitsForAll && gate.bodyEnded() && failure.isEmpty();
  }

  /** All words of a stream are judged from the beginning. */
  @Override
  public final Step judgeAgain(Check.Words words) {
    return Step.NEXT;
  }

  @Override
  public final void drop() {
    close();
  }

  @Override
  public final Step proceed() {
    return Step.NEXT;
  }

  @Override
  public final Step hold(Judgment bad) {
    close();
    Optional<byte[]> body = buffer.transcript();
    if (body.isEmpty()) {
      boolean begun = mode == StreamMode.WINDOW;
      String code = begun ? StreamGate.TURNED_BAD : StreamGate.LIMIT;
      exchange.record.acted(begun ? "cut" : "refuse_" + code, Optional.empty());
      boolean acted = begun && bad.decision().reasons().contains(Reason.ACTED);
      return acted
          ? refuse(Notices.regenerate(bad.annotation(), bad.instructionInRefusal()), code)
          : refuse(Notices.queueRefused(bad.annotation(), code), "yield");
    }
    return new Step.Hold(
        bad,
        Optional.of(reader.soFar()),
        body.get(),
        Optional.of(new WholeResponse(status, headers, Unpooled.EMPTY_BUFFER)));
  }

  @Override
  public final Step refuse(Notice notice, String code) {
    close();
    return new Step.Refuse(notice, Optional.empty(), Optional.empty(), code);
  }

  @Override
  public final void stoppedUnread(Reason reason) {
    exchange.record.stoppedUnread(
        reason, Leg.RESPONSE, exchange.services.gate().newId(), PlainBody.none(), status);
  }

  @Override
  public final VerdictHeader notAskedAgain(VerdictHeader spent) {
    return exchange.notAskedAgain(spent);
  }

  @Override
  boolean close() {
    if (!isOver()) {
      buffer.close();
    }
    return super.close();
  }
}
