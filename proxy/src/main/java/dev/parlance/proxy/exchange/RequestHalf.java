package dev.parlance.proxy.exchange;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.route.Decision;
import dev.parlance.policy.route.Reason;
import dev.parlance.policy.route.Route;
import dev.parlance.proxy.config.OnFailure;
import dev.parlance.proxy.exchange.RoundStep.Passage;
import dev.parlance.proxy.gate.Charge;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.proxy.gate.Ruling;
import dev.parlance.proxy.review.ReviewItem;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.RoundMark;
import dev.parlance.wire.api.VerdictHeader;
import dev.parlance.wire.bytes.Edit;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.bytes.WireFault;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import java.util.Optional;

/**
 * The first half of an exchange: what the caller says.
 *
 * <pre>
 *   execute, warn -> on to the agent
 *   regenerate    -> typed error to the caller, who wrote it
 *   yield         -> held, escalation to the caller
 *   released      -> on to the agent; or the released answer, and the agent is not asked
 * </pre>
 */
final class RequestHalf {
  private final Case at;
  private final Turn turn;
  private final AtHand hand;
  private final RoundStep rounds;

  /** The released message that is on its way and has not arrived yet. */
  private Optional<ReviewItem> delivering = Optional.empty();

  RequestHalf(Case at, Turn turn, AtHand hand) {
    this.at = at;
    this.turn = turn;
    this.hand = hand;
    this.rounds = new RoundStep(at, turn);
  }

  void read() {
    long startNs = System.nanoTime();
    at.trail.forgedFields(VerdictFields.strip(at.request.headers()), Leg.REQUEST);
    switch (Bodies.decode(at.request.headers(), hand.look(), at.config.limits(), turn.memory())) {
      case Bodies.Decoded.Refused(WireFault fault, String detail) -> malformed(fault, detail);
      case Bodies.Decoded.Plain decoded -> {
        hand.decoded(decoded);
        at.answer.to(decoded.body());
        Reading<RequestView> reading =
            at.codecs.read(at.rule.codec().code(), at.rule.json(), at.head, decoded.body());
        at.trail.readTook(startNs);
        switch (reading) {
          case Reading.Readable<RequestView>(RequestView read) -> read(read);
          case Reading.Unjudged<RequestView>(String what) -> unjudged(what);
          case Reading.Malformed<RequestView>(WireFault fault, String detail) ->
              malformed(fault, detail);
        }
      }
    }
  }

  private void read(RequestView read) {
    turn.read(read);
    RoundMark mark = read.round();
    at.trail.read(read, at.keys.flow(read));
    Optional<AgentMessage> said = read.message();
    boolean idle = rounds.isIdle(Leg.REQUEST, mark, said.isPresent() || !read.unread().isEmpty());
    if (idle && deliverReleasedAnswer(read)) {
      return;
    }
    Optional<String> blocking = Unread.blocking(at, read.unread());
    if (blocking.isPresent()) {
      unjudged(blocking.get());
      return;
    }
    if (said.isEmpty()) {
      passUnread(read);
      return;
    }
    Optional<Ruling> judged =
        at.judge(
            Leg.REQUEST,
            said.get(),
            at.rule.requestGrounding(),
            at.keys.request(read),
            turn.attempt());
    if (judged.isEmpty()) {
      tooMuch(read);
      return;
    }
    Ruling ruling = judged.get();
    at.trail.decided(ruling, Leg.REQUEST, hand.plain().body(), 0);
    if (at.goesOn(ruling)) {
      pass(read, Optional.of(ruling), ruling.annotation(), () -> deliver(read, ruling));
    } else if (!passReleasedRequest(read, ruling)) {
      sendBack(read, ruling);
    }
  }

  private void deliver(RequestView read, Ruling ruling) {
    VerdictHeader verdict = Unread.verdict(at, ruling, read.unread());
    List<Edit> edits = at.edits(read, verdict);
    at.trail.forwarded(Bodies.sizeAfter(hand.look(), hand.plain(), edits));
    at.remember(ruling);
    turn.forward(edits, Optional.of(verdict));
  }

  /** A request without words; what it holds besides goes on as the route says. */
  private void passUnread(RequestView read) {
    String id = at.services.gate().newId();
    VerdictHeader verdict = at.unjudged(id, turn.attempt());
    if (read.unread().isEmpty()) {
      pass(read, Optional.empty(), verdict, () -> turn.forward(read.strip(), Optional.empty()));
    } else {
      pass(read, Optional.empty(), verdict, () -> deliverUnread(read, id));
    }
  }

  private void deliverUnread(RequestView read, String id) {
    deliverUnread(read, read.unread().getFirst(), Unread.policy(at, read.unread()), id);
  }

