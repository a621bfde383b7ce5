package dev.parlance.policy.core;

import dev.parlance.policy.text.Places;
import java.util.Optional;

/**
 * Where the words of terms lead, from one depth of the trie to the next. A look-up is one
 * comparison, see {@link Places}. Immutable.
 */
final class TermEdges {
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
