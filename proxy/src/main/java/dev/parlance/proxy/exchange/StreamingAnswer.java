package dev.parlance.proxy.exchange;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.route.Reason;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.proxy.config.OnFailure;
import dev.parlance.proxy.config.StreamMode;
import dev.parlance.proxy.exchange.body.VerdictFields;
import dev.parlance.proxy.gate.Judgment;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.proxy.stream.StreamBuffer;
import dev.parlance.proxy.stream.StreamBuffer.Held;
import dev.parlance.proxy.stream.StreamGate;
import dev.parlance.proxy.stream.StreamGate.Effect;
import dev.parlance.proxy.stream.StreamGate.Event;
import dev.parlance.proxy.stream.StreamGate.Extent;
import dev.parlance.proxy.stream.StreamGate.Order;
import dev.parlance.proxy.stream.StreamGate.Outcome;
import dev.parlance.relay.api.OriginReceiver.OriginResult;
import dev.parlance.wire.api.AgentError;
import dev.parlance.wire.api.Annotatable;
import dev.parlance.wire.api.Frame;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.StreamEvent;
import dev.parlance.wire.api.StreamFraming;
import dev.parlance.wire.api.StreamReader;
import dev.parlance.wire.api.VerdictHeader;
import dev.parlance.wire.bytes.BodyDecoder.Decoding;
import dev.parlance.wire.bytes.Inflation;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.WireFault;
import dev.parlance.wire.json.JsonDocument;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;

/**
 * The stages of an answer that arrives as a stream. {@link StreamGate} says what becomes of each
 * event; this has the buffers, asks the judge, and ends the stream in the caller's protocol.
 *
 * <pre>
 *   origin -> framing -> reader -> checks -> gate -> effects -> steps -> caller
 *                                  said -> judge -^
 * </pre>
 *
 * One piece of work after the other, each behind the steps of the one before: an effect of the
 * gate, an event, the account of what is held, the end.
 */
final class StreamingAnswer extends StreamedMessage {
  private static final long NS_PER_MS = 1_000_000;
  private static final long NEVER = Long.MAX_VALUE;

  /** Name of the events that are errors, whatever their data are. */
  private static final String ERROR = "error";

  /** What is left to do once all events have been read. */
  private enum End {
    /** More may come. */
    OPEN,
    /** The trailers are to be looked at. */
    TRAILERS,
    /** The gate is to be told that nothing more comes. */
    BODY,
    /** All that was written is whole. */
    FINISH
  }

  private final Function<Frame, JsonDocument> json;

  /** Takes the content coding off, if there is one; what goes on has none. */
  private final Optional<Inflation> coding;

  private final Deque<Effect> effects = new ArrayDeque<>(4);

  /** The event that the effects are about. */
  private Optional<Held> held = Optional.empty();

  /** The event that is being read; empty once it waits or has gone on. */
  private Optional<Frame> inHand = Optional.empty();

  /** Why the bytes behind the events that are left are no event. */
  private Optional<StreamFraming.Fault> fault = Optional.empty();

  /** What was left out of the stream, by its codes. */
  private final Set<String> leftOut = new HashSet<>(2);

  /** Size of all errors of the stream. */
  private long errorBytes;

  /** True if an event holds both an error and words of the answer. */
  private boolean errorSpeaks;

  /** True once an event with data has gone on. */
  private boolean isBegun;

  private boolean isAccountDue;
  private boolean bodyEnded;
  private End end = End.OPEN;
  private long wakeAtMs = NEVER;

  /** The bytes are no events any more and go on as they come. */
  private boolean raw;

  /** The reader has failed and the route lets such streams pass: nothing is read any more. */
  private boolean blind;

  StreamingAnswer(
      ExchangeContext exchange,
      StreamReader reader,
      int status,
      HttpHeaders headers,
      Optional<Inflation> coding) {
    super(exchange, reader, status, headers, nowMs());
    this.coding = coding;
    this.json = reader::asJson;
    if (mode == StreamMode.OBSERVE || !asked.canBeAskedAgain()) {
      // Nothing is gained by waiting, and a client may wait for the head of a stream that is
      // silent.
      follow(Step.BEGIN);
    }
  }

  // ---- from the origin ----

  @Override
  void piece(ByteBuf piece) {
    try {
      if (isOver()) {
        return;
      }
      if (raw) {
        write(ByteBufUtil.getBytes(piece));
        return;
      }
      if (coding.isPresent()) {
        decoded(coding.get().piece(ByteBufUtil.getBytes(piece)));
      } else {
        arrived(piece);
      }
    } finally {
      piece.release();
    }
  }

