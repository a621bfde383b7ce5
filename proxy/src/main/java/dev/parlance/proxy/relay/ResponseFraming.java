package dev.parlance.proxy.relay;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Puts a response on the wire: the length is always said, and always ours. */
final class ResponseFraming {
  private static final int NO_CONTENT = 204;
  private static final int NOT_MODIFIED = 304;

  /** IMF-fixdate of RFC 9110, 5.6.7: the day always has two digits. */
  private static final DateTimeFormatter HTTP_DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
          .withZone(ZoneOffset.UTC);

  private ResponseFraming() {}

  /**
   * Frames a response.
   *
   * @param response owned from now on
   * @param toHead true if it answers a HEAD: the length of what a GET would bring, and no body
   * @param close true if the connection ends after it
   */
  static FullHttpResponse frame(WholeResponse response, boolean toHead, boolean close) {
    int status = response.status();
    ByteBuf body = response.body();
    if (status < 200 || status > 599) {
      body.release();
      throw new IllegalArgumentException("expected a final status, got " + status);
    }
    HttpHeaders headers =
        FieldRules.endToEnd(response.headers(), FieldRules.connectionTokens(response.headers()));
    // What an origin said about a body that is not sent is passed on; it never frames anything.
    String declared = response.headers().get(HttpHeaderNames.CONTENT_LENGTH);
    if (status == NO_CONTENT || status == NOT_MODIFIED || toHead) {
      if (declared != null && status != NO_CONTENT) {
        headers.set(HttpHeaderNames.CONTENT_LENGTH, declared);
      } else if (toHead && status != NO_CONTENT && status != NOT_MODIFIED) {
        headers.set(HttpHeaderNames.CONTENT_LENGTH, Integer.toString(body.readableBytes()));
      }
      body.release();
      body = Unpooled.EMPTY_BUFFER;
    } else {
      headers.set(HttpHeaderNames.CONTENT_LENGTH, Integer.toString(body.readableBytes()));
    }
    // RFC 9110, 6.6.1: whoever forwards or makes a response without a date adds one.
    if (!headers.contains(HttpHeaderNames.DATE)) {
      headers.set(HttpHeaderNames.DATE, dateNow());
    }
    if (close) {
      headers.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    }
    return new DefaultFullHttpResponse(
        HttpVersion.HTTP_1_1,
        HttpResponseStatus.valueOf(status),
        body,
        headers,
        EmptyHttpHeaders.INSTANCE);
  }

  /** The present time as a Date field says it. */
  static String dateNow() {
    return HTTP_DATE.format(Instant.now());
  }
}
