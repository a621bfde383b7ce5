package dev.parlance.proxy.act;

import dev.parlance.proxy.config.OnFailure;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Fields behind a body. An agent writes them after everything that was judged, so they are a place
 * to hide words in: they are bounded, and the message of a gRPC error, which stands there, counts
 * as the text of a protocol error.
 */
final class Trailers {
  /** Most characters of all values together, without the status and its details. */
  static final int TEXT_CHARACTERS = 512;

  /** Most characters of the details of a gRPC status. */
  static final int DETAILS_CHARACTERS = 2048;

  private static final String STATUS = "grpc-status";
  private static final String MESSAGE = "grpc-message";
  private static final String DETAILS = "grpc-status-details-bin";

  private Trailers() {}

  /** Takes off what is too long; where nothing is held back it only counts. */
  static void bound(Case at, HttpHeaders trailers) {
    if (!trailers.get(MESSAGE, "").isEmpty()) {
      at.services.metrics().unjudged(Unread.ERROR_TEXT, OnFailure.WARN);
    }
    if (at.observing()) {
      return;
    }
    List<String> dropped = new ArrayList<>(0);
    int characters = 0;
    for (Map.Entry<String, String> field : trailers) {
      String name = field.getKey().toLowerCase(Locale.ROOT);
      boolean details = name.equals(DETAILS);
      if (!details && !name.equals(STATUS)) {
        characters += name.length() + field.getValue().length();
      }
      if (details ? field.getValue().length() > DETAILS_CHARACTERS : characters > TEXT_CHARACTERS) {
        dropped.add(field.getKey());
      }
    }
    for (String name : dropped) {
      trailers.remove(name);
      at.trail.streamRejected("trailer_too_large");
    }
  }

  /**
   * A gRPC answer without any message may have its status in the head; in a stream that we write it
   * stands behind the body, where every client looks for it.
   */
  static HttpHeaders withStatusOf(HttpHeaders head, HttpHeaders trailers) {
    for (String name : List.of(STATUS, MESSAGE, DETAILS)) {
      String value = head.get(name);
      if (value != null) {
        head.remove(name);
        trailers.set(name, value);
      }
    }
    return trailers;
  }
}
