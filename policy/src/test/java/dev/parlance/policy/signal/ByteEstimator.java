package dev.parlance.policy.signal;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.text.ByteTokenTable;
import dev.parlance.policy.text.CitationId;
import dev.parlance.policy.text.NormalizedText;
import dev.parlance.policy.text.PlainCitationScanner;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What {@link TokenOverlapEstimator} is compared with: the same, byte by byte. */
final class ByteEstimator implements Estimator {
  private final NormalizedText text = new NormalizedText();
  private final PlainCitationScanner citations = new PlainCitationScanner();
  private final ByteTokenTable table;

  /**
   * An estimator with scratch of its own.
   *
   * @param seed keys the token hash; no result depends on it, so take it from a source that the
   *     authors of messages do not know
   */
  public ByteEstimator(long seed) {
    this.table = new ByteTokenTable(seed);
  }

  @Override
  public Measurement measure(AgentMessage message) {
    Evidence evidence = message.evidence();
    text.set(message.answer());
    citations.scan(text);
    addAnswer();
    evidence.citations().forEach(citations::addStructured);
    text.set(message.question());
    table.mark(text, ByteTokenTable.Place.QUESTION);
    for (Chunk chunk : evidence.chunks()) {
      text.set(chunk.text());
      table.mark(text, ByteTokenTable.Place.CONTEXT);
    }
    Counts counts = counts(evidence.chunks());
    text.release();
    table.clear();
    return Measurement.of(counts, SignalWeights.PAPER);
  }

  /** The answer without its citation markers: each one separates tokens as a blank does. */
  private void addAnswer() {
    table.clear();
    int from = text.start();
    for (int marker = 0; marker < citations.markers(); marker++) {
      table.add(text, from, citations.markerStart(marker));
      from = citations.markerEnd(marker);
    }
    table.add(text, from, text.end());
  }

  private Counts counts(List<Chunk> chunks) {
    List<String> cited = citations.ids();
    List<String> valid = List.of();
    if (!cited.isEmpty()) {
      Set<String> known = new HashSet<>();
      chunks.forEach(chunk -> known.add(CitationId.canonical(chunk.id())));
      valid = cited.stream().filter(known::contains).toList();
    }
    return new Counts(
        table.size(),
        table.countIn(ByteTokenTable.Place.CONTEXT),
        table.countNovel(),
        table.countIn(ByteTokenTable.Place.QUESTION),
        table.countNovelNumbers(),
        cited.size() + (citations.hasMoreIds() ? 1 : 0),
        valid.size(),
        cited,
        valid);
  }
}
