package dev.parlance.policy.route;

import dev.parlance.policy.core.CoreFindings.CoreCheck;
import dev.parlance.policy.header.AspHeader;
import dev.parlance.policy.signal.Measurement;
import dev.parlance.policy.signal.Signals;
import java.util.Optional;

/**
 * What was found in a message and what follows. Measurement, signals and header are absent
 * together: exactly if there was no evidence to measure against.
 *
 * @param measurement what was counted, its citations scored by the profile
 * @param signals the signals, raw values
 * @param header the header to send along
 * @param regime what kind of failure a failing draft is; {@code NONE} for others
 * @param decision where the message goes, and why
 * @param errors the flow's regenerations before this draft (E)
 * @param core what the core guard found; empty where the route has none
 */
public record Verdict(
    Optional<Measurement> measurement,
    Optional<Signals> signals,
    Optional<AspHeader> header,
    Regime regime,
    Decision decision,
    int errors,
    Optional<CoreCheck> core) {

  /** Refuses a verdict that is only partly measured. */
  public Verdict {
    if (measurement.isPresent() != signals.isPresent()
        || measurement.isPresent() != header.isPresent()) {
      throw new IllegalArgumentException("measurement, signals and header are absent together");
    }
    Ranges.within("errors", errors, 0, Integer.MAX_VALUE);
  }
}
