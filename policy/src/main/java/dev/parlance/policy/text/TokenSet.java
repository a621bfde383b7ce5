package dev.parlance.policy.text;

/**
 * The distinct tokens of a text that is met again and again, so that it need not be read again.
 * Immutable; made by {@link TokenSets}.
 *
 * <p>Open addressing, about two thirds full; a hit compares the token itself. Costs about 24 bytes
 * for each token, which for prose is one to two bytes for each byte of text.
 */
public final class TokenSet {
  private final TokenMix mix;

  /** Two numbers for each slot; zero where it is free. */
  private final long[] keys;

  private final int slots;
  private final int size;

  /** The tokens that two numbers cannot hold, one after the other, and where each ends. */
  private final byte[] longBytes;

  private final int[] longEnds;

  TokenSet(PackedTokens tokens, LongTokens longs, TokenMix mix) {
    this.mix = mix;
    longBytes = longs.copyOfBytes();
    longEnds = longs.copyOfEnds();
    size = tokens.size();
    slots = size + size / 2 + 1;
    keys = new long[2 * slots];
    for (int i = 0; i < size; i++) {
      long first = tokens.first(tokens.slot(i));
      long second = tokens.second(tokens.slot(i));
      int slot = slot(first, second);
      while (keys[2 * slot] != 0) {
        slot = after(slot);
      }
      keys[2 * slot] = first;
      keys[2 * slot + 1] = second;
    }
  }

  private int slot(long first, long second) {
    return (int) (((mix.of(first, second) >>> 32) * slots) >>> 32);
  }

  private int after(int slot) {
    return slot + 1 == slots ? 0 : slot + 1;
  }

  private boolean holds(long first, long second) {
    int slot = slot(first, second);
    while (keys[2 * slot] != 0) {
      if (keys[2 * slot] == first && keys[2 * slot + 1] == second) {
        return true;
      }
      slot = after(slot);
    }
    return false;
  }

  /** Sets a flag on those of {@code tokens} that are in this set: looks up the fewer of both. */
  void mark(PackedTokens tokens, byte flag) {
    if (tokens.size() <= size) {
      for (int i = 0; i < tokens.size(); i++) {
        int slot = tokens.slot(i);
        if (holds(tokens.first(slot), tokens.second(slot))) {
          tokens.mark(slot, flag);
        }
      }
      return;
    }
    for (int slot = 0; slot < slots; slot++) {
      if (keys[2 * slot] != 0) {
        tokens.mark(keys[2 * slot], keys[2 * slot + 1], flag);
      }
    }
  }

  /** The same for long tokens. */
  void mark(LongTokens tokens, byte flag) {
    if (tokens.size() > 0) {
      int from = 0;
      for (int end : longEnds) {
        tokens.mark(longBytes, from, end, flag);
        from = end;
      }
    }
  }

  /** How many different tokens there are. */
  public int size() {
    return size + longEnds.length;
  }

  /** Memory of the arrays. */
  public long memoryBytes() {
    return (long) keys.length * Long.BYTES
        + longBytes.length
        + (long) longEnds.length * Integer.BYTES;
  }

  /** Makes {@link TokenSet}s. Keeps scratch, so each thread has its own. */
  public static final class TokenSets {
    private final NormalizedText text = new NormalizedText();
    private final TokenTable table;
    private final TokenMix mix;

    /**
     * A maker.
     *
     * @param seed keys the hashes; no result depends on it, so take it from a source that the
     *     authors of texts do not know
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
}
