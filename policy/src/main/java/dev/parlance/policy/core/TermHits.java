package dev.parlance.policy.core;

import dev.parlance.policy.text.WordCursor;
import java.util.Arrays;

/**
 * The governed terms found in one text, each once with how often it was found, in the order of
 * their first occurrence. A reusable buffer, for one thread: nothing is allocated per token or per
 * hit once it has grown to what the texts need.
 */
public final class TermHits {
  private static final int FIRST_TERMS = 64;

  /** What is kept between texts; larger scratch is given back. */
  private static final int KEEP_TERMS = 1 << 12;

  /** Reads the text; here because it is scratch of one thread as well. */
  final WordCursor cursor = new WordCursor();

  /** The next words of the text; those that a term may begin with that goes on are kept. */
  final int[] window = new int[TermKey.MAX_TOKENS + WordCursor.MAX_TOKENS];

  private int[] terms = new int[FIRST_TERMS];
  private int[] counts = new int[FIRST_TERMS];
  private int size;
  private int occurrences;

  /** Index in {@link #terms} plus one, 0 if free; at most half full. */
  private int[] slots = new int[2 * FIRST_TERMS];

  /** Forgets all hits. */
  public void clear() {
    if (terms.length > KEEP_TERMS) {
      terms = new int[FIRST_TERMS];
      counts = new int[FIRST_TERMS];
      slots = new int[2 * FIRST_TERMS];
    } else if (size > 0) {
      Arrays.fill(slots, 0);
    }
    size = 0;
    occurrences = 0;
  }

  /** How many different terms were found. */
  public int distinct() {
    return size;
  }

  /** The number of the {@code i}-th different term, as in the list that the matcher was made of. */
  public int term(int i) {
    return terms[java.util.Objects.checkIndex(i, size)];
  }

  /** How often the {@code i}-th different term was found. */
  public int count(int i) {
    return counts[java.util.Objects.checkIndex(i, size)];
  }

  /** How many times any term was found. */
  public int occurrences() {
    return occurrences;
  }

  void add(int term) {
    occurrences++;
    int mask = slots.length - 1;
    int slot = spread(term) & mask;
    while (slots[slot] != 0) {
      int index = slots[slot] - 1;
      if (terms[index] == term) {
        counts[index]++;
        return;
      }
      slot = slot + 1 & mask;
    }
    if (size == terms.length) {
      grow();
      add(term);
      occurrences--;
      return;
    }
    terms[size] = term;
    counts[size] = 1;
    slots[slot] = ++size;
  }

  private void grow() {
    terms = Arrays.copyOf(terms, 2 * size);
    counts = Arrays.copyOf(counts, 2 * size);
    slots = new int[4 * size];
    int mask = slots.length - 1;
    for (int index = 0; index < size; index++) {
      int slot = spread(terms[index]) & mask;
      while (slots[slot] != 0) {
        slot = slot + 1 & mask;
      }
      slots[slot] = index + 1;
    }
  }

  /** Terms are numbered by us, in the order of their keys: nobody chooses numbers that collide. */
  private static int spread(int term) {
    int mixed = term * 0x9e3779b9;
    return mixed ^ mixed >>> 16;
  }
}
