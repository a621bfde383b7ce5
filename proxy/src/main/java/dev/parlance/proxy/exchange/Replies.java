package dev.parlance.proxy.exchange;

import dev.parlance.proxy.review.HeldMessage;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.Refusal;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Responses that the sidecar makes itself. */
final class Replies {
  private static final int INTERNAL_ERROR = 500;

  private Replies() {}

  static WholeResponse of(Refusal refusal, Notice notice) {
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

  /** The end-to-end fields of a held response, ready for delivery. */
  static HttpHeaders headersOf(HeldMessage held) {
    HttpHeaders headers = new DefaultHttpHeaders();
    held.headers().forEach(field -> headers.add(field.name(), field.value()));
    if (!held.contentType().isEmpty()) {
      headers.set(HttpHeaderNames.CONTENT_TYPE, held.contentType());
    }
    headers.remove(HttpHeaderNames.CONTENT_ENCODING);
    VerdictFields.bodyChanged(headers);
    return headers;
  }
}
