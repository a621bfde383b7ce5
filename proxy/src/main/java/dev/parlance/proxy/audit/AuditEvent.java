package dev.parlance.proxy.audit;

/**
 * Something that the decision log keeps: one line each. No event carries text of a judged message;
 * bodies appear as digests.
 */
public sealed interface AuditEvent
    permits DecisionEvent, RepairEvent, ReviewActionEvent, RejectionEvent, ConfigEvent {
  /** When it happened, in milliseconds since the epoch. */
  long tsMs();

  /** Name of the sidecar that it happened in. */
  String node();
}
