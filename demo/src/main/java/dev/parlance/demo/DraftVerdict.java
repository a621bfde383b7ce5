package dev.parlance.demo;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import tools.jackson.databind.JsonNode;

/**
 * What the decision log of the scholar's sidecar says about one draft.
 *
 * @param id id of the entry
 * @param attempt which draft of the flow, from 1
 * @param header ASP header text; empty if nothing could be measured
 * @param driftSqrtJsd drift in [0,1]
 * @param route route code
 * @param reasons reason codes
 * @param reviewId id in the review queue, if the draft is held
 */
record DraftVerdict(
    String id,
    int attempt,
    String header,
    OptionalDouble driftSqrtJsd,
    String route,
    List<String> reasons,
    Optional<String> reviewId) {
  DraftVerdict {
    reasons = List.copyOf(reasons);
  }

  /** Reads a log entry; empty if it is not about an answer. */
  static Optional<DraftVerdict> of(JsonNode entry) {
    String id = text(entry, "id");
    String route = text(entry, "route");
    if (id.isEmpty() || route.isEmpty() || !text(entry, "kind").equals("response")) {
      return Optional.empty();
    }
    JsonNode drift = entry.path("drift");
    String reviewId = text(entry, "reviewId");
    return Optional.of(
        new DraftVerdict(
            id,
            entry.path("attempt").asInt(1),
            text(entry, "header"),
            drift.isNumber() ? OptionalDouble.of(drift.asDouble()) : OptionalDouble.empty(),
            route,
            entry.path("reasons").valueStream().map(reason -> reason.asString("")).toList(),
            reviewId.isEmpty() ? Optional.empty() : Optional.of(reviewId)));
  }

  private static String text(JsonNode entry, String member) {
    return entry.path(member).asString("");
  }

  /** True if no further draft of this answer follows. */
  boolean isLast() {
    return !route.equals("regenerate");
  }

  Map<String, Object> toMap() {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("decisionId", id);
    members.put("draft", attempt);
    members.put("header", header);
    driftSqrtJsd.ifPresent(drift -> members.put("drift", drift));
    members.put("route", route);
    members.put("reasons", reasons);
    reviewId.ifPresent(held -> members.put("reviewId", held));
    return members;
  }
}
