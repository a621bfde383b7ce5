package dev.parlance.policy.text;

/** Makes {@link TokenSet}s. Keeps scratch, so each thread has its own. */
public final class TokenSets {
  private final NormalizedText text = new NormalizedText();
  private final TokenTable table;
  private final TokenMix mix;

  /**
   * A maker.
   *
   * @param seed keys the hashes; no result depends on it, so take it from a source that the authors
   *     of texts do not know
   */
  public TokenSets(long seed) {
    table = new TokenTable(seed);
    mix = new TokenMix(seed);
  }

  /** The tokens of a text; a citation marker is text like any other here. */
  public TokenSet of(Utf8Span words) {
    text.set(words);
    table.add(text, text.start(), text.end());
    TokenSet set = table.toSet(mix);
    table.clear();
    text.release();
    return set;
  }
}
