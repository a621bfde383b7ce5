package dev.parlance.policy.text;

/**
 * Reads the tokens of a text one after the other as numbers of a {@link WordTable}. Tokens are
 * those of convention {@code asp-text-1}, steps 1 and 3, just as {@link TokenTable} cuts them; a
 * citation marker is text like any other here.
 *
 * <p>Reusable, for one thread; allocates nothing. Time is linear in the bytes of the text: no more
 * of a token is kept than the longest word of the table has.
 */
public final class WordCursor {
  /** After the last token. */
  public static final int END = -1;

  private static final WordTable NO_WORDS = WordTable.of(java.util.List.of(), 0);
  private static final byte[] NO_BYTES = {};

  /** The token so far; what is longer than any word of a table is only counted. */
  private final byte[] word = new byte[WordTable.MAX_WORD_BYTES + Utf8Bytes.MAX_BYTES];

  private WordTable table = NO_WORDS;
  private byte[] bytes = NO_BYTES;
  private int at;
  private int end;

  /** Goes to the beginning of {@code text}, which must not change while this reads it. */
  public void start(NormalizedText text, WordTable words) {
    table = words;
    bytes = text.bytes();
    at = text.start();
    end = text.end();
  }

  /** Lets go of the text. */
  public void release() {
    table = NO_WORDS;
    bytes = NO_BYTES;
    at = 0;
    end = 0;
  }

  /**
   * The next token: the number of its word, {@link WordTable#UNKNOWN} if the table does not have
   * it, {@link #END} if there is none.
   */
  public int next() {
    int length = 0;
    boolean hasLetterOrNumber = false;
    int i = at;
    while (i < end) {
      byte lead = bytes[i];
      if (lead >= 0) {
        i++;
        byte lower = Letters.ASCII_LOWER[lead];
        if (lower != 0) {
          if (length < word.length) {
            word[length] = lower;
          }
          length++;
          hasLetterOrNumber = true;
        } else if (hasLetterOrNumber) {
          at = i;
          return look(length);
        } else {
          length = 0;
        }
        continue;
      }
      int width = Utf8Bytes.width(lead);
      int codePoint = Utf8Bytes.get(bytes, i, width);
      int type = Character.getType(codePoint);
      if (Letters.isOwnToken(codePoint)) {
        if (hasLetterOrNumber) {
          at = i;
          return look(length);
        }
        at = i + width;
        return look(put(codePoint, 0));
      }
      i += width;
      if (Letters.isLetterOrNumber(type)) {
        length = put(Character.toLowerCase(codePoint), length);
        hasLetterOrNumber = true;
      } else if (Letters.isMark(type)) {
        length = put(Character.toLowerCase(codePoint), length);
      } else if (hasLetterOrNumber) {
        at = i;
        return look(length);
      } else {
        length = 0;
      }
    }
    at = end;
    return hasLetterOrNumber ? look(length) : END;
  }

  private int put(int codePoint, int length) {
    return length > WordTable.MAX_WORD_BYTES ? length + 1 : Utf8Bytes.put(codePoint, word, length);
  }

  private int look(int length) {
    return length > table.longest() ? WordTable.UNKNOWN : table.numberOf(word, 0, length);
  }
}
