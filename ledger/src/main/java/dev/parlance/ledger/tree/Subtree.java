package dev.parlance.ledger.tree;

import java.io.IOException;

/** Hashes of ranges of entries that are subtrees in the sense of RFC 6962's recursion. */
final class Subtree {
  private Subtree() {}

  /** The largest power of two below {@code width}, which is above 1: where the tree divides. */
  static long leftWidth(long width) {
    return Long.highestOneBit(width - 1);
  }

  /** Root over {@code [begin, end)}; begin is aligned as the recursion makes it. */
  static Hash root(long begin, long end, NodeSource source) throws IOException {
    long width = end - begin;
    if (Long.bitCount(width) == 1) {
      int level = Long.numberOfTrailingZeros(width);
      return source.node(level, begin >>> level);
    }
    long split = begin + leftWidth(width);
    return Hashing.node(root(begin, split, source), root(split, end, source));
  }
}