  /** A request that would take too long to judge. */
  private void tooMuch(RequestView read) {
    OnFailure policy = at.onUnjudged();
    if (policy == OnFailure.BLOCK) {
      unjudged(Unread.JUDGING_LIMIT);
      return;
    }
    String id = at.services.gate().newId();
    pass(
        read,
        Optional.empty(),
        at.unjudged(id, turn.attempt()),
        () -> deliverUnread(read, Unread.JUDGING_LIMIT, policy, id));
  }

  private void deliverUnread(RequestView read, String what, OnFailure policy, String id) {
    at.trail.unjudged(what, policy, Leg.REQUEST, id, hand.plain().body(), 0);
    turn.forward(
        read.strip(),
        policy == OnFailure.WARN ? Optional.of(at.unjudged(id, turn.attempt())) : Optional.empty());
  }

  /** A person has released exactly this message: it goes on. */
  private boolean passReleasedRequest(RequestView read, Ruling ruling) {
    Optional<ReviewItem> released = at.reviewing.releasedRequest(read, ruling.message());
    if (released.isEmpty()) {
      return false;
    }
    VerdictHeader verdict = Notices.released(ruling.annotation());
    delivering = released;
    pass(
        read,
        Optional.of(ruling),
        verdict,
        () -> {
          at.trail.released(released.get(), verdict, Leg.REQUEST);
          turn.forward(at.edits(read, verdict), Optional.of(verdict));
        });
    return true;
  }

  /** A person has released the answer to this question: the caller gets it now. */
  private boolean deliverReleasedAnswer(RequestView read) {
    if (at.observing()) {
      return false;
    }
    Optional<ReviewItem> released = at.reviewing.releasedAnswer(read);
    Optional<byte[]> body =
        released.flatMap(item -> HeldBodies.adopt(read, item.message(), at.config.streams()));
    if (released.isEmpty() || body.isEmpty()) {
      released.ifPresent(at.reviewing::giveBack);
      return false;
    }
    ReviewItem item = released.get();
    hand.release();
    delivering = released;
    Optional<RoundStep.Message> marked =
        HeldBodies.view(read, item.message(), body.get())
            .map(answer -> new RoundStep.Message(answer, item.message(), body.get()))
            .filter(message -> !rounds.isIdle(message.leg(), message.mark(), true));
    if (marked.isEmpty()) {
      deliverReleased(item, body.get());
    } else {
      rounds.take(
          marked.get(),
          passage -> {
            switch (passage) {
              case Passage.On(Optional<RoundTicket> taken) -> {
                taken.ifPresent(ticket -> at.answer.beside(() -> Optional.of(ticket.status())));
                deliverReleased(item, body.get());
              }
              case Passage.Stopped(Reason reason, String code, String detail) ->
                  refuseReleased(item, reason, code, detail);
              case Passage.Held(String detail) ->
                  refuseReleased(
                      item, Reason.ROUND_UNAVAILABLE, Reason.ROUND_UNAVAILABLE.code(), detail);
            }
          });
    }
    return true;
  }

  /** What was released is a proposal or claim that may not go on now; it stays released. */
  private void refuseReleased(ReviewItem item, Reason reason, String code, String detail) {
    giveBackUndelivered();
    at.trail.stoppedUnread(
        reason,
        Leg.RESPONSE,
        at.services.gate().newId(),
        PlainBody.of(item.message().body()),
        item.message().status());
    at.answer.refuse(
        turn.view(), Notices.round(reason, code, detail, Optional.empty()), Optional.empty());
  }

  private void deliverReleased(ReviewItem item, byte[] body) {
    delivering = Optional.empty();
    VerdictHeader verdict =
        at.bare(
            at.services.gate().newId(), Route.EXECUTE, Reason.RELEASED, item.message().attempts());
    HttpHeaders headers = Replies.headersOf(item.message());
    VerdictFields.write(headers, verdict);
    at.trail.released(item, verdict, Leg.RESPONSE);
    at.answer.give(
        new WholeResponse(
            item.message().status(),
            headers,
            Unpooled.wrappedBuffer(body),
            HeldBodies.trailers(item.message())));
    at.reviewing.settle(item);
  }

  private void unjudged(String what) {
    OnFailure policy = at.onUnjudged();
    String id = at.services.gate().newId();
    at.trail.unjudged(what, policy, Leg.REQUEST, id, hand.plain().body(), 0);
    turn.unread(policy);
    switch (policy) {
      case BLOCK -> {
        hand.release();
        at.answer.refuse(turn.view(), Notices.unjudged(what), Optional.empty());
      }
      case WARN -> turn.forward(List.of(), Optional.of(at.unjudged(id, turn.attempt())));
      case ALLOW -> turn.forward(List.of(), Optional.empty());
    }
  }

