package dev.parlance.inject.webhook;

import dev.parlance.inject.pod.PodOutcome;
import dev.parlance.inject.pod.PodReason;
import dev.parlance.service.metric.Family;
import dev.parlance.service.metric.Family.Room;
import dev.parlance.service.metric.Histograms.Distribution;
import dev.parlance.service.metric.LabelValues;
import dev.parlance.service.metric.Metric;
import dev.parlance.service.metric.MetricFamilies;
import io.micrometer.core.instrument.Counter;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * What the injector counts, as Prometheus reads it. Labels are reason codes only, so there are
 * never more series than there are reasons.
 */
public final class InjectorMetrics {
  private static final int MAX_SERIES = 300;

  /** Upper bounds in seconds; a review is some milliseconds of computing. */
  private static final double[] BOUNDS = {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5};

  private static final double NANOS = 1e9;

  private final MetricFamilies families = new MetricFamilies(MAX_SERIES, _ -> {});
  private final Family<Counter> reviews =
      families.counters(
          metric("reviews_total", "Pods by what became of them", "outcome", "reason"),
          LabelValues.of("injected", "unchanged", "refused"),
          LabelValues.of(
              Stream.concat(Stream.of("none"), Stream.of(PodReason.values()).map(PodReason::code))
                  .toArray(String[]::new)));
  private final Family<Distribution> durations =
      families
          .histograms(
              metric("review_duration_seconds", "Time of one review"), BOUNDS, Room.RESERVED, 1)
          .filled();
  private final Counter unreadable =
      counter("unreadable_total", "Requests that were no admission review of a pod");
  private final Counter certificateFailures =
      counter("certificate_failures_total", "Looks after the certificate that failed");
  private final Counter settingsRefused =
      counter("settings_refused_total", "Changed settings files that were refused");
  private final AtomicLong expiry = new AtomicLong();
  private final AtomicLong announced = new AtomicLong();

  /** Counters at zero. */
  public InjectorMetrics(String version) {
    families.gauge(
        metric(
            "certificate_expiry_timestamp_seconds",
            "End of the served certificate's validity; 0 while there is none"),
        expiry::get);
    families.gauge(
        metric(
            "certificate_announced",
            "1 if the webhook configuration names the authorities of the certificate"),
        announced::get);
    families.info(metric("build_info", "What runs here", "version"), version);
  }

  private static Metric metric(String name, String help, String... labels) {
    return new Metric.Facts("parlance_injector_" + name, help, List.of(labels));
  }

  private Counter counter(String name, String help) {
    return families.sure(metric(name, help)).get();
  }

  void reviewed(PodOutcome outcome, long tookNs) {
    Counter counter =
        switch (outcome) {
          case PodOutcome.Injected _ -> reviews.of("injected", "none");
          case PodOutcome.Unchanged unchanged ->
              reviews.of("unchanged", unchanged.why().reason().code());
          case PodOutcome.Refused refused ->
              reviews.of("refused", refused.problems().getFirst().reason().code());
        };
    counter.increment();
    durations.get().observe(tookNs / NANOS);
  }

  void unreadable() {
    unreadable.increment();
  }

  /** The certificate that is served. */
  public void certificate(Instant notAfter) {
    expiry.set(notAfter.getEpochSecond());
  }

  /** Whether API servers are told whom to believe. */
  public void announced(boolean is) {
    announced.set(is ? 1 : 0);
  }

  /** The certificate's keeper could not do what was due. */
  public void certificateFailed() {
    certificateFailures.increment();
  }

  /** A changed settings file was refused. */
  public void settingsRefused() {
    settingsRefused.increment();
  }

  /** The text of {@code /metrics}. */
  String scrape() {
    return families.scrape();
  }
}
