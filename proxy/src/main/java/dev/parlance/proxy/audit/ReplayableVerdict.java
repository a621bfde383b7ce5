package dev.parlance.proxy.audit;

import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.message.EvidenceSource;
import dev.parlance.policy.message.VerdictNote;
import dev.parlance.policy.route.Judge.Grounding;
import dev.parlance.policy.route.Profile;
import dev.parlance.policy.route.Verdict;
import java.util.List;
import java.util.OptionalDouble;

/**
 * A verdict with everything that it followed from, so that it can be computed again later.
 *
 * @param verdict what the judge said
 * @param evidence where the evidence came from
 * @param confidence the agent's own confidence in [0,1], if it gave one
 * @param profile the constants in force
 * @param grounding what the route asked where there is no evidence
 * @param ttlExpired true if the flow's time was over
 * @param evidenceCut how many chunks of the evidence were not looked at
 * @param notes what explains the verdict and decides nothing
 */
public record ReplayableVerdict(
    Verdict verdict,
    EvidenceSource evidence,
    OptionalDouble confidence,
    Profile profile,
    Grounding grounding,
    boolean ttlExpired,
    int evidenceCut,
    List<VerdictNote> notes) {
  /** Refuses a measurement without evidence and evidence without measurement. */
  public ReplayableVerdict {
    notes = List.copyOf(notes);
    if (verdict.measurement().isPresent() != (evidence != EvidenceSource.NONE)) {
      throw new IllegalArgumentException("evidence " + evidence + " does not fit the verdict");
    }
  }

  /** The arguments and the result of {@code Judge.judge}. */
  public static ReplayableVerdict of(
      Verdict verdict,
      Evidence evidence,
      Profile profile,
      Grounding grounding,
      boolean ttlExpired,
      List<VerdictNote> notes) {
    return new ReplayableVerdict(
        verdict,
        evidence.source(),
        evidence.confidence(),
        profile,
        grounding,
        ttlExpired,
        evidence.cut(),
        notes);
  }
}
