package dev.parlance.proxy.review;

import dev.parlance.proxy.review.Deliberation.Phase;
import dev.parlance.proxy.review.ReviewEvent.Verdict;
import dev.parlance.proxy.review.ReviewEvent.Vote;
import dev.parlance.proxy.review.ReviewItem.ReviewState;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * How the queue and its reviewers are doing, as far back as decided messages are remembered.
 *
 * @param waiting messages that wait
 * @param oldestAgeMs how long the oldest has waited, 0 if none does
 * @param phases how far those that wait are
 * @param queues where they are: {@code default}, or whom they were escalated to
 * @param decided messages that people have decided, by what
 * @param medianMs median time from holding to the decision
 * @param escalations how often messages that are remembered were escalated
 * @param agreement how far people agree
 * @param reviewers what each of them did, by name
 */
public record ReviewFigures(
    int waiting,
    long oldestAgeMs,
    Map<Phase, Integer> phases,
    Map<String, Integer> queues,
    Map<Verdict, Integer> decided,
    OptionalLong medianMs,
    int escalations,
    Agreement agreement,
    Map<String, Reviewer> reviewers) {
  /** Where a message is that was not escalated. */
  public static final String DEFAULT_QUEUE = "default";

  /**
   * One person.
   *
   * @param votes messages that are remembered on which he has decided
   * @param followed of them, those that were decided as he said
   */
  public record Reviewer(int votes, int followed) {
    private Reviewer and(boolean isFollowed) {
      return new Reviewer(votes + 1, followed + (isFollowed ? 1 : 0));
    }
  }

  /** The figures of these items. */
  public static ReviewFigures of(List<ReviewItem> items, long nowMs) {
    Map<Phase, Integer> phases = new EnumMap<>(Phase.class);
    Map<String, Integer> queues = new TreeMap<>();
    Map<Verdict, Integer> decided = new EnumMap<>(Verdict.class);
    Map<String, Reviewer> reviewers = new TreeMap<>();
    Arrays.stream(Phase.values()).forEach(phase -> phases.put(phase, 0));
    Arrays.stream(Verdict.values()).forEach(verdict -> decided.put(verdict, 0));
    long oldestMs = nowMs;
    int waiting = 0;
    int escalations = 0;
    for (ReviewItem item : items) {
      escalations += item.deliberation().escalations();
      if (item.state() == ReviewState.PENDING) {
        waiting++;
        oldestMs = Math.min(oldestMs, item.message().heldAtMs());
        phases.merge(item.deliberation().phase(nowMs), 1, Integer::sum);
        queues.merge(queue(item), 1, Integer::sum);
      }
      item.decision()
          .filter(_ -> !item.isWithdrawn())
          .ifPresent(made -> {
            decided.merge(made.verdict(), 1, Integer::sum);
            for (Vote vote : item.deliberation().votes()) {
              reviewers.put(
                  vote.who(),
                  reviewers
                      .getOrDefault(vote.who(), new Reviewer(0, 0))
                      .and(vote.verdict() == made.verdict()));
            }
          });
    }
    return new ReviewFigures(
        waiting,
        nowMs - oldestMs,
        phases,
        queues,
        decided,
        medianMs(items),
        escalations,
        Agreement.of(items.stream().map(item -> item.deliberation().votes()).toList()),
        reviewers);
  }

  /** Where it is: whom it was escalated to. */
  public static String queue(ReviewItem item) {
    String queue = item.deliberation().queue();
    return queue.isEmpty() ? DEFAULT_QUEUE : queue;
  }

  private static OptionalLong medianMs(List<ReviewItem> items) {
    long[] tookMs =
        items.stream()
            .filter(item -> !item.isWithdrawn())
            .flatMap(item ->
                item.decision().map(made -> made.atMs() - item.message().heldAtMs()).stream())
            .mapToLong(Long::longValue)
            .sorted()
            .toArray();
    return tookMs.length == 0 ? OptionalLong.empty() : OptionalLong.of(tookMs[tookMs.length / 2]);
  }
}
