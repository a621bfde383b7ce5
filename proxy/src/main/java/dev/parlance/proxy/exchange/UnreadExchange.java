package dev.parlance.proxy.exchange;

import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.RouteRule;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.exchange.body.VerdictFields;
import dev.parlance.proxy.gate.Flows;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.proxy.metrics.MetricLabel.ForgedSource;
import dev.parlance.relay.api.Destination;
import dev.parlance.relay.api.OriginCall;
import dev.parlance.relay.api.OriginReceiver;
import dev.parlance.relay.api.ServerCall;
import dev.parlance.relay.api.ServerCall.ResponseStream;
import dev.parlance.relay.api.WholeRequest;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.wire.Codecs;
import dev.parlance.wire.api.AgentProtocol;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.RequestHead;
import dev.parlance.wire.bytes.HeaderLookup;
import dev.parlance.wire.bytes.PlainBody;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One request and its answer on a route that reads nothing ({@code read: none}): both go through as
 * they come, and are counted. No check, judgment, digest or line of the decision log is made of
 * them; only fields in which sidecars speak are taken off, and what the local agent does is known
 * to be an act. Lives on one event loop and never blocks.
 *
 * <pre>
 * state   event                    next    action
 * ASKED   head of an answer        HEAD    none
 * ASKED   whole answer, failure    OVER    given
 * HEAD    piece that is all of it  HEAD    kept, to go out with the head
 * HEAD    other piece              FLOWS   head and piece go on
 * HEAD    end                      OVER    given with what was kept
 * FLOWS   piece                    FLOWS   goes on; the agent waits for a caller that takes no more
 * FLOWS   end                      OVER    goes on
 * HEAD    failure                  OVER    refusal
 * FLOWS   failure                  OVER    broken off
 * any     caller leaves            OVER    the agent's answer is given up
 * </pre>
 */
final class UnreadExchange implements OriginReceiver, OriginReceiver.BodySink {
  private final Services services;
  private final SidecarConfig config;
  private final Codecs codecs;
  private final RouteRule rule;
  private final Direction direction;
  private final ServerCall call;
  private final WholeRequest request;
  private final Destination destination;
  private final long startNs = System.nanoTime();
  private @Nullable OriginCall origin;
  private @Nullable ResponseStream answer;
  private @Nullable WholeResponse head;

  /** Length of the body as the head says it; -1 if it does not. */
  private long length;

  private boolean over;

  UnreadExchange(
      Services services,
      SidecarConfig config,
      Codecs codecs,
      RouteRule rule,
      Direction direction,
      ServerCall call,
      WholeRequest request,
      Destination destination) {
    this.services = services;
    this.config = config;
    this.codecs = codecs;
    this.rule = rule;
    this.direction = direction;
    this.call = call;
    this.request = request;
    this.destination = destination;
  }

  void run() {
    call.onAbort(this::gone);
    leaves();
    OriginCall asked =
        services
            .origin()
            .ask(
                call.loop(),
                destination,
                request,
                config.limits().http(),
                config.timeouts().http(),
                this);
    if (!over) {
      origin = asked;
    }
  }

  /** The request goes on: by this exchange, or as it comes. */
  void leaves() {
    strip(request.headers(), Leg.REQUEST);
    if (direction == Direction.OUTBOUND && !ExchangeContext.isSafe(request.method())) {
      services.gate().acts().acted(Flows.traceId(fields()));
    }
  }

  private HeaderLookup fields() {
    HttpHeaders headers = request.headers();
    return name -> Optional.ofNullable(headers.get(name));
  }

  private void strip(HttpHeaders headers, Leg leg) {
    if (headers.isEmpty()
        || (rule.isTap() && (leg == Leg.REQUEST) == (direction == Direction.INBOUND))) {
      return;
    }
    boolean byLocalAgent = (direction == Direction.OUTBOUND) == (leg == Leg.REQUEST);
    for (int forged = VerdictFields.strip(headers); forged > 0; forged--) {
      services.metrics().forgedHeader(byLocalAgent ? ForgedSource.AGENT : ForgedSource.PEER);
    }
  }

