package dev.parlance.demo.agent;

import dev.parlance.demo.retrieval.Passage;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What an agent proposes in a round.
 *
 * @param round name of the round
 * @param epoch its epoch, from 1
 * @param verdict the verdict
 * @param rationale why, which is also the text of the message
 * @param question what was asked
 * @param passages what the rationale was written from; may be empty
 */
public record Ballot(
    String round,
    long epoch,
    String verdict,
    String rationale,
    String question,
    List<Passage> passages) {
  /** Copies the list. */
  public Ballot {
    passages = List.copyOf(passages);
  }

  /** The same for another epoch of the round. */
  public Ballot inEpoch(long other) {
    return new Ballot(round, other, verdict, rationale, question, passages);
  }

  /** Metadata of the message that carries it. */
  Map<String, Object> metadata() {
    Map<String, Object> metadata = new LinkedHashMap<>();
    metadata.put(Extensions.ROUND, Map.of("round", round, "epoch", epoch, "verdict", verdict));
    if (!passages.isEmpty()) {
      metadata.put(
          Extensions.EVIDENCE,
          Map.of(
              "question",
              question,
              "context",
              passages.stream()
                  .map(passage -> Map.of("id", passage.id(), "text", passage.text()))
                  .toList(),
              "citations",
              passages.stream().map(Passage::id).toList()));
    }
    return metadata;
  }
}
