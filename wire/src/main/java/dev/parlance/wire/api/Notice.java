package dev.parlance.wire.api;

import java.util.Optional;

/**
 * What a refusal has to say.
 *
 * @param kind what happened
 * @param code stable reason code (the same as in the metric label and the log line)
 * @param detail one sentence for the peer; of the judged message it contains at most terms that the
 *     certified core has
 * @param verdict the verdict, where there is one
 * @param repair what is missing and which chunk ids to cite, for {@code REGENERATE}
 * @param reviewId the id in the review queue, for {@code YIELD}
 */
public record Notice(
    Kind kind,
    String code,
    String detail,
    Optional<VerdictHeader> verdict,
    Optional<String> repair,
    Optional<String> reviewId) {
  /** What happened to the message. */
  public enum Kind {
    /** The author may send a better one. */
    REGENERATE,
    /** Held for a person. */
    YIELD,
    /** No codec could read it and the route blocks that. */
    UNJUDGED,
    /** Broken bytes. */
    MALFORMED,
    /** A round stands against it, or that none has come to an outcome; sent again it stays so. */
    ROUND_REFUSED,
    /** It should be held, and the review queue is full or cannot write. */
    QUEUE_REFUSED,
    /** The origin could not be reached or answered nonsense. */
    UPSTREAM,
    /** The sidecar is draining or over a limit. */
    UNAVAILABLE
  }
}
