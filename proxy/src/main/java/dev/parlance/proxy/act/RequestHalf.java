package dev.parlance.proxy.act;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.route.Decision;
import dev.parlance.policy.route.Reason;
import dev.parlance.policy.route.Route;
import dev.parlance.proxy.config.OnFailure;
import dev.parlance.proxy.gate.Charge;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.proxy.gate.Ruling;
import dev.parlance.proxy.relay.WholeResponse;
import dev.parlance.proxy.review.ReviewItem;
import dev.parlance.proxy.wire.Annotation;
import dev.parlance.proxy.wire.BodyDecoder.Decoding;
import dev.parlance.proxy.wire.Edit;
import dev.parlance.proxy.wire.Reading;
import dev.parlance.proxy.wire.RequestView;
import dev.parlance.proxy.wire.WireFault;
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

  /** The released message that is on its way and has not arrived yet. */
  private Optional<ReviewItem> delivering = Optional.empty();

  RequestHalf(Case at, Turn turn, AtHand hand) {
    this.at = at;
    this.turn = turn;
    this.hand = hand;
  }

  void read() {
    long startNs = System.nanoTime();
    at.trail.forgedFields(VerdictFields.strip(at.request.headers()), Leg.REQUEST);
    switch (Bodies.decode(at.request.headers(), hand.look(), at.config.limits())) {
      case Decoding.Refused(WireFault fault, String detail) -> malformed(fault, detail);
      case Decoding.Decoded decoded -> {
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
    at.trail.read(read, at.keys.flow(read));
    if (deliverReleasedAnswer(read)) {
      return;
    }
    Optional<AgentMessage> said = read.message();
    Optional<String> blocking = Unread.blocking(at, read.unread());
    if (blocking.isPresent()) {
      unjudged(blocking.get());
      return;
    }
    if (said.isEmpty()) {
      passUnread(read);
      return;
    }
    Ruling ruling =
        at.judge(
            Leg.REQUEST,
            said.get(),
            at.rule.requestGrounding(),
            at.keys.request(read),
            turn.attempt());
    at.trail.decided(ruling, Leg.REQUEST, hand.plain().body(), 0);
    if (at.goesOn(ruling)) {
      Annotation verdict = Unread.verdict(at, ruling, read.unread());
      List<Edit> edits = at.edits(read, verdict);
      at.trail.forwarded(Bodies.sizeAfter(hand.look(), hand.plain(), edits));
      at.remember(ruling);
      turn.forward(edits, Optional.of(verdict));
    } else if (!passReleasedRequest(read, ruling)) {
      sendBack(read, ruling);
    }
  }

  /** A request without words; what it holds besides goes on as the route says. */
  private void passUnread(RequestView read) {
    if (read.unread().isEmpty()) {
      turn.forward(read.strip(), Optional.empty());
      return;
    }
    OnFailure policy = Unread.policy(at, read.unread());
    String id = at.services.gate().newId();
    at.trail.unjudged(read.unread().getFirst(), policy, Leg.REQUEST, id, hand.plain().body(), 0);
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
    Annotation verdict = Notices.released(ruling.annotation());
    delivering = released;
    at.trail.released(released.get(), verdict, Leg.REQUEST);
    turn.forward(at.edits(read, verdict), Optional.of(verdict));
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
    Annotation verdict =
        at.trail.bare(
            at.services.gate().newId(), Route.EXECUTE, Reason.RELEASED, item.message().attempts());
    HttpHeaders headers = Replies.headersOf(item.message());
    VerdictFields.write(headers, verdict);
    at.trail.released(item, verdict, Leg.RESPONSE);
    at.answer.give(
        new WholeResponse(
            item.message().status(),
            headers,
            Unpooled.wrappedBuffer(body.get()),
            HeldBodies.trailers(item.message())));
    at.reviewing.settle(item);
    return true;
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

  // ---- what does not go on ----

  private void sendBack(RequestView read, Ruling ruling) {
    hand.release();
    switch (ruling.decision()) {
      case Decision.Regenerate _ -> {
        switch (at.services.gate().regenerate(ruling, at.rule)) {
          case Charge.Granted(Annotation spent) -> {
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
        hand.plain().body(),
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
