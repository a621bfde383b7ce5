package dev.parlance.proxy.review;

import dev.parlance.proxy.review.ReviewEvent.Verdict;
import dev.parlance.proxy.review.ReviewItem.ReviewState;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/**
 * What people do about held messages, as it is configured: claims, votes, undo. For any thread; the
 * answers come when it is on disk.
 */
public final class ReviewDesk {
  /** Longest claim, in milliseconds: a person who renews none has gone. */
  public static final long MAX_CLAIM_MS = 3_600_000;

  private final ReviewQueue queue;
  private final ReviewPolicy policy;
  private final LongSupplier clockMs;

  /**
   * The queue follows the policy from now on.
   *
   * @param clockMs milliseconds since the epoch
   */
  public ReviewDesk(ReviewQueue queue, ReviewPolicy policy, LongSupplier clockMs) {
    this.queue = queue;
    this.policy = policy;
    this.clockMs = clockMs;
    queue.follow(policy);
  }

  /** Takes a message to decide it, or goes on with it; {@code forMs} as configured if empty. */
  public CompletableFuture<StepResult> claim(String id, String who, OptionalLong forMs) {
    long nowMs = clockMs.getAsLong();
    long untilMs = nowMs + Math.clamp(forMs.orElse(policy.claimMs()), 1, MAX_CLAIM_MS);
    return queue.step(id, new ReviewEvent.Claim(who, untilMs, nowMs));
  }

  /** Gives it back undecided. */
  public CompletableFuture<StepResult> unclaim(String id, String who) {
    return queue.step(id, new ReviewEvent.Unclaim(who, clockMs.getAsLong()));
  }

  /**
   * Decides, as far as it is up to one person.
   *
   * @param undoMs how long it can be undone; as configured if empty, and never longer
   */
  public CompletableFuture<StepResult> vote(
      String id, String who, String note, Verdict verdict, OptionalLong undoMs) {
    Optional<ReviewItem> item = queue.find(id);
    if (item.isEmpty()) {
      return CompletableFuture.completedFuture(new StepResult.NotFound());
    }
    return queue.step(
        id,
        new ReviewEvent.Vote(
            who,
            note,
            verdict,
            policy.people(item.get()),
            undoMs(id, verdict, Math.clamp(undoMs.orElse(policy.undoMs()), 0, policy.undoMs())),
            clockMs.getAsLong()));
  }

  /** What is sent back to an author who can be asked at once waits for what he says. */
  private long undoMs(String id, Verdict verdict, long wantedMs) {
    return verdict == Verdict.SEND_BACK && queue.authors().has(id)
        ? Math.max(1, wantedMs)
        : wantedMs;
  }

  /** Takes a decision back before it counts. */
  public CompletableFuture<StepResult> undo(String id, String who) {
    return queue.step(id, new ReviewEvent.Undo(who, clockMs.getAsLong()));
  }

  /** How many people have to agree about it. */
  public int people(ReviewItem item) {
    return item.deliberation().decided().map(ReviewEvent.Vote::people).orElse(policy.people(item));
  }

  /** The role, group or person that alone decides about it now; empty: anybody. */
  public Optional<String> only(ReviewItem item) {
    return policy.only(item);
  }

  /**
   * True unless it was escalated to others alone. Who was at it before that may end what he began,
   * as long as his claim lasts.
   *
   * @param names of a person: his own, and those of his roles and groups
   */
  public boolean isAsked(ReviewItem item, Set<String> names) {
    return only(item).filter(to -> !names.contains(to)).isEmpty()
        || item.deliberation()
            .claim()
            .filter(lease -> !lease.isOver(clockMs.getAsLong()) && names.contains(lease.who()))
            .isPresent();
  }

  /** The others that wait and say the same, oldest first. */
  public List<ReviewItem> identical(ReviewItem to) {
    String digest = to.textSha256();
    return queue.waiting().stream()
        .filter(item -> !item.id().equals(to.id()))
        .filter(item -> item.message().origin().kind() == to.message().origin().kind())
        .filter(item -> item.state() == ReviewState.PENDING && item.textSha256().equals(digest))
        .toList();
  }
}
