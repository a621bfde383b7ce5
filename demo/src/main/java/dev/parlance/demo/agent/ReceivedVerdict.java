package dev.parlance.demo.agent;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What a sidecar wrote about an answer, as the receiving agent can read it.
 *
 * @param header ASP header text
 * @param driftSqrtJsd drift in [0,1]
 * @param route execute, warn, regenerate or yield
 * @param reasons reason codes
 * @param reviewId id in the review queue, if the answer is held
 */
public record ReceivedVerdict(
    Optional<String> header,
    OptionalDouble driftSqrtJsd,
    Optional<String> route,
    List<String> reasons,
    Optional<String> reviewId) {
  /** No sidecar said anything. */
  public static final ReceivedVerdict NONE =
      new ReceivedVerdict(
          Optional.empty(), OptionalDouble.empty(), Optional.empty(), List.of(), Optional.empty());

  /** Copies the list. */
  public ReceivedVerdict {
    reasons = List.copyOf(reasons);
  }

  /** Reads the verdict out of metadata; {@link #NONE} if there is none. */
  static ReceivedVerdict in(Map<String, Object> metadata) {
    return metadata.get(Extensions.VERDICT) instanceof Map<?, ?> members
        ? of(
            members,
            metadata.get(Extensions.REVIEW_ID) instanceof String id
                ? Optional.of(id)
                : Optional.empty())
        : NONE;
  }

  /** Reads a verdict's object. */
  static ReceivedVerdict of(Map<?, ?> members, Optional<String> reviewId) {
    return new ReceivedVerdict(
        text(members, "header"),
        members.get("drift") instanceof Number drift
            ? OptionalDouble.of(drift.doubleValue())
            : OptionalDouble.empty(),
        text(members, "route"),
        members.get("reasons") instanceof List<?> reasons
            ? reasons.stream().map(String::valueOf).toList()
            : List.of(),
        reviewId);
  }

  /** True if a sidecar said something. */
  boolean isPresent() {
    return route.isPresent() || header.isPresent();
  }

  private static Optional<String> text(Map<?, ?> members, String name) {
    return members.get(name) instanceof String text ? Optional.of(text) : Optional.empty();
  }
}
