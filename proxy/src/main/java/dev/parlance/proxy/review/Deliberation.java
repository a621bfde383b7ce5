package dev.parlance.proxy.review;

import dev.parlance.policy.text.Coded;
import dev.parlance.proxy.review.ReviewEvent.Verdict;
import dev.parlance.proxy.review.ReviewEvent.Vote;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What people have done about a message that waits. Immutable; every event gives the next one.
 *
 * <pre>
 * phase   | Claim       | Unclaim  | Vote            | Undo     | Count      | Escalate
 * --------+-------------+----------+-----------------+----------+------------+---------
 * OPEN    | CLAIMED (1) | -        | OPEN or DECIDED | OPEN (4) | -          | OPEN
 *         |             |          | or counts (1)   |          |            |
 * CLAIMED | CLAIMED     | OPEN (3) | as OPEN         | CLAIMED  | -          | CLAIMED
 *         | (1)(2)      |          | (1)(2)          | (4)      |            |
 * DECIDED | -           | -        | -               | OPEN (4) | counts (5) | -
 * </pre>
 *
 * <p>A dash means that the event is refused and nothing changes; so does what fails its condition:
 * (1) a person who has not voted; (2) the owner of the claim, or anybody once it is over; (3) its
 * owner; (4) a person who has voted; (5) the time to undo is over.
 *
 * <p>It is {@code DECIDED} as soon as as many people agree as the last vote asks for, and counts
 * when that can be undone no more: with no time to undo, at once. Until then the message waits as
 * before, and nobody has heard of it. People who disagree wait for others: nothing is decided by
 * time alone.
 *
 * @param claim who has taken it; may be over
 * @param votes what people have decided, in order; at most one each
 * @param queue whom it was escalated to; empty before that
 * @param escalations how often it was
 */
public record Deliberation(Optional<Lease> claim, List<Vote> votes, String queue, int escalations) {
  static final Deliberation NONE = new Deliberation(Optional.empty(), List.of(), "", 0);

  /** How far it is. */
  public enum Phase implements Coded {
    /** Anybody may decide. */
    OPEN,
    /** One person is at it. */
    CLAIMED,
    /** It is decided, and can be undone. */
    DECIDED
  }

  /**
   * A claim.
   *
   * @param who who has it
   * @param untilMs until when, in milliseconds since the epoch
   */
  public record Lease(String who, long untilMs) {
    boolean isOver(long nowMs) {
      return nowMs >= untilMs;
    }
  }

  /** What an event did. */
  sealed interface Outcome {
    /** The message waits on. */
    record Waits(Deliberation next) implements Outcome {}

    /** The decision counts. */
    record Counts(Deliberation last, ReviewItem.Decision made) implements Outcome {}

    /** Nothing changed, for this stable reason code. */
    record Refused(String code) implements Outcome {}
  }

  /** Takes a copy; refuses a person who has voted twice. */
  public Deliberation {
    votes = List.copyOf(votes);
    if (votes.stream().map(Vote::who).distinct().count() != votes.size() || escalations < 0) {
      throw new IllegalArgumentException("expected one vote each, got " + votes.size());
    }
  }

  /** How far it is at this time. */
  public Phase phase(long nowMs) {
    if (decided().isPresent()) {
      return Phase.DECIDED;
    }
    return claim.filter(lease -> !lease.isOver(nowMs)).isPresent() ? Phase.CLAIMED : Phase.OPEN;
  }

  /** The vote with which it was decided, if it is. */
  public Optional<Vote> decided() {
    return votes.isEmpty()
        ? Optional.empty()
        : Optional.of(votes.getLast()).filter(last -> agreeing(last.verdict()) >= last.people());
  }

  private long agreeing(Verdict verdict) {
    return votes.stream().filter(vote -> vote.verdict() == verdict).count();
  }

  private boolean hasVoted(String who) {
    return votes.stream().anyMatch(vote -> vote.who().equals(who));
  }

  /** The next one, by the table above. */
  Outcome step(ReviewEvent.Deliberating event) {
    boolean isDecided = decided().isPresent();
    return switch (event) {
      case ReviewEvent.Claim(String who, long untilMs, long atMs) ->
          refusal(who, atMs)
              .<Outcome>map(Outcome.Refused::new)
              .orElseGet(() -> waits(Optional.of(new Lease(who, untilMs)), votes));
      case ReviewEvent.Unclaim(String who, _) ->
          isDecided || claim.filter(lease -> lease.who().equals(who)).isEmpty()
              ? new Outcome.Refused("not_yours")
              : waits(Optional.empty(), votes);
      case Vote vote ->
          refusal(vote.who(), vote.atMs())
              .<Outcome>map(Outcome.Refused::new)
              .orElseGet(() -> voted(vote));
      case ReviewEvent.Undo(String who, _) ->
          hasVoted(who)
              ? waits(claim, votes.stream().filter(vote -> !vote.who().equals(who)).toList())
              : new Outcome.Refused("nothing_to_undo");
      case ReviewEvent.Count(long atMs) ->
          decided()
              .filter(last -> atMs >= last.countsAtMs())
              .<Outcome>map(_ -> new Outcome.Counts(this, made(atMs)))
              .orElseGet(() -> new Outcome.Refused("not_due"));
      case ReviewEvent.Escalate(String to, _) ->
          isDecided
              ? new Outcome.Refused("decided")
              : new Outcome.Waits(new Deliberation(claim, votes, to, escalations + 1));
    };
  }

  /** Why this person can neither claim nor decide it now. */
  private Optional<String> refusal(String who, long atMs) {
    if (decided().isPresent()) {
      return Optional.of("decided");
    }
    if (hasVoted(who)) {
      return Optional.of("already_voted");
    }
    return claim
        .filter(lease -> !lease.who().equals(who) && !lease.isOver(atMs))
        .map(_ -> "claimed");
  }

  private Outcome voted(Vote vote) {
    Deliberation next =
        new Deliberation(
            Optional.empty(),
            Stream.concat(votes.stream(), Stream.of(vote)).toList(),
            queue,
            escalations);
    return vote.undoMs() == 0 && next.decided().isPresent()
        ? new Outcome.Counts(next, next.made(vote.atMs()))
        : new Outcome.Waits(next);
  }

  /** About another draft: nobody has claimed or decided it. */
  Deliberation anew() {
    return new Deliberation(Optional.empty(), List.of(), queue, escalations);
  }

  private Outcome waits(Optional<Lease> by, List<Vote> as) {
    return new Outcome.Waits(new Deliberation(by, as, queue, escalations));
  }

  /** What was decided, in the names of all who agree, with the note that was written last. */
  ReviewItem.Decision made(long atMs) {
    Verdict verdict = votes.getLast().verdict();
    List<Vote> agreeing = votes.stream().filter(vote -> vote.verdict() == verdict).toList();
    return new ReviewItem.Decision(
        agreeing.stream().map(Vote::who).collect(Collectors.joining(", ")),
        agreeing.reversed().stream()
            .map(Vote::note)
            .filter(note -> !note.isEmpty())
            .findFirst()
            .orElse(""),
        atMs,
        verdict);
  }

  /** The fewest events that lead here. */
  List<ReviewEvent> history() {
    List<ReviewEvent> events = new ArrayList<>();
    for (int i = 0; i < escalations; i++) {
      events.add(new ReviewEvent.Escalate(queue, 0));
    }
    events.addAll(votes);
    claim.ifPresent(lease -> events.add(new ReviewEvent.Claim(lease.who(), lease.untilMs(), 0)));
    return events;
  }
}