  private void arrived(ByteBuf piece) {
    buffer.arrived(piece);
    fault = reader.framing().feed(piece);
    isAccountDue = true;
  }

  private void decoded(Decoding decoding) {
    switch (decoding) {
      case Decoding.Decoded(byte[] plain, boolean _) -> arrived(Unpooled.wrappedBuffer(plain));
      case Decoding.Refused(WireFault what, String detail) ->
          fault = Optional.of(new StreamFraming.Fault(what, detail));
    }
  }

  @Override
  void end(HttpHeaders last) {
    if (isOver()) {
      return;
    }
    bodyEnded = true;
    end = End.TRAILERS;
    trailers = last;
    if (!raw) {
      fault = reader.framing().end();
      isAccountDue = true;
      coding.flatMap(Inflation::end).ifPresent(this::decoded);
    }
  }

  @Override
  void failed(OriginResult.Failed failure) {
    if (isOver()) {
      return;
    }
    if (mode == StreamMode.OBSERVE || blind) {
      exchange.record.streamCut("origin");
      close();
      exchange.record.streamed(status);
      follow(Step.BREAK_OFF);
    } else {
      follow(refuse(Notices.upstream(failure.code()), "origin"));
    }
  }

  @Override
  boolean work() {
    if (isOver()) {
      return false;
    }
    if (asksSecond) {
      return isAccountDue && account();
    }
    if (!effects.isEmpty()) {
      carryOut(effects.remove());
      if (effects.isEmpty()) {
        schedule();
      }
      return true;
    }
    inHand = Optional.empty();
    Optional<Frame> next = raw ? Optional.empty() : reader.framing().next();
    if (next.isPresent()) {
      buffer.framed(next.get());
      frame(next.get());
      return true;
    }
    if (isAccountDue) {
      return account();
    }
    return (fault.isPresent() && end == End.OPEN) ? broken() : ends();
  }

  private boolean account() {
    isAccountDue = false;
    if (!buffer.account(gate.waiting().bytes())) {
      follow(cut(StreamGate.LIMIT));
    }
    return true;
  }

  /** The end, part by part. */
  private boolean ends() {
    switch (end) {
      case OPEN -> {
        return false;
      }
      case TRAILERS -> trailers();
      case BODY -> {
        end = End.OPEN;
        apply(new Event.BodyEnded(), Optional.empty());
      }
      case FINISH -> {
        end = End.OPEN;
        finish();
      }
    }
    return true;
  }

  private void trailers() {
    exchange.stripFields(trailers, Leg.RESPONSE);
    if (raw) {
      end = End.FINISH;
      return;
    }
    if (fault.isPresent()) {
      boolean _ = broken();
      return;
    }
    PassedFields.boundTrailers(exchange, trailers);
    if (blind) {
      end = End.FINISH;
      return;
    }
    end = End.BODY;
    reader
        .trailers(name -> Optional.ofNullable(trailers.get(name)))
        .ifPresent(event -> read(event, StreamBuffer.NO_FRAME));
  }

  // ---- events ----

  private void frame(Frame frame) {
    if (blind) {
      write(frame.bytes());
      return;
    }
    inHand = Optional.of(frame);
    if (isStopped(exchange.checks.piece(frame, json))) {
      return;
    }
    Frame event = frame.saysMore() ? withoutWordsBeside(frame) : frame;
    if (event.payload().isPresent()) {
      read(heard(event), event);
    } else {
      silent(Held.unread(event), Order.IN_TURN);
    }
  }

  /** What its reader hears in an event; an error in no form that the protocol has is one, too. */
  private StreamEvent heard(Frame event) {
    StreamEvent heard = reader.read(event);
    return switch (heard) {
      case StreamEvent.Unjudged _, StreamEvent.Foreign _, StreamEvent.Malformed _ ->
          event.name().equals(ERROR)
              ? new StreamEvent.Failed(
                  AgentError.unread(event.bytes().length), false, Annotatable.NOWHERE)
              : heard;
      case StreamEvent.Silent _, StreamEvent.Said _, StreamEvent.Aside _, StreamEvent.Failed _ ->
          heard;
    };
  }

  /** Words beside the data mean nothing: they are left out, unless the route lets them pass. */
  private Frame withoutWordsBeside(Frame frame) {
    return isLeftOut("stream_comment") ? frame.bare() : frame;
  }

