package dev.parlance.policy.claim.support;

import dev.parlance.policy.claim.change.Changes;
import dev.parlance.policy.claim.value.Values;
import dev.parlance.policy.text.Utf8Span;

/**
 * What {@link ClaimsEstimator} has read of a chunk of evidence, whatever message it stands in. Of
 * one {@link Vocabulary}; immutable.
 *
 * @param text the chunk as plain text
 * @param rewritten the text is not the one that was given
 * @param records it has rows of tables or fields of JSON
 */
public record ReadChunk(
    Utf8Span text,
    boolean rewritten,
    boolean records,
    EvidenceIndex.Kept words,
    Values.Kept values,
    Changes.Kept units) {
  private static final int OBJECTS = 300;

  /** Memory that it takes. */
  public long memoryBytes() {
    return OBJECTS
        + text.length()
        + words.memoryBytes()
        + values.memoryBytes()
        + units.memoryBytes();
  }
}
