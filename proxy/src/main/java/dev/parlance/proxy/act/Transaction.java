package dev.parlance.proxy.act;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.route.Decision;
import dev.parlance.policy.route.Reason;
import dev.parlance.policy.route.Route;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.Mode;
import dev.parlance.proxy.config.OnFailure;
import dev.parlance.proxy.config.RouteRule;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.gate.Charge;
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
import dev.parlance.proxy.wire.Codecs;
import dev.parlance.proxy.wire.Edit;
import dev.parlance.proxy.wire.Reading;
import dev.parlance.proxy.wire.RequestHead;
import dev.parlance.proxy.wire.RequestView;
import dev.parlance.proxy.wire.ResponseHead;
import dev.parlance.proxy.wire.ResponseView;
import dev.parlance.proxy.wire.Splicer;
import dev.parlance.proxy.wire.WireFault;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
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
 * One request and its answer, from the first whole byte to the response: read, judge, forward,
 * judge the answer, and do what was decided. Lives on one event loop and never blocks.
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

  private final Services services;
  private final SidecarConfig config;
  private final RouteRule rule;
  private final Direction direction;
  private final Exchange exchange;
  private final WholeRequest request;
  private final Destination destination;
  private final RequestHead head;
  private final Codecs codecs;
  private final Keys keys;
  private final Trail trail;
  private final Answer answer;
  private final Reviewing reviewing;

  /** Bytes nobody else owns yet; empty once they are handed on or released. */
  private Optional<ByteBuf> pending;

  /** The same bytes without content coding. */
  private Decoding.Decoded plain = Bodies.NOTHING;

  private Optional<RequestView> view = Optional.empty();
  private Optional<WholeResponse> response = Optional.empty();
  private Optional<OriginCall> call = Optional.empty();
  private Leg leg = Leg.REQUEST;
  private int attempt = 1;

  /** The released message that is on its way and has not arrived yet. */
  private Optional<ReviewItem> delivering = Optional.empty();

  /** What became of a request that nobody read, and becomes of its answer. */
  private OnFailure unreadPolicy = OnFailure.BLOCK;

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
    this.pending = Optional.of(request.body());
    this.codecs = new Codecs(config.json());
    HttpHeaders headers = request.headers();
    this.head =
        new RequestHead(
            request.method().name(),
            request.target(),
            name -> Optional.ofNullable(headers.get(name)));
    this.keys = new Keys(direction, rule.name(), head, destination, exchange.peer());
    this.trail =
        new Trail(services, config, rule, direction, head, exchange.peer(), keys.unreadFlow());
    this.answer = new Answer(exchange, codecs, rule, head, trail);
    this.reviewing =
        new Reviewing(services, rule, direction, head, destination, exchange, keys, trail);
  }

  void run() {
    exchange.onAbort(this::aborted);
    guarded(this::readRequest);
  }

  // ---- the request ----

  private void readRequest() {
    long startNs = System.nanoTime();
    trail.forgedFields(VerdictFields.strip(request.headers()), leg);
    switch (Bodies.decode(request.headers(), pending.orElseThrow(), config.limits())) {
      case Decoding.Refused(WireFault fault, String detail) -> requestMalformed(fault, detail);
      case Decoding.Decoded decoded -> {
        plain = decoded;
        answer.to(decoded.body());
        Reading<RequestView> reading =
            codecs.read(rule.codec().code(), rule.json(), head, decoded.body());
        trail.readTook(startNs);
        switch (reading) {
          case Reading.Readable<RequestView>(RequestView read) -> requestRead(read);
          case Reading.Unjudged<RequestView>(String what) -> requestUnjudged(what);
          case Reading.Malformed<RequestView>(WireFault fault, String detail) ->
              requestMalformed(fault, detail);
        }
      }
    }
  }

  private void requestRead(RequestView read) {
    view = Optional.of(read);
    trail.read(read, keys.flow(read));
    if (deliverReleasedAnswer(read)) {
      return;
    }
    Optional<AgentMessage> said = read.message();
    if (mustReadAll() && !read.unread().isEmpty()) {
      requestUnjudged(read.unread().getFirst());
      return;
    }
    if (said.isEmpty()) {
      forward(read.strip(), Optional.empty());
      return;
    }
    Ruling ruling =
        services
            .gate()
            .rule(
                new Draft(
                    leg,
                    said.get(),
                    rule.requestGrounding(),
                    keys.request(read),
                    attempt,
                    keys.peerAuthority()),
                rule);
    trail.decided(ruling, leg, plain.body(), 0);
    if (goesOn(ruling)) {
      Annotation verdict = partlyUnread(ruling, read.unread());
      List<Edit> edits = edits(read, verdict);
      trail.forwarded(Bodies.sizeAfter(pending.orElseThrow(), plain, edits));
      forward(edits, Optional.of(verdict));
    } else if (!passReleasedRequest(read, ruling)) {
      sendBack(ruling, Optional.empty());
    }
  }

  /** A person has released exactly this message: it goes on. */
  private boolean passReleasedRequest(RequestView read, Ruling ruling) {
    Optional<ReviewItem> released = reviewing.releasedRequest(read, ruling.message());
    if (released.isEmpty()) {
      return false;
    }
    Annotation verdict = Notices.released(ruling.annotation());
    delivering = released;
    trail.released(released.get(), verdict, leg);
    forward(edits(read, verdict), Optional.of(verdict));
    return true;
  }

  /** A person has released the answer to this question: the caller gets it now. */
  private boolean deliverReleasedAnswer(RequestView read) {
    if (observing()) {
      return false;
    }
    Optional<ReviewItem> released = reviewing.releasedAnswer(read);
    Optional<byte[]> body = released.flatMap(item -> read.adopt(item.message().body()));
    if (released.isEmpty() || body.isEmpty()) {
      released.ifPresent(reviewing::giveBack);
      return false;
    }
    ReviewItem item = released.get();
    releasePending();
    Annotation verdict =
        trail.bare(
            services.gate().newId(), Route.EXECUTE, Reason.RELEASED, item.message().attempts());
    HttpHeaders headers = Replies.headersOf(item.message());
    VerdictFields.write(headers, verdict);
    trail.released(item, verdict, Leg.RESPONSE);
    answer.give(
        new WholeResponse(item.message().status(), headers, Unpooled.wrappedBuffer(body.get())));
    reviewing.settle(item);
    return true;
  }

  private void requestUnjudged(String what) {
    OnFailure policy = observing() ? OnFailure.ALLOW : rule.onUnjudged();
    String id = services.gate().newId();
    trail.unjudged(what, policy, leg, id, plain.body(), 0);
    unreadPolicy = policy;
    switch (policy) {
      case BLOCK -> {
        releasePending();
        answer.refuse(view, Notices.unjudged(what), Optional.empty());
      }
      case WARN -> forward(List.of(), Optional.of(unjudged(id)));
      case ALLOW -> forward(List.of(), Optional.empty());
    }
  }

  private void requestMalformed(WireFault fault, String detail) {
    if (observing()) {
      unreadPolicy = OnFailure.WARN;
      String id = services.gate().newId();
      trail.unjudged("malformed", OnFailure.WARN, leg, id, plain.body(), 0);
      forward(List.of(), Optional.of(unjudged(id)));
      return;
    }
    trail.malformed(fault);
    releasePending();
    answer.refuse(view, Notices.malformed(fault, detail), Optional.empty());
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
                    result -> guarded(() -> originDone(result))));
  }

  // ---- the answer ----

  private void originDone(OriginResult result) {
    call = Optional.empty();
    leg = Leg.RESPONSE;
    trail.originDone();
    switch (result) {
      case OriginResult.Failed failed -> {
        trail.originFailed(failed);
        giveBackUndelivered();
        answer.refuse(view, Notices.upstream(failed.code(), destination), Optional.empty());
      }
      case OriginResult.Answered(WholeResponse arrived) -> {
        delivering.ifPresent(reviewing::settle);
        delivering = Optional.empty();
        pending = Optional.of(arrived.body());
        response = Optional.of(arrived);
        if (answer.isGiven()) {
          releasePending();
        } else {
          readResponse(arrived);
        }
      }
    }
  }

  private void readResponse(WholeResponse arrived) {
    long startNs = System.nanoTime();
    trail.forgedFields(VerdictFields.strip(arrived.headers()), leg);
    boolean saysNothing =
        arrived.status() == NO_CONTENT
            || arrived.status() == NOT_MODIFIED
            || request.method().equals(HttpMethod.HEAD);
    if (saysNothing) {
      pass(arrived, List.of(), Optional.empty());
      return;
    }
    if (view.isEmpty()) {
      passUnjudged(arrived, List.of(), "unread_request", unreadPolicy);
      return;
    }
    switch (Bodies.decode(arrived.headers(), pending.orElseThrow(), config.limits())) {
      case Decoding.Refused(WireFault fault, String _) -> responseMalformed(arrived, fault);
      case Decoding.Decoded decoded -> {
        plain = decoded;
        ResponseHead responseHead =
            new ResponseHead(
                arrived.status(), name -> Optional.ofNullable(arrived.headers().get(name)));
        Reading<ResponseView> reading = view.get().readResponse(responseHead, decoded.body());
        trail.readTook(startNs);
        switch (reading) {
          case Reading.Readable<ResponseView>(ResponseView read) -> responseRead(arrived, read);
          case Reading.Unjudged<ResponseView>(String what) -> responseUnjudged(arrived, what);
          case Reading.Malformed<ResponseView>(WireFault fault, String _) ->
              responseMalformed(arrived, fault);
        }
      }
    }
  }

  private void responseRead(WholeResponse arrived, ResponseView read) {
    trail.forgedVerdicts(read.forgedVerdicts(), leg);
    if (mustReadAll() && !read.unread().isEmpty()) {
      responseUnjudged(arrived, read.unread().getFirst());
      return;
    }
    Optional<AgentMessage> said = read.message();
    if (said.isEmpty()) {
      if (read.unread().isEmpty()) {
        pass(arrived, read.strip(), Optional.empty());
      } else {
        passUnjudged(arrived, read.strip(), read.unread().getFirst(), OnFailure.WARN);
      }
      return;
    }
    Ruling ruling =
        services
            .gate()
            .rule(
                new Draft(
                    leg,
                    said.get(),
                    rule.grounding(),
                    keys.answer(view.orElseThrow()),
                    attempt,
                    keys.peerAuthority()),
                rule);
    trail.decided(ruling, leg, plain.body(), arrived.status());
    if (goesOn(ruling)) {
      Annotation verdict = partlyUnread(ruling, read.unread());
      List<Edit> edits = rule.metadata() ? read.annotate(verdict) : read.strip();
      trail.forwarded(Bodies.sizeAfter(pending.orElseThrow(), plain, edits));
      services.gate().delivered(ruling, rule);
      pass(arrived, edits, Optional.of(verdict));
    } else {
      sendBack(ruling, Optional.of(read));
    }
  }

  private void responseUnjudged(WholeResponse arrived, String what) {
    OnFailure policy = observing() ? OnFailure.ALLOW : rule.onUnjudged();
    String id = services.gate().newId();
    trail.unjudged(what, policy, leg, id, plain.body(), arrived.status());
    switch (policy) {
      case BLOCK -> {
        releasePending();
        answer.refuse(view, Notices.unjudged(what), arrived.status());
      }
      case WARN -> pass(arrived, List.of(), Optional.of(unjudged(id)));
      case ALLOW -> pass(arrived, List.of(), Optional.empty());
    }
  }

  /** An answer that goes on although nobody can judge it is counted, and a warning says so. */
  private void passUnjudged(
      WholeResponse arrived, List<Edit> edits, String what, OnFailure policy) {
    String id = services.gate().newId();
    byte[] body = ByteBufUtil.getBytes(pending.orElseThrow());
    trail.unjudged(what, policy, leg, id, body, arrived.status());
    pass(arrived, edits, policy == OnFailure.WARN ? Optional.of(unjudged(id)) : Optional.empty());
  }

  private void responseMalformed(WholeResponse arrived, WireFault fault) {
    if (observing()) {
      String id = services.gate().newId();
      trail.unjudged("malformed", OnFailure.WARN, leg, id, plain.body(), arrived.status());
      pass(arrived, List.of(), Optional.of(unjudged(id)));
      return;
    }
    trail.malformed(fault);
    releasePending();
    answer.refuse(view, Notices.upstream(fault.code(), destination), Optional.empty());
  }

  private void pass(WholeResponse arrived, List<Edit> edits, Optional<Annotation> verdict) {
    HttpHeaders headers = arrived.headers();
    ByteBuf body = Bodies.edited(takePending(), plain, edits, headers, services.allocator());
    verdict.ifPresent(annotation -> VerdictFields.write(headers, annotation));
    answer.give(new WholeResponse(arrived.status(), headers, body));
  }

  // ---- what does not go on ----

  private void sendBack(Ruling ruling, Optional<ResponseView> rejected) {
    releasePending();
    switch (ruling.decision()) {
      case Decision.Regenerate _ -> {
        switch (services.gate().regenerate(ruling, rule)) {
          case Charge.Granted(Annotation spent) -> regenerate(ruling, spent, rejected);
          case Charge.Denied(Reason _, Ruling denied) -> {
            trail.amended(denied);
            hold(denied, rejected);
          }
        }
      }
      case Decision.Yield _ -> hold(ruling, rejected);
      case Decision.Execute _, Decision.Warn _ ->
          throw new IllegalStateException("nothing stands against " + ruling.id());
    }
  }

  private void regenerate(Ruling ruling, Annotation spent, Optional<ResponseView> rejected) {
    boolean ownAnswer = rejected.isPresent() && direction == Direction.INBOUND;
    Optional<byte[]> again =
        ownAnswer && rule.regenerate()
            ? view.orElseThrow()
                .repair(rejected.get(), ruling.instruction(), UUID.randomUUID().toString())
            : Optional.empty();
    if (again.isEmpty()) {
      trail.acted("refuse", Optional.empty());
      Annotation verdict = ownAnswer ? Notices.withReason(spent, Reason.REGENERATE_OFF) : spent;
      answer.refuse(view, Notices.regenerate(verdict, ruling.instruction()), rejected);
      return;
    }
    trail.repair(ruling);
    attempt++;
    leg = Leg.REQUEST;
    response = Optional.empty();
    HttpHeaders headers = request.headers().copy();
    headers.remove(HttpHeaderNames.CONTENT_ENCODING);
    VerdictFields.bodyChanged(headers);
    AcceptedCodings.narrow(headers);
    VerdictFields.write(headers, spent);
    ask(headers, Unpooled.wrappedBuffer(again.get()));
  }

  private void hold(Ruling ruling, Optional<ResponseView> rejected) {
    long startNs = System.nanoTime();
    reviewing.hold(
        ruling,
        view.orElseThrow(),
        rejected,
        withoutForgery(rejected),
        response,
        (result, failure) ->
            guarded(() -> {
              trail.holdTook(startNs);
              holdDone(result, failure, ruling, rejected);
            }));
  }

  /** What is held for delivery: a release must not bring along a verdict that the agent forged. */
  private byte[] withoutForgery(Optional<ResponseView> rejected) {
    return rejected.isPresent()
        ? Splicer.applyToBytes(plain.body(), rejected.get().strip())
        : plain.body();
  }

  private void holdDone(
      Optional<HoldResult> result,
      Optional<Throwable> failure,
      Ruling ruling,
      Optional<ResponseView> rejected) {
    if (failure.isPresent()) {
      throw new IllegalStateException("the review queue failed", failure.get());
    }
    switch (result.orElseThrow()) {
      case HoldResult.Held(String id) -> {
        services.gate().yielded(ruling, rule);
        trail.acted("hold", Optional.of(id));
        answer.refuse(view, Notices.held(ruling.annotation(), id), rejected);
      }
      case HoldResult.Refused(String code) -> {
        trail.acted("refuse_" + code, Optional.empty());
        answer.refuse(view, Notices.queueRefused(ruling.annotation(), code), rejected);
      }
    }
  }

  // ---- small things ----

  /** The caller has gone. A message on its way into the review queue gets there all the same. */
  private void aborted() {
    answer.abandon();
    call.ifPresent(OriginCall::cancel);
    giveBackUndelivered();
    releasePending();
  }

  /**
   * What nobody could read beside the judged text: the receiver is told, it never passes as judged.
   */
  private Annotation partlyUnread(Ruling ruling, List<String> unread) {
    if (unread.isEmpty()) {
      return ruling.annotation();
    }
    trail.partlyUnread(unread);
    return Notices.partlyUnread(ruling.annotation());
  }

  private List<Edit> edits(RequestView read, Annotation verdict) {
    return rule.metadata() ? read.annotate(verdict) : read.strip();
  }

  private Annotation unjudged(String id) {
    return trail.bare(id, Route.WARN, Reason.UNJUDGED, attempt);
  }

  private boolean goesOn(Ruling ruling) {
    return observing()
        || switch (ruling.decision()) {
          case Decision.Execute _, Decision.Warn _ -> true;
          case Decision.Regenerate _, Decision.Yield _ -> false;
        };
  }

  /**
   * Where messages have consequences, what nobody read beside the judged text (a file, a task's
   * history, the text of an error) may hold any term, so it does not pass with a warning.
   */
  private boolean mustReadAll() {
    return rule.consequential() && !observing();
  }

  private boolean observing() {
    return rule.mode() == Mode.OBSERVE;
  }

  private void giveBackUndelivered() {
    delivering.ifPresent(reviewing::giveBack);
    delivering = Optional.empty();
  }

  private ByteBuf takePending() {
    ByteBuf taken = pending.orElse(Unpooled.EMPTY_BUFFER);
    pending = Optional.empty();
    return taken;
  }

  private void releasePending() {
    takePending().release();
  }

  /**
   * The gate itself may have a fault: then the route's {@code onError} decides, never an accident.
   */
  private void guarded(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException e) {
      String id = services.gate().newId();
      log.atError().setCause(e).addKeyValue("decision", id).log("the gate failed");
      lastResort(id);
    }
  }

  /** Whatever fails, the caller is answered and the bytes are released. */
  private void lastResort(String id) {
    try {
      failed(id);
    } catch (RuntimeException e) {
      log.atError().setCause(e).addKeyValue("decision", id).log("the gate failed again");
      releasePending();
      if (!answer.isGiven()) {
        answer.giveInternalError(id);
      }
    }
  }

  private void failed(String id) {
    OnFailure policy = observing() ? OnFailure.ALLOW : rule.onError();
    giveBackUndelivered();
    boolean bytesAtHand = pending.isPresent();
    boolean blocked = policy == OnFailure.BLOCK || !bytesAtHand;
    trail.gateFailed(blocked ? OnFailure.BLOCK : policy, id, leg);
    if (answer.isGiven()) {
      releasePending();
      return;
    }
    if (blocked) {
      releasePending();
      answer.giveInternalError(id);
      return;
    }
    Annotation verdict = trail.bare(id, Route.WARN, Reason.INTERNAL_ERROR, attempt);
    Optional<Annotation> told = policy == OnFailure.WARN ? Optional.of(verdict) : Optional.empty();
    view = Optional.empty();
    unreadPolicy = policy;
    if (response.isPresent()) {
      pass(response.get(), List.of(), told);
    } else {
      forward(List.of(), told);
    }
  }
}
