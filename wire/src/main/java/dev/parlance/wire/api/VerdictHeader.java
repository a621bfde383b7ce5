package dev.parlance.wire.api;

import dev.parlance.policy.core.CoreFindings;
import dev.parlance.policy.message.VerdictNote;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The wire form of a verdict: in header fields, in {@code metadata} of a body and in typed errors.
 *
 * @param decisionId id under which the decision log holds it
 * @param route route code: execute, warn, regenerate, yield
 * @param reasons reason codes, at least one, most important first
 * @param measured the signals
 * @param attempt which draft of its flow this is
 * @param basis what was decided by
 * @param core what the core guard found; empty where it did not look
 * @param round how the round stands that the message has to do with; empty if with none
 * @param leftOut how many lines were not measured, because they coin, challenge or repair a term
 */
public record VerdictHeader(
    String decisionId,
    String route,
    List<String> reasons,
    Measured measured,
    Attempt attempt,
    Basis basis,
    Optional<CoreFindings> core,
    Optional<RoundStatus> round,
    int leftOut) {
  /** Copies the reasons. */
  public VerdictHeader {
    reasons = List.copyOf(reasons);
    if (reasons.isEmpty()) {
      throw new IllegalArgumentException("a verdict has at least one reason");
    }
  }

  /** A verdict on all of a message. */
  public VerdictHeader(
      String decisionId,
      String route,
      List<String> reasons,
      Measured measured,
      Attempt attempt,
      Basis basis,
      Optional<CoreFindings> core,
      Optional<RoundStatus> round) {
    this(decisionId, route, reasons, measured, attempt, basis, core, round, 0);
  }

  /**
   * The signals of a message.
   *
   * @param header canonical ASP header text; empty if nothing could be measured (no evidence,
   *     unjudged)
   * @param certainty raw @C in [0,1], absent if not measured
   * @param grounding raw @G in [0,1]
   * @param stochasticity raw @S in [0,1]
   * @param driftSqrtJsd drift in [0,1]
   * @param regime regime code: grounded_partial, citation_gap, ungrounded, none
   */
  public record Measured(
      Optional<String> header,
      OptionalDouble certainty,
      OptionalDouble grounding,
      OptionalDouble stochasticity,
      OptionalDouble driftSqrtJsd,
      String regime) {
    /** Nothing was measured. */
    public static final Measured NOTHING =
        new Measured(
            Optional.empty(),
            OptionalDouble.empty(),
            OptionalDouble.empty(),
            OptionalDouble.empty(),
            OptionalDouble.empty(),
            "none");
  }

  /**
   * A draft in its flow.
   *
   * @param flow flow id
   * @param number which draft this is, from 1
   * @param errors regenerations spent in this flow
   * @param errorMax regenerations allowed
   */
  public record Attempt(String flow, int number, int errors, int errorMax) {
    /** Regenerations that are left in this flow. */
    public int remaining() {
      return Math.max(0, errorMax - errors);
    }
  }

  /**
   * What was decided by.
   *
   * @param evidence evidence source code
   * @param profile profile name
   * @param mode observe or enforce
   * @param node name of the sidecar that decided
   * @param evidenceCut how many chunks of the evidence were too many, and not looked at
   * @param notes what explains the verdict and decides nothing
   */
  public record Basis(
      String evidence,
      String profile,
      String mode,
      String node,
      int evidenceCut,
      List<VerdictNote> notes) {
    /** Takes a copy. */
    public Basis {
      notes = List.copyOf(notes);
    }

    /** All of the evidence was looked at. */
    public Basis(String evidence, String profile, String mode, String node) {
      this(evidence, profile, mode, node, 0, List.of());
    }
  }

  /** The same verdict, with signals that were measured elsewhere. */
  public VerdictHeader withMeasured(Measured other) {
    return new VerdictHeader(
        decisionId, route, reasons, other, attempt, basis, core, round, leftOut);
  }

  /** The same verdict, with how the round stands. */
  public VerdictHeader withRound(RoundStatus status) {
    return new VerdictHeader(
        decisionId, route, reasons, measured, attempt, basis, core, Optional.of(status), leftOut);
  }

  /** The same verdict, with another route for other reasons. */
  public VerdictHeader withRoute(String other, List<String> why) {
    return new VerdictHeader(
        decisionId, other, why, measured, attempt, basis, core, round, leftOut);
  }
}
