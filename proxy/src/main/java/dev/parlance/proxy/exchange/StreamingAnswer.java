package dev.parlance.proxy.exchange;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.pact.PactScore.Ending;
import dev.parlance.policy.route.Decision;
import dev.parlance.policy.route.Reason;
import dev.parlance.policy.route.Route;
import dev.parlance.proxy.config.OnFailure;
import dev.parlance.proxy.config.StreamMode;
import dev.parlance.proxy.exchange.StreamBuffer.Held;
import dev.parlance.proxy.exchange.StreamGate.Effect;
import dev.parlance.proxy.exchange.StreamGate.Event;
import dev.parlance.proxy.exchange.StreamGate.Extent;
import dev.parlance.proxy.exchange.StreamGate.Order;
import dev.parlance.proxy.exchange.StreamGate.Outcome;
import dev.parlance.proxy.gate.Gate;
import dev.parlance.proxy.gate.Judgment;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.relay.api.OriginReceiver.OriginResult;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.wire.api.Annotatable;
import dev.parlance.wire.api.Frame;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.StreamEvent;
import dev.parlance.wire.api.StreamFraming;
import dev.parlance.wire.api.StreamReader;
import dev.parlance.wire.api.VerdictHeader;
import dev.parlance.wire.bytes.PlainBody;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The stages of an answer that arrives as a stream. {@link StreamGate} says what becomes of each
 * event; this has the buffers, asks the judge, writes, and ends the stream in the caller's
 * protocol.
 *
 * <pre>
 *   origin -> framing -> reader -> gate -> buffer -> writer -> caller
 *                          said -> judge -^
 * </pre>
 */
final class StreamingAnswer extends StreamSink {
  private static final long NS_PER_MS = 1_000_000;