  /** Counts something that nobody reads and nobody needs. */
  private boolean isLeftOut(String what) {
    OnFailure policy = onUnjudged();
    boolean first = leftOut.add(what);
    if (policy != OnFailure.BLOCK) {
      exchange.record.partlyUnread(List.of(what), policy);
    } else if (first) {
      exchange.record.streamRejected(what);
    }
    return policy == OnFailure.BLOCK;
  }

  private void read(StreamEvent event, Frame frame) {
    switch (event) {
      case StreamEvent.Silent(boolean overtakes, Annotatable edits) -> {
        exchange.record.forged(edits, Leg.RESPONSE);
        silent(held(frame, edits, false), overtakes ? Order.OVERTAKES : Order.IN_TURN);
      }
      case StreamEvent.Said(boolean complete, List<String> unreadHere, Annotatable edits) -> {
        exchange.record.forged(edits, Leg.RESPONSE);
        said(complete, unreadHere, held(frame, edits, true));
      }
      case StreamEvent.Aside(AgentMessage message, Annotatable edits) -> {
        exchange.record.forged(edits, Leg.RESPONSE);
        aside(message, held(frame, edits, false));
      }
      case StreamEvent.Failed(AgentError error, boolean says, Annotatable edits) -> {
        exchange.record.forged(edits, Leg.RESPONSE);
        failed(error, held(frame, edits, says));
      }
      case StreamEvent.Unjudged(String what) -> unjudged(what, frame);
      case StreamEvent.Foreign(String what) -> {
        if (!isLeftOut(what)) {
          silent(Held.unread(frame), Order.IN_TURN);
        }
      }
      case StreamEvent.Malformed(var problem, String detail) ->
          malformed(new StreamFraming.Fault(problem, detail), frame);
    }
  }

  private Held held(Frame frame, Annotatable edits, boolean isSaid) {
    return new Held(frame, exchange.rule.isTap() ? Optional.empty() : Optional.of(edits), isSaid);
  }

  private void silent(Held event, Order order) {
    if (waitsForAll) {
      waits(event);
      return;
    }
    apply(new Event.Silent(event.length(), order, extent(!reader.isOpen())), Optional.of(event));
  }

  private void said(boolean complete, List<String> unreadHere, Held event) {
    Optional<String> blocking =
        mode == StreamMode.OBSERVE ? Optional.empty() : Unread.blocking(exchange, unreadHere);
    if (blocking.isPresent()) {
      block(blocking.get());
      return;
    }
    unread = Unread.both(unread, unreadHere);
    apply(
        new Event.Said(event.length(), reader.saidBytes(), extent(complete || !reader.isOpen())),
        Optional.of(event));
  }

  private Extent extent(boolean complete) {
    return complete && !waitsForAll ? Extent.COMPLETE : Extent.PARTIAL;
  }

  /** It waits for the end of the body. */
  private void waits(Held event) {
    apply(new Event.Said(event.length(), reader.saidBytes(), Extent.PARTIAL), Optional.of(event));
  }

  /**
   * The agent ends its answer with an error. What was said before is judged as it is; if it may not
   * go on, the error goes on without it.
   */
  private void failed(AgentError error, Held event) {
    errorBytes += error.bytes();
    errorSpeaks |= event.isSaid();
    failure = Optional.of(error);
    Optional<Reason> why =
        mode == StreamMode.OBSERVE
            ? Optional.empty()
            : Unread.withheld(exchange, error, errorBytes);
    if (why.isPresent()) {
      String id = exchange.services.gate().newId();
      if (why.get() == Reason.UNJUDGED) {
        recordUnjudged(Unread.ERROR_TEXT, OnFailure.BLOCK, id);
      } else {
        exchange.record.stoppedUnread(why.get(), Leg.RESPONSE, id, PlainBody.none(), status);
      }
      follow(refuse(Notices.agentError(error, status, why.get()), Unread.ERROR_TEXT));
    } else if (event.isSaid() || !buffer.isIdle()) {
      unread = Unread.both(unread, List.of(Unread.ERROR_TEXT));
      apply(
          new Event.Said(event.length(), reader.saidBytes(), extent(/* complete= */ true)),
          Optional.of(event));
    } else {
      exchange.record.partlyUnread(List.of(Unread.ERROR_TEXT), OnFailure.WARN);
      silent(event, Order.IN_TURN);
    }
  }

