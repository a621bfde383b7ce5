package dev.parlance.loadtest;

import java.util.EnumMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Counts and latencies of one phase; used on one event loop. */
final class Tally {
  private static final long HIGHEST_NS = 3_600_000_000_000L;

  private final Map<Outcome, Long> outcomes = new EnumMap<>(Outcome.class);
  private final Histogram latency = new Histogram(HIGHEST_NS, 3);
  private final Histogram service = new Histogram(HIGHEST_NS, 3);
  private long judged;

  /**
   * Counts a request's end.
   *
   * @param sinceDueNs time since it was due
   * @param sinceSentNs time since it was sent, negative if it never was
   */
  void add(Outcome outcome, boolean withSignal, long sinceDueNs, long sinceSentNs) {
    outcomes.merge(outcome, 1L, Long::sum);
    judged += withSignal ? 1 : 0;
    latency.recordValue(Math.clamp(sinceDueNs, 0, HIGHEST_NS));
    if (sinceSentNs >= 0) {
      service.recordValue(Math.min(sinceSentNs, HIGHEST_NS));
    }
  }

  long judged() {
    return judged;
  }

  Map<Outcome, Long> outcomes() {
    return Map.copyOf(outcomes);
  }

  Percentiles latency() {
    return Percentiles.of(latency);
  }

  Percentiles service() {
    return Percentiles.of(service);
  }
}
