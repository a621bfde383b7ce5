package dev.parlance.policy.route;

import dev.parlance.policy.route.ClaimRules.CitationRule;
import dev.parlance.policy.signal.ClaimFindings;
import dev.parlance.policy.signal.ClaimFindings.ClaimNote;
import java.util.ArrayList;
import java.util.List;

/** What follows from what was found in the claims of an answer. */
final class ClaimReasons {
  private ClaimReasons() {}

  /** What sends it back by itself. */
  static List<Reason> faults(ClaimFindings found, ClaimRules rules) {
    List<Reason> faults = new ArrayList<>();
    if (rules.regenerateChanges()) {
      found.departures().forEach(departure -> faults.add(Reason.of(departure)));
    }
    if (rules.citations() == CitationRule.REQUIRED
        && !found.isWithoutClaim()
        && found.notes().contains(ClaimNote.UNCITED)) {
      faults.add(Reason.UNCITED);
    }
    return faults;
  }

  /** What the receiver is told of an answer that may go on. */
  static List<Reason> warnings(ClaimFindings found, ClaimRules rules) {
    List<Reason> warnings = new ArrayList<>();
    if (!found.isWithoutClaim() && !(found.support() >= rules.supportWarnBelow())) {
      warnings.add(Reason.G_WARN);
    }
    if (found.notes().contains(ClaimNote.CITATION_MISPLACED)
        && rules.citations() != CitationRule.IGNORED) {
      warnings.add(Reason.CITATION_MISPLACED);
    }
    if (found.notes().contains(ClaimNote.CONDITION_LEFT_OUT)) {
      warnings.add(Reason.CONDITION_LEFT_OUT);
    }
    if (found.notes().contains(ClaimNote.ABSTAINS_WRONGLY)) {
      warnings.add(Reason.ABSTAINS_WRONGLY);
    }
    if (!rules.regenerateChanges()) {
      found.departures().forEach(departure -> warnings.add(Reason.of(departure)));
    }
    return warnings;
  }
}
