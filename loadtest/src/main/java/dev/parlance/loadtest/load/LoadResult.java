package dev.parlance.loadtest.load;

import com.fasterxml.jackson.annotation.JsonKey;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;

/**
 * What one load phase showed.
 *
 * @param outcomes how the measured requests ended; every outcome has an entry
 * @param warmup how those of the warm-up ended
 * @param unsolicited answers that came on a connection with nothing to answer (a message sent
 *     twice)
 * @param judged measured answers that carry an {@code ASP-Signal} field
 * @param windowSeconds real length of the measured window
 * @param completed answers that came inside the window, whenever they were asked for
 * @param latency from the moment each request was due (closed loop: was sent) to its answer;
 *     requests without an answer count with the time waited
 * @param service from the moment each request was really sent
 * @param cpu processor time used in the window
 */
public record LoadResult(
    Map<Outcome, Long> outcomes,
    Map<Outcome, Long> warmup,
    long unsolicited,
    long judged,
    double windowSeconds,
    long completed,
    Percentiles latency,
    Percentiles service,
    CpuWatch.Reading cpu) {
  public LoadResult {
    outcomes = whole(outcomes);
    warmup = whole(warmup);
  }

  private static Map<Outcome, Long> whole(Map<Outcome, Long> some) {
    EnumMap<Outcome, Long> copy = new EnumMap<>(Outcome.class);
    for (Outcome outcome : Outcome.values()) {
      copy.put(outcome, some.getOrDefault(outcome, 0L));
    }
    return Collections.unmodifiableMap(copy);
  }

  public long count(Outcome outcome) {
    return outcomes.getOrDefault(outcome, 0L);
  }

  /** Measured requests, however they ended. */
  public long requests() {
    return outcomes.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Requests of the warm-up that ended in a fault. */
  public long warmupFaults() {
    return faults(warmup);
  }

  /** Everything that should not have happened, warm-up included. */
  public long faults() {
    return faults(outcomes) + faults(warmup) + unsolicited;
  }

  /** Faults that are nothing but having waited too long, warm-up included. */
  public long lateness() {
    long late = 0;
    for (Outcome outcome : List.of(Outcome.TIMED_OUT, Outcome.UNSENT)) {
      late += count(outcome) + warmup.getOrDefault(outcome, 0L);
    }
    return late;
  }

  private static long faults(Map<Outcome, Long> outcomes) {
    return outcomes.entrySet().stream()
        .filter(entry -> entry.getKey().isFault())
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  public double requestsPerSecond() {
    return windowSeconds > 0 ? completed / windowSeconds : 0;
  }

  /** Processor time of the watched process per answer in the window. */
  public OptionalDouble proxyCpuUsPerRequest() {
    return cpu.proxyUs().isPresent() && completed > 0
        ? OptionalDouble.of((double) cpu.proxyUs().getAsLong() / completed)
        : OptionalDouble.empty();
  }

  /** CorePinning that the watched process kept busy. */
  public OptionalDouble proxyBusyCores() {
    return cores(cpu.proxyUs());
  }

  /** CorePinning that load generator and upstream kept busy. */
  public OptionalDouble loadBusyCores() {
    return cores(cpu.loadUs());
  }

  /** CorePinning that everything else on the machine kept busy: what disturbs the measurement. */
  public OptionalDouble otherBusyCores() {
    if (cpu.machineUs().isEmpty() || cpu.loadUs().isEmpty()) {
      return OptionalDouble.empty();
    }
    long others = cpu.machineUs().getAsLong() - cpu.loadUs().getAsLong() - cpu.proxyUs().orElse(0);
    return cores(OptionalLong.of(Math.max(0, others)));
  }

  private OptionalDouble cores(OptionalLong cpuUs) {
    return cpuUs.isPresent() && windowSeconds > 0
        ? OptionalDouble.of(cpuUs.getAsLong() / 1e6 / windowSeconds)
        : OptionalDouble.empty();
  }

  /** How a request ended; every request ends in exactly one of these. */
  public enum Outcome {
    /** Status 200, its own id, a result at least as long as the upstream's. */
    ANSWERED("answered"),
    /**
     * Its own id, but a JSON-RPC error, or a result shorter than the upstream's: held or replaced.
     */
    REFUSED("refused"),
    /** Another status than 200. */
    BAD_STATUS("badStatus"),
    /** No HTTP message, or no JSON-RPC answer in it. */
    BAD_ANSWER("badAnswer"),
    /** The id of a request that this connection did not ask, or nobody. */
    WRONG_ID("wrongId"),
    /** The id of a request that was answered before. */
    DUPLICATE("duplicate"),
    /** The connection closed before the answer. */
    LOST("lost"),
    /** No answer in time. */
    TIMED_OUT("timedOut"),
    /** It was due, and no connection became free for it before the run gave up. */
    UNSENT("unsent");

    private final String code;

    Outcome(String code) {
      this.code = code;
    }

    /** Name in reports. */
    @JsonKey
    public String code() {
      return code;
    }

    /** True if something is wrong; a refusal is a decision, no fault. */
    public boolean isFault() {
      return this != ANSWERED && this != REFUSED;
    }
  }

  /** Latencies of one phase in microseconds; all 0 if there was no request. */
  public record Percentiles(
      @JsonProperty("p50") double p50Us,
      @JsonProperty("p90") double p90Us,
      @JsonProperty("p99") double p99Us,
      @JsonProperty("p999") double p999Us,
      @JsonProperty("max") double maxUs) {
    static Percentiles of(Histogram nanos) {
      return new Percentiles(
          nanos.getValueAtPercentile(50) / 1e3,
          nanos.getValueAtPercentile(90) / 1e3,
          nanos.getValueAtPercentile(99) / 1e3,
          nanos.getValueAtPercentile(99.9) / 1e3,
          nanos.getTotalCount() == 0 ? 0 : nanos.getMaxValue() / 1e3);
    }
  }
}
