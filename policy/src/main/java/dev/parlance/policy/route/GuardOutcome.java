package dev.parlance.policy.route;

import dev.parlance.policy.core.CoreFindings;
import dev.parlance.policy.core.CoreFindings.CoreCheck;
import dev.parlance.policy.core.GuardPolicy;
import dev.parlance.policy.core.GuardPolicy.OnCoreGap;
import dev.parlance.policy.core.GuardPolicy.OnUncertified;
import dev.parlance.policy.core.HeldCore.CoreState;
import java.util.ArrayList;
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

  /**
   * What the core guard says against a message.
   *
   * <pre>
   * core    | governed terms in the message | reason                        | sorted by
   * --------+-------------------------------+-------------------------------+--------------
   * absent  | not known                     | core_absent                   | onAbsent
   * stale   | none                          | -                             |
   * stale   | some                          | core_stale, and as below      | onStale
   * any     | refused or untested ones      | term_uncertified              | onUncertified
   * any     | revoked ones                  | term_revoked                  | onUncertified
   * fresh   | none, or certified ones only  | -                             |
   * </pre>
   *
   * @param holds why it must be held for a person
   * @param faults why its author must be asked again
   * @param warnings why its receiver must be told
   */
  record GuardReasons(List<Reason> holds, List<Reason> faults, List<Reason> warnings) {
    /** Sorts everything there is under the warnings. */
    private static final GuardPolicy COUNTING =
        new GuardPolicy(OnUncertified.WARN, OnCoreGap.WARN, OnCoreGap.WARN);

    static final GuardReasons NONE = new GuardReasons(List.of(), List.of(), List.of());

    static GuardReasons of(Optional<CoreCheck> check) {
      return check.isEmpty() ? NONE : of(check.get().findings(), check.get().policy());
    }

    private static GuardReasons of(CoreFindings findings, GuardPolicy policy) {
      CoreState state = findings.core().state();
      if (state == CoreState.FRESH && findings.unknown() == 0 && findings.revoked() == 0) {
        return NONE;
      }
      List<Reason> holds = new ArrayList<>(1);
      List<Reason> faults = new ArrayList<>(2);
      List<Reason> warnings = new ArrayList<>(3);
      switch (state) {
        case FRESH -> {}
        case STALE -> {
          if (findings.checked() > 0) {
            gap(policy.onStale(), Reason.CORE_STALE, holds, warnings);
          }
        }
        case ABSENT -> gap(policy.onAbsent(), Reason.CORE_ABSENT, holds, warnings);
      }
      List<Reason> terms = terms(findings);
      switch (policy.onUncertified()) {
        case REGENERATE -> faults.addAll(terms);
        case WARN -> warnings.addAll(terms);
        case COUNT -> {}
      }
      return new GuardReasons(holds, faults, warnings);
    }

    /** Every reason there is, whatever follows from it. */
    static List<Reason> counted(CoreFindings findings) {
      return of(findings, COUNTING).warnings();
    }

    private static List<Reason> terms(CoreFindings findings) {
      List<Reason> terms = new ArrayList<>(2);
      if (findings.unknown() > 0) {
        terms.add(Reason.TERM_UNCERTIFIED);
      }
      if (findings.revoked() > 0) {
        terms.add(Reason.TERM_REVOKED);
      }
      return terms;
    }

    private static void gap(
        OnCoreGap policy, Reason reason, List<Reason> holds, List<Reason> warnings) {
      switch (policy) {
        case YIELD -> holds.add(reason);
        case WARN -> warnings.add(reason);
        case ALLOW -> {}
      }
    }
  }
}
