package dev.parlance.loadtest;

import java.util.List;

/**
 * What one start of a sidecar showed; times in milliseconds from the moment its launcher was run.
 *
 * @param listeningMs a connection was accepted
 * @param judgedMs a message came back judged
 * @param readyMs it said that it is ready
 * @param cpuMs processor time it had used then
 * @param residentMb its resident memory then, in MiB
 * @param slots p99 of each half second under load, from readiness on, in microseconds
 * @param steadyP99Us the same of the steady state; 0 if it was not measured
 */
record StartedOnce(
    double listeningMs,
    double judgedMs,
    double readyMs,
    double cpuMs,
    double residentMb,
    List<Double> slots,
    double steadyP99Us) {
  StartedOnce {
    slots = List.copyOf(slots);
  }

  /** The worse half of the first second, as a multiple of the steady state; 0 if unknown. */
  double firstSecondRatio() {
    double worst = slots.stream().limit(2).mapToDouble(Double::doubleValue).max().orElse(0);
    return steadyP99Us > 0 ? worst / steadyP99Us : 0;
  }
}
