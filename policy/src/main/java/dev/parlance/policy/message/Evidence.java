package dev.parlance.policy.message;

import java.util.List;
import java.util.OptionalDouble;

/**
 * What an answer is held against.
 *
 * @param source where it was found; {@code NONE} exactly if there are no chunks
 * @param chunks the retrieved pieces, in the order given
 * @param citations citations given beside the text (those inside the text are found there)
 * @param confidence the agent's own confidence in [0,1], if it gave one (any other value is
 *     dropped)
 * @param assumptions the agent's own assumption index
 * @param cut how many chunks there were beyond those that are kept; 0 if all are here
 */
public record Evidence(
    EvidenceSource source,
    List<Chunk> chunks,
    List<String> citations,
    OptionalDouble confidence,
    List<Assumption> assumptions,
    int cut) {
  /** Most chunks of one message, by whatever way it comes. */
  public static final int MAX_CHUNKS = 4096;

  /** No evidence at all. */
  public static final Evidence NONE =
      new Evidence(EvidenceSource.NONE, List.of(), List.of(), OptionalDouble.empty(), List.of());

  /** Copies the lists and refuses a source that does not fit the chunks. */
  public Evidence {
    chunks = List.copyOf(chunks);
    citations = List.copyOf(citations);
    assumptions = List.copyOf(assumptions);
    if (cut < 0) {
      throw new IllegalArgumentException("cut must not be negative, got " + cut);
    }
    if ((source == EvidenceSource.NONE) != chunks.isEmpty()) {
      throw new IllegalArgumentException(
          "source " + source + " does not fit " + chunks.size() + " chunks");
    }
    if (confidence.isPresent()
        && !(confidence.getAsDouble() >= 0.0 && confidence.getAsDouble() <= 1.0)) {
      throw new IllegalArgumentException(
          "confidence must lie in [0,1], got " + confidence.getAsDouble());
    }
  }

  /** Evidence of which nothing was cut. */
  public Evidence(
      EvidenceSource source,
      List<Chunk> chunks,
      List<String> citations,
      OptionalDouble confidence,
      List<Assumption> assumptions) {
    this(source, chunks, citations, confidence, assumptions, 0);
  }

  /** True if there is something to hold an answer against. */
  public boolean isPresent() {
    return source != EvidenceSource.NONE;
  }
}
