package dev.parlance.proxy.relay;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Puts a response on the wire: where its body ends is always said, and always by us. */
final class ResponseFraming {
  private static final int NO_CONTENT = 204;
  private static final int RESET_CONTENT = 205;
  private static final int NOT_MODIFIED = 304;

  /** IMF-fixdate of RFC 9110, 5.6.7: the day always has two digits. */
  private static final DateTimeFormatter HTTP_DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
          .withZone(ZoneOffset.UTC);

  private ResponseFraming() {}

  /**
   * Frames a whole response: a length, or chunks where trailers follow that the client asked for.
   *
   * @param response owned from now on
   * @param form what the request says; a HEAD gets the length of what a GET would bring, no body
   * @param close true if the connection ends after it
   */
  static FullHttpResponse frame(WholeResponse response, AnswerForm form, boolean close) {
    int status = response.status();
    ByteBuf body = response.body();
    if (status < 200 || status > 599) {
      body.release();
      throw new IllegalArgumentException("expected a final status, got " + status);
    }
    boolean toHead = form == AnswerForm.HEAD_ONLY;
    HttpHeaders headers = fields(response.headers(), close);
    HttpHeaders trailers =
        form == AnswerForm.CHUNKED_WITH_TRAILERS
            ? FieldRules.trailersToSend(response.trailers())
            : EmptyHttpHeaders.INSTANCE;
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
    } else if (!trailers.isEmpty()) {
      headers.set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
      headers.set(HttpHeaderNames.TRAILER, String.join(", ", trailers.names()));
    } else {
      headers.set(HttpHeaderNames.CONTENT_LENGTH, Integer.toString(body.readableBytes()));
    }
    return new DefaultFullHttpResponse(
        HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status), body, headers, trailers);
  }

  /** How the end of a streamed response is told. */
  static ClientStream.Delimiter delimiter(int status, AnswerForm form) {
    if (status == NO_CONTENT || status == RESET_CONTENT || status == NOT_MODIFIED) {
      return ClientStream.Delimiter.NO_BODY;
    }
    return switch (form) {
      case CHUNKED -> ClientStream.Delimiter.BARE_LAST_CHUNK;
      case CHUNKED_WITH_TRAILERS -> ClientStream.Delimiter.LAST_CHUNK;
      case TO_THE_END -> ClientStream.Delimiter.CLOSE;
      case HEAD_ONLY -> ClientStream.Delimiter.NO_BODY;
    };
  }

  /** The head of a response whose body follows piece by piece. */
  static HttpResponse streamHead(
      int status, HttpHeaders given, ClientStream.Delimiter delimiter, boolean close) {
    HttpHeaders headers = fields(given, close);
    switch (delimiter) {
      case BARE_LAST_CHUNK ->
          headers.set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
      case LAST_CHUNK -> {
        headers.set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
        // Which trailers may come, says whoever will write them.
        headers.set(HttpHeaderNames.TRAILER, given.getAll(HttpHeaderNames.TRAILER));
      }
      case NO_BODY -> {
        String declared = given.get(HttpHeaderNames.CONTENT_LENGTH);
        if (declared != null && status != NO_CONTENT) {
          headers.set(HttpHeaderNames.CONTENT_LENGTH, declared);
        }
      }
      case CLOSE -> {}
    }
    return new DefaultHttpResponse(
        HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status), headers);
  }

  private static HttpHeaders fields(HttpHeaders given, boolean close) {
    HttpHeaders headers = FieldRules.endToEnd(given, FieldRules.connectionTokens(given));
    // RFC 9110, 6.6.1: whoever forwards or makes a response without a date adds one.
    if (!headers.contains(HttpHeaderNames.DATE)) {
      headers.set(HttpHeaderNames.DATE, dateNow());
    }
    if (close) {
      headers.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    }
    return headers;
  }

  /** The present time as a Date field says it. */
  static String dateNow() {
    return HTTP_DATE.format(Instant.now());
  }
}
