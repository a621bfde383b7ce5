package dev.parlance.relay.http1;

import dev.parlance.relay.field.FieldKind;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;

/** What a request says about the form of its answer. */
public enum AnswerForm {
  /** HTTP/1.1: a length, or chunks where it is not known. */
  CHUNKED,
  /** HTTP/1.1, and the client asked for trailers. */
  CHUNKED_WITH_TRAILERS,
  /** HTTP/1.0: a length, or the end of the connection. */
  TO_THE_END,
  /** A HEAD: never a body. */
  HEAD_ONLY;

  public static AnswerForm of(HeadReader head) {
    if (head.method().equals(HttpMethod.HEAD)) {
      return HEAD_ONLY;
    }
    if (head.http10()) {
      return TO_THE_END;
    }
    for (String value : head.fields().all(FieldKind.TE)) {
      for (String coding : value.split(",", -1)) {
        if (HttpHeaderValues.TRAILERS.contentEqualsIgnoreCase(coding.strip())) {
          return CHUNKED_WITH_TRAILERS;
        }
      }
    }
    return CHUNKED;
  }
}
