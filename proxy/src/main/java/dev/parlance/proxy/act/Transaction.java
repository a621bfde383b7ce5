package dev.parlance.proxy.act;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.route.Decision;
import dev.parlance.policy.route.Reason;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.Mode;
import dev.parlance.proxy.config.OnFailure;
import dev.parlance.proxy.config.RouteRule;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.gate.Draft;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.proxy.gate.Ruling;
import dev.parlance.proxy.relay.Destination;
import dev.parlance.proxy.relay.Exchange;
import dev.parlance.proxy.relay.OriginCall;
import dev.parlance.proxy.relay.OriginResult;
import dev.parlance.proxy.relay.WholeRequest;
import dev.parlance.proxy.relay.WholeResponse;
import dev.parlance.proxy.review.HoldResult;
import dev.parlance.proxy.review.ReviewItem;
import dev.parlance.proxy.wire.Annotation;
import dev.parlance.proxy.wire.BodyDecoder.Decoding;
import dev.parlance.proxy.wire.Edit;
import dev.parlance.proxy.wire.Notice;
import dev.parlance.proxy.wire.Reading;
import dev.parlance.proxy.wire.RequestHead;
import dev.parlance.proxy.wire.RequestView;
import dev.parlance.proxy.wire.ResponseHead;
import dev.parlance.proxy.wire.Refusal;
import dev.parlance.proxy.wire.ResponseView;
import dev.parlance.proxy.wire.WireFault;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request and its answer, from the first whole byte to the response: read, judge, forward, judge
 * the answer, and do what was decided. Lives on one event loop and never blocks.
 *
 * <pre>
 *   request -> execute, warn -> origin -> answer -> execute, warn -> caller
 *           -> regenerate    -> typed error to the caller, who wrote the request
 *           -> yield         -> held, escalation to the caller
 *                               answer -> regenerate -> inbound:  the local agent is asked again
 *                                                    -> outbound: typed error to the local agent
 *                                      -> yield      -> held, escalation to the caller
 * </pre>
 */
final class Transaction {
  private static final Logger log = LoggerFactory.getLogger(Transaction.class);
  private static final int NO_CONTENT = 204;
  private static final int NOT_MODIFIED = 304;
  private static final int FIRST_ERROR_STATUS = 400;

  private final Services services;
  private final SidecarConfig config;
  private final RouteRule rule;
  private final Direction direction;
  private final Exchange exchange;
  private final WholeRequest request;
  private final Destination destination;
  private final RequestHead head;
  private final Trail trail;

  /** Bytes nobody else owns yet; the empty buffer once they are handed on or released. */
  private ByteBuf pending;

  /** The body being dealt with, decoded; what {@link #pending} says. */
  private Decoding.Decoded plain = Bodies.NOTHING;

  private Optional<RequestView> view = Optional.empty();
  private Optional<WholeResponse> response = Optional.empty();
  private Optional<OriginCall> call = Optional.empty();
  private boolean answered;
  private int attempt = 1;

  Transaction(
      Services services,
      SidecarConfig config,
      RouteRule rule,
      Direction direction,
      Exchange exchange,
      WholeRequest request,
      Destination destination) {
    this.services = services;
    this.config = config;
    this.rule = rule;
    this.direction = direction;
    this.exchange = exchange;
    this.request = request;
    this.destination = destination;
    this.pending = request.body();
    HttpHeaders headers = request.headers();
    this.head =
        new RequestHead(
            request.method().name(),
            request.target(),
            name -> Optional.ofNullable(headers.get(name)));
    this.trail = new Trail(services, config, rule, direction, exchange, head, destination);
  }

  void run() {
    exchange.onAbort(this::aborted);
    guarded(this::readRequest);
  }

  // ---- the request ----

  private void readRequest() {
    trail.forgedFields(VerdictFields.strip(request.headers()), Leg.REQUEST);
    switch (Bodies.decode(request.headers(), pending, config.limits())) {
      case Decoding.Refused(WireFault fault, String detail) ->
          requestMalformed(new Reading.Malformed<>(fault, detail));
      case Decoding.Decoded decoded -> {
        plain = decoded;
        trail.requestBody(decoded.body());
        Reading<RequestView> reading =
            services.codecs(config).read(rule.codec().code(), rule.json(), head, decoded.body());
        switch (reading) {
          case Reading.Readable<RequestView>(RequestView read) -> requestRead(read);
          case Reading.Unjudged<RequestView>(String what) -> requestUnjudged(what);
          case Reading.Malformed<RequestView> malformed -> requestMalformed(malformed);
        }
      }
    }
  }

