package dev.parlance.proxy.review;

import dev.parlance.policy.text.Coded;
import dev.parlance.policy.text.Sha256;
import dev.parlance.proxy.review.ReviewEvent.Verdict;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A held message and what became of it. Immutable; every event gives the next item.
 *
 * <pre>
 * state     | Release   | Reject    | Deliver    | Expire    | what people do
 * ----------+-----------+-----------+------------+-----------+-----------------------------
 * PENDING   | RELEASED  | REJECTED  | -          | -         | PENDING, or what they decided:
 *           |           |           |            |           | RELEASED, REJECTED, SENT_BACK
 * RELEASED  | -         | -         | DELIVERED  | EXPIRED   | -
 * REJECTED  | -         | -         | -          | -         | -
 * SENT_BACK | -         | -         | -          | -         | -
 * DELIVERED | -         | -         | -          | -         | -
 * EXPIRED   | -         | -         | -          | -         | -
 * </pre>
 *
 * <p>A dash means that the event is refused and nothing changes. The last column is the table of
 * {@link Deliberation}: claims, votes, undo and escalation, all of them while it waits. Nothing but
 * a decision ends that: time alone neither releases nor refuses a message. While it waits, another
 * draft may take the place of one that was sent back (Redraft), which people decide about anew.
 * What is rejected, sent back or expired is delivered to nobody any more, so its header fields and
 * body are gone; what there is to read stays as long as the queue remembers it.
 *
 * @param id id in the queue; ids sort in the order in which messages were held
 * @param state where it stands
 * @param message what is held
 * @param decision what a person decided; empty exactly while {@code PENDING}
 * @param settledAtMs when it was delivered or expired, in milliseconds since the epoch
 * @param deliberation what people have done about it while it waited
 */
