package dev.parlance.ledger.tree;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The right edge of a tree: the roots of the perfect subtrees that the size's binary digits name,
 * largest first. It is all that is needed to append entries and to know the root; at most 63 hashes
 * for any size.
 *
 * <p>Mutable and for one thread.
 */
public final class CompactRange {
  /** Told of each perfect subtree that an append completes, leaves first. */
  @FunctionalInterface
  public interface NodeVisitor {
    /** One node: its height above the leaves, its place among the nodes of that height. */
    void completed(int level, long index, Hash hash);
  }

  private final List<Hash> hashes;
  private long size;

  private CompactRange(long size, List<Hash> hashes) {
    this.size = size;
    this.hashes = hashes;
  }

  /** The edge of the tree without entries. */
  public static CompactRange empty() {
    return new CompactRange(0, new ArrayList<>());
  }

  /** The edge of a tree of {@code size} entries, at most 63 nodes asked from the source. */
  public static CompactRange load(long size, NodeSource source) throws IOException {
    if (size < 0) {
      throw new IllegalArgumentException("size " + size);
    }
    List<Hash> hashes = new ArrayList<>();
    long begin = 0;
    for (int level = 62; level >= 0; level--) {
      long width = 1L << level;
      if ((size & width) != 0) {
        hashes.add(source.node(level, begin >>> level));
        begin += width;
      }
    }
    return new CompactRange(size, hashes);
  }

  /** A copy that goes its own way. */
  public CompactRange copy() {
    return new CompactRange(size, new ArrayList<>(hashes));
  }

  /** Appends one leaf hash. */
  public void append(Hash leaf, NodeVisitor visitor) {
    Hash hash = leaf;
    long index = size;
    visitor.completed(0, index, hash);
    int level = 0;
    while ((index & 1) == 1) {
      hash = Hashing.node(hashes.removeLast(), hash);
      index >>>= 1;
      level++;
      visitor.completed(level, index, hash);
    }
    hashes.add(hash);
    size = Math.addExact(size, 1);
  }

  /** Number of entries. */
  public long size() {
    return size;
  }

  /** Root of the tree. */
  public Hash root() {
    if (hashes.isEmpty()) {
      return Hashing.EMPTY_ROOT;
    }
    Hash root = hashes.getLast();
    for (int i = hashes.size() - 2; i >= 0; i--) {
      root = Hashing.node(hashes.get(i), root);
    }
    return root;
  }

  /** Hashes of ranges of entries that are subtrees in the sense of RFC 6962's recursion. */
  static final class Subtree {
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

  /**
   * Where the hashes of perfect subtrees come from. Node {@code (level, index)} covers the entries
   * {@code [index << level, (index + 1) << level)}; level 0 is the leaf hashes.
   */
  @FunctionalInterface
  public interface NodeSource {
    /**
     * The hash of a perfect subtree that lies whole inside the tree.
     *
     * @throws IOException where it cannot be had
     */
    Hash node(int level, long index) throws IOException;
  }
}
