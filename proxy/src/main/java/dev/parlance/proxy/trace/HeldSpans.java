package dev.parlance.proxy.trace;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The spans in which messages were held, by id in the review queue, so that the span of whoever
 * collects one is linked with them. The oldest go first. One thread.
 */
final class HeldSpans {
  /** Most of them. */
  static final int MAX = 4096;

  private final Map<String, TraceContext> spans =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, TraceContext> eldest) {
          return size() > MAX;
        }
      };

  /** A message was held in this span. */
  void held(String reviewId, TraceContext span) {
    spans.putIfAbsent(reviewId, span);
  }

  /** The span in which it was held, unless that is this one. */
  Optional<TraceContext> of(String reviewId, TraceContext except) {
    return Optional.ofNullable(spans.get(reviewId)).filter(span -> !span.equals(except));
  }
}
