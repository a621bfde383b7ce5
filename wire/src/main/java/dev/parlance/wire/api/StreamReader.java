package dev.parlance.wire.api;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.wire.bytes.HeaderLookup;
import dev.parlance.wire.json.JsonDocument;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads one streamed answer, event by event, and keeps what has been said so far. Single use, one
 * event loop; neither blocks nor logs.
 *
 * <p>What it has heard does not depend on how the agent cut it: the text of an answer in one event
 * and in a hundred appended ones is the same, and the same as that of the whole answer without a
 * stream.
 */
public interface StreamReader {
  /** Cuts the body into events; always the same object. */
  StreamFraming framing();

  /**
   * The JSON that says the same as an event that is protobuf; empty for any other, and for one that
   * cannot be read.
   */
  default JsonDocument asJson(Frame frame) {
    return JsonDocument.EMPTY;
  }

  /**
   * Reads an event that has a payload. Frames without one need no reading: they hold nothing.
   *
   * @param frame kept no longer than its {@link Annotatable} is in use
   */
  StreamEvent read(Frame frame);

  /**
   * Reads the fields behind the body, where the protocol lets the agent say something in them (the
   * message of a gRPC status).
   *
   * @return empty if they hold nothing that is to be judged; the edits of an event from here are
   *     empty
   */
  default Optional<StreamEvent> trailers(HeaderLookup trailers) {
    return Optional.empty();
  }

  /**
   * Everything said since the beginning, or since {@link #forget}; its evidence is all that came
   * with the request and the stream so far.
   */
  AgentMessage said();

  /** Bytes of text in {@link #said()}, without building it. */
  int saidBytes();

  /** True if something was begun that is not complete; see {@link StreamEvent.Said}. */
  boolean isOpen();

  /**
   * True if the answer, as far as it has come, has no words at all and needs none: a model that
   * only calls a tool. It passes without a verdict, as it does where it is read whole.
   */
  default boolean isWordless() {
    return false;
  }

  /** Drops the text said so far, which a verdict covers; evidence, ids and open units stay. */
  void forget();

  /** The answer so far as one that was read whole: its ids are kept by refusals and repairs. */
  ResponseView soFar();

  /**
   * A valid end of this stream, in its own protocol and under its own ids.
   *
   * @param isBegun true if an event of it has gone on: then the client knows what it began with
   */
  Ending refuse(Notice notice, boolean isBegun);

  /**
   * The end that the sidecar gives a stream in place of what the agent would have said, so that the
   * protocol's clients see a valid stream.
   *
   * @param name of these events, empty if they have none
   * @param payloads payloads of the last events, in order; see {@link StreamFraming#frame}
   * @param trailers fields behind the body (gRPC status), usually empty
   */
  record Ending(String name, List<byte[]> payloads, Map<String, String> trailers) {
    /** Takes copies of the collections. */
    public Ending {
      payloads = List.copyOf(payloads);
      trailers = Map.copyOf(trailers);
    }

    /** Events without a name. */
    public Ending(List<byte[]> payloads, Map<String, String> trailers) {
      this("", payloads, trailers);
    }
  }
}
