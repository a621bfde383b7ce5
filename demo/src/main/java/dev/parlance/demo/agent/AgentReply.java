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
  /**
   * An answer.
   *
   * @param text what it says
   * @param taskState the task's state, or {@code message} if the answer is no task
   * @param verdict what a sidecar wrote about it
   * @param metadata all metadata of the answer
   */
  record Answered(
      String text, String taskState, ReceivedVerdict verdict, Map<String, Object> metadata)
      implements AgentReply {
    /** Copies the map. */
    public Answered {
      metadata = Map.copyOf(metadata);
    }
  }

  /**
   * A task that did not complete, or a message that a sidecar sent back to its author.
   *
   * @param why what its status says, or what the sidecar wants changed
   * @param taskState the state, e.g. {@code rejected}; {@code error} if there is no task
   * @param verdict what a sidecar wrote about it
   * @param repair what a sidecar wants changed, if a better message may be sent
   */
  record Withheld(String why, String taskState, ReceivedVerdict verdict, Optional<String> repair)
      implements AgentReply {
    /** Nothing is said about what to change. */
    public Withheld(String why, String taskState, ReceivedVerdict verdict) {
      this(why, taskState, verdict, Optional.empty());
    }
  }

  /**
   * No answer at all: a protocol error, a broken connection, no answer in time.
   *
   * @param why what the client says
   */
  record Failed(String why) implements AgentReply {}

  /**
   * What an answer says; else the reasons of the sidecar that withheld it, or why there is none.
   */
  default String said() {
    return switch (this) {
      case Answered answered -> answered.text();
      case Withheld withheld ->
          withheld.verdict().reasons().isEmpty()
              ? withheld.why()
              : String.join(", ", withheld.verdict().reasons());
      case Failed failed -> failed.why();
    };
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
    public static final ReceivedVerdict NONE =
        new ReceivedVerdict(
            Optional.empty(),
            OptionalDouble.empty(),
            Optional.empty(),
            List.of(),
            Optional.empty());

    /** Copies the list. */
    public ReceivedVerdict {
      reasons = List.copyOf(reasons);
    }

    /** Reads the verdict out of metadata; {@link #NONE} if there is none. */
    static ReceivedVerdict in(Map<String, Object> metadata) {
      return of(
          metadata.get(Extensions.VERDICT),
          metadata.get(Extensions.REVIEW_ID) instanceof String id
              ? Optional.of(id)
              : Optional.empty());
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
