package dev.parlance.policy.text;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * A fixed set of words, each with a number: for telling the tokens of a long text that matter from
 * those that do not. Immutable.
 *
 * <p>Open addressing over keyed hashes, at most half full; a hit compares the word itself. Costs 32
 * to 48 bytes for each word, and the bytes of those longer than {@value TokenReader#PACKED_BYTES}.
 */
public final class WordTable {
  /** Number of every word that is not in the table. */
  public static final int UNKNOWN = 0;

  /** Most UTF-8 bytes in a word; no longer token can be in a table. */
  public static final int MAX_WORD_BYTES = 128;

  private static final long NUMBER = 0xffffffffL;

  private final TokenMix mix;

  /** Lower half of the word's hash, and its number; 0 if free. */
  private final long[] slots;

  private final int shift;

  /** Each word as two numbers, by its number; zeros for long words. */
  private final long[] keys;

  private final LongWords longWords;

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
    mix = new TokenMix(seed, hashMask);
    slots = new long[Integer.highestOneBit(Math.max(8, words.size()) * 2 - 1) * 2];
    shift = Long.SIZE - Integer.numberOfTrailingZeros(slots.length);
    keys = new long[2 * words.size() + 2];
    List<LongWords.Word> longer = new ArrayList<>();
    int number = 0;
    for (String word : words) {
      number++;
      byte[] text = word.getBytes(StandardCharsets.UTF_8);
      if (text.length == 0 || text.length > MAX_WORD_BYTES) {
        throw new IllegalArgumentException(
            "expected a word of 1 to " + MAX_WORD_BYTES + " bytes, got \"" + word + "\"");
      }
      if (text.length > TokenReader.PACKED_BYTES) {
        longer.add(new LongWords.Word(word, number));
      } else {
        place(number, word, text);
      }
    }
    longWords = new LongWords(longer, seed, hashMask);
  }

  private void place(int number, String word, byte[] text) {
    long first = TokenReader.packed(text, 0, text.length);
    long second = TokenReader.packed(text, Long.BYTES, text.length - Long.BYTES);
    if (numberOf(first, second) != UNKNOWN) {
      throw new IllegalArgumentException("a word is there twice: " + word);
    }
    keys[2 * number] = first;
    keys[2 * number + 1] = second;
    long hash = mix.of(first, second);
    int slot = (int) (hash >>> shift);
    while (slots[slot] != 0) {
      slot = slot + 1 & slots.length - 1;
    }
    slots[slot] = hash << Integer.SIZE | number;
  }

  /** The number of a word that is read as two numbers, or {@link #UNKNOWN}. */
  int numberOf(long first, long second) {
    long hash = mix.of(first, second);
    int slot = (int) (hash >>> shift);
    while (slots[slot] != 0) {
      long found = slots[slot];
      if ((int) (found >>> Integer.SIZE) == (int) hash) {
        int word = (int) (found & NUMBER);
        if (keys[2 * word] == first && keys[2 * word + 1] == second) {
          return word;
        }
      }
      slot = slot + 1 & slots.length - 1;
    }
    return UNKNOWN;
  }

  /** The number of a longer word, or {@link #UNKNOWN}. */
  int numberOf(byte[] bytes, int from, int to) {
    return longWords.numberOf(bytes, from, to);
  }

  /** How many words there are. */
  public int size() {
    return keys.length / 2 - 1;
  }

  /** Memory of the table's arrays. */
  public long memoryBytes() {
    return (long) (slots.length + keys.length) * Long.BYTES + longWords.memoryBytes();
  }

  /** The words that two numbers cannot hold. */
  private static final class LongWords {
    /** A word and its number. */
    record Word(String text, int number) {}

    private final TokenHash hash;
    private final long hashMask;

    /** Place of the word plus one; 0 if free. */
    private final int[] slots;

    private final int[] numbers;
    private final int[] ends;
    private final byte[] arena;

    LongWords(List<Word> words, long seed, long hashMask) {
      this.hash = new TokenHash(seed);
      this.hashMask = hashMask;
      slots = new int[Integer.highestOneBit(Math.max(4, words.size()) * 2 - 1) * 2];
      numbers = new int[words.size()];
      ends = new int[words.size()];
      byte[] bytes = new byte[32 * words.size()];
      int end = 0;
      for (int i = 0; i < numbers.length; i++) {
        byte[] text = words.get(i).text().getBytes(StandardCharsets.UTF_8);
        if (bytes.length < end + text.length) {
          bytes = Arrays.copyOf(bytes, bytes.length + bytes.length / 2 + MAX_WORD_BYTES);
        }
        System.arraycopy(text, 0, bytes, end, text.length);
        end += text.length;
        ends[i] = end;
        numbers[i] = words.get(i).number();
      }
      arena = Arrays.copyOf(bytes, end);
      for (int i = 0; i < numbers.length; i++) {
        int slot = slot(arena, start(i), ends[i]);
        if (slots[slot] != 0) {
          throw new IllegalArgumentException("a word is there twice: " + words.get(i).text());
        }
        slots[slot] = i + 1;
      }
    }

    private int start(int i) {
      return i == 0 ? 0 : ends[i - 1];
    }

    int numberOf(byte[] bytes, int from, int to) {
      if (numbers.length == 0 || to - from > MAX_WORD_BYTES) {
        return UNKNOWN;
      }
      int found = slots[slot(bytes, from, to)];
      return found == 0 ? UNKNOWN : numbers[found - 1];
    }

    /** The slot of the word with these bytes, or the free one where it belongs. */
    private int slot(byte[] bytes, int from, int to) {
      int mask = slots.length - 1;
      int slot = (int) (hash.of(bytes, from, to - from) & hashMask) & mask;
      while (slots[slot] != 0) {
        int i = slots[slot] - 1;
        if (Arrays.equals(arena, start(i), ends[i], bytes, from, to)) {
          break;
        }
        slot = slot + 1 & mask;
      }
      return slot;
    }

    long memoryBytes() {
      return (long) (slots.length + numbers.length + ends.length) * Integer.BYTES + arena.length;
    }
  }
}
