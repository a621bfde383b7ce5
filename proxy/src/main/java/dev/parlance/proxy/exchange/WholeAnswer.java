package dev.parlance.proxy.exchange;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.route.Decision;
import dev.parlance.policy.route.Reason;
import dev.parlance.policy.route.Route;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.OnFailure;
import dev.parlance.proxy.exchange.RoundStep.Passage;
import dev.parlance.proxy.gate.Charge;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.proxy.gate.Ruling;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseHead;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.RoundMark;
import dev.parlance.wire.api.VerdictHeader;
import dev.parlance.wire.bytes.Edit;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.bytes.Splicer;
import dev.parlance.wire.bytes.WireFault;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The second half of an exchange where the answer arrives whole.
 *
 * <pre>
 *   execute, warn -> on to the caller
 *   regenerate    -> inbound:  the local agent is asked again
 *                    outbound: typed error to the local agent
 *   yield         -> held, escalation to the caller
 * </pre>
 */
final class WholeAnswer {
  private static final int NO_CONTENT = 204;
  private static final int NOT_MODIFIED = 304;

  private final Case at;
  private final Turn turn;
  private final AtHand hand;
  private final WholeResponse arrived;
  private final RoundStep rounds;
  private RoundMark mark = RoundMark.NONE;

  /**
   * An answer whose body is at hand.
   *
   * @param arrived its head and trailers; the body belongs to {@code hand}
   */
  WholeAnswer(Case at, Turn turn, AtHand hand, WholeResponse arrived) {
    this.at = at;
    this.turn = turn;
    this.hand = hand;
    this.arrived = arrived;
    this.rounds = new RoundStep(at, turn);
  }

  /** True if the answer says something of a round. */
  boolean marked() {
    return !(mark instanceof RoundMark.None);
  }

  /** True if an answer with this head has no words, whatever its body. */
  static boolean saysNothing(HttpMethod method, int status) {
    return status == NO_CONTENT || status == NOT_MODIFIED || method.equals(HttpMethod.HEAD);
  }

  void read() {
    long startNs = System.nanoTime();
    at.trail.forgedFields(
        VerdictFields.strip(arrived.headers()) + VerdictFields.strip(arrived.trailers()),
        Leg.RESPONSE);
    Trailers.bound(at, arrived.trailers());
    if (saysNothing(at.request.method(), arrived.status())) {
      pass(List.of(), Optional.empty());
      return;
    }
    if (turn.view().isEmpty()) {
      passUnjudged(List.of(), "unread_request", turn.unreadPolicy());
      return;
    }
    RequestView asked = turn.view().get();
    switch (Bodies.decode(arrived.headers(), hand.look(), at.config.limits(), turn.memory())) {
      case Bodies.Decoded.Refused(WireFault fault, String _) -> malformed(fault);
      case Bodies.Decoded.Plain decoded -> {
        hand.decoded(decoded);
        Reading<ResponseView> reading = asked.readResponse(head(at, arrived), decoded.body());
        at.trail.readTook(startNs);
        switch (reading) {
          case Reading.Readable<ResponseView>(ResponseView read) -> read(asked, read);
          case Reading.Unjudged<ResponseView>(String what) -> unjudged(what);
          case Reading.Malformed<ResponseView>(WireFault fault, String _) -> malformed(fault);
        }
      }
    }
  }

  private static ResponseHead head(Case at, WholeResponse arrived) {
    return new ResponseHead(
        arrived.status(),
        name -> Optional.ofNullable(arrived.headers().get(name)),
        at.services.relayed().between(at.keys.parties()),
        at.config.streams().eventBytes(),
        name -> Optional.ofNullable(arrived.trailers().get(name)));
  }

