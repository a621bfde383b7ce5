package dev.parlance.policy.text;

/**
 * Reads the tokens of a text in their order as numbers of a {@link WordTable}. Tokens are those of
 * convention {@code asp-text-1}, steps 1 and 3, just as {@link TokenTable} has them; a citation
 * marker is text like any other here.
 *
 * <p>Reusable, for one thread; allocates nothing once it has grown to what the texts need. Time is
 * linear in the bytes of the text.
 */
public final class WordCursor {
  /** Most tokens that are read at a time. */
  public static final int MAX_TOKENS = TokenReader.MAX_TOKENS;

  private static final WordTable NO_WORDS = WordTable.of(java.util.List.of(), 0);

  private final TokenReader reader = new TokenReader();
  private WordTable table = NO_WORDS;

  /** Goes to the beginning of {@code text}, which must not change while this reads it. */
  public void start(NormalizedText text, WordTable words) {
    table = words;
    reader.start(text, text.start(), text.end());
  }

  /** Lets go of the text. */
  public void release() {
    table = NO_WORDS;
    reader.release();
  }

  /**
   * Reads on: writes the number of each token's word, {@link WordTable#UNKNOWN} if the table does
   * not have it.
   *
   * @param numbers has room for {@link #MAX_TOKENS} from {@code from} on
   * @return how many tokens were read; 0 if there is none left
   */
  public int read(int[] numbers, int from) {
    return reader.nextWords() ? table.numbersOf(reader, numbers, from) : 0;
  }
}
