package dev.parlance.wire.api;

import dev.parlance.policy.core.CoreFindings;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The wire form of a verdict: in header fields, in {@code metadata} of a body and in typed errors.
 *
 * @param header canonical ASP header text; empty if nothing could be measured (no evidence,
 *     unjudged)
 * @param route route code: execute, warn, regenerate, yield
 * @param reasons reason codes, at least one, most important first
 * @param certainty raw @C in [0,1], absent if not measured
 * @param grounding raw @G in [0,1]
 * @param stochasticity raw @S in [0,1]
 * @param driftSqrtJsd drift in [0,1]
 * @param regime regime code: grounded_partial, citation_gap, ungrounded, none
 * @param attempt which draft this is, from 1
 * @param errors regenerations spent in this flow
 * @param errorMax regenerations allowed
 * @param flow flow id
 * @param evidence evidence source code
 * @param profile profile name
 * @param mode observe or enforce
 * @param node name of the sidecar that decided
 * @param decisionId id under which the decision log holds it
 * @param core what the core guard found; empty where it did not look
 * @param round how the round stands that the message has to do with; empty if with none
 */
public record VerdictHeader(
    Optional<String> header,
    String route,
    List<String> reasons,
    OptionalDouble certainty,
    OptionalDouble grounding,
    OptionalDouble stochasticity,
    OptionalDouble driftSqrtJsd,
    String regime,
    int attempt,
    int errors,
    int errorMax,
    String flow,
    String evidence,
    String profile,
    String mode,
    String node,
    String decisionId,
    Optional<CoreFindings> core,
    Optional<RoundStatus> round) {
  /** Copies the reasons. */
  public VerdictHeader {
    reasons = List.copyOf(reasons);
    if (reasons.isEmpty()) {
      throw new IllegalArgumentException("a verdict has at least one reason");
    }
  }

  /** Regenerations that are left in this flow. */
  public int remaining() {
    return Math.max(0, errorMax - errors);
  }

  /** The same verdict, with how the round stands. */
  public VerdictHeader withRound(RoundStatus status) {
    return new VerdictHeader(
        header,
        route,
        reasons,
        certainty,
        grounding,
        stochasticity,
        driftSqrtJsd,
        regime,
        attempt,
        errors,
        errorMax,
        flow,
        evidence,
        profile,
        mode,
        node,
        decisionId,
        core,
        Optional.of(status));
  }
}