  private void requestRead(RequestView read) {
    view = Optional.of(read);
    trail.read(read);
    if (deliverReleasedAnswer(read)) {
      return;
    }
    Optional<AgentMessage> said = read.message();
    if (said.isEmpty()) {
      forward(read.strip(), Optional.empty());
      return;
    }
    Ruling ruling =
        services
            .gate()
            .rule(
                new Draft(
                    Leg.REQUEST, said.get(), rule.requestGrounding(), trail.requestKey(), attempt),
                rule);
    trail.decided(ruling, Leg.REQUEST, attempt, plain.body(), 0);
    if (observing()) {
      forward(edits(read, ruling.annotation()), Optional.of(ruling.annotation()));
      return;
    }
    switch (ruling.decision()) {
      case Decision.Execute ignored ->
          forward(edits(read, ruling.annotation()), Optional.of(ruling.annotation()));
      case Decision.Warn ignored ->
          forward(edits(read, ruling.annotation()), Optional.of(ruling.annotation()));
      case Decision.Regenerate ignored -> {
        if (passReleasedRequest(read, ruling)) {
          return;
        }
        Annotation spent = services.gate().regenerated(ruling, rule);
        releasePending();
        refuse(Notices.regenerate(spent, ruling.instruction()), Optional.empty());
      }
      case Decision.Yield ignored -> {
        if (!passReleasedRequest(read, ruling)) {
          hold(ruling, Leg.REQUEST, Optional.empty());
        }
      }
    }
  }

  /** A person has released exactly this message: it goes on. */
  private boolean passReleasedRequest(RequestView read, Ruling ruling) {
    Optional<ReviewItem> released =
        services.review().takeReleased(trail.requestReleaseKey(ruling.message()));
    if (released.isEmpty()) {
      return false;
    }
    Annotation verdict = Notices.released(ruling.annotation());
    trail.released(released.get(), verdict);
    forward(edits(read, verdict), Optional.of(verdict));
    return true;
  }

  /** A person has released the answer to this question: the caller gets it, in answer to this request. */
  private boolean deliverReleasedAnswer(RequestView read) {
    if (observing() || read.question().isEmpty() || !services.review().hasReleased()) {
      return false;
    }
    Optional<ReviewItem> released = services.review().takeReleased(trail.answerReleaseKey(read));
    if (released.isEmpty()) {
      return false;
    }
    ReviewItem item = released.get();
    Optional<byte[]> body = read.adopt(item.message().body());
    if (body.isEmpty()) {
      return false;
    }
    releasePending();
    HttpHeaders headers = Replies.headersOf(item.message());
    Annotation verdict = trail.releasedVerdict(item);
    VerdictFields.write(headers, verdict);
    trail.released(item, verdict);
    respond(
        new WholeResponse(
            item.message().status(), headers, Unpooled.wrappedBuffer(body.get())));
    return true;
  }

  private void requestUnjudged(String what) {
    OnFailure policy = observing() ? OnFailure.ALLOW : rule.onUnjudged();
    trail.unjudged(what, policy, Leg.REQUEST);
    switch (policy) {
      case BLOCK -> {
        releasePending();
        refuse(Notices.unjudged(what), Optional.empty());
      }
      case WARN -> forward(List.of(), Optional.of(trail.unjudgedVerdict()));
      case ALLOW -> forward(List.of(), Optional.empty());
    }
  }

  private void requestMalformed(Reading.Malformed<RequestView> malformed) {
    trail.malformed(malformed.fault(), Leg.REQUEST);
    if (observing()) {
      forward(List.of(), Optional.of(trail.unjudgedVerdict()));
      return;
    }
    releasePending();
    refuse(Notices.malformed(malformed.fault(), malformed.detail()), Optional.empty());
  }

  private void forward(List<Edit> edits, Optional<Annotation> verdict) {
    HttpHeaders headers = request.headers().copy();
    AcceptedCodings.narrow(headers);
    ByteBuf body = Bodies.edited(takePending(), plain, edits, headers, services.allocator());
    verdict.ifPresent(annotation -> VerdictFields.write(headers, annotation));
    ask(headers, body);
  }

  private void ask(HttpHeaders headers, ByteBuf body) {
    trail.asked();
    call =
        Optional.of(
            services
                .origin()
                .ask(
                    exchange.loop(),
                    destination,
                    new WholeRequest(
                        request.method(),
                        request.target(),
                        request.authority(),
                        request.absoluteForm(),
                        headers,
                        body),
                    config.limits(),
                    config.timeouts(),
                    services.addressRule(direction, config),
                    result -> guarded(() -> answered(result))));
  }

  // ---- the answer ----

  private void answered(OriginResult result) {
    call = Optional.empty();
    trail.originDone();
    switch (result) {
      case OriginResult.Failed failed -> {
        trail.originFailed(failed);
        refuse(Notices.upstream(failed.code(), destination), Optional.empty());
      }
      case OriginResult.Answered(WholeResponse arrived) -> {
        pending = arrived.body();
        response = Optional.of(arrived);
        if (exchange.isOpen()) {
          readResponse(arrived);
        } else {
          releasePending();
        }
      }
    }
  }

