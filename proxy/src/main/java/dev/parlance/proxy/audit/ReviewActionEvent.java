package dev.parlance.proxy.audit;

/**
 * Something happened to a held message.
 *
 * @param tsMs when, in milliseconds since the epoch
 * @param node name of the sidecar
 * @param reviewId id in the review queue
 * @param decisionId the decision that held it
 * @param what stable code: {@code release}, {@code reject}, {@code deliver}, {@code expire}, and
 *     {@code _refused} behind it if it changed nothing
 * @param who the person; empty if it was nobody's act
 * @param note why; may be empty
 */
public record ReviewActionEvent(
    long tsMs,
    String node,
    String reviewId,
    String decisionId,
    String what,
    String who,
    String note)
    implements AuditEvent {}
