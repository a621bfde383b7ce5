package dev.parlance.policy.text;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;

/**
 * A fixed set of words, each with a number: for telling the tokens of a long text that matter from
 * those that do not. Immutable.
 *
 * <p>Open addressing over a keyed hash, at most half full; a hit needs equal hash <em>and</em>
 * equal bytes. Costs 16 to 32 bytes for each word, and the bytes of its text.
 */
public final class WordTable {
  /** Number of every word that is not in the table. */
  public static final int UNKNOWN = 0;

  /** Most UTF-8 bytes in a word; no longer token can be in a table. */
  public static final int MAX_WORD_BYTES = 128;

  private static final long TAG = 0xffffffff_00000000L;

  private final TokenHash hash;
  private final long hashMask;

  /** Upper half of the word's hash and its number; 0 if free. */
  private final long[] slots;

  /** Where the text of each word ends in the arena, by number. */
  private final int[] ends;

  private final byte[] arena;
  private final int longest;

  /**
   * A table of words, numbered from 1 in the order given.
   *
   * @param words tokens as {@link Tokens} writes them, distinct
   * @param seed keys the hash, so that nobody who does not know it can prepare collisions
   */
  public static WordTable of(Collection<String> words, long seed) {
    return new WordTable(words, seed, -1L);
  }

  /** For tests that need words to collide. */
  WordTable(Collection<String> words, long seed, long hashMask) {
    this.hash = new TokenHash(seed);
    this.hashMask = hashMask;
    slots = new long[Integer.highestOneBit(Math.max(8, words.size()) * 2 - 1) * 2];
    ends = new int[words.size() + 1];
    byte[] bytes = new byte[8 * words.size() + MAX_WORD_BYTES];
    int number = 0;
    int most = 0;
    for (String word : words) {
      byte[] text = word.getBytes(StandardCharsets.UTF_8);
      if (text.length == 0 || text.length > MAX_WORD_BYTES) {
        throw new IllegalArgumentException(
            "expected a word of 1 to " + MAX_WORD_BYTES + " bytes, got \"" + word + "\"");
      }
      int from = ends[number++];
      if (bytes.length < from + text.length) {
        bytes = Arrays.copyOf(bytes, bytes.length + bytes.length / 2 + MAX_WORD_BYTES);
      }
      System.arraycopy(text, 0, bytes, from, text.length);
      ends[number] = from + text.length;
      most = Math.max(most, text.length);
    }
    arena = Arrays.copyOf(bytes, ends[number]);
    longest = most;
    for (int word = 1; word <= number; word++) {
      place(word);
    }
  }

  private void place(int word) {
    int from = ends[word - 1];
    int length = ends[word] - from;
    if (numberOf(arena, from, length) != UNKNOWN) {
      throw new IllegalArgumentException(
          "a word is there twice: " + new String(arena, from, length, StandardCharsets.UTF_8));
    }
    long wordHash = hash.of(arena, from, length) & hashMask;
    int slot = (int) wordHash & slots.length - 1;
    while (slots[slot] != 0) {
      slot = slot + 1 & slots.length - 1;
    }
    slots[slot] = (wordHash & TAG) | word;
  }

  /** The number of the word with these bytes, or {@link #UNKNOWN}. */
  int numberOf(byte[] bytes, int from, int length) {
    long wordHash = hash.of(bytes, from, length) & hashMask;
    int mask = slots.length - 1;
    int slot = (int) wordHash & mask;
    while (slots[slot] != 0) {
      int word = (int) slots[slot];
      if ((slots[slot] & TAG) == (wordHash & TAG)
          && Arrays.equals(arena, ends[word - 1], ends[word], bytes, from, from + length)) {
        return word;
      }
      slot = slot + 1 & mask;
    }
    return UNKNOWN;
  }

  /** How many words there are. */
  public int size() {
    return ends.length - 1;
  }

  /** Bytes of the longest word. */
  int longest() {
    return longest;
  }

  /** Memory of the table's arrays. */
  public long memoryBytes() {
    return (long) slots.length * Long.BYTES + (long) ends.length * Integer.BYTES + arena.length;
  }
}
