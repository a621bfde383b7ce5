package dev.parlance.policy.core;

import dev.parlance.policy.text.NormalizedText;
import dev.parlance.policy.text.Places;
import dev.parlance.policy.text.WordTable;
import dev.parlance.policy.text.WordTable.WordCursor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

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
 * hashed once and looked up at most {@value TermKey#MAX_TOKENS} times, and a look-up is one
 * comparison. Immutable; the scratch is in {@link TermHits}. Costs about 100 bytes for each term of
 * two words, see {@link #memoryBytes}.
 */
public final class TermMatcher {
  private static final int NOTHING = -1;

  private final WordTable words;

  /** The {@link Node} that a term's first word leads to, by its number. */
  private final long[] firsts;

  /** What leads on from there, by depth. */
  private final TermEdges[] edges;

  private final int size;

  /**
   * What is known of a node, in one number: the term that ends here, plus one, and one bit for each
   * word that goes on from here, its number modulo 32. Most words that follow the first word of a
   * term do not go on, and are seen by that not to. 0 is no node: a term ends there or goes on.
   */
  private static final class Node {
    private Node() {}

    static long of(int term, int follows) {
      return (term + 1L) << Integer.SIZE | Integer.toUnsignedLong(follows);
    }

    /** The term, or {@link #NOTHING}. */
    static int term(long node) {
      return (int) (node >>> Integer.SIZE) - 1;
    }

    static boolean ends(long node) {
      return node >>> Integer.SIZE != 0;
    }

    static boolean mayGoOn(long node, int word) {
      return ((int) node >>> word & 1) != 0;
    }
  }

  /** A node while the trie is made. */
  private static final class Draft {
    private final Map<Integer, Draft> next = new LinkedHashMap<>();
    private int term = NOTHING;
    private int number;

    long node() {
      int follows = 0;
      for (int word : next.keySet()) {
        follows |= 1 << word;
      }
      return Node.of(term, follows);
    }
  }

  private TermMatcher(List<String> keys, long seed) {
    Set<String> different = new LinkedHashSet<>();
    for (String key : keys) {
      different.addAll(Arrays.asList(TermKey.checked(key).split(" ", -1)));
    }
    words = WordTable.of(different, seed);
    size = keys.size();
    Draft root = new Draft();
    for (int term = 0; term < size; term++) {
      Draft at = root;
      for (String word : keys.get(term).split(" ", -1)) {
        at = at.next.computeIfAbsent(words.numberOf(word), _ -> new Draft());
      }
      if (at.term != NOTHING) {
        throw new IllegalArgumentException("a term is there twice: \"" + keys.get(term) + "\"");
      }
      at.term = term;
    }
    firsts = new long[words.highest() + 1];
    root.next.forEach((word, draft) -> {
      firsts[word] = draft.node();
      draft.number = word;
    });
    edges = edges(List.copyOf(root.next.values()), seed);
  }

  private static TermEdges[] edges(List<Draft> firstWords, long seed) {
    List<TermEdges> depths = new ArrayList<>();
    List<Draft> nodes = firstWords;
    while (true) {
      List<TermEdges.Edge> leaving = new ArrayList<>();
      for (Draft from : nodes) {
        from.next.forEach(
            (word, to) -> leaving.add(new TermEdges.Edge(from.number, word, to.node())));
      }
      if (leaving.isEmpty()) {
        return depths.toArray(TermEdges[]::new);
      }
      TermEdges depth = new TermEdges(leaving, seed);
      List<Draft> reached = new ArrayList<>();
      for (Draft from : nodes) {
        from.next.forEach((word, to) -> {
          to.number = depth.find(from.number, word);
          reached.add(to);
        });
      }
      depths.add(depth);
      nodes = reached;
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

  /** Adds every governed term of {@code text} to {@code hits}. */
  public void scan(NormalizedText text, TermHits hits) {
    WordCursor cursor = hits.cursor;
    int[] window = hits.window;
    hits.reserve(size);
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
    int steps = 0;
    for (int head = 0; head < decided; head++) {
      int number = window[head];
      long node = firsts[number];
      if (node == 0) {
        continue;
      }
      int found = Node.term(node);
      int foundEnd = head + 1;
      int at = head + 1;
      while (at < tail && Node.mayGoOn(node, window[at])) {
        steps++;
        TermEdges depth = edges[at - head - 1];
        number = depth.find(number, window[at]);
        if (number == TermEdges.NOTHING) {
          break;
        }
        at++;
        node = depth.node(number);
        if (Node.ends(node)) {
          found = Node.term(node);
          foundEnd = at;
        }
      }
      if (foundEnd > end && found != NOTHING) {
        hits.add(found);
        end = foundEnd;
      }
    }
    hits.steps += steps;
    return end;
  }

  /**
   * What a term of a matcher of two vocabularies is in each of them. A walk through the trie ends
   * at one term, and all terms that it has passed begin that one: so the longest of either
   * vocabulary is known beforehand, and looked for where a term was found alone.
   *
   * @param longest two numbers for each term, of the longest governed term that it is or begins
   *     with, and of the longest coined one, see {@link #of}; 0 where there is none
   */
  @SuppressWarnings("ArrayRecordComponent") // read for each term that is found, never compared
  record Coinages(int[] longest) {
    private static final int WORD_BITS = 4;

    /** A term by its number in its vocabulary, and how many words it has. */
    static int of(int number, int words) {
      return (number + 1) << WORD_BITS | words;
    }

    private static int number(int term) {
      return (term >>> WORD_BITS) - 1;
    }

    private static int words(int term) {
      return term & (1 << WORD_BITS) - 1;
    }

    int governed(int found) {
      return longest[2 * found];
    }

    int coined(int found) {
      return longest[2 * found + 1];
    }

    long memoryBytes() {
      return (long) Integer.BYTES * longest.length;
    }
  }

  /** As {@link #scan(NormalizedText, TermHits)}, for two vocabularies; the caller makes room. */
  void scan(NormalizedText text, TermHits hits, Coinages coinages, TermHits coinedHits) {
    WordCursor cursor = hits.cursor;
    int[] window = hits.window;
    cursor.start(text, words);
    int kept = 0;
    long covered = 0; // of the coined terms in the lower half
    int count;
    do {
      count = cursor.read(window, kept);
      int tail = kept + count;
      int decided = count == 0 ? tail : Math.max(0, tail - (TermKey.MAX_TOKENS - 1));
      covered = find(window, decided, tail, covered, hits, coinages, coinedHits);
      kept = tail - decided;
      System.arraycopy(window, decided, window, 0, kept);
      covered =
          both(
              Math.max(0, (int) (covered >>> Integer.SIZE) - decided),
              Math.max(0, (int) covered - decided));
    } while (count > 0);
    cursor.release();
  }

  private static long both(int end, int coinedEnd) {
    return (long) end << Integer.SIZE | coinedEnd;
  }

  /** As {@link #find(int[], int, int, int, TermHits)}, for two vocabularies. */
  private long find(
      int[] window,
      int decided,
      int tail,
      long covered,
      TermHits hits,
      Coinages coinages,
      TermHits coinedHits) {
    int end = (int) (covered >>> Integer.SIZE);
    int coinedEnd = (int) covered;
    int steps = 0;
    for (int head = 0; head < decided; head++) {
      int number = window[head];
      long node = firsts[number];
      if (node == 0) {
        continue;
      }
      int found = Node.term(node);
      int at = head + 1;
      while (at < tail && Node.mayGoOn(node, window[at])) {
        steps++;
        TermEdges depth = edges[at - head - 1];
        number = depth.find(number, window[at]);
        if (number == TermEdges.NOTHING) {
          break;
        }
        at++;
        node = depth.node(number);
        if (Node.ends(node)) {
          found = Node.term(node);
        }
      }
      if (found == NOTHING) {
        continue;
      }
      int governed = coinages.governed(found);
      int governedEnd = head + Coinages.words(governed);
      if (governedEnd > end && governed != 0) {
        hits.add(Coinages.number(governed));
        end = governedEnd;
      }
      int coined = coinages.coined(found);
      if (coined != 0 && head >= coinedEnd) {
        coinedHits.add(Coinages.number(coined));
        coinedEnd = head + Coinages.words(coined);
      }
    }
    hits.steps += steps;
    return both(end, coinedEnd);
  }

  /** How many terms there are. */
  public int size() {
    return size;
  }

  /** Memory of all arrays. */
  public long memoryBytes() {
    long bytes = words.memoryBytes() + (long) Long.BYTES * firsts.length;
    for (TermEdges depth : edges) {
      bytes += depth.memoryBytes();
    }
    return bytes;
  }

  /**
   * Where the words of terms lead, from one depth of the trie to the next. A look-up is one
   * comparison, see {@link Places}. Immutable.
   */
  static final class TermEdges {
    /** That there is no such edge. */
    static final int NOTHING = -1;

    /** Seeds that are tried; one is nearly always enough. */
    private static final int ATTEMPTS = 64;

    /** An edge: the node it leaves, the word it reads, and what it leads to. */
    record Edge(int from, int word, long node) {}

    private final long fromFactor;
    private final long wordFactor;
    private final Places places;

    /** Two numbers by place: the node an edge leaves with its word, and what it leads to. */
    private final long[] slots;

    TermEdges(java.util.List<Edge> edges, long seed) {
      long[] hashes = new long[edges.size()];
      Optional<Places> found = Optional.empty();
      long factor0 = 0;
      long factor1 = 0;
      for (int attempt = 0; found.isEmpty() && attempt < ATTEMPTS; attempt++) {
        java.util.SplittableRandom random = new java.util.SplittableRandom(seed + attempt);
        factor0 = random.nextLong() | 1;
        factor1 = random.nextLong() | 1;
        for (int i = 0; i < hashes.length; i++) {
          hashes[i] = edges.get(i).from() * factor0 + edges.get(i).word() * factor1;
        }
        found = Places.of(hashes);
      }
      fromFactor = factor0;
      wordFactor = factor1;
      places = found.orElseThrow();
      slots = new long[2 * places.count()];
      for (int i = 0; i < hashes.length; i++) {
        int place = places.of(hashes[i]);
        slots[2 * place] = key(edges.get(i).from(), edges.get(i).word());
        slots[2 * place + 1] = edges.get(i).node();
      }
    }

    /** No edge leaves node 0, so that a free place, which is 0, is none. */
    private static long key(int from, int word) {
      return (long) from << Integer.SIZE | word;
    }

    /** Where the edge that reads this word is, which is the number of the node it leads to. */
    int find(int from, int word) {
      int place = places.of(from * fromFactor + word * wordFactor);
      return slots[2 * place] == key(from, word) ? place + 1 : NOTHING;
    }

    /** What is known of a node. */
    long node(int number) {
      return slots[2 * number - 1];
    }

    long memoryBytes() {
      return (long) Long.BYTES * slots.length + places.memoryBytes();
    }
  }
}
