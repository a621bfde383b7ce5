package dev.parlance.demo.agent;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How a stream went, as the asking agent saw it; times in ms since it asked.
 *
 * @param events how many events came
 * @param firstMs when the first one came
 * @param wordsMs when the first words of the answer came; empty if none did
 * @param lastMs when the last event came
 */
public record StreamTiming(int events, long firstMs, OptionalLong wordsMs, long lastMs) {
  /** Refuses a stream without events and times that run backwards. */
  public StreamTiming {
    if (events < 1 || firstMs < 0 || firstMs > lastMs) {
      throw new IllegalArgumentException(events + " events from " + firstMs + " to " + lastMs);
    }
  }

  /** As members of a JSON object; absent values are left out. */
  public Map<String, Object> toMap() {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("events", events);
    members.put("firstEventMs", firstMs);
    wordsMs.ifPresent(ms -> members.put("firstWordsMs", ms));
    members.put("lastEventMs", lastMs);
    return members;
  }

  /** Reads what {@link #toMap()} wrote; empty if it is something else. */
  static Optional<StreamTiming> fromMap(Map<?, ?> members) {
    return members.get("events") instanceof Number events
            && members.get("firstEventMs") instanceof Number first
            && members.get("lastEventMs") instanceof Number last
            && events.intValue() > 0
            && first.longValue() >= 0
            && first.longValue() <= last.longValue()
        ? Optional.of(
            new StreamTiming(
                events.intValue(),
                first.longValue(),
                members.get("firstWordsMs") instanceof Number words
                    ? OptionalLong.of(words.longValue())
                    : OptionalLong.empty(),
                last.longValue()))
        : Optional.empty();
  }
}
