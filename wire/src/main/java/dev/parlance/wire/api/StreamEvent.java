package dev.parlance.wire.api;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.bytes.WireFault;
import java.util.List;

/** The meaning of one event of a streamed answer for the gate. */
public sealed interface StreamEvent {
  /**
   * Nothing that the agent says: a task that begins, a change of state without words, a ping. It
   * goes on at once, unless an answer is held before it.
   *
   * @param overtakes true if it may go on before an answer that is held (a request of an MCP server
   *     to its client: holding it would stop both)
   * @param edits for verdicts that the sender wrote
   */
  record Silent(boolean overtakes, Annotatable edits) implements StreamEvent {
    /** An event that is nothing but a sign of life. */
    public static final Silent NOTHING = new Silent(false, Annotatable.NOWHERE);
  }

  /**
   * A piece of the answer; the text is in {@link StreamReader#said()} now.
   *
   * @param complete true if nothing that was begun is left open behind this event: the message is
   *     whole, the last chunk of every artifact has come, the task has ended or waits
   * @param unread codes of what the event holds besides text and nobody can read, usually empty
   * @param edits for the verdict
   */
  record Said(boolean complete, List<String> unread, Annotatable edits) implements StreamEvent {
    /** Takes a copy of the list. */
    public Said {
      unread = List.copyOf(unread);
    }
  }

  /**
   * Words that are no part of the answer and stand alone: what an MCP server asks its client inside
   * the stream. Judged by itself, at once, and passed before an answer that is held.
   *
   * @param message what it says
   * @param edits for the verdict
   */
  record Aside(AgentMessage message, Annotatable edits) implements StreamEvent {}

  /**
   * An error, with which an agent ends a stream: what follows is no more of the answer.
   *
   * @param says true if the event holds words of the answer too; they are in {@link
   *     StreamReader#said()} now
   * @param edits for verdicts that the sender wrote
   */
  record Failed(AgentError error, boolean says, Annotatable edits) implements StreamEvent {}

  /**
   * Well-formed, but nobody knows what it says: the route's {@code onUnjudged} decides.
   *
   * @param what a stable code as in {@link Reading.Unjudged}
   */
  record Unjudged(String what) implements StreamEvent {}

  /**
   * An event that clients of the protocol pass over, with something in it that nobody reads: it is
   * left out, unless the route lets pass what nobody can judge.
   *
   * @param what a stable code as in {@link Reading.Unjudged}
   */
  record Foreign(String what) implements StreamEvent {}

  /**
   * Broken; the stream is cut.
   *
   * @param fault what is wrong
   * @param detail for the log
   */
  record Malformed(WireFault fault, String detail) implements StreamEvent {}

  /** The event of which this came when it was read. */
  static StreamEvent of(Reading.Unread<?> unread) {
    return switch (unread) {
      case Reading.Unjudged<?>(String what) -> new Unjudged(what);
      case Reading.Malformed<?>(WireFault fault, String detail) -> new Malformed(fault, detail);
    };
  }
}