  private void read(RequestView asked, ResponseView read) {
    mark = read.round();
    at.trail.forged(read, Leg.RESPONSE);
    Optional<String> blocking = Unread.blocking(at, read.unread());
    if (blocking.isPresent()) {
      unjudged(blocking.get());
      return;
    }
    Optional<AgentMessage> said = read.message();
    if (said.isEmpty()) {
      VerdictHeader verdict = at.unjudged(at.services.gate().newId(), turn.attempt());
      passRound(asked, read, Optional.empty(), verdict, () -> passWordless(read));
      return;
    }
    Optional<Ruling> judged =
        at.judgeAnswer(read, said.get(), at.keys.answer(asked), turn.attempt());
    if (judged.isEmpty()) {
      tooMuch(asked, read);
      return;
    }
    Ruling ruling = judged.get();
    at.trail.decided(ruling, Leg.RESPONSE, hand.plain().body(), arrived.status());
    if (at.goesOn(ruling)) {
      passRound(asked, read, Optional.of(ruling), ruling.annotation(), () -> deliver(read, ruling));
    } else {
      sendBack(asked, ruling, read);
    }
  }

  private void deliver(ResponseView read, Ruling ruling) {
    VerdictHeader verdict = turn.told(Unread.verdict(at, ruling, read.unread()));
    List<Edit> edits = at.edits(read, verdict);
    at.trail.forwarded(Bodies.sizeAfter(hand.look(), hand.plain(), edits));
    at.services.gate().delivered(ruling, at.rule);
    at.remember(ruling);
    at.observe(read);
    pass(edits, Optional.of(verdict));
  }

  /** An answer that would take too long to judge. */
  private void tooMuch(RequestView asked, ResponseView read) {
    OnFailure policy = at.onUnjudged();
    if (policy == OnFailure.BLOCK) {
      unjudged(Unread.JUDGING_LIMIT);
      return;
    }
    passRound(
        asked,
        read,
        Optional.empty(),
        at.unjudged(at.services.gate().newId(), turn.attempt()),
        () -> passUnjudged(read.strip(), Unread.JUDGING_LIMIT, policy));
  }

  private void passWordless(ResponseView read) {
    if (read.unread().isEmpty()) {
      pass(read.strip(), Optional.empty());
    } else {
      passUnjudged(read.strip(), read.unread().getFirst(), Unread.policy(at, read.unread()));
    }
  }

  /**
   * The answer goes on, unless what it says of a round stands against it.
   *
   * @param ruling empty for an answer without words
   */
  private void passRound(
      RequestView asked,
      ResponseView read,
      Optional<Ruling> ruling,
      VerdictHeader verdict,
      Runnable goOn) {
    if (rounds.isIdle(Leg.RESPONSE, mark, true)) {
      goOn.run();
      return;
    }
    RoundStep.Message message =
        new RoundStep.Message(
            Leg.RESPONSE,
            mark,
            ruling.map(judged -> judged.message().answer().toByteArray()),
            read.unread().isEmpty(),
            true,
            hand.plain().body(),
            verdict.route(),
            verdict.decisionId());
    rounds.take(
        message,
        passage -> {
          switch (passage) {
            case Passage.On(Optional<RoundTicket> taken) -> {
              // Beside the answer only: in it stands the proposal, which the caller is to read.
              taken.ifPresent(ticket -> at.answer.beside(() -> Optional.of(ticket.status())));
              goOn.run();
            }
            case Passage.Stopped(Reason reason, String code, String detail) ->
                stop(read, ruling, verdict, reason, code, detail);
            case Passage.Held(String detail) -> {
              Reason reason = Reason.ROUND_UNAVAILABLE;
              if (ruling.isPresent()) {
                hand.release();
                at.trail.stopped(Route.YIELD, reason);
                hold(asked, ruling.get().with(Notices.heldForRound(verdict)), read);
              } else {
                stop(read, ruling, verdict, reason, reason.code(), detail);
              }
            }
          }
        });
  }

  private void stop(
      ResponseView read,
      Optional<Ruling> ruling,
      VerdictHeader verdict,
      Reason reason,
      String code,
      String detail) {
    PlainBody body = hand.plain().body();
    hand.release();
    if (ruling.isPresent()) {
      at.trail.stopped(Route.REGENERATE, reason);
      at.trail.acted("refuse", Optional.empty());
    } else {
      at.trail.stoppedUnread(reason, Leg.RESPONSE, verdict.decisionId(), body, arrived.status());
    }
    at.answer.refuse(
        turn.view(),
        Notices.round(reason, code, detail, Optional.of(turn.told(verdict))),
        Optional.of(read));
  }

