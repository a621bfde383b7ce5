package dev.parlance.policy.core;

import dev.parlance.policy.text.NormalizedText;
import dev.parlance.policy.text.WordCursor;
import dev.parlance.policy.text.WordTable;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the terms of a vocabulary in a text, on whole tokens: "patent claim" is found in
 * "Patent-Claim" and in "patent\nclaim", and neither in "patent claims" nor in "patentclaim".
 *
 * <p>The different words of all terms get numbers in a {@link WordTable}; the terms are paths in a
 * trie over those numbers. At each token of the text the longest term that begins there is looked
 * for, in a window of {@value TermKey#MAX_TOKENS} tokens. It counts unless it lies within one that
 * began before it: "patent claim" hides the "claim" in it, but two terms that only overlap are both
 * found, so that no term can be hidden behind the first half of another.
 *
 * <p>Time is linear in the bytes of the text, whatever the text and the vocabulary: each token is
 * hashed once and looked up at most {@value TermKey#MAX_TOKENS} times. Both hashes are keyed.
 * Immutable; the scratch is in {@link TermHits}. Costs about 100 bytes for each term of two words,
 * see {@link #memoryBytes}.
 */
public final class TermMatcher {
  private static final int NOTHING = -1;

  private final WordTable words;

  /** Node that a term's first word leads to, by the word's number; 0 if no term begins so. */
  private final int[] firsts;

  /** The term that ends at each node, or {@link #NOTHING}. */
  private final int[] terms;

  /** True where longer terms go on. */
  private final boolean[] inner;

  /** Edges of the trie: node and word in one key (0 is free), and the node they lead to. */
  private final long[] edgeKeys;

  private final int[] edgeNodes;
  private final long edgeSeed;

  private TermMatcher(List<String> keys, long seed) {
    Map<String, Integer> numbers = new HashMap<>();
    int tokens = 0;
    for (String key : keys) {
      TermKey.checked(key);
      for (String word : key.split(" ", -1)) {
        numbers.putIfAbsent(word, numbers.size() + 1);
        tokens++;
      }
    }
    String[] ordered = new String[numbers.size()];
    numbers.forEach((word, number) -> ordered[number - 1] = word);
    words = WordTable.of(Arrays.asList(ordered), seed);
    firsts = new int[words.size() + 1];
    int[] ends = new int[tokens + 1];
    boolean[] goesOn = new boolean[tokens + 1];
    Arrays.fill(ends, NOTHING);
    int edges = tokens - keys.size();
    edgeKeys = new long[Integer.highestOneBit(Math.max(4, edges) * 2 - 1) * 2];
    edgeNodes = new int[edgeKeys.length];
    edgeSeed = seed;
    int nodes = 0;
    for (int term = 0; term < keys.size(); term++) {
      int node = 0;
      for (String word : keys.get(term).split(" ", -1)) {
        int number = numbers.getOrDefault(word, WordTable.UNKNOWN);
        int next = node == 0 ? firsts[number] : child(node, number);
        if (next == 0) {
          next = ++nodes;
          link(node, number, next);
        }
        goesOn[node] = true;
        node = next;
      }
      if (ends[node] != NOTHING) {
        throw new IllegalArgumentException("a term is there twice: \"" + keys.get(term) + "\"");
      }
      ends[node] = term;
    }
    terms = Arrays.copyOf(ends, nodes + 1);
    inner = Arrays.copyOf(goesOn, nodes + 1);
  }

  /**
   * A matcher for these terms; each has the number of its place in the list.
   *
   * @param keys as {@link TermKey} makes them, distinct
   * @param seed keys the hashes; results do not depend on it, so take it from a source that nobody
   *     else knows
   */
  public static TermMatcher compile(List<String> keys, long seed) {
    return new TermMatcher(keys, seed);
  }

  private void link(int node, int word, int next) {
    if (node == 0) {
      firsts[word] = next;
      return;
    }
    long key = edge(node, word);
    int slot = slot(key);
    while (edgeKeys[slot] != 0) {
      slot = slot + 1 & edgeKeys.length - 1;
    }
    edgeKeys[slot] = key;
    edgeNodes[slot] = next;
  }

  private int child(int node, int word) {
    long key = edge(node, word);
    int slot = slot(key);
    while (edgeKeys[slot] != 0) {
      if (edgeKeys[slot] == key) {
        return edgeNodes[slot];
      }
      slot = slot + 1 & edgeKeys.length - 1;
    }
    return 0;
  }

  private static long edge(int node, int word) {
    return (long) node << Integer.SIZE | word;
  }

  private int slot(long key) {
    long z = (key ^ edgeSeed) * 0xbf58476d1ce4e5b9L;
    z = (z ^ z >>> 29) * 0x94d049bb133111ebL;
    return (int) (z >>> 32) & edgeKeys.length - 1;
  }

  /** Adds every governed term of {@code text} to {@code hits}. */
  public void scan(NormalizedText text, TermHits hits) {
    WordCursor cursor = hits.cursor;
    int[] window = hits.window;
    int mask = window.length - 1;
    cursor.start(text, words);
    int head = 0; // index of the token that is looked at
    int tail = 0; // index after the last one read
    int covered = 0; // index after the last token of any term found
    boolean more = true;
    while (true) {
      while (more && tail - head < window.length) {
        int word = cursor.next();
        if (word == WordCursor.END) {
          more = false;
        } else {
          window[tail++ & mask] = word;
        }
      }
      if (head == tail) {
        break;
      }
      int node = firsts[window[head & mask]];
      int found = NOTHING;
      int foundEnd = head;
      for (int at = head + 1; node != 0; at++) {
        if (terms[node] != NOTHING) {
          found = terms[node];
          foundEnd = at;
        }
        node = at < tail && inner[node] ? child(node, window[at & mask]) : 0;
      }
      if (found != NOTHING && foundEnd > covered) {
        hits.add(found);
        covered = foundEnd;
      }
      head++;
    }
    cursor.release();
  }

  /** How many terms there are. */
  public int size() {
    int size = 0;
    for (int term : terms) {
      size += term == NOTHING ? 0 : 1;
    }
    return size;
  }

  /** Memory of all arrays. */
  public long memoryBytes() {
    return words.memoryBytes()
        + (long) Integer.BYTES * (firsts.length + terms.length + edgeNodes.length)
        + (long) Long.BYTES * edgeKeys.length
        + inner.length;
  }
}