  /** What waits may not go on, but that the agent failed does. */
  private Step withoutWords(Judgment bad) {
    exchange.record.acted("cut", Optional.empty());
    if (errorSpeaks) {
      Reason why = bad.decision().primaryReason();
      return refuse(Notices.agentError(failure.orElseThrow(), status, why), Unread.ERROR_TEXT);
    }
    for (var next = buffer.next(); next.isPresent(); next = buffer.next()) {
      if (!next.get().isSaid()) {
        write(next.get().stripped());
      }
    }
    return ending();
  }

  /** Words that stand alone are judged alone, and do not wait for the answer around them. */
  private void aside(AgentMessage message, Held event) {
    Optional<Judgment> judged =
        exchange.judge(
            Leg.RESPONSE,
            message,
            ExchangeContext.Aside.NOTHING,
            exchange.rule.requestGrounding(),
            exchange.keys.answer(asked));
    if (judged.isEmpty()) {
      unjudged(Unread.JUDGING_LIMIT, event, Order.OVERTAKES);
      return;
    }
    Judgment alone = judged.get();
    exchange.record.decided(alone, buffer, status, 0);
    if (mode != StreamMode.OBSERVE && !exchange.goesOn(alone)) {
      judgment = Optional.of(alone);
      follow(exchange.enforcement.step(alone, this));
      return;
    }
    byte[] bytes = annotated(event, alone.annotation());
    exchange.record.forwarded(bytes.length);
    exchange.remember(alone);
    if (waitsForAll) {
      waits(event);
      return;
    }
    buffer.transcribe(bytes);
    write(bytes);
  }

  /** An event that nobody can read goes on, or ends the stream, as the route says. */
  private void unjudged(String what, Frame frame) {
    unjudged(what, Held.unread(frame), Order.IN_TURN);
  }

  private void unjudged(String what, Held event, Order order) {
    OnFailure policy = onUnjudged();
    if (policy == OnFailure.BLOCK) {
      block(what);
      return;
    }
    exchange.record.partlyUnread(List.of(what), policy);
    silent(event, order);
  }

  /** An event that is broken in itself. */
  private void malformed(StreamFraming.Fault problem, Frame frame) {
    if (exchange.observing()) {
      exchange.record.partlyUnread(List.of("malformed"), OnFailure.WARN);
      silent(Held.unread(frame), Order.IN_TURN);
    } else {
      refuseMalformed(problem);
    }
  }

  private void refuseMalformed(StreamFraming.Fault problem) {
    exchange.record.malformed(problem.fault());
    follow(refuse(Notices.upstream(problem.fault().code()), "malformed"));
  }

  /** Bytes that are no events end the stream; where nothing is held back they go on as they are. */
  private boolean broken() {
    StreamFraming.Fault problem = fault.orElseThrow();
    fault = Optional.empty();
    if (!exchange.observing()) {
      refuseMalformed(problem);
      return true;
    }
    recordUnjudged("malformed", OnFailure.WARN, exchange.services.gate().newId());
    raw = true;
    flush();
    write(buffer.rest());
    end = bodyEnded ? End.FINISH : End.OPEN;
    return true;
  }

  // ---- what the gate says ----

  private void apply(Event event, Optional<Held> about) {
    StreamGate.Step step = gate.step(event, nowMs());
    gate = step.next();
    held = about;
    effects.addAll(step.effects());
    if (effects.isEmpty()) {
      schedule();
    }
  }

  @Override
  void judged(Outcome outcome) {
    apply(new Event.Judged(outcome), Optional.empty());
  }

  private void carryOut(Effect effect) {
    switch (effect) {
      case Effect.Pass _ -> pass(held.orElseThrow());
      case Effect.Wait _ -> {
        buffer.add(held.orElseThrow());
        inHand = Optional.empty();
      }
      case Effect.Judge(Extent extent) -> judge(extent, nowMs());
      case Effect.Release _ -> release();
      case Effect.Forget _ -> {
        tellHeard();
        reader.forget();
      }
      case Effect.Beat _ -> follow(new Step.Beat(reader.framing().heartbeat()));
      case Effect.Refuse _ -> follow(refused(judgment.orElseThrow()));
      case Effect.Cut(String code) -> follow(cut(code));
      case Effect.Finish _ -> finish();
    }
  }

  private Step refused(Judgment bad) {
    return failure.isPresent() ? withoutWords(bad) : exchange.enforcement.step(bad, this);
  }

  // ---- what goes on ----

