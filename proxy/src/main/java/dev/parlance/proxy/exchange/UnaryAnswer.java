package dev.parlance.proxy.exchange;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.route.Reason;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.OnFailure;
import dev.parlance.proxy.config.RouteRule;
import dev.parlance.proxy.exchange.body.BodyHolder;
import dev.parlance.proxy.exchange.body.VerdictFields;
import dev.parlance.proxy.gate.Judgment;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.wire.api.AgentError;
import dev.parlance.wire.api.Annotatable;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseHead;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.VerdictHeader;
import dev.parlance.wire.bytes.Edit;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.bytes.Splicer;
import dev.parlance.wire.bytes.WireFault;
import dev.parlance.wire.plumbing.PlumbingCall;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
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
  UnaryAnswer(ExchangeContext exchange, WholeResponse arrived) {
    super(exchange, Leg.RESPONSE, exchange.plan.answer());
    this.arrived = arrived;
  }

  /** Its head and trailers. */
  WholeResponse arrived() {
    return arrived;
  }

  /** True if an answer with this head has no words, whatever its body. */
  static boolean saysNothing(HttpMethod method, int status) {
    return status == NO_CONTENT || status == NOT_MODIFIED || method.equals(HttpMethod.HEAD);
  }

  @Override
  Step read() {
    long startNs = System.nanoTime();
    exchange.arrivedStatus = arrived.status();
    exchange.checks.each(check -> check.fields(Leg.RESPONSE, arrived.headers()));
    Optional<Check> refused = exchange.checks.refusedUnread();
    if (refused.isPresent()) {
      exchange.body.release();
      return new Step.SendAgain(refused.get(), refused.get().refusedUnread().orElseThrow());
    }
    exchange.peerWord = PeerVerdict.take(exchange, Leg.RESPONSE, arrived.headers());
    exchange.stripFields(arrived.trailers(), Leg.RESPONSE);
    PassedFields.boundHead(exchange, arrived.headers());
    PassedFields.boundTrailers(exchange, arrived.trailers());
    if (saysNothing(exchange.request.method(), arrived.status())) {
      return silent();
    }
    if (exchange.plumbing.isPresent()) {
      return plumbing(exchange.plumbing.get());
    }
    if (exchange.asked.isEmpty()) {
      return passUnjudged(List.of(), "unread_request", exchange.unreadPolicy);
    }
    RequestView asked = exchange.asked.get();
    return switch (exchange.body.decode(
        arrived.headers(), exchange.config.limits().http(), exchange.memory)) {
      case BodyHolder.Decoded.Refused(WireFault fault, String detail) ->
          isHttpError()
              ? heard(new ResponseView.Failed(AgentError.UNREADABLE, Annotatable.NOWHERE))
              : broken(fault, detail);
      case BodyHolder.Decoded.Plain decoded -> {
        Reading<ResponseView> reading = asked.readResponse(wireHead(), decoded.body());
        boolean isEmpty = decoded.body().isEmpty() && !speaksBeside();
        if (isHttpError() && !isEmpty && !isOfProtocol(reading)) {
          reading =
              ResponseView.Failed.reading(
                  AgentError.ofBody(wireHead(), decoded.body(), exchange.config.limits().json()));
        }
        exchange.record.readTook(startNs);
        yield switch (reading) {
          case Reading.Readable<ResponseView>(ResponseView.Unawaited _)
              when !exchange.observing() ->
              withoutBody();
          case Reading.Readable<ResponseView>(ResponseView read) -> heard(read);
          case Reading.Unjudged<ResponseView>(String what) -> unjudged(what);
          case Reading.Malformed<ResponseView>(WireFault fault, String detail) ->
              broken(fault, detail);
        };
      }
    };
  }

  /** The answer to what no codec read and passed by its name. */
  private Step plumbing(PlumbingCall call) {
    if (!exchange.observing()) {
      PassedFields.boundStatus(arrived.headers());
      PassedFields.boundStatus(arrived.trailers());
    }
    return switch (exchange.body.decode(
        arrived.headers(), exchange.config.limits().http(), exchange.memory)) {
      case BodyHolder.Decoded.Refused(WireFault fault, String detail) -> broken(fault, detail);
      case BodyHolder.Decoded.Plain decoded -> {
        Optional<String> fault = PlumbingBounds.answer(exchange, call, wireHead(), decoded.body());
        yield fault.isPresent()
            ? unjudged(fault.get())
            : new Step.Answer(List.of(), Optional.empty());
      }
    };
  }

  /** Without words there is nothing to judge; a check may want to see it all the same. */
  private Step silent() {
    return exchange.checks.any(check -> check.binds(Leg.RESPONSE))
        ? Step.NEXT
        : pass(List.of(), Optional.empty());
  }

  /** Nobody waits for the body, and nobody reads it: its status goes on alone. */
  private Step withoutBody() {
    exchange.body.put(Unpooled.EMPTY_BUFFER);
    arrived.headers().remove(HttpHeaderNames.CONTENT_TYPE);
    arrived.headers().remove(HttpHeaderNames.CONTENT_ENCODING);
    VerdictFields.bodyChanged(arrived.headers());
    return silent();
  }

  private Step heard(ResponseView read) {
    view = Optional.of(read);
    wasRead(read);
    exchange.record.forged(read, Leg.RESPONSE);
    return Step.NEXT;
  }

  private boolean isHttpError() {
    return ResponseHead.isError(arrived.status());
  }

  /** False for the page of a framework, and for whatever else no codec knows. */
  private static boolean isOfProtocol(Reading<ResponseView> reading) {
    return reading instanceof Reading.Readable<ResponseView>(ResponseView read)
        && (read.failure().isPresent() || read.message().isPresent());
  }

  // ---- errors ----

  /** What stands in fields beside an HTTP error. */
  private long besideBytes() {
    return isHttpError()
        ? PassedFields.besideError(arrived.headers(), exchange.config.limits().errorBytes())
        : 0;
  }

  private boolean speaksBeside() {
    return besideBytes() > exchange.config.limits().errorBytes();
  }

  /** What is known of the error that the answer is or comes with; empty if it is none. */
  private Optional<AgentError> error() {
    return view.flatMap(ResponseView::failure)
        .or(() -> isHttpError() ? Optional.of(AgentError.UNREADABLE) : Optional.empty());
  }

  @Override
  Step stopUnread() {
    Step step = super.stopUnread();
    Optional<AgentError> failure = view.flatMap(ResponseView::failure);
    if (!(step instanceof Step.Next) || failure.isEmpty()) {
      return step;
    }
    long bytes = besideBytes() + failure.get().bytes();
    Optional<Reason> why = Unread.withheld(exchange, failure.get(), bytes);
    return why.isPresent() ? withhold(failure.get(), why.get()) : step;
  }

  private Step withhold(AgentError failure, Reason why) {
    String id = exchange.services.gate().newId();
    if (why == Reason.UNJUDGED) {
      exchange.record.unjudged(
          Unread.ERROR_TEXT, OnFailure.BLOCK, Leg.RESPONSE, id, body(), status());
    } else {
      exchange.record.stoppedUnread(why, Leg.RESPONSE, id, body(), status());
    }
    drop();
    return super.refuse(Notices.agentError(failure, status(), why), "");
  }

  /** An error is never turned into another answer, whatever judging finds in words beside it. */
  @Override
  public Step refuse(Notice notice, String code) {
    boolean isOfCheck =
        notice.kind() == Notice.Kind.PACT_REFUSED || notice.kind() == Notice.Kind.ROUND_REFUSED;
    return isOfCheck || error().isEmpty()
        ? super.refuse(notice, code)
        : super.refuse(Notices.agentError(error().get(), status(), primaryReason()), code);
  }

  private Reason primaryReason() {
    return judgment().map(bad -> bad.decision().primaryReason()).orElse(Reason.UNJUDGED);
  }

  @Override
  public boolean mayBeHeld() {
    return error().isEmpty();
  }

  private ResponseHead wireHead() {
    return new ResponseHead(
        arrived.status(),
        name -> Optional.ofNullable(arrived.headers().get(name)),
        exchange.services.relayed().between(exchange.keys.parties()),
        exchange.config.streams().eventBytes(),
        name -> Optional.ofNullable(arrived.trailers().get(name)));
  }

  @Override
  Optional<Judgment> judged(AgentMessage message, ExchangeContext.Aside beside) {
    return exchange.judgeAnswer(
        view.orElseThrow(), message, beside, exchange.keys.answer(exchange.asked.orElseThrow()));
  }

  @Override
  Step deliver(Judgment judged, VerdictHeader told) {
    if (exchange.isForPerson) {
      return hold(judged);
    }
    ResponseView read = view.orElseThrow();
    VerdictHeader verdict = exchange.checks.told(Unread.verdict(exchange, judged, unread()));
    List<Edit> edits = exchange.edits(read, verdict);
    exchange.record.forwarded(exchange.body.sizeAfter(edits));
    exchange.services.gate().delivered(judged, exchange.rule);
    exchange.remember(judged);
    exchange.observe(read);
    return pass(edits, Optional.of(verdict));
  }

  @Override
  Step deliverUnjudged(List<Edit> edits, String what, OnFailure policy, VerdictHeader warning) {
    return passUnjudged(edits, what, policy);
  }

  /** An answer that goes on although nobody can judge it is counted, and a warning says so. */
  private Step passUnjudged(List<Edit> edits, String what, OnFailure policy) {
    String id = exchange.services.gate().newId();
    PlainBody body = PlainBody.copyOf(exchange.body.look(), exchange.memory);
    exchange.record.unjudged(what, policy, Leg.RESPONSE, id, body, arrived.status());
    return pass(
        edits, policy == OnFailure.WARN ? Optional.of(exchange.unjudged(id)) : Optional.empty());
  }

  @Override
  public VerdictHeader notAskedAgain(VerdictHeader spent) {
    return exchange.checks.told(exchange.notAskedAgain(spent));
  }

  @Override
  public Step hold(Judgment held) {
    if (!mayBeHeld()) {
      exchange.record.acted("refuse", Optional.empty());
      return refuse(Notices.unjudged(Unread.ERROR_TEXT, Leg.RESPONSE, exchange), "");
    }
    PlainBody plain = body();
    return new Step.Hold(
        held,
        view,
        // A release must not bring along a verdict that the agent forged.
        Splicer.applyToBytes(plain.array(), plain.length(), view.orElseThrow().strip()),
        Optional.of(arrived));
  }

  @Override
  Step pass(List<Edit> edits, Optional<VerdictHeader> told) {
    List<Edit> addresses = cardAddresses();
    if (addresses.isEmpty() && view.isPresent()) {
      exchange.report.card(view.get().addresses());
    }
    return new Step.Answer(
        addresses.isEmpty() ? HeldTasks.ofAnswer(exchange, edits) : addresses, told);
  }

  /** An agent's card is to name the address that its caller knows, if the route says so. */
  private List<Edit> cardAddresses() {
    boolean readdresses =
        exchange.rule.agentCard() == RouteRule.AgentCard.REWRITE
            && exchange.direction == Direction.INBOUND
            && !exchange.rule.isTap();
    return readdresses
        ? Optional.ofNullable(exchange.request.headers().get(HttpHeaderNames.HOST))
            .flatMap(host -> view.map(read -> read.addressedTo(host)))
            .orElse(List.of())
        : List.of();
  }

  @Override
  Notice malformed(WireFault fault, String detail) {
    return Notices.upstream(fault.code());
  }

  @Override
  public HttpHeaders headers() {
    return arrived.headers();
  }

  @Override
  public Optional<byte[]> repair(String instruction) {
    return error().isEmpty() ? exchange.repair(instruction, view.orElseThrow()) : Optional.empty();
  }

  @Override
  public int status() {
    return arrived.status();
  }

  @Override
  Optional<WholeResponse> head() {
    return Optional.of(arrived);
  }

  @Override
  Optional<ResponseView> rejected() {
    return view;
  }
}
