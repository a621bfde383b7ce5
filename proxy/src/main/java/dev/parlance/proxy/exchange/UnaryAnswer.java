package dev.parlance.proxy.exchange;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.OnFailure;
import dev.parlance.proxy.gate.Judgment;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.wire.api.Notice;
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
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.util.List;
import java.util.Optional;

/**
 * The stages of an answer that arrives whole.
 *
 * <pre>
 *   execute, warn -> on to the caller
 *   regenerate    -> inbound:  the local agent is asked again
 *                    outbound: typed error to the local agent
 *   yield         -> held, escalation to the caller
 * </pre>
 */
final class UnaryAnswer extends MessageStages {
  private static final int NO_CONTENT = 204;
  private static final int NOT_MODIFIED = 304;

  private final WholeResponse arrived;
  private Optional<ResponseView> view = Optional.empty();

  /**
   * An answer whose body the context holds.
   *
   * @param arrived its head and trailers
   */
  UnaryAnswer(ExchangeContext at, WholeResponse arrived) {
    super(at, Leg.RESPONSE, at.plan.answer());
    this.arrived = arrived;
  }

  /** Its head and trailers. */
  WholeResponse arrived() {
    return arrived;
  }

  /** True if the answer says something of a round. */
  boolean isMarked() {
    return !(mark() instanceof RoundMark.None);
  }

  /** True if an answer with this head has no words, whatever its body. */
  static boolean saysNothing(HttpMethod method, int status) {
    return status == NO_CONTENT || status == NOT_MODIFIED || method.equals(HttpMethod.HEAD);
  }

  @Override
  Step read() {
    long startNs = System.nanoTime();
    if (at.direction == Direction.OUTBOUND && (at.pact.isPresent() || at.accepted.isPresent())) {
      at.saidOfPact = PactFields.reference(arrived.headers());
      if (PactStage.goesAgain(at)) {
        at.body.release();
        return new Step.SendAgain();
      }
    }
    if (at.direction == Direction.OUTBOUND && at.rule.pact().isOn()) {
      at.ratified = PactFields.ratification(arrived.headers());
      heardOfTalk();
    }
    at.record.forgedFields(
        VerdictFields.strip(arrived.headers()) + VerdictFields.strip(arrived.trailers()),
        Leg.RESPONSE);
    PassedFields.boundTrailers(at, arrived.trailers());
    if (saysNothing(at.request.method(), arrived.status())) {
      // Without words there is nothing to judge; it is a message under its pact all the same.
      return at.pact.isPresent() ? Step.NEXT : new Step.Answer(List.of(), Optional.empty());
    }
    if (at.asked.isEmpty()) {
      return passUnjudged(List.of(), "unread_request", at.unreadPolicy);
    }
    RequestView asked = at.asked.get();
    return switch (at.body.decode(arrived.headers(), at.config.limits().http(), at.memory)) {
      case BodyHolder.Decoded.Refused(WireFault fault, String detail) -> broken(fault, detail);
      case BodyHolder.Decoded.Plain decoded -> {
        Reading<ResponseView> reading = asked.readResponse(head(), decoded.body());
        at.record.readTook(startNs);
        yield switch (reading) {
          case Reading.Readable<ResponseView>(ResponseView read) -> {
            view = Optional.of(read);
            wasRead(read, read.message(), read.unread(), read.round());
            marked(read);
            at.record.forged(read, Leg.RESPONSE);
            yield Step.NEXT;
          }
          case Reading.Unjudged<ResponseView>(String what) -> unjudged(what);
          case Reading.Malformed<ResponseView>(WireFault fault, String detail) ->
              broken(fault, detail);
        };
      }
    };
  }

  /** What the local agent has said does not count if the other side has refused it. */
  private void heardOfTalk() {
    if (at.accepted.isPresent() && at.saidOfPact.id().equals(PactFields.NEGOTIATION)) {
      at.refusedTalk = at.saidOfPact.refused();
      at.services.pacts().retract(at.accepted.get());
    }
  }

  private ResponseHead head() {
    return new ResponseHead(
        arrived.status(),
        name -> Optional.ofNullable(arrived.headers().get(name)),
        at.services.relayed().between(at.keys.parties()),
        at.config.streams().eventBytes(),
        name -> Optional.ofNullable(arrived.trailers().get(name)));
  }

  @Override
  Optional<Judgment> judged(AgentMessage message) {
    return at.judgeAnswer(view.orElseThrow(), message, at.keys.answer(at.asked.orElseThrow()));
  }

  @Override
  Step admitted(Optional<RoundStage.Ticket> taken, Optional<Judgment> judged) {
    // Beside the answer only: in it stands the proposal, which the caller is to read.
    taken.ifPresent(at.responder::beside);
    return Step.NEXT;
  }

  @Override
  Step deliver(Judgment judged, VerdictHeader told) {
    ResponseView read = view.orElseThrow();
    VerdictHeader verdict = at.told(Unread.verdict(at, judged, unreadParts()));
    List<Edit> edits = at.edits(read, verdict);
    at.record.forwarded(at.body.sizeAfter(edits));
    at.services.gate().delivered(judged, at.rule);
    at.remember(judged);
    at.observe(read);
    return new Step.Answer(edits, Optional.of(verdict));
  }

  @Override
  Step deliverUnjudged(List<Edit> edits, String what, OnFailure policy, VerdictHeader warning) {
    return passUnjudged(edits, what, policy);
  }

  /** An answer that goes on although nobody can judge it is counted, and a warning says so. */
  private Step passUnjudged(List<Edit> edits, String what, OnFailure policy) {
    String id = at.services.gate().newId();
    PlainBody body = PlainBody.copyOf(at.body.look(), at.memory);
    at.record.unjudged(what, policy, Leg.RESPONSE, id, body, arrived.status());
    return new Step.Answer(
        edits, policy == OnFailure.WARN ? Optional.of(at.unjudged(id)) : Optional.empty());
  }

  @Override
  Step regenerate(Judgment rejected, VerdictHeader spent) {
    Optional<byte[]> again = at.repair(rejected.instruction(), view.orElseThrow());
    if (again.isPresent()) {
      at.record.acted(ExchangeReport.ASK_AGAIN, Optional.empty());
      return new Step.AskAgain(spent, again.get());
    }
    at.record.acted("refuse", Optional.empty());
    return new Step.Refuse(
        Notices.regenerate(at.told(at.notAskedAgain(spent)), rejected.instruction()), view);
  }

  @Override
  Step hold(Judgment held) {
    PlainBody plain = plainBody();
    return new Step.Hold(
        held,
        view,
        // A release must not bring along a verdict that the agent forged.
        Splicer.applyToBytes(plain.array(), plain.length(), view.orElseThrow().strip()),
        Optional.of(arrived));
  }

  @Override
  Step pass(List<Edit> edits, Optional<VerdictHeader> told) {
    return new Step.Answer(edits, told);
  }

  @Override
  Notice malformed(WireFault fault, String detail) {
    return Notices.upstream(fault.code(), at.destination);
  }

  @Override
  HttpHeaders headers() {
    return arrived.headers();
  }

  @Override
  Optional<byte[]> repair(String instruction) {
    return at.repair(instruction, view.orElseThrow());
  }

  @Override
  int status() {
    return arrived.status();
  }

  @Override
  Optional<ResponseView> rejected() {
    return view;
  }
}
