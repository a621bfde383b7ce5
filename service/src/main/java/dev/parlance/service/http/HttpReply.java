package dev.parlance.service.http;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;

/**
 * A whole HTTP answer.
 *
 * @param status HTTP status
 * @param contentType media type
 * @param fields further header fields, in order
 * @param body its bytes; not copied, so leave them alone
 */
@SuppressWarnings("ArrayRecordComponent") // made once, written once, never compared
public record HttpReply(
    int status, String contentType, SequencedMap<String, String> fields, byte[] body) {
  private static final String TEXT = "text/plain; charset=utf-8";
  private static final Map<String, String> NO_SNIFFING =
      Map.of("X-Content-Type-Options", "nosniff");

  /** An answer whose type browsers must not guess. */
  public static HttpReply of(int status, String contentType, byte[] body) {
    return new HttpReply(status, contentType, new LinkedHashMap<>(NO_SNIFFING), body);
  }

  /** A line of text. */
  public static HttpReply text(int status, String line) {
    return of(status, TEXT, (line + "\n").getBytes(StandardCharsets.UTF_8));
  }

  /** The same with one more field. */
  public HttpReply with(String field, String value) {
    SequencedMap<String, String> more = new LinkedHashMap<>(fields);
    more.put(field, value);
    return new HttpReply(status, contentType, more, body);
  }

  /** The head of an answer without known length, after which the connection ends. */
  HttpResponse streamed() {
    HttpResponse http =
        new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status));
    http.headers().set(HttpHeaderNames.CONTENT_TYPE, contentType);
    fields.forEach((field, value) -> http.headers().set(field, value));
    HttpUtil.setTransferEncodingChunked(http, true);
    HttpUtil.setKeepAlive(http, false);
    return http;
  }

  FullHttpResponse encode(boolean isKeptAlive) {
    FullHttpResponse http =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status), Unpooled.wrappedBuffer(body));
    http.headers()
        .set(HttpHeaderNames.CONTENT_TYPE, contentType)
        .set(HttpHeaderNames.CONTENT_LENGTH, body.length);
    fields.forEach((field, value) -> http.headers().set(field, value));
    HttpUtil.setKeepAlive(http, isKeptAlive);
    return http;
  }
}
