package dev.parlance.proxy.review;

import dev.parlance.policy.text.Coded;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A held message and what became of it. Immutable; every event gives the next item.
 *
 * <pre>
 * state     | Release   | Reject    | Deliver    | Expire
 * ----------+-----------+-----------+------------+-----------
 * PENDING   | RELEASED  | REJECTED  | -          | -
 * RELEASED  | -         | -         | DELIVERED  | EXPIRED
 * REJECTED  | -         | -         | -          | -
 * DELIVERED | -         | -         | -          | -
 * EXPIRED   | -         | -         | -          | -
 * </pre>
 *
 * <p>A dash means that the event is refused and nothing changes. What is rejected or expired is
 * delivered to nobody any more, so its header fields and body are gone; what there is to read stays
 * as long as the queue remembers it.
 *
 * @param id id in the queue; ids sort in the order in which messages were held
 * @param state where it stands
 * @param message what is held
 * @param decision what a person decided; empty exactly while {@code PENDING}
 * @param settledAtMs when it was delivered or expired, in milliseconds since the epoch
 */
public record ReviewItem(
    String id,
    ReviewState state,
    HeldMessage message,
    Optional<Decision> decision,
    OptionalLong settledAtMs) {
  /**
   * What a person decided.
   *
   * @param who the person
   * @param note why; may be empty
   * @param atMs when, in milliseconds since the epoch
   */
  public record Decision(String who, String note, long atMs) {}

  /** What an event did to an item. */
  sealed interface Step {
    /** The item moved on. */
    record Moved(ReviewItem next) implements Step {}

    /** The event does not fit the state. */
    record Refused(ReviewItem unchanged) implements Step {}
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
    return new ReviewItem(id, ReviewState.PENDING, message, Optional.empty(), OptionalLong.empty());
  }

  /** The next item, by the table above. */
  Step step(ReviewEvent event) {
    return switch (state) {
      case PENDING ->
          switch (event) {
            case ReviewEvent.Release(String who, String note, long atMs) ->
                decided(ReviewState.RELEASED, message, new Decision(who, note, atMs));
            case ReviewEvent.Reject(String who, String note, long atMs) ->
                decided(ReviewState.REJECTED, message.withoutBody(), new Decision(who, note, atMs));
            case ReviewEvent.Deliver _, ReviewEvent.Expire _ -> new Step.Refused(this);
          };
      case RELEASED ->
          switch (event) {
            case ReviewEvent.Deliver(long atMs) -> settled(ReviewState.DELIVERED, message, atMs);
            case ReviewEvent.Expire(long atMs) ->
                settled(ReviewState.EXPIRED, message.withoutBody(), atMs);
            case ReviewEvent.Release _, ReviewEvent.Reject _ -> new Step.Refused(this);
          };
      case REJECTED, DELIVERED, EXPIRED -> new Step.Refused(this);
    };
  }

  private Step decided(ReviewState next, HeldMessage kept, Decision made) {
    return new Step.Moved(new ReviewItem(id, next, kept, Optional.of(made), OptionalLong.empty()));
  }

  private Step settled(ReviewState next, HeldMessage kept, long atMs) {
    return new Step.Moved(new ReviewItem(id, next, kept, decision, OptionalLong.of(atMs)));
  }

  /** When a person decided, or what was released was delivered or expired; 0 while it waits. */
  long movedAtMs() {
    return settledAtMs.orElse(decision.map(Decision::atMs).orElse(0L));
  }

  /** The same with the message in another form. */
  public ReviewItem with(HeldMessage other) {
    return new ReviewItem(id, state, other, decision, settledAtMs);
  }

  /** The same, of which nothing is left to read. */
  ReviewItem withoutContent() {
    return new ReviewItem(id, state, message.withoutContent(), decision, settledAtMs);
  }

  /** Where a held message stands. */
  public enum ReviewState implements Coded {
    /** It waits for a person. */
    PENDING,
    /** A person let it pass; it waits to be collected. */
    RELEASED,
    /** A person refused it. */
    REJECTED,
    /** It was released and collected. */
    DELIVERED,
    /** It was released and nobody collected it in time. */
    EXPIRED;

    /** True if nothing can happen to the message any more. */
    public boolean isSettled() {
      return switch (this) {
        case PENDING, RELEASED -> false;
        case REJECTED, DELIVERED, EXPIRED -> true;
      };
    }
  }

  /** What can happen to a held message. */
  sealed interface ReviewEvent {
    /** Longest name of a person, in characters. */
    int WHO_CHARACTERS = 200;

    /** Longest note, in characters. */
    int NOTE_CHARACTERS = 4000;

    /** When it happened, in milliseconds since the epoch. */
    long atMs();

    /**
     * A person lets the message pass.
     *
     * @param who the person, 1 to {@value #WHO_CHARACTERS} characters
     * @param note why, at most {@value #NOTE_CHARACTERS} characters
     * @param atMs when, in milliseconds since the epoch
     */
    record Release(String who, String note, long atMs) implements ReviewEvent {
      /** Refuses a nameless person and a text without bound. */
      public Release {
        checkPerson(who, note);
      }
    }

    /**
     * A person refuses the message.
     *
     * @param who the person, 1 to {@value #WHO_CHARACTERS} characters
     * @param note why, at most {@value #NOTE_CHARACTERS} characters
     * @param atMs when, in milliseconds since the epoch
     */
    record Reject(String who, String note, long atMs) implements ReviewEvent {
      /** Refuses a nameless person and a text without bound. */
      public Reject {
        checkPerson(who, note);
      }
    }

    /**
     * The released message reached the one who asked for it.
     *
     * @param atMs when, in milliseconds since the epoch
     */
    record Deliver(long atMs) implements ReviewEvent {}

    /**
     * The released message was not collected in time.
     *
     * @param atMs when, in milliseconds since the epoch
     */
    record Expire(long atMs) implements ReviewEvent {}

    private static void checkPerson(String who, String note) {
      if (!isWho(who) || !isNote(note)) {
        throw new IllegalArgumentException(
            "expected a name of 1 to "
                + WHO_CHARACTERS
                + " and a note of at most "
                + NOTE_CHARACTERS
                + " characters, got "
                + who.length()
                + " and "
                + note.length());
      }
    }

    /** True if {@code who} names a person. */
    static boolean isWho(String who) {
      return !who.isBlank() && who.length() <= WHO_CHARACTERS;
    }

    /** True if {@code note} is short enough. */
    static boolean isNote(String note) {
      return note.length() <= NOTE_CHARACTERS;
    }
  }
}
