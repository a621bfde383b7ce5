package dev.parlance.demo.agent;

import java.util.concurrent.Flow;
import java.util.function.Function;

/** What a binding over HTTP/1.1 answers. */
sealed interface HttpAnswer {
  /** A body. */
  // Sent once, never compared; the array is not copied.
  @SuppressWarnings("ArrayRecordComponent")
  record Whole(int status, String contentType, byte[] body) implements HttpAnswer {}

  /**
   * Server-sent events.
   *
   * @param source the events
   * @param payload an event as JSON on one line
   */
  record Events<T>(Flow.Publisher<T> source, Function<T, String> payload) implements HttpAnswer {}
}
