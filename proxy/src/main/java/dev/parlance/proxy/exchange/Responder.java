package dev.parlance.proxy.exchange;

import dev.parlance.proxy.config.Annotate;
import dev.parlance.proxy.exchange.body.VerdictFields;
import dev.parlance.relay.api.HttpProtocol;
import dev.parlance.relay.api.ServerCall.ResponseStream;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.Refusal;
import dev.parlance.wire.api.ResponseHead;
import dev.parlance.wire.bytes.PlainBody;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/** The one answer that a caller gets, in its own protocol. */
final class Responder {
  private static final int INTERNAL_ERROR = 500;

  private final ExchangeContext exchange;
  private PlainBody body;
  private boolean given;

  Responder(ExchangeContext exchange) {
    this.exchange = exchange;
    this.body = exchange.body.plain().body();
  }

  /** The request's body as it was read, for the ids that a refusal repeats; kept, not copied. */
  void to(PlainBody requestBody) {
    body = requestBody;
  }

  /** The request's body; none if it could not be read. */
  PlainBody asked() {
    return body;
  }

  /** True once it is given, or nobody is there any more to take it. */
  boolean isGiven() {
    return given;
  }

  /** The caller has gone. */
  void abandon() {
    given = true;
    exchange.checks.each(Check::abandoned);
  }

  /** Gives it whole. */
  void give(WholeResponse reply) {
    given = true;
    exchange.checks.each(Check::over);
    exchange.checks.each(check -> check.toCaller(reply.headers()));
    exchange.checks.each(check -> check.leaves(reply));
    exchange.call.respond(reply, false);
  }

  /** Begins an answer that is given piece by piece. */
  ResponseStream begin(int status, HttpHeaders headers) {
    given = true;
    exchange.record.begun();
    exchange.checks.each(check -> check.toCaller(headers));
    exchange.checks.each(check -> check.leaves(headers));
    if (exchange.call.protocol() == HttpProtocol.HTTP1
        && exchange.rule.annotate() != Annotate.OFF) {
      headers.set(HttpHeaderNames.TRAILER, VerdictFields.TRAILERS);
    }
    return exchange.call.begin(status, headers);
  }

  /** It goes on with these bytes, which stay here. */
  void goesOn(ByteBuf piece) {
    exchange.checks.each(check -> check.leaving(piece));
  }

  /** All of it has been given but these fields. */
  void ends(HttpHeaders trailers) {
    exchange.checks.each(check -> check.leftAll(trailers));
  }

  /** A typed refusal. */
  WholeResponse refusal(Step.Refuse refuse) {
    Optional<WholeResponse> error =
        refuse
            .head()
            .filter(head ->
                ResponseHead.isError(head.status())
                    || refuse.notice().kind() == Notice.Kind.AGENT_ERROR);
    Notice notice =
        error.map(head -> refuse.notice().under(head.status())).orElseGet(refuse::notice);
    Refusal refusal =
        exchange.asked.isEmpty()
            ? exchange.codecs.refuseUnread(exchange.rule.codec(), exchange.head, body, notice)
            : refuse.rejected().isPresent()
                ? exchange.asked.get().refuse(notice, refuse.rejected().get())
                : exchange.asked.get().refuse(notice);
    return error
        .map(head -> ofError(head, refusal, notice))
        .orElseGet(() -> forBrowsers(refuse, response(refusal, notice)));
  }

  /** A page of another origin reads the refusal if it may read the answer in whose place it is. */
  private static WholeResponse forBrowsers(Step.Refuse refuse, WholeResponse response) {
    refuse
        .head()
        .ifPresent(head -> PassedFields.keepForBrowsers(head.headers(), response.headers()));
    return response;
  }

  /** An error stays one of its kind, and what clients need to try again or to go on stays too. */
  private WholeResponse ofError(WholeResponse head, Refusal refusal, Notice notice) {
    WholeResponse response = response(withStatus(refusal, head.status()), notice);
    PassedFields.keepOfError(
        head.headers(), response.headers(), exchange.config.limits().errorBytes());
    return response;
  }

  // ---- responses that the sidecar makes itself ----

  /** A refusal as a response. */
  static WholeResponse response(Refusal refusal, Notice notice) {
    HttpHeaders headers = new DefaultHttpHeaders();
    headers.set(HttpHeaderNames.CONTENT_TYPE, refusal.contentType());
    headers.set(HttpHeaderNames.CACHE_CONTROL, "no-store");
    notice.retryAfterS().ifPresent(seconds -> headers.set(HttpHeaderNames.RETRY_AFTER, seconds));
    notice.reviewId().ifPresent(id -> headers.set(VerdictFields.REVIEW, id));
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

  private static Refusal withStatus(Refusal refusal, int status) {
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
