package dev.parlance.demo.agent;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * What the officer received for one question, and what it decided.
 *
 * @param question what it asked
 * @param receivedText the answer, or why there was none
 * @param taskState {@code message}, the state of a task, or {@code error}
 * @param reached true if an answer reached the officer
 * @param verdict what a sidecar wrote about it
 * @param decision the officer's decision
 * @param streams how the answer was streamed, one entry each time the officer asked; empty if it
 *     came whole
 */
public record Receipt(
    String question,
    String receivedText,
    String taskState,
    boolean reached,
    ReceivedVerdict verdict,
    String decision,
    List<StreamTiming> streams) {
  /** Copies the list. */
  public Receipt {
    streams = List.copyOf(streams);
  }

  /** What came whole. */
  public Receipt(
      String question,
      String receivedText,
      String taskState,
      boolean reached,
      ReceivedVerdict verdict,
      String decision) {
    this(question, receivedText, taskState, reached, verdict, decision, List.of());
  }

  /** How often it asked, and each time how the answer was streamed, is told. */
  Receipt streamed(List<StreamTiming> each) {
    return new Receipt(question, receivedText, taskState, reached, verdict, decision, each);
  }

  /** As members of a JSON object; absent values are left out. */
  public Map<String, Object> toMap() {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("question", question);
    members.put("receivedText", receivedText);
    members.put("taskState", taskState);
    verdict.header().ifPresent(header -> members.put("aspHeader", header));
    verdict.driftSqrtJsd().ifPresent(drift -> members.put("drift", drift));
    verdict.route().ifPresent(route -> members.put("route", route));
    members.put("reasons", verdict.reasons());
    verdict.reviewId().ifPresent(id -> members.put("reviewId", id));
    members.put("decision", decision);
    members.put("reached", reached);
    if (!streams.isEmpty()) {
      members.put("streams", streams.stream().map(StreamTiming::toMap).toList());
    }
    return members;
  }

  /** Reads what {@link #toMap()} wrote; empty if it is something else. */
  public static Optional<Receipt> fromMap(Map<?, ?> members) {
    if (members.get("question") instanceof String question
        && members.get("receivedText") instanceof String receivedText
        && members.get("taskState") instanceof String taskState
        && members.get("decision") instanceof String decision
        && members.get("reached") instanceof Boolean reached) {
      ReceivedVerdict verdict =
          new ReceivedVerdict(
              text(members, "aspHeader"),
              members.get("drift") instanceof Number drift
                  ? OptionalDouble.of(drift.doubleValue())
                  : OptionalDouble.empty(),
              text(members, "route"),
              members.get("reasons") instanceof List<?> reasons
                  ? reasons.stream().map(String::valueOf).toList()
                  : List.of(),
              text(members, "reviewId"));
      return Optional.of(
          new Receipt(question, receivedText, taskState, reached, verdict, decision)
              .streamed(streams(members.get("streams"))));
    }
    return Optional.empty();
  }

  private static List<StreamTiming> streams(@Nullable Object list) {
    List<StreamTiming> streams = new ArrayList<>();
    if (list instanceof List<?> entries) {
      for (Object entry : entries) {
        if (entry instanceof Map<?, ?> members) {
          StreamTiming.fromMap(members).ifPresent(streams::add);
        }
      }
    }
    return streams;
  }

  private static Optional<String> text(Map<?, ?> members, String name) {
    return members.get(name) instanceof String text ? Optional.of(text) : Optional.empty();
  }
}