  private void pass(Held event) {
    byte[] bytes = event.stripped();
    isBegun |= event.frame().payload().isPresent();
    buffer.transcribe(bytes);
    inHand = Optional.empty();
    write(bytes);
  }

  /** The verdict stands in the last event that it covers and that has words. */
  private void release() {
    boolean whole = !reader.isOpen() || gate.bodyEnded();
    Optional<Held> told = whole ? buffer.lastSaid() : Optional.empty();
    for (var next = buffer.next(); next.isPresent(); next = buffer.next()) {
      isBegun |= next.get().frame().payload().isPresent();
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

  private byte[] annotated(Held event, VerdictHeader told) {
    return event.edits().isEmpty()
        ? event.frame().bytes()
        : event.with(exchange.edits(event.edits().get(), told));
  }

  private void write(byte[] bytes) {
    if (bytes.length == 0) {
      return; // of trailers, which go on behind the body
    }
    follow(new Step.Piece(Unpooled.wrappedBuffer(bytes)));
  }

  private void finish() {
    if (isStoppedWhole()) {
      return;
    }
    if (!raw && !blind && exchange.checks.any(Check::hears)) {
      tellHeard();
      ResponseView all = reader.soFar();
      exchange.checks.each(check -> check.streamed(all));
    }
    follow(ending());
  }

  @Override
  boolean close() {
    coding.ifPresent(Inflation::close);
    return super.close();
  }

  private Step ending() {
    close();
    HttpHeaders last =
        exchange.isAnswered() ? trailers : PassedFields.withStatusOf(headers, trailers);
    verdict.ifPresent(annotation -> exchange.annotate(last, annotation));
    exchange.showPeer(last);
    exchange.record.streamed(status);
    return new Step.End(last);
  }

  private void tellHeard() {
    if (reader.saidBytes() > 0 && exchange.checks.any(Check::hears)) {
      Utf8Span said = reader.said().answer();
      exchange.checks.each(check -> check.heard(said));
    }
  }

  // ---- what does not go on ----

  /** The end in the caller's own protocol; without one, an end that nobody takes for a whole. */
  @Override
  void refused(Notice notice, String code) {
    exchange.record.streamCut(code);
    StreamReader.Ending refusal = reader.refuse(notice, isBegun);
    HttpHeaders last = Responder.fields(refusal.trailers());
    notice
        .verdict()
        .ifPresentOrElse(
            annotation -> VerdictFields.write(last, annotation),
            () -> last.set(VerdictFields.REASON, notice.code()));
    exchange.record.streamed(status);
    if (refusal.payloads().isEmpty() && refusal.trailers().isEmpty()) {
      follow(Step.BREAK_OFF);
    } else {
      refusal.payloads().forEach(payload -> write(reader.framing().frame(refusal.name(), payload)));
      follow(new Step.End(last));
    }
  }

  @Override
  void gateFailed(OnFailure policy, String id) {
    boolean blocked = policy == OnFailure.BLOCK || isOver();
    exchange.record.gateFailed(blocked ? OnFailure.BLOCK : policy, id, Leg.RESPONSE);
    effects.clear();
    fault = Optional.empty();
    if (end == End.TRAILERS) {
      trailers = new DefaultHttpHeaders(); // nobody has looked at them
    }
    if (!blocked) {
      blind = true;
      flush();
      inHand.ifPresent(frame -> write(frame.bytes()));
      inHand = Optional.empty();
      isAccountDue = true;
      end = bodyEnded ? End.FINISH : End.OPEN;
    } else if (isOver()) {
      follow(Step.BREAK_OFF);
    } else {
      follow(
          refuse(
              Notices.unavailable(
                  "internal_error", "The gate failed; the rest of the stream was not delivered."),
              "internal_error"));
    }
  }

  // ---- time ----

  private void schedule() {
    OptionalLong wake = isOver() ? OptionalLong.empty() : gate.wakeAtMs();
    if (wake.isPresent() && wake.getAsLong() < wakeAtMs) {
      wakeAtMs = wake.getAsLong();
      follow(new Step.Wake(Math.max(1, wakeAtMs - nowMs())));
    }
  }

  @Override
  void tick() {
    wakeAtMs = NEVER;
    if (!isOver() && !blind && !raw && !asksSecond) {
      apply(new Event.Tick(), Optional.empty());
    }
  }

  private static long nowMs() {
    return System.nanoTime() / NS_PER_MS;
  }
}
