package dev.parlance.proxy.audit;

import dev.parlance.policy.route.Reason;
import java.util.List;
import java.util.Optional;

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
   * Bytes were refused before anybody judged them, or an exchange ended without its answer.
   *
   * @param direction inbound or outbound
   * @param layer where, e.g. {@code http1}, {@code size}, {@code json}; {@link #ORIGIN} or {@link
   *     #CALLER}
   * @param code stable reason code
   * @param peer who sent them, as far as known
   * @param during the exchange that it ended; empty if there was none yet
   * @param leftOut so many others before it have no line, because they were too many in a second
   */
  record RejectionEvent(
      long tsMs,
      String node,
      String direction,
      String layer,
      String code,
      String peer,
      Optional<During> during,
      long leftOut)
      implements AuditEvent {
    /** The layer of an agent that gives no whole answer. */
    public static final String ORIGIN = "origin";

    /** The layer of a caller that does not wait for its answer. */
    public static final String CALLER = "caller";

    /** A refusal before there is an exchange. */
    public RejectionEvent(
        long tsMs, String node, String direction, String layer, String code, String peer) {
      this(tsMs, node, direction, layer, code, peer, Optional.empty(), 0);
    }

    RejectionEvent after(long others) {
      return new RejectionEvent(tsMs, node, direction, layer, code, peer, during, others);
    }
  }

  /**
   * The exchange that was ended.
   *
   * @param place which message of it
   * @param decisionId the last decision of it; empty if nothing was decided
   * @param detail what the operating system or the library says; may be empty
   * @param totalUs since the request came in, in microseconds
   * @param upstreamUs of these, waiting for the agent
   */
  record During(
      DecisionEvent.Place place, String decisionId, String detail, long totalUs, long upstreamUs) {}

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
