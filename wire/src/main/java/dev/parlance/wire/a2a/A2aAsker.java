package dev.parlance.wire.a2a;

import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.api.Relayed;
import dev.parlance.wire.json.JsonDocument;
import java.util.List;
import java.util.function.Predicate;

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

  /** A transcript of an answer, or of an event, that stands in one body. */
  A2aTranscript transcript(Relayed relayed, JsonDocument json) {
    return A2aTranscript.of(known(relayed), json);
  }

  /** A transcript of an answer that comes in events, which it outlives. */
  A2aTranscript transcript(Relayed relayed) {
    return A2aTranscript.detached(known(relayed));
  }

  private Predicate<Utf8Span> known(Relayed relayed) {
    return other -> other.equals(text) || relayed.knows(other);
  }
}
