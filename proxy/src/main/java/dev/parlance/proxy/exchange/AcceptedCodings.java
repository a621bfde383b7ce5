package dev.parlance.proxy.exchange;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Keeps an agent from answering in a content coding that the sidecar cannot read: {@code
 * Accept-Encoding} goes on with the codings that both the client and we understand.
 */
final class AcceptedCodings {
  private AcceptedCodings() {}

  /** Narrows the field, if it is there, to gzip, deflate and identity. */
  static void narrow(HttpHeaders headers) {
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