  /** Largest event without data that may pass unread: ids, names, comments. */
  private static final int UNREAD_EVENT_BYTES = 1024;

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
              Reason.NO_EVIDENCE));

  private final RequestView asked;
  private final StreamReader reader;
  private final Optional<StreamPact> pact;

  /** True if nothing may go on before all of it has come, because its pact asks for that. */
  private final boolean waitsForAll;

  private final StreamMode mode;
  private final StreamBuffer buffer;
  private StreamGate gate;
  private Optional<Judgment> judgment = Optional.empty();
  private Optional<VerdictHeader> verdict = Optional.empty();
  private List<String> unread = List.of();
  private HttpHeaders trailers = new DefaultHttpHeaders();
  private Optional<ScheduledFuture<?>> timer = Optional.empty();
  private long timerAtMs;

  /** The event that is being read; empty once it waits or has gone on. */
  private Optional<Frame> inHand = Optional.empty();

  private boolean bodyEnded;

  /** The bytes are no events any more and go on as they come. */
  private boolean raw;

  /** The reader has failed and the route lets such streams pass: nothing is read any more. */
  private boolean blind;

  StreamingAnswer(
      ExchangeContext at, Exchange exchange, StreamReader reader, int status, HttpHeaders headers) {
    super(at, exchange, status, headers);
    this.asked = at.asked.orElseThrow();
    this.reader = reader;
    this.pact = StreamPact.of(at, headers);
    this.waitsForAll = pact.filter(StreamPact::waits).isPresent();
    this.mode = waitsForAll ? StreamMode.HOLD : at.streamMode();
    VerdictFields.bodyChanged(headers);
    this.buffer =
        new StreamBuffer(
            mode, at.config.streams().holdBytes(), at.observing(), at.services.held().share());
    this.gate = StreamGate.open(mode, at.config.streams(), nowMs());
    if (mode == StreamMode.OBSERVE) {
      buffer.giveUpTranscript();
    }
  }

  @Override
  void open() {
    if (mode == StreamMode.OBSERVE || !asked.canBeAskedAgain()) {
      // Nothing is gained by waiting, and a client may wait for the head of a stream that is
      // silent.
      exchange.perform(Step.BEGIN);
    }
  }

  // ---- from the origin ----

  @Override
  public void piece(ByteBuf piece) {
    Optional<StreamFraming.Fault> fault;
    try {
      if (isOver()) {
        return;
      }
      if (raw) {
        write(ByteBufUtil.getBytes(piece));
        return;
      }
      buffer.arrived(piece);
      fault = reader.framing().feed(piece);
    } finally {
      piece.release();
    }
    frames();
    if (!isOver() && fault.isPresent()) {
      broken(fault.get());
    }
  }

  @Override
  public void end(HttpHeaders last) {
    if (isOver()) {
      return;
    }
    bodyEnded = true;
    Optional<StreamFraming.Fault> fault = Optional.empty();
    if (!raw) {
      fault = reader.framing().end();
      frames();
      if (isOver()) {
        return;
      }
    }
    at.record.forgedFields(VerdictFields.strip(last), Leg.RESPONSE);
    trailers = last;
    if (raw) {
      finish();
      return;
    }
    if (fault.isPresent()) {
      broken(fault.get());
      return;
    }
    PassedFields.boundTrailers(at, last);
    if (blind) {
      finish();
      return;
    }
    reader
        .trailers(name -> Optional.ofNullable(last.get(name)))
        .ifPresent(event -> read(event, StreamBuffer.NO_FRAME));
    if (!isOver()) {
      apply(new Event.BodyEnded(), Optional.empty());
    }
  }

  @Override
  public void failed(OriginResult.Failed failure) {
    if (isOver()) {
      return;
    }
    at.record.originFailed(failure);
    if (mode == StreamMode.OBSERVE || blind) {
      at.record.streamCut("origin");
      close();
      at.record.streamed(status);
      exchange.perform(Step.BREAK_OFF);
    } else {
      end(Notices.upstream(failure.code(), at.destination), "origin");
    }
  }

  private void frames() {
    Optional<Frame> next = reader.framing().next();
    while (!isOver() && next.isPresent()) {
      buffer.framed(next.get());
      frame(next.get());
      next = reader.framing().next();
    }
    account();
  }

  private void frame(Frame frame) {
    if (blind) {
      write(frame.bytes());
      return;
    }
    inHand = Optional.of(frame);
    read(frame);
    inHand = Optional.empty();
  }

  private void read(Frame frame) {
    if (pact.isPresent() && !keeps(pact.get().event(frame, reader.asJson(frame)))) {
      return;
    }
    if (frame.saysMore()) {
      unjudged("stream_comment", frame);
      return;
    }
    if (frame.payload().isEmpty()) {
      if (frame.bytes().length > UNREAD_EVENT_BYTES) {
        unjudged("stream_comment", frame);
      } else {
        silent(Held.unread(frame), Order.IN_TURN);
      }
      return;
    }
    read(reader.read(frame), frame);
  }

  private void read(StreamEvent event, Frame frame) {
    switch (event) {
      case StreamEvent.Silent(boolean overtakes, Annotatable edits) -> {
        at.record.forged(edits, Leg.RESPONSE);
        silent(
            new Held(frame, Optional.of(edits), false),
            overtakes ? Order.OVERTAKES : Order.IN_TURN);
      }
      case StreamEvent.Said(boolean complete, List<String> unreadHere, Annotatable edits) -> {
        at.record.forged(edits, Leg.RESPONSE);
        said(complete, unreadHere, new Held(frame, Optional.of(edits), true));
      }
      case StreamEvent.Aside(AgentMessage message, Annotatable edits) -> {
        at.record.forged(edits, Leg.RESPONSE);
        aside(message, new Held(frame, Optional.of(edits), false));
      }
      case StreamEvent.Unjudged(String what) -> unjudged(what, frame);
      case StreamEvent.Malformed(var fault, String detail) ->
          malformed(new StreamFraming.Fault(fault, detail), frame);
    }
  }

  private void silent(Held held, Order order) {
    if (waitsForAll) {
      waits(held);
      return;
    }
    apply(new Event.Silent(held.length(), order, extent(!reader.isOpen())), Optional.of(held));
  }

  private void said(boolean complete, List<String> unreadHere, Held held) {
    Optional<String> blocking =
        mode == StreamMode.OBSERVE ? Optional.empty() : Unread.blocking(at, unreadHere);
    if (blocking.isPresent()) {
      block(blocking.get());
      return;
    }
    unread = Unread.both(unread, unreadHere);
    apply(
        new Event.Said(held.length(), reader.saidBytes(), extent(complete || !reader.isOpen())),
        Optional.of(held));
  }

  private Extent extent(boolean complete) {
    return complete && !waitsForAll ? Extent.COMPLETE : Extent.PARTIAL;
  }

  /** It waits for the end of the body. */
  private void waits(Held held) {
    apply(new Event.Said(held.length(), reader.saidBytes(), Extent.PARTIAL), Optional.of(held));
  }

  /** Words that stand alone are judged alone, and do not wait for the answer around them. */
  private void aside(AgentMessage message, Held held) {
    Optional<Judgment> judged =
        at.judge(Leg.RESPONSE, message, at.rule.requestGrounding(), at.keys.answer(asked));
    if (judged.isEmpty()) {
      unjudged(Unread.JUDGING_LIMIT, held, Order.OVERTAKES);
      return;
    }
    Judgment alone = judged.get();
    at.record.decided(alone, buffer, status, 0);
    if (mode != StreamMode.OBSERVE && !at.goesOn(alone)) {
      judgment = Optional.of(alone);
      refuseVerdict(alone);
      return;
    }
    byte[] bytes = annotated(held, alone.annotation());
    at.record.forwarded(bytes.length);
    at.remember(alone);
    if (waitsForAll) {
      waits(held);
      return;
    }
    buffer.transcribe(bytes);
    write(bytes);
  }

  /** An event that nobody can read goes on, or ends the stream, as the route says. */
  private void unjudged(String what, Frame frame) {
    unjudged(what, Held.unread(frame), Order.IN_TURN);
  }

  private void unjudged(String what, Held held, Order order) {
    OnFailure policy = mode == StreamMode.OBSERVE ? OnFailure.ALLOW : at.onUnjudged();
    if (policy == OnFailure.BLOCK) {
      block(what);
      return;
    }
    at.record.partlyUnread(List.of(what), policy);
    silent(held, order);
  }

  private void block(String what) {
    at.record.unjudged(
        what, OnFailure.BLOCK, Leg.RESPONSE, at.services.gate().newId(), PlainBody.none(), status);
    end(Notices.unjudged(what), "unjudged");
  }

  /** An event that is broken in itself. */
  private void malformed(StreamFraming.Fault fault, Frame frame) {
    if (at.observing()) {
      at.record.partlyUnread(List.of("malformed"), OnFailure.WARN);
      silent(Held.unread(frame), Order.IN_TURN);
    } else {
      at.record.malformed(fault.fault());
      end(Notices.upstream(fault.fault().code(), at.destination), "malformed");
    }
  }

  /** Bytes that are no events end the stream; where nothing is held back they go on as they are. */
  private void broken(StreamFraming.Fault fault) {
    if (!at.observing()) {
      at.record.malformed(fault.fault());
      end(Notices.upstream(fault.fault().code(), at.destination), "malformed");
      return;
    }
    at.record.unjudged(
        "malformed",
        OnFailure.WARN,
        Leg.RESPONSE,
        at.services.gate().newId(),
        PlainBody.none(),
        status);
    raw = true;
    cancelTimer();
    flush();
    write(buffer.rest());
    if (bodyEnded) {
      finish();
    }
  }

  // ---- what the gate says ----

  private void apply(Event event, Optional<Held> held) {
    StreamGate.Step step = gate.step(event, nowMs());
    gate = step.next();
    for (Effect effect : step.effects()) {
      if (isOver()) {
        return;
      }
      switch (effect) {
        case Effect.Pass _ -> pass(held.orElseThrow());
        case Effect.Wait _ -> {
          buffer.add(held.orElseThrow());
          inHand = Optional.empty();
        }
        case Effect.Judge(Extent extent) -> judge(extent);
        case Effect.Release _ -> release();
        case Effect.Forget _ -> reader.forget();
        case Effect.Beat _ -> exchange.perform(new Step.Beat(reader.framing().heartbeat()));
        case Effect.Refuse _ -> refuseVerdict(judgment.orElseThrow());
        case Effect.Cut(String code) -> cut(code);
        case Effect.Finish _ -> finish();
      }
    }
    schedule();
  }

  private void judge(Extent extent) {
    if (reader.isWordless() || (waitsForAll && reader.saidBytes() == 0 && unread.isEmpty())) {
      good();
      return;
    }
    if (reader.saidBytes() == 0 && !unread.isEmpty()) {
      passUnread();
      return;
    }
    long heldMs = buffer.isIdle() ? 0 : nowMs() - gate.waiting().sinceMs();
    Optional<Judgment> judged =
        at.judgeAnswer(reader.soFar(), reader.said(), at.keys.answer(asked));
    if (judged.isEmpty()) {
      tooMuch();
      return;
    }
    Judgment now = judged.get();
    judgment = Optional.of(now);
    at.record.decided(now, buffer, status, heldMs);
    Outcome outcome = outcome(now, extent);
    switch (outcome) {
      case GOOD -> {
        if (waitsForAll && !keepsWhole()) {
          return;
        }
        verdict = Optional.of(at.told(Unread.verdict(at, now, unread)));
        unread = List.of();
        at.record.forwarded(gate.waiting().bytes());
        if (extent == Extent.COMPLETE) {
          at.services.gate().delivered(now, at.rule);
        }
        at.remember(now);
        at.observe(reader.soFar());
      }
      case NOT_YET -> {
        if (!waitsForItsEnd(now)) {
          at.record.acted("wait", Optional.empty());
        }
      }
      case BAD -> {}
    }
    at.report.hand();
    apply(new Event.Judged(outcome), Optional.empty());
  }

  /** What was said so far would take too long to judge. */
  private void tooMuch() {
    OnFailure policy = mode == StreamMode.OBSERVE ? OnFailure.ALLOW : at.onUnjudged();
    if (policy == OnFailure.BLOCK) {
      block(Unread.JUDGING_LIMIT);
    } else {
      passUnjudged(Unread.JUDGING_LIMIT, policy);
    }
  }

  /** Nothing was said, and what nobody can read may pass: there is nothing to judge. */
  private void passUnread() {
    passUnjudged(unread.getFirst(), at.observing() ? OnFailure.ALLOW : Unread.policy(at, unread));
  }

  private void passUnjudged(String what, OnFailure policy) {
    String id = at.services.gate().newId();
    at.record.unjudged(what, policy, Leg.RESPONSE, id, PlainBody.none(), status);
    at.report.hand();
    verdict = policy == OnFailure.WARN ? Optional.of(at.unjudged(id)) : Optional.empty();
    unread = List.of();
    good();
  }

  /** Nothing stands against what waits, but perhaps the pact. */
  private void good() {
    if (!waitsForAll || keepsWhole()) {
      apply(new Event.Judged(Outcome.GOOD), Optional.empty());
    }
  }

  private Outcome outcome(Judgment now, Extent extent) {
    if (mode == StreamMode.OBSERVE || at.goesOn(now)) {
      return Outcome.GOOD;
    }
    boolean mayMend = extent == Extent.PARTIAL && MENDABLE.containsAll(now.decision().reasons());
    return mayMend || waitsForItsEnd(now) ? Outcome.NOT_YET : Outcome.BAD;
  }

  /** A stream that a person is to release is held whole, with the events behind the bad one. */
  private boolean waitsForItsEnd(Judgment now) {
    return mode == StreamMode.HOLD && !gate.bodyEnded() && now.decision() instanceof Decision.Yield;
  }

  private void pass(Held held) {
    byte[] bytes = held.stripped();
    buffer.transcribe(bytes);
    inHand = Optional.empty();
    write(bytes);
  }

  /** The verdict stands in the last event that it covers and that has words. */
  private void release() {
    boolean whole = !reader.isOpen() || gate.bodyEnded();
    Optional<Held> told = whole ? buffer.lastSaid() : Optional.empty();
    for (var next = buffer.next(); next.isPresent(); next = buffer.next()) {
      write(
          verdict.isPresent() && next.equals(told)
              ? annotated(next.get(), verdict.get())
              : next.get().stripped());
    }
    buffer.released();
  }

  /** What waits goes on as it came. */
  private void flush() {
    for (var next = buffer.next(); next.isPresent(); next = buffer.next()) {
      write(next.get().frame().bytes());
    }
  }

  private byte[] annotated(Held held, VerdictHeader told) {
    return held.edits().isEmpty()
        ? held.frame().bytes()
        : held.with(at.edits(held.edits().get(), told));
  }

  private void write(byte[] bytes) {
    exchange.perform(new Step.Piece(Unpooled.wrappedBuffer(bytes)));
  }

  private void finish() {
    if (!keepsWhole()) {
      return;
    }
    close();
    HttpHeaders last = isBegun() ? trailers : PassedFields.withStatusOf(headers, trailers);
    verdict.ifPresent(annotation -> VerdictFields.write(last, annotation));
    at.record.streamed(status);
    exchange.perform(new Step.End(last));
  }

  private void cut(String code) {
    if (code.equals(StreamGate.TURNED_BAD)) {
      Judgment bad = judgment.orElseThrow();
      at.record.acted("cut", Optional.empty());
      end(Notices.regenerate(charged(bad), bad.instruction()), code);
    } else if (judgment.filter(this::waitsForItsEnd).isPresent()) {
      hold(judgment.get());
    } else {
      at.record.streamRejected(code);
      end(Notices.cut(code), code);
    }
  }

  /** The verdict with the flow's budget as it is after this draft. */
  private VerdictHeader charged(Judgment bad) {
    return switch (at.services.gate().regenerate(bad, at.rule)) {
      case Gate.Charge.Granted(VerdictHeader spent) -> spent;
      case Gate.Charge.Denied(Reason _, Judgment denied) -> denied.annotation();
    };
  }

  // ---- its pact ----

  /** True if the whole answer keeps to its pact, or has none; it is over if not. */
  private boolean keepsWhole() {
    return pact.isEmpty() || keeps(pact.get().whole(judgment, reader.saidBytes() > 0));
  }

  private boolean keeps(PactStage.Passage passage) {
    switch (passage) {
      case PactStage.Passage.On _ -> {
        return true;
      }
      case PactStage.Passage.Stopped(Reason reason, String detail) -> outOfPact(reason, detail);
      case PactStage.Passage.Held(Reason reason, String detail) -> heldForPact(reason, detail);
      case PactStage.Passage.Again again -> againForPact(again);
    }
    return false;
  }

  private void outOfPact(Reason reason, String detail) {
    at.responder.refusesPact(reason.code(), true);
    if (at.record.isUnderWay()) {
      at.record.stopped(Route.REGENERATE, reason);
      at.record.acted("refuse", Optional.empty());
    } else {
      at.record.stoppedUnread(
          reason, Leg.RESPONSE, at.services.gate().newId(), PlainBody.none(), status);
    }
    end(
        Notices.pact(reason, detail, judgment.map(judged -> at.told(judged.annotation()))),
        reason.code());
  }

  /** A person decides about an answer that is there, whole; another one does not go on. */
  private void heldForPact(Reason reason, String detail) {
    if (judgment.isEmpty() || !waitsForAll || !gate.bodyEnded()) {
      outOfPact(reason, detail);
      return;
    }
    at.record.stopped(Route.YIELD, reason);
    Judgment bad = judgment.get();
    hold(bad.with(Notices.heldForPact(bad.annotation(), reason)));
  }

  /** The local agent mends its answer while its flow can pay; then the pact is in dispute. */
  private void againForPact(PactStage.Passage.Again wanted) {
    if (!isBegun() && judgment.isEmpty()) {
      // What it has said so far is what its flow pays for.
      judgment = at.judgeAnswer(reader.soFar(), reader.said(), at.keys.answer(asked));
      judgment.ifPresent(now -> at.record.decided(now, buffer, status, 0));
    }
    if (!isBegun()
        && judgment.isPresent()
        && at.services.gate().regenerate(judgment.get(), at.rule)
            instanceof Gate.Charge.Granted(VerdictHeader spent)) {
      Optional<byte[]> again = at.repair(MessageStages.forPact(wanted), reader.soFar());
      if (again.isPresent()) {
        at.record.stopped(Route.REGENERATE, wanted.reason());
        askAgain(spent, again.get());
        return;
      }
    }
    at.services.pacts().end(wanted.pact(), Ending.DISPUTE_ESCALATED, Optional.empty());
    heldForPact(wanted.reason(), wanted.detail());
  }

  // ---- what does not go on ----

  private void refuseVerdict(Judgment bad) {
    switch (bad.decision()) {
      case Decision.Regenerate _ -> {
        switch (at.services.gate().regenerate(bad, at.rule)) {
          case Gate.Charge.Granted(VerdictHeader spent) -> regenerate(bad, spent);
          case Gate.Charge.Denied(Reason _, Judgment denied) -> {
            at.record.amended(denied);
            hold(denied);
          }
        }
      }
      case Decision.Yield _ -> hold(bad);
      case Decision.Execute _, Decision.Warn _ ->
          throw new IllegalStateException("nothing stands against " + bad.id());
    }
  }

  /** Asks again if the caller has seen nothing: else it would see two tasks, or one twice. */
  private void regenerate(Judgment bad, VerdictHeader spent) {
    Optional<byte[]> again =
        isBegun() ? Optional.empty() : at.repair(bad.instruction(), reader.soFar());
    if (again.isPresent()) {
      askAgain(spent, again.get());
      return;
    }
    at.record.acted("refuse", Optional.empty());
    end(Notices.regenerate(at.notAskedAgain(spent), bad.instruction()), "regenerate");
  }

  private void askAgain(VerdictHeader spent, byte[] body) {
    close();
    at.record.acted(ExchangeReport.ASK_AGAIN, Optional.empty());
    exchange.perform(new Step.AskAgain(spent, body));
  }

  private void hold(Judgment bad) {
    Optional<byte[]> body = buffer.transcript();
    if (body.isEmpty()) {
      boolean begun = mode == StreamMode.WINDOW;
      String code = begun ? StreamGate.TURNED_BAD : StreamGate.LIMIT;
      at.record.acted(begun ? "cut" : "refuse_" + code, Optional.empty());
      end(Notices.queueRefused(bad.annotation(), code), "yield");
      return;
    }
    close();
    exchange.perform(
        new Step.Hold(
            bad,
            Optional.of(reader.soFar()),
            body.get(),
            Optional.of(new WholeResponse(status, headers, Unpooled.EMPTY_BUFFER))));
  }

  /** The rest does not go on. */
  private void end(Notice notice, String code) {
    close();
    exchange.perform(new Step.Refuse(notice, Optional.empty(), 0, code));
  }

  /** The end in the caller's own protocol; without one, an end that nobody takes for a whole. */
  @Override
  void refuse(Notice notice, String code) {
    at.record.streamCut(code);
    StreamReader.Ending refusal = reader.refuse(notice);
    HttpHeaders last = Responder.fields(refusal.trailers());
    notice
        .verdict()
        .ifPresentOrElse(
            annotation -> VerdictFields.write(last, annotation),
            () -> last.set(VerdictFields.REASON, notice.code()));
    at.record.streamed(status);
    if (refusal.payloads().isEmpty() && refusal.trailers().isEmpty()) {
      exchange.perform(Step.BREAK_OFF);
    } else {
      refusal.payloads().forEach(payload -> write(reader.framing().frame(payload)));
      exchange.perform(new Step.End(last));
    }
  }

  @Override
  void gateFailed(OnFailure policy, String id) {
    boolean blocked = policy == OnFailure.BLOCK || isOver();
    at.record.gateFailed(blocked ? OnFailure.BLOCK : policy, id, Leg.RESPONSE);
    if (!blocked) {
      blind = true;
      cancelTimer();
      flush();
      inHand.ifPresent(frame -> write(frame.bytes()));
      inHand = Optional.empty();
      frames();
      if (bodyEnded) {
        finish();
      }
    } else if (isOver()) {
      exchange.perform(Step.BREAK_OFF);
    } else {
      end(
          Notices.unavailable(
              "internal_error", "The gate failed; the rest of the stream was not delivered."),
          "internal_error");
    }
  }

  // ---- time and memory ----

  @Override
  boolean close() {
    if (!isOver()) {
      buffer.close();
      cancelTimer();
    }
    return super.close();
  }

  /** True once the caller may have seen the head. */
  private boolean isBegun() {
    return at.responder.isGiven();
  }

  private void account() {
    if (!isOver() && !buffer.account(gate.waiting().bytes())) {
      cut(StreamGate.LIMIT);
    }
  }

  private void schedule() {
    OptionalLong wake = isOver() ? OptionalLong.empty() : gate.wakeAtMs();
    if (wake.isEmpty() || (timer.isPresent() && timerAtMs <= wake.getAsLong())) {
      return;
    }
    cancelTimer();
    timerAtMs = wake.getAsLong();
    timer =
        Optional.of(
            at.call
                .loop()
                .schedule(
                    () -> exchange.guarded(this::tick),
                    Math.max(1, timerAtMs - nowMs()),
                    TimeUnit.MILLISECONDS));
  }

  private void tick() {
    timer = Optional.empty();
    if (!isOver() && !blind && !raw) {
      apply(new Event.Tick(), Optional.empty());
    }
  }

  private void cancelTimer() {
    timer.ifPresent(scheduled -> scheduled.cancel(false));
    timer = Optional.empty();
  }

  private static long nowMs() {
    return System.nanoTime() / NS_PER_MS;
  }
}
