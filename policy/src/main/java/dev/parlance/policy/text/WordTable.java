package dev.parlance.policy.text;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A fixed set of words, each with a number: for telling the tokens of a long text that matter from
 * those that do not. Immutable.
 *
 * <p>A perfect hash ({@link Places}) over keyed hashes: a word has one place where it can be, and
 * is compared itself there. So a look-up takes the same steps whether the word is in the table or
 * not, and no branch that a processor would have to guess. Costs 20 to 40 bytes for each word, and
 * the bytes of those longer than {@value TokenReader#PACKED_BYTES}.
 */
public final class WordTable {
  /** Number of every word that is not in the table. */
  public static final int UNKNOWN = 0;

  /** Most UTF-8 bytes in a word; no longer token can be in a table. */
  public static final int MAX_WORD_BYTES = 128;

  /** Seeds that are tried; one is nearly always enough. */
  private static final int ATTEMPTS = 64;

  private final TokenMix mix;
  private final Places places;

  /** Each word as two numbers, by its place; zeros where there is none. */
  private final long[] keys;

  private final int size;

  /** The words that two numbers cannot hold; their numbers follow those of the places. */
  private final LongTokens longWords;

  /**
   * A table of words.
   *
   * @param words tokens as {@link Tokens} writes them, distinct
   * @param seed keys the hash, so that nobody who does not know it can prepare collisions
   */
  public static WordTable of(Collection<String> words, long seed) {
    return new WordTable(words, seed, -1L);
  }

  /** For tests that need long words to collide. */
  WordTable(Collection<String> words, long seed, long hashMask) {
    longWords = new LongTokens(seed, hashMask);
    List<byte[]> shorter = new ArrayList<>();
    Set<String> different = HashSet.newHashSet(words.size());
    for (String word : words) {
      byte[] text = word.getBytes(StandardCharsets.UTF_8);
      if (text.length == 0 || text.length > MAX_WORD_BYTES) {
        throw new IllegalArgumentException(
            "expected a word of 1 to " + MAX_WORD_BYTES + " bytes, got \"" + word + "\"");
      }
      if (!different.add(word)) {
        throw new IllegalArgumentException("a word is there twice: " + word);
      }
      if (text.length > TokenReader.PACKED_BYTES) {
        longWords.add(text, 0, text.length);
      } else {
        shorter.add(text);
      }
    }
    size = words.size();
    long[] pairs = packed(shorter);
    long[] hashes = new long[shorter.size()];
    Optional<Places> found = Optional.empty();
    TokenMix tried = new TokenMix(seed);
    for (int attempt = 0; found.isEmpty() && attempt < ATTEMPTS; attempt++) {
      tried = new TokenMix(attempt == 0 ? seed : TokenMix.key(seed, attempt));
      for (int i = 0; i < hashes.length; i++) {
        hashes[i] = tried.of(pairs[2 * i], pairs[2 * i + 1]);
      }
      found = Places.of(hashes);
    }
    mix = tried;
    places = found.orElseThrow();
    keys = new long[2 * places.count()];
    for (int i = 0; i < hashes.length; i++) {
      int place = places.of(hashes[i]);
      keys[2 * place] = pairs[2 * i];
      keys[2 * place + 1] = pairs[2 * i + 1];
    }
  }

  private static long[] packed(List<byte[]> words) {
    long[] pairs = new long[2 * words.size()];
    for (int i = 0; i < words.size(); i++) {
      byte[] text = words.get(i);
      pairs[2 * i] = TokenReader.packed(text, 0, text.length);
      pairs[2 * i + 1] = TokenReader.packed(text, Long.BYTES, text.length - Long.BYTES);
    }
    return pairs;
  }

  /** The number of a token as {@link Tokens} writes it, or {@link #UNKNOWN}. */
  public int numberOf(String word) {
    byte[] text = word.getBytes(StandardCharsets.UTF_8);
    if (text.length > TokenReader.PACKED_BYTES) {
      return numberOf(text, 0, text.length);
    }
    return text.length == 0
        ? UNKNOWN
        : numberOf(
            TokenReader.packed(text, 0, text.length),
            TokenReader.packed(text, Long.BYTES, text.length - Long.BYTES));
  }

  /** The number of a word that is read as two numbers, or {@link #UNKNOWN}. */
  int numberOf(long first, long second) {
    int place = places.of(mix.of(first, second));
    return number(place, (keys[2 * place] ^ first) | (keys[2 * place + 1] ^ second));
  }

  /** The number of a place, or {@link #UNKNOWN} if the word there is another; takes no branch. */
  private static int number(int place, long other) {
    return place + 1 & (int) ((other | -other) >>> (Long.SIZE - 1)) - 1;
  }

  /**
   * Writes the numbers of the tokens of a batch, in the order in which they stand in the text.
   *
   * @param reader has read a batch with {@link TokenReader#nextWords}
   * @param numbers has room for {@link TokenReader#MAX_TOKENS} from {@code from} on
   * @return how many there are
   */
  int numbersOf(TokenReader reader, int[] numbers, int from) {
    int words = reader.words();
    if (words == 0) {
      for (int i = 0; i < reader.size(); i++) {
        numbers[from + i] = numberOf(reader, i);
      }
      return reader.size();
    }
    // All in locals: the calls for what is rare would have every field read again for each word.
    byte[] bytes = reader.bytes();
    int[] edges = reader.edges();
    int safe = bytes.length - TokenReader.PACKED_BYTES;
    long[] table = keys;
    int[] multipliers = places.multipliers;
    int bucketShift = places.bucketShift;
    int placeShift = places.placeShift;
    long secret0 = mix.first;
    long secret1 = mix.second;
    long last = mix.last;
    for (int i = 0; i < words; i++) {
      int start = edges[2 * i];
      int length = edges[2 * i + 1] - start;
      if (length > TokenReader.PACKED_BYTES || start > safe) {
        reader.readWord(start, length);
        numbers[from + i] = numberOf(reader, reader.size() - 1);
        continue;
      }
      long first = TokenReader.first(bytes, start, length);
      long second = TokenReader.second(bytes, start, length);
      long hash = TokenMix.of(first + secret0, second + secret1, last);
      int place = ((int) hash * multipliers[(int) (hash >>> bucketShift)]) >>> placeShift;
      long other = (table[2 * place] ^ first) | (table[2 * place + 1] ^ second);
      numbers[from + i] = number(place, other);
    }
    return words;
  }

  private int numberOf(TokenReader reader, int token) {
    long first = reader.tokens()[2 * token];
    long second = reader.tokens()[2 * token + 1];
    if (first != TokenReader.LONG_TOKEN) {
      return numberOf(first, second);
    }
    int which = (int) ~second;
    return numberOf(reader.longBytes(), reader.longStart(which), reader.longEnd(which));
  }

  /** The number of a longer word, or {@link #UNKNOWN}. */
  int numberOf(byte[] bytes, int from, int to) {
    int found = to - from > MAX_WORD_BYTES ? -1 : longWords.find(bytes, from, to);
    return found < 0 ? UNKNOWN : places.count() + 1 + found;
  }

  /** How many words there are. */
  public int size() {
    return size;
  }

  /** The highest number of a word; between 1 and it some are nobody's. */
  public int highest() {
    return places.count() + longWords.size();
  }

  /** Memory of the table's arrays. */
  public long memoryBytes() {
    return (long) keys.length * Long.BYTES + places.memoryBytes() + longWords.memoryBytes();
  }

  /**
   * Reads the tokens of a text in their order as numbers of a {@link WordTable}. Tokens are those
   * of convention {@code asp-text-1}, steps 1 and 3, just as {@link TokenTable} has them; a
   * citation marker is text like any other here.
   *
   * <p>Reusable, for one thread; allocates nothing once it has grown to what the texts need. Time
   * is linear in the bytes of the text.
   */
  public static final class WordCursor {
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
}
