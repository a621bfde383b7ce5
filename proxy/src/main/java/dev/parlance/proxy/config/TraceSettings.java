package dev.parlance.proxy.config;

import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The export of traces (key {@code traces}).
 *
 * @param endpoint where spans are posted to: an http or https URL
 * @param headersFile file of header fields that are sent along, a line {@code Name: value} each
 * @param ca certificates in PEM that the collector's is checked against; empty for those of the JVM
 * @param sampleRatio share of exchanges without a caller's {@code traceparent} that are traced, 0
 *     to 1
 * @param texts whether question and answer of judged messages are sent along
 * @param queue most spans that wait, 1 to 65,536
 * @param batch most spans of one request, 1 to 4,096
 * @param intervalMs longest that a span waits for others, 10 to 60,000
 * @param timeoutMs longest that one request may take, 10 to 60,000
 */
public record TraceSettings(
    URI endpoint,
    Optional<Path> headersFile,
    Optional<Path> ca,
    double sampleRatio,
    boolean texts,
    int queue,
    int batch,
    int intervalMs,
    int timeoutMs) {
  /** Refuses bounds outside their ranges. */
  public TraceSettings {
    if (!(sampleRatio >= 0 && sampleRatio <= 1)
        || queue < 1
        || batch < 1
        || intervalMs < 1
        || timeoutMs < 1) {
      throw new IllegalArgumentException(
          "expected sampleRatio in 0..1 and queue, batch, intervalMs, timeoutMs of at least 1");
    }
  }
}
