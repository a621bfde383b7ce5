package dev.parlance.demo.agent;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.Nulls;
import dev.parlance.demo.agent.AgentReply.ReceivedVerdict;
import java.util.List;
import java.util.OptionalLong;

/**
 * What the officer received for one question, and what it decided.
 *
 * @param question what it asked
 * @param receivedText the answer, or why there was none
 * @param taskState {@code message}, the state of a task, or {@code error}
 * @param verdict what a sidecar wrote about it
 * @param decision the officer's decision
 * @param reached true if an answer reached the officer
 * @param streams how the answer was streamed, one entry each time the officer asked; empty if it
 *     came whole
 */
public record Receipt(
    String question,
    String receivedText,
    String taskState,
    @JsonUnwrapped ReceivedVerdict verdict,
    String decision,
    boolean reached,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) @JsonSetter(nulls = Nulls.AS_EMPTY)
        List<StreamTiming> streams) {
  /** Copies the list. */
  public Receipt {
    streams = List.copyOf(streams);
  }

  /**
   * How a stream went, as the asking agent saw it; times in ms since it asked.
   *
   * @param events how many events came
   * @param firstMs when the first one came
   * @param wordsMs when the first words of the answer came; empty if none did
   * @param lastMs when the last event came
   */
  public record StreamTiming(
      int events,
      @JsonProperty("firstEventMs") long firstMs,
      @JsonProperty("firstWordsMs") OptionalLong wordsMs,
      @JsonProperty("lastEventMs") long lastMs) {
    /** Refuses a stream without events and times that run backwards. */
    public StreamTiming {
      if (events < 1 || firstMs < 0 || firstMs > lastMs) {
        throw new IllegalArgumentException(events + " events from " + firstMs + " to " + lastMs);
      }
    }
  }
}
