package dev.parlance.ledger.tree;

import dev.parlance.ledger.tree.CompactRange.NodeSource;
import dev.parlance.ledger.tree.CompactRange.Subtree;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * Proof that a tree is the beginning of another (RFC 6962 section 2.1.2; checked as RFC 9162
 * section 2.1.4.2 says).
 *
 * <p>From the empty tree nothing can be proved, since every tree begins with it: {@link #verifies}
 * is then false, and who asks decides by the root of the empty tree instead.
 *
 * @param oldSize entries of the older tree, from 0
 * @param newSize entries of the newer tree, at least as many
 * @param path hashes from the older edge up
 */
public record ConsistencyProof(long oldSize, long newSize, List<Hash> path) {
  public ConsistencyProof {
    if (oldSize < 0 || newSize < oldSize) {
      throw new IllegalArgumentException("sizes " + oldSize + " and " + newSize);
    }
    path = List.copyOf(path);
  }

  /** Builds the proof; empty from the empty tree and between trees of the same size. */
  public static ConsistencyProof build(long oldSize, long newSize, NodeSource source)
      throws IOException {
    List<Hash> path = new ArrayList<>();
    if (oldSize > 0 && oldSize < newSize) {
      long begin = 0;
      long end = newSize;
      while (end != oldSize) {
        long split = begin + Subtree.leftWidth(end - begin);
        if (oldSize <= split) {
          path.addFirst(Subtree.root(split, end, source));
          end = split;
        } else {
          path.addFirst(Subtree.root(begin, split, source));
          begin = split;
        }
      }
      // The older tree's own subtree is left out where it is the whole older tree: its root is
      // known.
      if (begin != 0) {
        path.addFirst(Subtree.root(begin, end, source));
      }
    }
    return new ConsistencyProof(oldSize, newSize, path);
  }

  /** Whether the tree with the new root begins with the tree with the old root. */
  public boolean verifies(Hash oldRoot, Hash newRoot) {
    if (oldSize == 0) {
      return false;
    }
    if (oldSize == newSize) {
      return path.isEmpty() && oldRoot.equals(newRoot);
    }
    if (path.isEmpty()) {
      return false;
    }
    long node = oldSize - 1;
    long last = newSize - 1;
    while ((node & 1) == 1) {
      node >>>= 1;
      last >>>= 1;
    }
    Iterator<Hash> hashes = path.iterator();
    Hash seed = Long.bitCount(oldSize) == 1 ? oldRoot : hashes.next();
    Hash older = seed;
    Hash newer = seed;
    while (hashes.hasNext()) {
      if (last == 0) {
        return false;
      }
      Hash hash = hashes.next();
      if ((node & 1) == 1 || node == last) {
        older = Hashing.node(hash, older);
        newer = Hashing.node(hash, newer);
        while ((node & 1) == 0 && node != 0) {
          node >>>= 1;
          last >>>= 1;
        }
      } else {
        newer = Hashing.node(newer, hash);
      }
      node >>>= 1;
      last >>>= 1;
    }
    return last == 0 && older.equals(oldRoot) && newer.equals(newRoot);
  }
}
