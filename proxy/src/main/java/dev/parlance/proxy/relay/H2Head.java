package dev.parlance.proxy.relay;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Makes the header blocks that we send. What is given has been checked where it came in. */
final class H2Head {
  private static final int NO_CONTENT = 204;
  private static final int NOT_MODIFIED = 304;

  /** Methods whose body a length announces even if it is empty. */
  private static final Set<String> BODY_EXPECTED = Set.of("POST", "PUT", "PATCH");

  private H2Head() {}

  /** True if a response of this status has no body, whatever its fields say. */
  static boolean isBodyless(int status) {
    return status == NO_CONTENT || status == NOT_MODIFIED;
  }

  /**
   * The head of a response that is whole.
   *
   * @param toHead true if it answers a HEAD
   */
  static Http2Headers response(WholeResponse response, boolean toHead) {
    int status = response.status();
    Http2Headers head = begin(status, response.headers());
    String declared = response.headers().get(HttpHeaderNames.CONTENT_LENGTH);
    int bytes = response.body().readableBytes();
    if (toHead || status == NOT_MODIFIED) {
      if (declared != null) {
        head.set(HttpHeaderNames.CONTENT_LENGTH, declared);
      } else if (bytes > 0 && status != NOT_MODIFIED) {
        head.set(HttpHeaderNames.CONTENT_LENGTH, Integer.toString(bytes));
      }
    } else if (bytes > 0 && status != NO_CONTENT && response.trailers().isEmpty()) {
      head.set(HttpHeaderNames.CONTENT_LENGTH, Integer.toString(bytes));
    }
    return head;
  }

  /** The head of a response whose body follows piece by piece. */
  static Http2Headers begin(int status, HttpHeaders headers) {
    Http2Headers head = new DefaultHttp2Headers(false);
    head.status(AsciiString.of(Integer.toString(status)));
    addEndToEnd(headers, head);
    if (!head.contains(HttpHeaderNames.DATE)) {
      head.set(HttpHeaderNames.DATE, ResponseFraming.dateNow());
    }
    return head;
  }

  /** The head of a request. */
  static Http2Headers request(WholeRequest request) {
    Http2Headers head = new DefaultHttp2Headers(false);
    String method = request.method().name();
    head.method(AsciiString.of(method));
    head.scheme(AsciiString.of("http"));
    head.authority(AsciiString.of(request.authority()));
    head.path(AsciiString.of(request.target()));
    addEndToEnd(request.headers(), head);
    head.remove(HttpHeaderNames.HOST);
    head.remove(HttpHeaderNames.EXPECT);
    int bytes = request.body().readableBytes();
    boolean grpc = request.isGrpc();
    if (!grpc && (bytes > 0 || BODY_EXPECTED.contains(method))) {
      head.set(HttpHeaderNames.CONTENT_LENGTH, Integer.toString(bytes));
    }
    if (grpc || request.headers().contains(HttpHeaderNames.TE, "trailers", true)) {
      head.set(HttpHeaderNames.TE, "trailers");
    }
    return head;
  }

  /** Fields behind a body. */
  static Http2Headers trailers(HttpHeaders trailers) {
    Http2Headers block = new DefaultHttp2Headers(false);
    addEndToEnd(FieldRules.trailersToSend(trailers), block);
    return block;
  }

  private static void addEndToEnd(HttpHeaders from, Http2Headers to) {
    Set<String> connection = FieldRules.connectionTokens(from);
    for (Map.Entry<String, String> field : from) {
      String name = field.getKey().toLowerCase(Locale.ROOT);
      if (FieldRules.passesOn(name) && !connection.contains(name)) {
        to.add(AsciiString.of(name), AsciiString.of(field.getValue()));
      }
    }
  }
}