  private void readResponse(WholeResponse arrived) {
    trail.forgedFields(VerdictFields.strip(arrived.headers()), Leg.RESPONSE);
    if (view.isEmpty()) {
      pass(arrived, List.of(), trail.unreadVerdict());
      return;
    }
    if (saysNothing(arrived)) {
      pass(arrived, List.of(), Optional.empty());
      return;
    }
    switch (Bodies.decode(arrived.headers(), pending, config.limits())) {
      case Decoding.Refused(WireFault fault, String detail) ->
          responseMalformed(arrived, new Reading.Malformed<>(fault, detail));
      case Decoding.Decoded decoded -> {
        plain = decoded;
        ResponseHead responseHead =
            new ResponseHead(
                arrived.status(), name -> Optional.ofNullable(arrived.headers().get(name)));
        switch (view.get().readResponse(responseHead, decoded.body())) {
          case Reading.Readable<ResponseView>(ResponseView read) -> responseRead(arrived, read);
          case Reading.Unjudged<ResponseView>(String what) -> responseUnjudged(arrived, what);
          case Reading.Malformed<ResponseView> malformed -> responseMalformed(arrived, malformed);
        }
      }
    }
  }

  private void responseRead(WholeResponse arrived, ResponseView read) {
    trail.forgedVerdicts(read.forgedVerdicts(), Leg.RESPONSE);
    Optional<AgentMessage> said = read.message();
    if (said.isEmpty()) {
      pass(arrived, read.strip(), Optional.empty());
      return;
    }
    Ruling ruling =
        services
            .gate()
            .rule(
                new Draft(
                    Leg.RESPONSE, said.get(), rule.grounding(), trail.answerKey(), attempt),
                rule);
    trail.decided(ruling, Leg.RESPONSE, attempt, plain.body(), arrived.status());
    if (observing()) {
      pass(arrived, edits(read, ruling.annotation()), Optional.of(ruling.annotation()));
      return;
    }
    switch (ruling.decision()) {
      case Decision.Execute ignored ->
          pass(arrived, edits(read, ruling.annotation()), Optional.of(ruling.annotation()));
      case Decision.Warn ignored ->
          pass(arrived, edits(read, ruling.annotation()), Optional.of(ruling.annotation()));
      case Decision.Regenerate ignored -> regenerate(read, ruling);
      case Decision.Yield ignored -> hold(ruling, Leg.RESPONSE, Optional.of(read));
    }
  }

  private void regenerate(ResponseView rejected, Ruling ruling) {
    Annotation spent = services.gate().regenerated(ruling, rule);
    releasePending();
    Optional<byte[]> again =
        direction == Direction.INBOUND && rule.regenerate()
            ? view.flatMap(
                asked ->
                    asked.repair(
                        rejected, ruling.instruction(), UUID.randomUUID().toString()))
            : Optional.empty();
    if (again.isEmpty()) {
      Annotation verdict =
          direction == Direction.INBOUND ? Notices.withReason(spent, Reason.REGENERATE_OFF) : spent;
      refuse(Notices.regenerate(verdict, ruling.instruction()), Optional.of(rejected));
      return;
    }
    trail.repair(ruling, attempt);
    attempt++;
    response = Optional.empty();
    HttpHeaders headers = request.headers().copy();
    headers.remove(HttpHeaderNames.CONTENT_ENCODING);
    VerdictFields.bodyChanged(headers);
    AcceptedCodings.narrow(headers);
    VerdictFields.write(headers, spent);
    ask(headers, Unpooled.wrappedBuffer(again.get()));
  }

  private void responseUnjudged(WholeResponse arrived, String what) {
    OnFailure policy = observing() ? OnFailure.ALLOW : rule.onUnjudged();
    trail.unjudged(what, policy, Leg.RESPONSE);
    switch (policy) {
      case BLOCK -> {
        releasePending();
        Notice notice = Notices.unjudged(what);
        if (arrived.status() >= FIRST_ERROR_STATUS) {
          // The caller keeps the status, which is the relay's business, and loses the unread text.
          respondRefusal(Replies.withStatus(refusal(notice, Optional.empty()), arrived.status()), notice);
        } else {
          refuse(notice, Optional.empty());
        }
      }
      case WARN -> pass(arrived, List.of(), Optional.of(trail.unjudgedVerdict()));
      case ALLOW -> pass(arrived, List.of(), Optional.empty());
    }
  }

