package dev.parlance.wire.api;

import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.Reading;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A request that a codec could read. Immutable; keeps the body it was read from, and what it gives
 * lives no longer than the memory of that.
 */
public interface RequestView extends MessageView {
  /** The {@code traceparent} that stands in its body; empty where the protocol has none there. */
  default Optional<String> traceparent() {
    return Optional.empty();
  }

  /** What is called, in the words of its protocol. */
  default Called called() {
    return Called.UNNAMED;
  }

  /**
   * What a request calls; few names, none of which is made up by its sender but the tool's.
   *
   * @param operation as {@code SendMessage} or {@code tools/call}; empty for one that is not known
   * @param tool the tool, where the operation calls one
   */
  record Called(Optional<String> operation, Optional<String> tool) {
    /** Something without a name of its own. */
    public static final Called UNNAMED = new Called(Optional.empty(), Optional.empty());

    /** An operation that calls no tool. */
    public static Called of(String operation) {
      return new Called(Optional.of(operation), Optional.empty());
    }
  }

  /** The protocol of this request and of its answer. */
  AgentProtocol protocol();

  /** The question text that an answer to this request is measured against; may be empty. */
  default Utf8Span question() {
    return Utf8Span.EMPTY;
  }

  /**
   * Reads the answer to this request. {@code body} is whole, decoded from any content coding, and
   * kept by the view, which lives no longer than the memory of it.
   */
  Reading<ResponseView> readResponse(ResponseHead head, PlainBody body);

  /** As above, of bytes that nobody else has. */
  default Reading<ResponseView> readResponse(ResponseHead head, byte[] body) {
    return readResponse(head, PlainBody.of(body));
  }

  /**
   * Reads the answer to this request piece by piece; empty if the head announces no stream that
   * this codec knows, and the answer is to be read whole.
   */
  default Optional<StreamReader> readStream(ResponseHead head) {
    return Optional.empty();
  }

  /**
   * The body of a request that asks the same agent again: fresh message id, same context, the
   * earlier task referenced, the instruction added to the question. Empty if that cannot be done
   * safely.
   */
  default Optional<byte[]> repair(
      ResponseView rejected, String instruction, String freshMessageId) {
    return Optional.empty();
  }

  /**
   * From now on every edit of this request, and every {@link #repair} of it, puts the terms before
   * the agent that it can use. Without it, they take out what was put there.
   *
   * @param block a text as {@link dev.parlance.policy.lexicon.KnownTerms} writes it, not empty
   * @return false if the protocol, or this request, has no place for it: nothing is shown
   */
  default boolean show(String block, Show where) {
    return false;
  }

  /** Its name, if it asks for what no agent says. */
  default Optional<Plumbing> plumbing() {
    return Optional.empty();
  }

  /** True if its sender tells what an agent has said, and asks for nothing: a push. */
  default boolean tells() {
    return false;
  }

  /**
   * True if this request changes nothing at its receiver, whatever its method (RFC 9110, 9.2.1): it
   * asks for words, or reads what is there.
   */
  default boolean isSafe() {
    return false;
  }

  /** False if {@link #repair} never gives a body, whatever the answer. */
  default boolean canBeAskedAgain() {
    return true;
  }

  /** The task that this request is about; empty where the protocol has no tasks. */
  default Optional<TaskCall> taskCall() {
    return Optional.empty();
  }

  /** The tasks that this request lists, if it does, where the protocol has lists in pages. */
  default Optional<TaskListing> taskListing() {
    return Optional.empty();
  }

  /**
   * A released answer as the task that this request asks for.
   *
   * @return empty if this request asks for no task
   */
  default Optional<Refusal> complete(HeldAnswer answer) {
    return Optional.empty();
  }

  /** The typed answer to this request in its own protocol. */
  default Refusal refuse(Notice notice) {
    return refuse(notice, Correlation.NONE);
  }

  /** As {@link #refuse(Notice)}, but in place of an answer whose ids (task, context) it keeps. */
  default Refusal refuse(Notice notice, ResponseView rejected) {
    return refuse(notice, rejected.correlation());
  }

  /** As {@link #refuse(Notice)}, with these ids where the refusal has a place for them. */
  Refusal refuse(Notice notice, Correlation kept);

  /**
   * What makes two requests the same one sent twice: all but the ids that every attempt has anew. A
   * request that a person released passes as it was only, so this errs on the side of telling
   * requests apart.
   */
  List<Utf8Span> identity();

  /**
   * What tells the conversation of this request, and the place where it is held, from others. Asked
   * again in other words round the question (with more history, another clock in the system text,
   * another form of the answer) it is the same; whoever else may speak through the same caller has
   * another one, so that nobody gets what was released for somebody else.
   *
   * @param head where it was sent
   * @param contextId the conversation by its id, as request or answer name it
   */
  default List<Utf8Span> conversation(RequestHead head, Optional<String> contextId) {
    List<Utf8Span> parts = new ArrayList<>(identity());
    parts.add(Utf8Span.of(head.method() + " " + head.target()));
    return parts;
  }

  /** In which form an answer comes. */
  enum Form {
    /** One body. */
    WHOLE,
    /** Events. */
    STREAM,
    /** Whoever asked takes either. */
    EITHER
  }

  /** In which form the answer to this request is to come. */
  default Form answerForm() {
    return Form.EITHER;
  }

  /** The payloads of a stream that says the same as this body; empty if that cannot be done. */
  default Optional<List<byte[]>> asStream(byte[] whole) {
    return Optional.of(List.of(whole));
  }

  /** The body that says the same as these payloads of a stream; empty if that cannot be done. */
  default Optional<byte[]> asWhole(List<byte[]> payloads) {
    return payloads.size() == 1 ? Optional.of(payloads.getFirst()) : Optional.empty();
  }

  /**
   * The body of an earlier answer to the same question, as an answer to this request: ids that tie
   * an answer to its request are this one's. Empty if that cannot be done.
   */
  default Optional<byte[]> adopt(byte[] heldBody) {
    return Optional.of(heldBody);
  }
}
