package dev.parlance.policy.signal;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.text.CitationId;
import dev.parlance.policy.text.CitationScanner;
import dev.parlance.policy.text.KnownTexts;
import dev.parlance.policy.text.NormalizedText;
import dev.parlance.policy.text.TokenSet;
import dev.parlance.policy.text.TokenSet.TokenSets;
import dev.parlance.policy.text.TokenTable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The paper's white-box estimator (section 4.1) under convention {@code asp-text-1}: overlap of the
 * sets of distinct tokens, and citations of retrieved chunks.
 *
 * <p>Time is linear in the sum of all lengths, memory in the answer's. Scratch is reused, nothing
 * is allocated per token while the text is ASCII. For one thread.
 */
public final class TokenOverlapEstimator implements Estimator, Marker {
  private final NormalizedText text = new NormalizedText();
  private final CitationScanner citations = new CitationScanner();
  private final TokenTable table;
  private final TokenSets sets;
  private final KnownTexts<TokenSet> known;
  private final KnownTexts.Key key;

  /**
   * An estimator with scratch of its own.
   *
   * @param seed keys the token hash; no result depends on it, so take it from a source that the
   *     authors of messages do not know
   */
  public TokenOverlapEstimator(long seed) {
    this(seed, KnownTexts.none());
  }

  /**
   * An estimator that need not read all evidence.
   *
   * @param seed as above
   * @param known the tokens of evidence that was seen before
   */
  public TokenOverlapEstimator(long seed, KnownTexts<TokenSet> known) {
    this.table = new TokenTable(seed);
    this.sets = new TokenSets(seed);
    this.known = known;
    this.key = known.newKey();
  }

  @Override
  public Measurement measure(AgentMessage message) {
    Evidence evidence = message.evidence();
    text.set(message.answer());
    citations.scan(text);
    addAnswer();
    evidence.citations().forEach(citations::addStructured);
    text.set(message.question());
    table.mark(text, TokenTable.Place.QUESTION);
    if (table.size() > 0) {
      evidence.chunks().forEach(this::markChunk);
    }
    Counts counts = counts(evidence.chunks());
    text.release();
    table.clear();
    return Measurement.of(counts, SignalWeights.PAPER);
  }

  @Override
  public MarkedAnswer mark(AgentMessage message) {
    return OverlapMarks.of(message, measure(message));
  }

  private void markChunk(Chunk chunk) {
    Optional<TokenSet> tokens = known.find(chunk.text(), key);
    if (tokens.isPresent()) {
      table.mark(tokens.get(), TokenTable.Place.CONTEXT);
    } else {
      text.set(chunk.text());
      table.mark(text, TokenTable.Place.CONTEXT);
      known.keep(key, () -> sets.of(chunk.text()));
    }
  }

  @Override
  public boolean hasToken(AgentMessage message) {
    if (NormalizedText.beginsWithToken(message.answer())) {
      return true;
    }
    text.set(message.answer());
    citations.scan(text);
    addAnswer();
    boolean any = table.size() > 0;
    text.release();
    table.clear();
    return any;
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
    List<String> valid = cited.isEmpty() ? List.of() : valid(cited, chunks);
    TokenTable.Seen seen = table.seen();
    return new Counts(
        table.size(),
        seen.inContext(),
        seen.novel(),
        seen.inQuestion(),
        seen.novelNumbers(),
        cited.size() + (citations.hasMoreIds() ? 1 : 0),
        valid.size(),
        cited,
        valid);
  }

  /** Those of the ids cited that are a chunk's. */
  private static List<String> valid(List<String> cited, List<Chunk> chunks) {
    Set<String> known = HashSet.newHashSet(chunks.size());
    for (Chunk chunk : chunks) {
      known.add(CitationId.canonical(chunk.id()));
    }
    List<String> valid = new ArrayList<>(cited.size());
    for (String id : cited) {
      if (known.contains(id)) {
        valid.add(id);
      }
    }
    return valid;
  }
}
