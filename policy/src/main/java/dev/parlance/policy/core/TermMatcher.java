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
 * Immutable; the scratch is in {@link TermHits}. Costs about 120 bytes for each term of two words,
 * see {@link #memoryBytes}.
 */
public final class TermMatcher {
  private static final int NOTHING = -1;

  private final WordTable words;

  /** The {@link Node} that a term's first word leads to, by its number; 0 if no term begins so. */
  private final long[] firsts;

  /**
   * Edges of the trie, two numbers each: the number of a node and a word in one (0 is free), and
   * the {@link Node} that they lead to. Together, so that a step costs one cache line.
   */
  private final long[] edges;

  /**
   * By the number of a node, one bit for each word that goes on from there, its number modulo 32:
   * most words that follow the first word of a term do not go on, and are seen here not to.
   */
  private final int[] follows;

  private final long edgeSeed;
  private final int size;

  /**
   * What is known of a node, in one number: its own number from 1, whether longer terms go on, and
   * the term that ends here.
   */
  private static final class Node {
    private static final long NUMBER = 0x7fffffffL;
    private static final long GOES_ON = 0x80000000L;

    private Node() {}

    static long of(int number, boolean goesOn, int term) {
      return (long) term << Integer.SIZE | (goesOn ? GOES_ON : 0) | number;
    }

    static boolean goesOn(long node) {
      return (node & GOES_ON) != 0;
    }

    static int number(long node) {
      return (int) (node & NUMBER);
    }

    /** The term, or {@link #NOTHING}. */
    static int term(long node) {
      return (int) (node >> Integer.SIZE);
    }
  }

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
    firsts = new long[words.size() + 1];
    edges = new long[Integer.highestOneBit(Math.max(4, tokens - keys.size()) * 2 - 1) * 4];
    follows = new int[tokens + 1];
    edgeSeed = seed;
    size = keys.size();
    int nodes = 0;
    for (int term = 0; term < size; term++) {
      String[] path = keys.get(term).split(" ", -1);
      int from = 0;
      for (int i = 0; i < path.length; i++) {
        int word = numbers.getOrDefault(path[i], WordTable.UNKNOWN);
        boolean ends = i + 1 == path.length;
        long node = from == 0 ? firsts[word] : child(from, word);
        if (ends && node != 0 && Node.term(node) != NOTHING) {
          throw new IllegalArgumentException("a term is there twice: \"" + keys.get(term) + "\"");
        }
        int number = node == 0 ? ++nodes : Node.number(node);
        boolean goesOn = !ends || Node.goesOn(node);
        int ending = ends ? term : node == 0 ? NOTHING : Node.term(node);
        link(from, word, Node.of(number, goesOn, ending));
        from = number;
      }
    }
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

  private void link(int node, int word, long next) {
    if (node == 0) {
      firsts[word] = next;
      return;
    }
    follows[node] |= 1 << word;
    long key = edge(node, word);
    int slot = slot(key);
    while (edges[slot] != 0 && edges[slot] != key) {
      slot = slot + 2 & edges.length - 1;
    }
    edges[slot] = key;
    edges[slot + 1] = next;
  }

  private boolean mayFollow(long node, int word) {
    return (follows[Node.number(node)] >>> word & 1) != 0;
  }

  private long child(int node, int word) {
    long key = edge(node, word);
    int slot = slot(key);
    while (edges[slot] != 0) {
      if (edges[slot] == key) {
        return edges[slot + 1];
      }
      slot = slot + 2 & edges.length - 1;
    }
    return 0;
  }

  private static long edge(int node, int word) {
    return (long) node << Integer.SIZE | word;
  }

  private int slot(long key) {
    long z = (key ^ edgeSeed) * 0xbf58476d1ce4e5b9L;
    z = (z ^ z >>> 29) * 0x94d049bb133111ebL;
    return (int) (z >>> 32) & edges.length - 2;
  }

  /** Adds every governed term of {@code text} to {@code hits}. */
  public void scan(NormalizedText text, TermHits hits) {
    WordCursor cursor = hits.cursor;
    int[] window = hits.window;
    cursor.start(text, words);
    int kept = 0; // words left from the window before
    int covered = 0; // index after the last token of any term found
    int count;
    do {
      count = cursor.read(window, kept);
      int tail = kept + count;
      // A term that begins later may go on in the next window.
      int decided = count == 0 ? tail : Math.max(0, tail - (TermKey.MAX_TOKENS - 1));
      covered = find(window, decided, tail, covered, hits);
      kept = tail - decided;
      System.arraycopy(window, decided, window, 0, kept);
      covered = Math.max(0, covered - decided);
    } while (count > 0);
    cursor.release();
  }

  /** Adds the terms that begin before {@code decided}; index after the last token of any term. */
  private int find(int[] window, int decided, int tail, int covered, TermHits hits) {
    int end = covered;
    for (int head = 0; head < decided; head++) {
      long node = firsts[window[head]];
      if (node == 0) {
        continue;
      }
      int found = NOTHING;
      int foundEnd = head;
      for (int at = head + 1; node != 0; at++) {
        if (Node.term(node) != NOTHING) {
          found = Node.term(node);
          foundEnd = at;
        }
        boolean goesOn = Node.goesOn(node) && at < tail && window[at] != WordTable.UNKNOWN;
        node = goesOn && mayFollow(node, window[at]) ? child(Node.number(node), window[at]) : 0;
      }
      if (found != NOTHING && foundEnd > end) {
        hits.add(found);
        end = foundEnd;
      }
    }
    return end;
  }

  /** How many terms there are. */
  public int size() {
    return size;
  }

  /** Memory of all arrays. */
  public long memoryBytes() {
    return words.memoryBytes()
        + (long) Long.BYTES * (firsts.length + edges.length)
        + (long) Integer.BYTES * follows.length;
  }
}
