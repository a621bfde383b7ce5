package dev.parlance.proxy.wire;

import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.text.Utf8Span;
import java.util.List;

/**
 * What a request gives for the reading of its answer.
 *
 * @param question what was asked, by the asker's own account: an answerer that could name the
 *     question could choose one that its answer fits
 * @param given context that the asker sent along
 * @param text the text of the request, which a history repeats
 */
record A2aAsker(Utf8Span question, List<Chunk> given, Utf8Span text) {
  /** Somebody who asked nothing. */
  static final A2aAsker NOBODY = new A2aAsker(Utf8Span.EMPTY, List.of(), Utf8Span.EMPTY);

  /**
   * A transcript of the answer.
   *
   * @param detached true if it outlives the bodies that it is read from
   */
  A2aTranscript transcript(Relayed relayed, boolean detached) {
    return new A2aTranscript(other -> other.equals(text) || relayed.knows(other), detached);
  }
}
