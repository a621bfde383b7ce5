package dev.parlance.inject.webhook;

import dev.parlance.inject.pod.PodOutcome;
import dev.parlance.inject.pod.PodReason;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * What the injector counts, as Prometheus reads it. Labels are reason codes only, so there are
 * never more series than there are reasons.
 */
public final class InjectorMetrics {
  /** Upper bounds in seconds; a review is some milliseconds of computing. */
  private static final double[] BOUNDS = {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5};

  private static final double NANOS = 1e9;

  private final Map<String, LongAdder> reviews = new ConcurrentSkipListMap<>();
  private final LongAdder[] buckets = new LongAdder[BOUNDS.length + 1];
  private final LongAdder nanos = new LongAdder();
  private final LongAdder unreadable = new LongAdder();
  private final LongAdder certificateFailures = new LongAdder();
  private final LongAdder settingsRefused = new LongAdder();
  private final AtomicLong expiry = new AtomicLong();
  private final AtomicLong announced = new AtomicLong();
  private final String version;

  /** Counters at zero. */
  public InjectorMetrics(String version) {
    this.version = version.replaceAll("[^A-Za-z0-9._+-]", "_");
    for (int i = 0; i < buckets.length; i++) {
      buckets[i] = new LongAdder();
    }
  }

  void reviewed(PodOutcome outcome, long tookNs) {
    String labels =
        switch (outcome) {
          case PodOutcome.Injected _ -> labels("injected", Optional.empty());
          case PodOutcome.Unchanged unchanged ->
              labels("unchanged", Optional.of(unchanged.why().reason()));
          case PodOutcome.Refused refused ->
              labels("refused", Optional.of(refused.problems().getFirst().reason()));
        };
    reviews.computeIfAbsent(labels, key -> new LongAdder()).increment();
    int bucket = 0;
    while (bucket < BOUNDS.length && tookNs > BOUNDS[bucket] * NANOS) {
      bucket++;
    }
    buckets[bucket].increment();
    nanos.add(tookNs);
  }

  private static String labels(String outcome, Optional<PodReason> reason) {
    return "outcome=\""
        + outcome
        + "\",reason=\""
        + reason.map(PodReason::code).orElse("none")
        + "\"";
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
    StringBuilder out = new StringBuilder(2048);
    family(out, "parlance_injector_reviews_total", "counter", "Pods by what became of them");
    reviews.forEach((labels, count) ->
        line(out, "parlance_injector_reviews_total{" + labels + "}", count.sum()));
    String seconds = "parlance_injector_review_duration_seconds";
    family(out, seconds, "histogram", "Time of one review");
    long sum = 0;
    for (int i = 0; i < buckets.length; i++) {
      sum += buckets[i].sum();
      String bound = i < BOUNDS.length ? String.valueOf(BOUNDS[i]) : "+Inf";
      line(out, seconds + "_bucket{le=\"" + bound + "\"}", sum);
    }
    out.append(String.format(Locale.ROOT, "%s_sum %.9f%n", seconds, nanos.sum() / NANOS));
    line(out, seconds + "_count", sum);
    single(
        out,
        "parlance_injector_unreadable_total",
        "counter",
        "Requests that were no admission review of a pod",
        unreadable.sum());
    single(
        out,
        "parlance_injector_certificate_expiry_timestamp_seconds",
        "gauge",
        "End of the served certificate's validity; 0 while there is none",
        expiry.get());
    single(
        out,
        "parlance_injector_certificate_announced",
        "gauge",
        "1 if the webhook configuration names the authorities of the certificate",
        announced.get());
    single(
        out,
        "parlance_injector_certificate_failures_total",
        "counter",
        "Looks after the certificate that failed",
        certificateFailures.sum());
    single(
        out,
        "parlance_injector_settings_refused_total",
        "counter",
        "Changed settings files that were refused",
        settingsRefused.sum());
    family(out, "parlance_injector_build_info", "gauge", "What runs here");
    line(out, "parlance_injector_build_info{version=\"" + version + "\"}", 1);
    return out.toString();
  }

  private static void single(StringBuilder out, String name, String type, String help, long value) {
    family(out, name, type, help);
    line(out, name, value);
  }

  private static void family(StringBuilder out, String name, String type, String help) {
    out.append("# HELP ").append(name).append(' ').append(help).append('\n');
    out.append("# TYPE ").append(name).append(' ').append(type).append('\n');
  }

  private static void line(StringBuilder out, String series, long value) {
    out.append(series).append(' ').append(value).append('\n');
  }
}
