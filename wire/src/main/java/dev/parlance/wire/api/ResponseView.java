package dev.parlance.wire.api;

import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.bytes.Edit;
import dev.parlance.wire.bytes.Reading;
import java.util.List;
import java.util.Optional;

/** A response that a codec could read. Immutable; keeps the body array it was read from. */
public interface ResponseView extends MessageView {
  /**
   * True if {@link #message()} answers a question, so that the route may ask for evidence. False
   * for words that nothing can be held against (descriptions of tools, prompts, arguments of a call
   * that a model asks for): they are read like any other text, but a lack of evidence is never a
   * reason to send them back, whatever the route says.
   */
  default boolean answersQuestion() {
    return true;
  }

  /**
   * Words that reach the receiver beside the answer and are not measured with it, because they are
   * the evidence itself or say nothing about it: embedded resources, arguments of tool calls. They
   * are read for terms like the answer. Empty if there are none.
   */
  default Utf8Span beside() {
    return Utf8Span.EMPTY;
  }

  /**
   * What a caller that retrieves through this protocol now has to answer from; usually empty. A
   * response with any is retrieved data and is never held against what was observed before it.
   */
  default List<Chunk> observable() {
    return List.of();
  }

  /**
   * Edits that have an agent card name this authority in place of those in it; none for a signed
   * card, and for any other answer.
   */
  default List<Edit> addressedTo(String authority) {
    return List.of();
  }

  /** Where an agent card says that its agent is reached; empty for any other answer. */
  default List<String> addresses() {
    return List.of();
  }

  /** The error that comes in place of an answer, or with what there is of one. */
  default Optional<AgentError> failure() {
    return Optional.empty();
  }

  /**
   * True if whoever answers has done something, or is about to: it reports on a task in any state,
   * or asks for a tool's call or brings its result. Such an answer is never asked for again,
   * because that would repeat the act. False for nothing but words.
   */
  default boolean acts() {
    return false;
  }

  /** Tokens that the model says it took for this answer; none where it does not say. */
  default TokenUsage usage() {
    return TokenUsage.NONE;
  }

  /**
   * A response with a body that nobody waits for, because nothing was asked: the answer to a
   * notification, to a push. Its status says all; whoever enforces leaves the body out.
   */
  record Unawaited() implements ResponseView {
    private static final int FIRST_OK = 200;
    private static final int LAST_OK = 299;

    /** The answer to something that asked nothing; empty if its status says that it failed. */
    public static Optional<Reading<ResponseView>> reading(int status) {
      return status >= FIRST_OK && status <= LAST_OK
          ? Optional.of(new Reading.Readable<>(new Unawaited()))
          : Optional.empty();
    }
  }

  /**
   * A response that carries no answer to judge: a card, an empty body.
   *
   * @param unread codes of the texts in it that nobody reads
   * @param sites for what the sender may not assert
   */
  record Silent(List<String> unread, Annotatable sites) implements ResponseView {
    /** One without anything that the sender may not assert. */
    public Silent(List<String> unread) {
      this(unread, Annotatable.NOWHERE);
    }

    /** One without any text. */
    public static Reading<ResponseView> reading() {
      return new Reading.Readable<>(new Silent(List.of()));
    }
  }

  /**
   * A response that is an error.
   *
   * @param sites for what the sender may not assert
   */
  record Failed(AgentError error, Annotatable sites) implements ResponseView {
    /** The code of its words among what nobody judges. */
    public static final String UNREAD = "error_text";

    /** One without anything that the sender may not assert. */
    public static Reading<ResponseView> reading(AgentError error) {
      return new Reading.Readable<>(new Failed(error, Annotatable.NOWHERE));
    }

    @Override
    public Optional<AgentError> failure() {
      return Optional.of(error);
    }

    @Override
    public List<String> unread() {
      return List.of(UNREAD);
    }
  }
}
