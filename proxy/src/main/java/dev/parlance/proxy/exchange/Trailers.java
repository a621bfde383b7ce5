package dev.parlance.proxy.exchange;

import io.netty.handler.codec.http.HttpHeaders;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Bounds the fields behind a body. An agent writes them after everything that was judged, so they
 * are a place to hide words in, and bounded. The status of a gRPC call is not: codecs read its
 * words.
 */
final class Trailers {
  /** Most characters of all names and values together. */
  static final int CHARACTERS = 512;

  private static final List<String> STATUS =
      List.of("grpc-status", "grpc-message", "grpc-status-details-bin");

  private Trailers() {}

  /** Takes off what is too long, unless nothing is held back. */
  static void bound(ExchangeContext at, HttpHeaders trailers) {
    if (at.observing()) {
      return;
    }
    List<String> dropped = new ArrayList<>(0);
    int characters = 0;
    for (Map.Entry<String, String> field : trailers) {
      if (!STATUS.contains(field.getKey().toLowerCase(Locale.ROOT))) {
        characters += field.getKey().length() + field.getValue().length();
        if (characters > CHARACTERS) {
          dropped.add(field.getKey());
        }
      }
    }
    for (String name : dropped) {
      trailers.remove(name);
    }
    if (!dropped.isEmpty()) {
      at.record.streamRejected("trailers_too_large");
    }
  }

  /**
   * A gRPC answer without any message may have its status in the head; in a stream that we write it
   * stands behind the body, where every client looks for it.
   */
  static HttpHeaders withStatusOf(HttpHeaders head, HttpHeaders trailers) {
    for (String name : STATUS) {
      String value = head.get(name);
      if (value != null) {
        head.remove(name);
        trailers.set(name, value);
      }
    }
    return trailers;
  }
}
