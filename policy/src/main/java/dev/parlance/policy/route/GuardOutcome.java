package dev.parlance.policy.route;

import dev.parlance.policy.core.CoreCheck;
import java.util.List;
import java.util.Optional;

/**
 * What the core guard by itself asks for, whatever else stands for or against the message.
 *
 * @param route where it would send the message
 * @param reason the first of its reasons, also where they are only counted; {@link Reason#OK} if it
 *     has none
 */
public record GuardOutcome(Route route, Reason reason) {
  /** The outcome of a check. */
  public static GuardOutcome of(CoreCheck check) {
    GuardReasons reasons = GuardReasons.of(Optional.of(check));
    if (!reasons.holds().isEmpty()) {
      return new GuardOutcome(Route.YIELD, reasons.holds().getFirst());
    }
    if (!reasons.faults().isEmpty()) {
      return new GuardOutcome(Route.REGENERATE, reasons.faults().getFirst());
    }
    if (!reasons.warnings().isEmpty()) {
      return new GuardOutcome(Route.WARN, reasons.warnings().getFirst());
    }
    List<Reason> counted = GuardReasons.counted(check.findings());
    return new GuardOutcome(Route.EXECUTE, counted.isEmpty() ? Reason.OK : counted.getFirst());
  }
}
