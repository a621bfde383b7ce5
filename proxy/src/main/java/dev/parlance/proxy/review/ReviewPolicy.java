package dev.parlance.proxy.review;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;
import java.util.zip.CRC32C;

/**
 * How people decide: what of it is configured. Time alone decides nothing.
 *
 * @param undoMs how long a decision can be undone before it counts, 0 or more
 * @param claimMs how long a claim lasts unless it is renewed, 1 or more
 * @param second share of the messages that two people decide, the second without knowing what the
 *     first did, 0 to 1; which ones, their ids say
 * @param chain to whom a message goes that nobody decides, in the order of time
 * @param people how many people have to agree, by the configured name of the route
 */
public record ReviewPolicy(
    long undoMs,
    long claimMs,
    double second,
    List<Escalation> chain,
    ToIntFunction<String> people) {
  static final ReviewPolicy NONE = new ReviewPolicy(0, 600_000, 0, List.of(), _ -> 1);

  private static final int SHARES = 1 << 20;

  /**
   * One link of the chain.
   *
   * @param afterMs how long after it was held, 1 or more
   * @param to to whom: a role, a group or a person, 1 to 200 characters
   * @param only whether nobody else decides from then on
   */
  public record Escalation(long afterMs, String to, boolean only) {
    /** Refuses one at once, and to nobody. */
    public Escalation {
      if (afterMs < 1 || !ReviewEvent.isWho(to)) {
        throw new IllegalArgumentException("expected a time and a name, got " + afterMs);
      }
    }
  }

  /** Takes a copy; refuses what is out of range. */
  public ReviewPolicy {
    chain = List.copyOf(chain);
    if (undoMs < 0 || claimMs < 1 || !(second >= 0 && second <= 1)) {
      throw new IllegalArgumentException(
          "expected undoMs >= 0, claimMs >= 1 and a share, got "
              + undoMs
              + ", "
              + claimMs
              + " and "
              + second);
    }
  }

  /** How many people have to agree about this message. */
  public int people(ReviewItem item) {
    HeldMessage.Origin origin = item.message().origin();
    if (origin.kind() == HeldMessage.Kind.TERM) {
      return 1; // its board knows one decision
    }
    int asked = Math.clamp(people.applyAsInt(origin.routeRule()), 1, ReviewEvent.MAX_PEOPLE);
    return Math.max(asked, isSecond(item.id()) ? 2 : 1);
  }

  /** The same answer for the same id, always. */
  private boolean isSecond(String id) {
    var crc = new CRC32C();
    crc.update(id.getBytes(StandardCharsets.UTF_8));
    return crc.getValue() % SHARES < second * SHARES;
  }

  /**
   * The role, group or person that alone decides about this message now; empty: anybody. A queue
   * that the chain does not have any more keeps nobody out.
   */
  Optional<String> only(ReviewItem item) {
    String queue = item.deliberation().queue();
    return item.state() == ReviewItem.ReviewState.PENDING
        ? chain.stream()
            .filter(step -> step.only() && step.to().equals(queue))
            .map(Escalation::to)
            .findFirst()
        : Optional.empty();
  }

  /** What happens to a message that waits by time alone: a decision counts, or others are asked. */
  Optional<ReviewEvent> due(ReviewItem item, long nowMs) {
    if (item.state() != ReviewItem.ReviewState.PENDING) {
      return Optional.empty();
    }
    Deliberation stands = item.deliberation();
    if (stands.decided().isPresent()) {
      return stands
          .decided()
          .filter(last -> nowMs >= last.countsAtMs())
          .map(_ -> new ReviewEvent.Count(nowMs));
    }
    return chain.stream()
        .skip(stands.escalations())
        .findFirst()
        .filter(next -> nowMs - item.message().heldAtMs() >= next.afterMs())
        .map(next -> new ReviewEvent.Escalate(next.to(), nowMs));
  }
}
