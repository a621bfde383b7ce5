package dev.parlance.proxy.exchange;

import dev.parlance.proxy.config.Direction;
import dev.parlance.relay.api.HttpProtocol;
import dev.parlance.relay.api.ServerCall.ResponseStream;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.Refusal;
import dev.parlance.wire.bytes.PlainBody;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/** The one answer that a caller gets, in its own protocol. */
final class Responder {
  private static final int FIRST_ERROR_STATUS = 400;
  private static final int INTERNAL_ERROR = 500;

  private final ExchangeContext at;
  private PlainBody body = PlainBody.none();
  private Optional<RoundStage.Ticket> round = Optional.empty();
  private boolean given;
  private Optional<String> refusedPact = Optional.empty();
  private boolean refusesTalk;

  Responder(ExchangeContext at) {
    this.at = at;
  }

  /** The request's body as it was read, for the ids that a refusal repeats; kept, not copied. */
  void to(PlainBody requestBody) {
    body = requestBody;
  }

  /** The round that the exchange has to do with, which stands beside the answer. */
  void beside(RoundStage.Ticket ticket) {
    round = Optional.of(ticket);
  }

  /** True once it is given, or nobody is there any more to take it. */
  boolean isGiven() {
    return given;
  }

  /** The caller has gone. */
  void abandon() {
    given = true;
    at.over();
  }

  /** Gives it whole. */
  void give(WholeResponse reply) {
    given = true;
    at.over();
    writeRound(reply.headers());
    writePact(reply.headers());
    at.call.respond(reply, false);
  }

  /** Begins an answer that is given piece by piece. */
  ResponseStream begin(int status, HttpHeaders headers) {
    given = true;
    at.record.begun();
    writeRound(headers);
    writePact(headers);
    if (at.call.protocol() == HttpProtocol.HTTP1) {
      headers.set(HttpHeaderNames.TRAILER, VerdictFields.TRAILERS);
    }
    return at.call.begin(status, headers);
  }

  /** The sidecar of the caller is told under which pact the answer is, or why there is none. */
  private void writePact(HttpHeaders headers) {
    if (at.direction != Direction.INBOUND) {
      return;
    }
    if (refusedPact.isPresent()) {
      headers.set(PactFields.PACT, refusedPact.get());
    } else if (at.pact.isPresent()) {
      PactFields.write(headers, at.pact.get());
    }
    at.ratification().ifPresent(text -> headers.set(PactFields.RATIFICATION, text));
  }

  /**
   * The refusal that follows is for the pact that the request named.
   *
   * @param delivered true if the agent has had the request
   */
  void refusesPact(String code, boolean delivered) {
    if (!refusesTalk) {
      refusedPact = at.named.map(named -> PactFields.refused(named.id(), code, delivered));
    }
  }

  /**
   * The refusal that follows is for what the request, or its answer, says in a negotiation of the
   * agents.
   *
   * @param delivered true if the agent has had the request
   */
  void refusesTalk(String code, boolean delivered) {
    refusesTalk = true;
    refusedPact = Optional.of(PactFields.refused(PactFields.NEGOTIATION, code, delivered));
  }

  private void writeRound(HttpHeaders headers) {
    if (round.isPresent()) {
      VerdictFields.writeRound(headers, round.get().status());
    }
  }

  /** A typed refusal. */
  WholeResponse refusal(Step.Refuse refuse) {
    Notice notice = refuse.notice();
    Refusal refusal =
        at.asked.isEmpty()
            ? at.codecs.refuseUnread(at.rule.codec(), at.head, body, notice)
            : refuse.rejected().isPresent()
                ? at.asked.get().refuse(notice, refuse.rejected().get())
                : at.asked.get().refuse(notice);
    // An error of the origin keeps its status, which tells the caller something.
    return response(
        refuse.status() >= FIRST_ERROR_STATUS ? withStatus(refusal, refuse.status()) : refusal,
        notice);
  }

  // ---- responses that the sidecar makes itself ----

  /** A refusal as a response. */
  static WholeResponse response(Refusal refusal, Notice notice) {
    HttpHeaders headers = new DefaultHttpHeaders();
    headers.set(HttpHeaderNames.CONTENT_TYPE, refusal.contentType());
    headers.set(HttpHeaderNames.CACHE_CONTROL, "no-store");
    notice
        .verdict()
        .ifPresentOrElse(
            annotation -> VerdictFields.write(headers, annotation),
            () -> headers.set(VerdictFields.REASON, notice.code()));
    return new WholeResponse(
        refusal.status(),
        headers,
        Unpooled.wrappedBuffer(refusal.body()),
        fields(refusal.trailers()));
  }

  /** Fields that a codec wants behind a body. */
  static HttpHeaders fields(Map<String, String> trailers) {
    HttpHeaders fields = new DefaultHttpHeaders();
    trailers.forEach(fields::set);
    return fields;
  }

  static Refusal withStatus(Refusal refusal, int status) {
    return new Refusal(status, refusal.contentType(), refusal.body(), refusal.trailers());
  }

  /** What a caller gets when the gate itself has failed. */
  static WholeResponse internalError(String decisionId) {
    HttpHeaders headers = new DefaultHttpHeaders();
    headers.set(HttpHeaderNames.CONTENT_TYPE, "application/problem+json");
    headers.set(HttpHeaderNames.CACHE_CONTROL, "no-store");
    headers.set(VerdictFields.REASON, "internal_error");
    String body =
        "{\"type\":\"urn:parlance:problem:internal_error\",\"title\":\"The gate"
            + " failed\",\"status\":500,\"detail\":\"The message was not judged and not"
            + " delivered.\",\"decision\":\""
            + decisionId
            + "\"}";
    return new WholeResponse(
        INTERNAL_ERROR, headers, Unpooled.wrappedBuffer(body.getBytes(StandardCharsets.US_ASCII)));
  }
}
