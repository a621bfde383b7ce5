package dev.parlance.loadtest;

import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What one load phase showed.
 *
 * @param outcomes how the measured requests ended; every outcome has an entry
 * @param warmupFaults requests of the warm-up that ended in a fault
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
record LoadResult(
    Map<Outcome, Long> outcomes,
    long warmupFaults,
    long unsolicited,
    long judged,
    double windowSeconds,
    long completed,
    Percentiles latency,
    Percentiles service,
    CpuWatch.Reading cpu) {
  LoadResult {
    EnumMap<Outcome, Long> copy = new EnumMap<>(Outcome.class);
    for (Outcome outcome : Outcome.values()) {
      copy.put(outcome, outcomes.getOrDefault(outcome, 0L));
    }
    outcomes = java.util.Collections.unmodifiableMap(copy);
  }

  long count(Outcome outcome) {
    return outcomes.getOrDefault(outcome, 0L);
  }

  /** Measured requests, however they ended. */
  long requests() {
    return outcomes.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Everything that should not have happened, warm-up included. */
  long faults() {
    long faults = warmupFaults + unsolicited;
    for (Outcome outcome : Outcome.values()) {
      faults += outcome.isFault() ? count(outcome) : 0;
    }
    return faults;
  }

  double requestsPerSecond() {
    return windowSeconds > 0 ? completed / windowSeconds : 0;
  }

  /** Processor time of the watched process per answer in the window. */
  OptionalDouble proxyCpuUsPerRequest() {
    return cpu.proxyUs().isPresent() && completed > 0
        ? OptionalDouble.of((double) cpu.proxyUs().getAsLong() / completed)
        : OptionalDouble.empty();
  }

  /** Cores that the watched process kept busy. */
  OptionalDouble proxyBusyCores() {
    return cores(cpu.proxyUs());
  }

  /** Cores that load generator and upstream kept busy. */
  OptionalDouble loadBusyCores() {
    return cores(cpu.loadUs());
  }

  /** Cores that everything else on the machine kept busy: what disturbs the measurement. */
  OptionalDouble otherBusyCores() {
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
}
