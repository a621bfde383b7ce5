package dev.parlance.proxy.audit;

import dev.parlance.policy.route.Reason;
import java.util.List;

/**
 * An author was asked again.
 *
 * @param tsMs when, in milliseconds since the epoch
 * @param node name of the sidecar
 * @param decisionId the decision that sent the draft back
 * @param flow flow id
 * @param attempt which draft was sent back, from 1
 * @param reasons why
 * @param outcome stable code of what came of asking: {@code asked}, {@code answered}, or why it
 *     failed
 */
public record RepairEvent(
    long tsMs,
    String node,
    String decisionId,
    String flow,
    int attempt,
    List<Reason> reasons,
    String outcome)
    implements AuditEvent {
  /** Copies the reasons. */
  public RepairEvent {
    reasons = List.copyOf(reasons);
  }
}