  private void responseMalformed(WholeResponse arrived, Reading.Malformed<ResponseView> malformed) {
    trail.malformed(malformed.fault(), Leg.RESPONSE);
    if (observing()) {
      pass(arrived, List.of(), Optional.of(trail.unjudgedVerdict()));
      return;
    }
    releasePending();
    refuse(Notices.upstream(malformed.fault().code(), destination), Optional.empty());
  }

  private void pass(WholeResponse arrived, List<Edit> edits, Optional<Annotation> verdict) {
    HttpHeaders headers = arrived.headers();
    ByteBuf body = Bodies.edited(takePending(), plain, edits, headers, services.allocator());
    verdict.ifPresent(annotation -> VerdictFields.write(headers, annotation));
    respond(new WholeResponse(arrived.status(), headers, body));
  }

  private boolean saysNothing(WholeResponse arrived) {
    return arrived.status() == NO_CONTENT
        || arrived.status() == NOT_MODIFIED
        || request.method().equals(HttpMethod.HEAD);
  }

  // ---- what both have ----

  private List<Edit> edits(RequestView read, Annotation verdict) {
    return rule.metadata() ? read.annotate(verdict) : read.strip();
  }

  private List<Edit> edits(ResponseView read, Annotation verdict) {
    return rule.metadata() ? read.annotate(verdict) : read.strip();
  }

  private boolean observing() {
    return rule.mode() == Mode.OBSERVE;
  }

  private void hold(Ruling ruling, Leg leg, Optional<ResponseView> rejected) {
    byte[] body = plain.body();
    releasePending();
    services
        .review()
        .hold(trail.held(ruling, leg, view, response, body, attempt))
        .whenComplete(
            (result, failure) ->
                exchange
                    .loop()
                    .execute(
                        () ->
                            guarded(
                                () -> {
                                  if (failure != null) {
                                    throw new IllegalStateException("the review queue failed", failure);
                                  }
                                  holdDone(result, ruling, rejected);
                                })));
  }

  private void holdDone(HoldResult result, Ruling ruling, Optional<ResponseView> rejected) {
    switch (result) {
      case HoldResult.Held(String id) -> {
        trail.held(ruling, id);
        refuse(Notices.held(ruling.annotation(), id), rejected);
      }
      case HoldResult.Refused(String code) -> {
        trail.holdRefused(ruling, code);
        refuse(Notices.queueRefused(ruling.annotation(), code), rejected);
      }
    }
  }

  private void refuse(Notice notice, Optional<ResponseView> rejected) {
    respondRefusal(refusal(notice, rejected), notice);
  }

  private Refusal refusal(Notice notice, Optional<ResponseView> rejected) {
    if (view.isEmpty()) {
      return services.codecs(config).plain(notice, head, plain.body());
    }
    return rejected.isPresent()
        ? view.get().refuse(notice, rejected.get())
        : view.get().refuse(notice);
  }

  private void respondRefusal(Refusal refusal, Notice notice) {
    respond(Replies.of(refusal, notice, trail.refusalVerdict(notice)));
  }

  private void respond(WholeResponse reply) {
    if (answered) {
      reply.body().release();
      throw new IllegalStateException("a request is answered once");
    }
    answered = true;
    trail.answered(reply);
    exchange.respond(reply, false);
  }

  private void aborted() {
    answered = true;
    trail.aborted();
    call.ifPresent(OriginCall::cancel);
    releasePending();
  }

  private ByteBuf takePending() {
    ByteBuf taken = pending;
    pending = Unpooled.EMPTY_BUFFER;
    return taken;
  }

  private void releasePending() {
    takePending().release();
  }

  /** The gate itself may have a fault: then the route's {@code onError} decides, never an accident. */
  private void guarded(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException e) {
      log.atError().setCause(e).addKeyValue("decision", trail.id()).log("gate failed");
      failed();
    }
  }

  private void failed() {
    OnFailure policy = observing() ? OnFailure.ALLOW : rule.onError();
    boolean bytesAtHand = pending != Unpooled.EMPTY_BUFFER;
    trail.gateFailed(bytesAtHand ? policy : OnFailure.BLOCK);
    if (answered) {
      releasePending();
      return;
    }
    if (policy == OnFailure.BLOCK || !bytesAtHand) {
      releasePending();
      answered = true;
      exchange.respond(Replies.internalError(trail.id()), false);
      return;
    }
    Optional<Annotation> verdict =
        policy == OnFailure.WARN ? Optional.of(trail.failedVerdict()) : Optional.empty();
    if (response.isPresent()) {
      answered = true;
      WholeResponse arrived = response.get();
      verdict.ifPresent(annotation -> VerdictFields.write(arrived.headers(), annotation));
      exchange.respond(
          new WholeResponse(arrived.status(), arrived.headers(), takePending()), false);
    } else {
      view = Optional.empty();
      forward(List.of(), verdict);
    }
  }
}