  private void unjudged(String what) {
    OnFailure policy = at.onUnjudged();
    String id = at.services.gate().newId();
    at.trail.unjudged(what, policy, Leg.RESPONSE, id, hand.plain().body(), arrived.status());
    switch (policy) {
      case BLOCK -> {
        hand.release();
        at.answer.refuse(turn.view(), Notices.unjudged(what), arrived.status());
      }
      case WARN -> pass(List.of(), Optional.of(at.unjudged(id, turn.attempt())));
      case ALLOW -> pass(List.of(), Optional.empty());
    }
  }

  /** An answer that goes on although nobody can judge it is counted, and a warning says so. */
  private void passUnjudged(List<Edit> edits, String what, OnFailure policy) {
    String id = at.services.gate().newId();
    PlainBody body = PlainBody.copyOf(hand.look(), turn.memory());
    at.trail.unjudged(what, policy, Leg.RESPONSE, id, body, arrived.status());
    pass(
        edits,
        policy == OnFailure.WARN ? Optional.of(at.unjudged(id, turn.attempt())) : Optional.empty());
  }

  private void malformed(WireFault fault) {
    if (at.observing()) {
      String id = at.services.gate().newId();
      at.trail.unjudged(
          "malformed", OnFailure.WARN, Leg.RESPONSE, id, hand.plain().body(), arrived.status());
      pass(List.of(), Optional.of(at.unjudged(id, turn.attempt())));
      return;
    }
    at.trail.malformed(fault);
    hand.release();
    at.answer.refuse(turn.view(), Notices.upstream(fault.code(), at.destination), Optional.empty());
  }

  /** The answer goes on with these edits, and the verdict beside it. */
  void pass(List<Edit> edits, Optional<VerdictHeader> verdict) {
    HttpHeaders headers = arrived.headers();
    ByteBuf body =
        Bodies.edited(hand.take(), hand.plain(), edits, headers, at.services.allocator());
    verdict.ifPresent(annotation -> VerdictFields.write(headers, annotation));
    at.answer.give(new WholeResponse(arrived.status(), headers, body, arrived.trailers()));
  }

  // ---- what does not go on ----

  private void sendBack(RequestView asked, Ruling ruling, ResponseView rejected) {
    hand.release();
    switch (ruling.decision()) {
      case Decision.Regenerate _ -> {
        switch (at.services.gate().regenerate(ruling, at.rule)) {
          case Charge.Granted(VerdictHeader spent) -> regenerate(asked, ruling, spent, rejected);
          case Charge.Denied(Reason _, Ruling denied) -> {
            at.trail.amended(denied);
            hold(asked, denied, rejected);
          }
        }
      }
      case Decision.Yield _ -> hold(asked, ruling, rejected);
      case Decision.Execute _, Decision.Warn _ ->
          throw new IllegalStateException("nothing stands against " + ruling.id());
    }
  }

  private void regenerate(
      RequestView asked, Ruling ruling, VerdictHeader spent, ResponseView rejected) {
    boolean ownAnswer = at.direction == Direction.INBOUND;
    Optional<byte[]> again =
        ownAnswer && at.rule.regenerate()
            ? asked.repair(rejected, ruling.instruction(), UUID.randomUUID().toString())
            : Optional.empty();
    if (again.isPresent()) {
      turn.askAgain(ruling, spent, again.get());
      return;
    }
    at.trail.acted("refuse", Optional.empty());
    VerdictHeader verdict = ownAnswer ? Notices.withReason(spent, Reason.REGENERATE_OFF) : spent;
    at.answer.refuse(
        turn.view(),
        Notices.regenerate(turn.told(verdict), ruling.instruction()),
        Optional.of(rejected));
  }

  private void hold(RequestView asked, Ruling ruling, ResponseView rejected) {
    PlainBody plain = hand.plain().body();
    at.reviewing.hold(
        ruling,
        asked,
        Optional.of(rejected),
        // A release must not bring along a verdict that the agent forged.
        Splicer.applyToBytes(plain.array(), plain.length(), rejected.strip()),
        Optional.of(arrived),
        turn,
        notice -> at.answer.refuse(turn.view(), notice, Optional.of(rejected)));
  }
}