  @Override
  public boolean isTap() {
    return rule.isTap();
  }

  @Override
  public void onInterim(int status, HttpHeaders headers) {
    if (!over && rule.isTap()) {
      call.interim(status, headers);
    }
  }

  @Override
  public Optional<BodySink> onHead(int status, HttpHeaders headers, long declared) {
    if (over || UnaryAnswer.saysNothing(request.method(), status)) {
      return Optional.empty();
    }
    length = declared;
    head = new WholeResponse(status, headers, Unpooled.EMPTY_BUFFER);
    return Optional.of(this);
  }

  @Override
  public void piece(ByteBuf piece) {
    WholeResponse begun = head;
    if (over || begun == null) {
      piece.release();
      return;
    }
    if (answer == null && piece.readableBytes() == length) {
      head = new WholeResponse(begun.status(), begun.headers(), piece);
      return;
    }
    ResponseStream to = answer == null ? begin(begun) : answer;
    to.write(piece);
    OriginCall asked = origin;
    if (!to.isWritable() && asked != null) {
      asked.pauseReading();
    }
  }

  private ResponseStream begin(WholeResponse begun) {
    HttpHeaders headers = begun.headers();
    strip(headers, Leg.RESPONSE);
    if (length >= 0) {
      headers.set(HttpHeaderNames.CONTENT_LENGTH, Long.toString(length));
    }
    ResponseStream to = call.begin(begun.status(), headers);
    to.onWritable(() -> {
      OriginCall asked = origin;
      if (asked != null) {
        asked.resumeReading();
      }
    });
    answer = to;
    return to;
  }

  @Override
  public void end(HttpHeaders trailers) {
    WholeResponse begun = head;
    ResponseStream to = answer;
    if (over || begun == null) {
      return;
    }
    if (to == null) {
      give(new WholeResponse(begun.status(), begun.headers(), begun.body(), trailers));
      return;
    }
    over = true;
    strip(trailers, Leg.RESPONSE);
    count(begun.status());
    to.end(trailers);
  }

  @Override
  public void failed(OriginResult.Failed failure) {
    ResponseStream to = answer;
    if (over) {
      return;
    }
    if (to == null) {
      refuse(failure);
      return;
    }
    over = true;
    fault(failure);
    if (head != null) {
      count(head.status());
    }
    to.abort();
  }

  @Override
  public void done(OriginResult result) {
    switch (result) {
      case OriginResult.Answered answered when over -> answered.response().body().release();
      case OriginResult.Answered answered -> give(answered.response());
      case OriginResult.Failed failed when over -> {}
      case OriginResult.Failed failed -> refuse(failed);
    }
  }

  private void give(WholeResponse response) {
    over = true;
    strip(response.headers(), Leg.RESPONSE);
    strip(response.trailers(), Leg.RESPONSE);
    count(response.status());
    call.respond(response, false);
  }

  private void refuse(OriginResult.Failed failure) {
    dropKept();
    over = true;
    fault(failure);
    Notice notice = Notices.upstream(failure.code());
    RequestHead asked = new RequestHead(request.method().name(), request.target(), fields());
    WholeResponse refusal =
        Responder.response(
            codecs.refuseUnread(rule.codec(), asked, PlainBody.none(), notice), notice);
    count(refusal.status());
    call.respond(refusal, false);
  }

  private void fault(OriginResult.Failed failure) {
    if (!failure.code().equals("cancelled")) {
      services.metrics().originError(failure.code());
      AgentCall.sayFailed(destination, failure);
    }
  }

  private void count(int status) {
    services.metrics().requestDuration(direction, AgentProtocol.NONE, System.nanoTime() - startNs);
    services.metrics().requestUnjudged(direction, AgentProtocol.NONE, status);
  }

  /** The caller has gone. */
  private void gone() {
    dropKept();
    over = true;
    OriginCall asked = origin;
    if (asked != null) {
      asked.cancel();
    }
  }

  private void dropKept() {
    if (!over && answer == null && head != null) {
      head.body().release();
    }
  }
}
