package dev.parlance.proxy.relay;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;

/** What a request says about the form of its answer. */
enum AnswerForm {
  /** HTTP/1.1: a length, or chunks where it is not known. */
  CHUNKED,
  /** HTTP/1.1, and the client asked for trailers. */
  CHUNKED_WITH_TRAILERS,
  /** HTTP/1.0: a length, or the end of the connection. */
  TO_THE_END,
  /** A HEAD: never a body. */
  HEAD_ONLY;

  static AnswerForm of(HttpRequest request) {
    if (request.method().equals(HttpMethod.HEAD)) {
      return HEAD_ONLY;
    }
    if (request.protocolVersion().equals(HttpVersion.HTTP_1_0)) {
      return TO_THE_END;
    }
    for (String value : request.headers().getAll(HttpHeaderNames.TE)) {
      for (String coding : value.split(",", -1)) {
        if (HttpHeaderValues.TRAILERS.contentEqualsIgnoreCase(coding.strip())) {
          return CHUNKED_WITH_TRAILERS;
        }
      }
    }
    return CHUNKED;
  }
}
