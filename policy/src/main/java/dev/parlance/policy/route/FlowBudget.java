package dev.parlance.policy.route;

import java.util.Optional;

/**
 * How often the authors in one flow may still be asked again: the error budget E of Eq. 6 and the
 * flow's time to live, as a state machine without clock.
 *
 * <p>Before an event is looked at, the state settles: past its deadline the flow is EXPIRED;
 * otherwise OPEN and SPENT follow from E against the profile's E_max (which a reload may change). A
 * YIELDED flow stays so. An event at exactly the deadline is in time.
 *
 * <pre>
 * state   | DRAFTED                | REGENERATED                         | DELIVERED        | YIELDED
 * --------+------------------------+-------------------------------------+------------------+---------
 * OPEN    | OPEN, judge            | E+1; OPEN or SPENT, ask again       | OPEN             | YIELDED
 * SPENT   | SPENT, judge           | SPENT, refused: budget              | SPENT            | YIELDED
 * EXPIRED | EXPIRED, judge         | EXPIRED, refused: ttl_expired       | EXPIRED          | YIELDED
 * YIELDED | YIELDED, judge         | YIELDED, refused: budget or         | settles to OPEN, | YIELDED
 *         |                        | ttl_expired, or asks as OPEN does   | SPENT or EXPIRED |
 * </pre>
 *
 * <p>Where the profile yields unread, DRAFTED in a spent or expired flow is {@code yield unread}
 * and leads to YIELDED instead of {@code judge}. Delivering a message does not refill the budget:
 * else trivial messages would buy retries.
 *
 * @param errors E: regenerations so far
 * @param startedAtMs when the flow was opened, in milliseconds of any clock that only goes forward
 * @param deadlineMs when its time is over, on the same clock
 * @param status its state when it was last settled
 */
public record FlowBudget(int errors, long startedAtMs, long deadlineMs, Status status) {
  /** The states of a flow. */
  public enum Status {
    /** The author may be asked again. */
    OPEN,
    /** E has reached E_max. */
    SPENT,
    /** The deadline has passed. */
    EXPIRED,
    /** A message of this flow is held for a person. */
    YIELDED
  }

  /** What the caller must do. */
  public enum Effect {
    /** Judge the draft. */
    JUDGE,
    /** Yield the draft without judging it; the step says why. */
    YIELD_UNREAD,
    /** Ask the author again; the budget has been charged. */
    ASK_AGAIN,
    /** Do not ask the author again; the step says why. */
    REFUSED,
    /** Nothing to do. */
    NONE
  }

  /**
   * What an event leads to.
   *
   * @param next the flow afterwards
   * @param effect what to do
   * @param reason why, for {@code YIELD_UNREAD} and {@code REFUSED}
   */
  public record Step(FlowBudget next, Effect effect, Optional<Reason> reason) {}

  /** Refuses impossible values. */
  public FlowBudget {
    Ranges.within("errors", errors, 0, Integer.MAX_VALUE);
    if (deadlineMs < startedAtMs) {
      throw new IllegalArgumentException(
          "deadline " + deadlineMs + " lies before the start " + startedAtMs);
    }
  }

  /** A new flow. */
  public static FlowBudget open(long nowMs, long ttlMs) {
    Ranges.within("ttlMs", ttlMs, 1, Profile.FLOW_TTL_LIMIT_MS);
    return new FlowBudget(0, nowMs, nowMs + ttlMs, Status.OPEN);
  }

  /** How often the author may still be asked, not regarding time. */
  public int remaining(int errorMax) {
    return Math.max(0, errorMax - errors);
  }

  /** True if the flow's time is over at {@code nowMs}. */
  public boolean expiredAt(long nowMs) {
    return nowMs > deadlineMs;
  }

  /** What {@code event} at {@code nowMs} leads to, see the table. */
  public Step step(FlowEvent event, long nowMs, Profile profile) {
    Optional<Reason> stop = stop(nowMs, profile);
    return switch (event) {
      case DRAFTED ->
          stop.isPresent() && profile.yieldUnreadWhenSpent()
              ? new Step(with(errors, Status.YIELDED), Effect.YIELD_UNREAD, stop)
              : new Step(held(nowMs, profile), Effect.JUDGE, Optional.empty());
      case REGENERATED -> {
        if (stop.isPresent()) {
          yield new Step(held(nowMs, profile), Effect.REFUSED, stop);
        }
        FlowBudget charged = with(errors + 1, status);
        yield new Step(charged.held(nowMs, profile), Effect.ASK_AGAIN, Optional.empty());
      }
      case DELIVERED ->
          new Step(with(errors, settled(nowMs, profile)), Effect.NONE, Optional.empty());
      case YIELDED -> new Step(with(errors, Status.YIELDED), Effect.NONE, Optional.empty());
    };
  }

  /** Why the author may not be asked again at {@code nowMs}, if so. */
  private Optional<Reason> stop(long nowMs, Profile profile) {
    return switch (settled(nowMs, profile)) {
      case EXPIRED -> Optional.of(Reason.TTL_EXPIRED);
      case SPENT -> Optional.of(Reason.BUDGET);
      case OPEN, YIELDED -> Optional.empty();
    };
  }

  private Status settled(long nowMs, Profile profile) {
    if (expiredAt(nowMs)) {
      return Status.EXPIRED;
    }
    return profile.isSpent(errors) ? Status.SPENT : Status.OPEN;
  }

  /** Settled, except that a held message stays held. */
  private FlowBudget held(long nowMs, Profile profile) {
    return with(errors, status == Status.YIELDED ? Status.YIELDED : settled(nowMs, profile));
  }

  private FlowBudget with(int newErrors, Status newStatus) {
    return new FlowBudget(newErrors, startedAtMs, deadlineMs, newStatus);
  }

  /** What happens in a flow. */
  public enum FlowEvent {
    /** A draft has arrived and wants to be judged. */
    DRAFTED,
    /** A draft was judged Regenerate and the author is to be asked again. */
    REGENERATED,
    /** A message went on to its receiver, by itself or released by a person. */
    DELIVERED,
    /** A message was handed to the review queue. */
    YIELDED
  }
}
