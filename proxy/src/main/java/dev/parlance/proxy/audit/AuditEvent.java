package dev.parlance.proxy.audit;

import dev.parlance.policy.route.Reason;
import java.util.List;

/**
 * Something that the decision log keeps: one line each. No event carries text of a judged message;
 * bodies appear as digests.
 */
public sealed interface AuditEvent
    permits DecisionEvent,
        AuditEvent.RepairEvent,
        AuditEvent.ReviewActionEvent,
        AuditEvent.RejectionEvent,
        AuditEvent.NoticeEvent,
        AuditEvent.ConfigEvent {
  /** When it happened, in milliseconds since the epoch. */
  long tsMs();

  /** Name of the sidecar that it happened in. */
  String node();

  /**
   * An author was asked again.
   *
   * @param decisionId the decision that sent the draft back
   * @param flow flow id
   * @param attempt which draft was sent back, from 1
   * @param reasons why
   * @param outcome stable code of what came of asking: {@code asked}, {@code answered}, or why it
   *     failed
   */
  record RepairEvent(
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

  /**
   * Something happened to a held message.
   *
   * @param reviewId id in the review queue
   * @param decisionId the decision that held it
   * @param what stable code: {@code release}, {@code reject}, {@code deliver}, {@code expire}, and
   *     {@code _refused} behind it if it changed nothing
   * @param who the person; empty if it was nobody's act
   * @param note why; may be empty
   */
  record ReviewActionEvent(
      long tsMs,
      String node,
      String reviewId,
      String decisionId,
      String what,
      String who,
      String note)
      implements AuditEvent {}

  /**
   * Bytes were refused before anybody judged them.
   *
   * @param direction inbound or outbound
   * @param layer where, e.g. {@code http1}, {@code size}, {@code json}
   * @param code stable reason code
   * @param peer who sent them, as far as known
   */
  record RejectionEvent(
      long tsMs, String node, String direction, String layer, String code, String peer)
      implements AuditEvent {}

  /**
   * Something passed that somebody should look at.
   *
   * @param direction inbound or outbound
   * @param code stable code: {@code card_elsewhere}
   * @param detail one sentence for the operator
   * @param peer whom it was sent to, as far as known
   */
  record NoticeEvent(
      long tsMs, String node, String direction, String code, String detail, String peer)
      implements AuditEvent {}

  /**
   * The configuration was loaded, changed or refused.
   *
   * @param revision revision in force afterwards
   * @param what stable code: {@code loaded}, {@code reloaded}, {@code refused}
   * @param detail one sentence for the operator; may be empty
   */
  record ConfigEvent(long tsMs, String node, String revision, String what, String detail)
      implements AuditEvent {}
}