  private void malformed(WireFault fault, String detail) {
    if (at.observing()) {
      turn.unread(OnFailure.WARN);
      String id = at.services.gate().newId();
      at.trail.unjudged("malformed", OnFailure.WARN, Leg.REQUEST, id, hand.plain().body(), 0);
      turn.forward(List.of(), Optional.of(at.unjudged(id, turn.attempt())));
      return;
    }
    at.trail.malformed(fault);
    hand.release();
    at.answer.refuse(turn.view(), Notices.malformed(fault, detail), Optional.empty());
  }

  // ---- rounds ----

  /**
   * The request goes on, unless what it says of a round stands against it.
   *
   * @param ruling empty for a request without words
   * @param verdict the verdict with which it goes on
   */
  private void pass(
      RequestView read, Optional<Ruling> ruling, VerdictHeader verdict, Runnable goOn) {
    boolean speaks = read.message().isPresent() || !read.unread().isEmpty();
    if (rounds.isIdle(Leg.REQUEST, read.round(), speaks)) {
      goOn.run();
      return;
    }
    RoundStep.Message message =
        new RoundStep.Message(
            Leg.REQUEST,
            read.round(),
            ruling.map(judged -> judged.message().answer().toByteArray()),
            read.unread().isEmpty(),
            speaks,
            hand.plain().body(),
            verdict.route(),
            verdict.decisionId());
    rounds.take(
        message,
        passage -> {
          switch (passage) {
            case Passage.On(Optional<RoundTicket> taken) -> {
              taken.ifPresent(turn::proposed);
              if (delivering.isEmpty() && deliverReleasedAnswer(read)) {
                return;
              }
              if (delivering.isEmpty()) {
                // What was held because nobody could be asked needs its release no more.
                delivering =
                    ruling.flatMap(judged -> at.reviewing.releasedRequest(read, judged.message()));
              }
              goOn.run();
            }
            case Passage.Stopped(Reason reason, String code, String detail) ->
                stop(ruling, verdict, reason, code, detail);
            case Passage.Held(String detail) -> {
              if (ruling.isPresent() && delivering.isEmpty()) {
                hand.release();
                at.trail.stopped(Route.YIELD, Reason.ROUND_UNAVAILABLE);
                hold(read, ruling.get().with(Notices.heldForRound(verdict)));
              } else {
                String code = Reason.ROUND_UNAVAILABLE.code();
                stop(ruling, verdict, Reason.ROUND_UNAVAILABLE, code, detail);
              }
            }
          }
        });
  }

  private void stop(
      Optional<Ruling> ruling, VerdictHeader verdict, Reason reason, String code, String detail) {
    PlainBody body = hand.plain().body();
    hand.release();
    giveBackUndelivered();
    if (ruling.isPresent()) {
      at.trail.stopped(Route.REGENERATE, reason);
      at.trail.acted("refuse", Optional.empty());
    } else {
      at.trail.stoppedUnread(reason, Leg.REQUEST, verdict.decisionId(), body, 0);
    }
    at.answer.refuse(
        turn.view(), Notices.round(reason, code, detail, Optional.of(verdict)), Optional.empty());
  }

  // ---- what does not go on ----

  private void sendBack(RequestView read, Ruling ruling) {
    hand.release();
    switch (ruling.decision()) {
      case Decision.Regenerate _ -> {
        switch (at.services.gate().regenerate(ruling, at.rule)) {
          case Charge.Granted(VerdictHeader spent) -> {
            at.trail.acted("refuse", Optional.empty());
            at.answer.refuse(
                turn.view(), Notices.regenerate(spent, ruling.instruction()), Optional.empty());
          }
          case Charge.Denied(Reason _, Ruling denied) -> {
            at.trail.amended(denied);
            hold(read, denied);
          }
        }
      }
      case Decision.Yield _ -> hold(read, ruling);
      case Decision.Execute _, Decision.Warn _ ->
          throw new IllegalStateException("nothing stands against " + ruling.id());
    }
  }

  private void hold(RequestView read, Ruling ruling) {
    at.reviewing.hold(
        ruling,
        read,
        Optional.empty(),
        hand.plain().body().toBytes(),
        Optional.empty(),
        turn,
        notice -> at.answer.refuse(turn.view(), notice, Optional.empty()));
  }

  // ---- a released request on its way ----

  /** It has arrived. */
  void arrived() {
    delivering.ifPresent(at.reviewing::settle);
    delivering = Optional.empty();
  }

  /** It did not arrive, and waits for the next who sends it. */
  void giveBackUndelivered() {
    delivering.ifPresent(at.reviewing::giveBack);
    delivering = Optional.empty();
  }
}
