package dev.parlance.demo.agent;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import dev.parlance.demo.license.DemoJson;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** What came back for a message. */
public sealed interface AgentReply {
  /** What it says; else why nothing came. */
  String text();

  /** The task's state, {@code message} if the answer is no task, {@code error} without either. */
  default String taskState() {
    return "error";
  }

  /** What a sidecar wrote about it. */
  default ReceivedVerdict verdict() {
    return ReceivedVerdict.NONE;
  }

  /** What a sidecar wants changed, if a better message may be sent. */
  default Optional<String> repair() {
    return Optional.empty();
  }

  /** All metadata of an answer. */
  default Map<String, Object> metadata() {
    return Map.of();
  }

  /** True if an answer came. */
  default boolean answered() {
    return this instanceof Answered;
  }

  /** An answer. */
  record Answered(
      String text, String taskState, ReceivedVerdict verdict, Map<String, Object> metadata)
      implements AgentReply {
    /** Copies the map. */
    public Answered {
      metadata = Map.copyOf(metadata);
    }
  }

  /** A task that did not complete, or a message that a sidecar sent back to its author. */
  record Withheld(String text, String taskState, ReceivedVerdict verdict, Optional<String> repair)
      implements AgentReply {}

  /** No answer at all: a protocol error, a broken connection, no answer in time. */
  record Failed(String text) implements AgentReply {}

  /**
   * What an answer says; else the reasons of the sidecar that withheld it, or why there is none.
   */
  default String said() {
    return answered() || verdict().reasons().isEmpty()
        ? text()
        : String.join(", ", verdict().reasons());
  }

  /**
   * What a sidecar wrote about an answer, as the receiving agent can read it.
   *
   * @param header ASP header text
   * @param driftSqrtJsd drift in [0,1]
   * @param route execute, warn, regenerate or yield
   * @param reasons reason codes
   * @param reviewId id in the review queue, if the answer is held
   */
  record ReceivedVerdict(
      @JsonProperty("aspHeader") @JsonAlias("header") Optional<String> header,
      @JsonProperty("drift") OptionalDouble driftSqrtJsd,
      Optional<String> route,
      @JsonSetter(nulls = Nulls.AS_EMPTY) List<String> reasons,
      Optional<String> reviewId) {
    /** No sidecar said anything. */
    public static final ReceivedVerdict NONE = of(Map.of(), Optional.empty());

    /** Copies the list. */
    public ReceivedVerdict {
      reasons = List.copyOf(reasons);
    }

    /** Reads the verdict out of metadata; {@link #NONE} if there is none. */
    static ReceivedVerdict in(Map<String, Object> metadata) {
      Optional<String> reviewId =
          Optional.ofNullable(metadata.get(Extensions.REVIEW_ID)).map(Object::toString);
      return metadata.get(Extensions.VERDICT) instanceof Map<?, ?> members
          ? of(members, reviewId)
          : NONE;
    }

    /** Reads a verdict's object; {@link #NONE} if it is none. */
    static ReceivedVerdict of(@Nullable Object members, Optional<String> reviewId) {
      return DemoJson.read(members, ReceivedVerdict.class)
          .map(read ->
              new ReceivedVerdict(
                  read.header(), read.driftSqrtJsd(), read.route(), read.reasons(), reviewId))
          .orElse(NONE);
    }
  }
}
