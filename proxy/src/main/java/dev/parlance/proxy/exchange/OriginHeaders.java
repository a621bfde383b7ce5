package dev.parlance.proxy.exchange;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The header fields with which an agent is asked: the caller's, but that {@code Accept-Encoding}
 * goes on with those codings alone that the sidecar can read.
 */
final class OriginHeaders {
  private OriginHeaders() {}

  /** A copy of the caller's. A stream is read event by event, so it must come without a coding. */
  static HttpHeaders of(ExchangeContext at) {
    HttpHeaders headers = at.request.headers().copy();
    if (at.asked.isPresent() && AnswerHead.mayStream(at.asked.get())) {
      headers.set(HttpHeaderNames.ACCEPT_ENCODING, "identity");
    } else {
      narrowCodings(headers);
    }
    return headers;
  }

  /** Narrows the field, if it is there, to gzip, deflate and identity. */
  private static void narrowCodings(HttpHeaders headers) {
    if (!headers.contains(HttpHeaderNames.ACCEPT_ENCODING)) {
      return;
    }
    List<String> kept = new ArrayList<>();
    boolean foreign = false;
    for (String value : headers.getAll(HttpHeaderNames.ACCEPT_ENCODING)) {
      for (String item : value.split(",", -1)) {
        String trimmed = item.trim();
        int parameter = trimmed.indexOf(';');
        String coding =
            (parameter < 0 ? trimmed : trimmed.substring(0, parameter))
                .trim()
                .toLowerCase(Locale.ROOT);
        switch (coding) {
          case "gzip", "x-gzip", "deflate", "identity" -> kept.add(trimmed);
          default -> foreign = true;
        }
      }
    }
    if (foreign) {
      headers.set(
          HttpHeaderNames.ACCEPT_ENCODING, kept.isEmpty() ? "identity" : String.join(", ", kept));
    }
  }
}