public record ReviewItem(
    String id,
    ReviewState state,
    HeldMessage message,
    Optional<Decision> decision,
    OptionalLong settledAtMs,
    Deliberation deliberation) {
  /**
   * What a person decided.
   *
   * @param who the person, or all who agree, with a comma between them
   * @param note why; may be empty
   * @param atMs when it took effect, in milliseconds since the epoch
   * @param verdict what
   */
  public record Decision(String who, String note, long atMs, Verdict verdict) {}

  /** What an event did to an item. */
  sealed interface Step {
    /** The item moved on. */
    record Moved(ReviewItem next) implements Step {}

    /** The event does not fit the state, for this stable reason code. */
    record Refused(ReviewItem unchanged, String code) implements Step {}
  }

  /** Refuses a decision or a time that does not fit the state. */
  public ReviewItem {
    boolean decided = state != ReviewState.PENDING;
    boolean collected = state == ReviewState.DELIVERED || state == ReviewState.EXPIRED;
    if (decision.isPresent() != decided || settledAtMs.isPresent() != collected) {
      throw new IllegalArgumentException(
          "state " + state + " does not fit decision " + decision + ", settled " + settledAtMs);
    }
    boolean deliverable = !state.isSettled() || state == ReviewState.DELIVERED;
    if (!deliverable && message.content().body().length > 0) {
      throw new IllegalArgumentException("an item in state " + state + " keeps no body");
    }
  }

  /** In whose name a sender's own messages are refused. */
  static final String SENDER = "(its sender)";

  /** In whose name a coined term is settled that was decided on elsewhere. */
  public static final String LEDGER = "(the ledger)";

  /** True if its sender wanted it no more. */
  public boolean isWithdrawn() {
    return state == ReviewState.REJECTED
        && decision.filter(made -> made.who().equals(SENDER)).isPresent();
  }

  /** True if a person let it pass and it was not collected yet. */
  public boolean isReleased() {
    return state == ReviewState.RELEASED;
  }

  /** A message that has just been held. */
  static ReviewItem pending(String id, HeldMessage message) {
    return new ReviewItem(
        id,
        ReviewState.PENDING,
        message,
        Optional.empty(),
        OptionalLong.empty(),
        Deliberation.NONE);
  }

  /** The next item, by the table above. */
  Step step(ReviewEvent event) {
    return switch (state) {
      case PENDING ->
          switch (event) {
            case ReviewEvent.Release(String who, String note, long atMs) ->
                decided(new Decision(who, note, atMs, Verdict.RELEASE), deliberation);
            case ReviewEvent.Reject(String who, String note, long atMs) ->
                decided(new Decision(who, note, atMs, Verdict.REJECT), deliberation);
            case ReviewEvent.Deliberating act ->
                switch (deliberation.step(act)) {
                  case Deliberation.Outcome.Waits(Deliberation next) ->
                      new Step.Moved(
                          new ReviewItem(id, state, message, Optional.empty(), settledAtMs, next));
                  case Deliberation.Outcome.Counts(Deliberation last, Decision made) ->
                      decided(made, last);
                  case Deliberation.Outcome.Refused(String code) -> new Step.Refused(this, code);
                };
            case ReviewEvent.Redraft(HeldMessage by, _) ->
                new Step.Moved(
                    new ReviewItem(
                        id,
                        state,
                        message.redrafted(by),
                        decision,
                        settledAtMs,
                        deliberation.anew()));
            case ReviewEvent.Deliver _, ReviewEvent.Expire _ -> refused();
          };
      case RELEASED ->
          switch (event) {
            case ReviewEvent.Deliver(long atMs) -> settled(ReviewState.DELIVERED, message, atMs);
            case ReviewEvent.Expire(long atMs) ->
                settled(ReviewState.EXPIRED, message.withoutBody(), atMs);
            case ReviewEvent.Release _,
                ReviewEvent.Reject _,
                ReviewEvent.Redraft _,
                ReviewEvent.Deliberating _ ->
                refused();
          };
      case REJECTED, SENT_BACK, DELIVERED, EXPIRED -> refused();
    };
  }

  private Step refused() {
    return new Step.Refused(
        this,
        switch (state) {
          case PENDING -> "not_decided";
          case EXPIRED -> "expired";
          case RELEASED, REJECTED, SENT_BACK, DELIVERED -> "already_decided";
        });
  }

  private Step decided(Decision made, Deliberation last) {
    ReviewState next =
        switch (made.verdict()) {
          case RELEASE -> ReviewState.RELEASED;
          case REJECT -> ReviewState.REJECTED;
          case SEND_BACK -> ReviewState.SENT_BACK;
        };
    HeldMessage kept = next == ReviewState.RELEASED ? message : message.withoutBody();
    return new Step.Moved(
        new ReviewItem(id, next, kept, Optional.of(made), OptionalLong.empty(), last));
  }

  private Step settled(ReviewState next, HeldMessage kept, long atMs) {
    return new Step.Moved(
        new ReviewItem(id, next, kept, decision, OptionalLong.of(atMs), deliberation));
  }

  /** SHA-256 of the text that was judged, in hex; that of nothing once its content is forgotten. */
  public String textSha256() {
    return Sha256.hex(message.content().answer());
  }

  /** When a person decided, or what was released was delivered or expired; 0 while it waits. */
  long movedAtMs() {
    return settledAtMs.orElse(decision.map(Decision::atMs).orElse(0L));
  }

  /** The same with the message in another form. */
  public ReviewItem with(HeldMessage other) {
    return new ReviewItem(id, state, other, decision, settledAtMs, deliberation);
  }

  /** The same, of which nothing is left to read. */
  ReviewItem withoutContent() {
    return new ReviewItem(id, state, message.withoutContent(), decision, settledAtMs, deliberation);
  }

  /** Where a held message stands. */
  public enum ReviewState implements Coded {
    /** It waits for a person. */
    PENDING,
    /** A person let it pass; it waits to be collected. */
    RELEASED,
    /** A person refused it. */
    REJECTED,
    /** A person refused it, and wants another one from its author. */
    SENT_BACK,
    /** It was released and collected. */
    DELIVERED,
    /** It was released and nobody collected it in time. */
    EXPIRED;

    /** True if nothing can happen to the message any more. */
    public boolean isSettled() {
      return switch (this) {
        case PENDING, RELEASED -> false;
        case REJECTED, SENT_BACK, DELIVERED, EXPIRED -> true;
      };
    }
  }
}
