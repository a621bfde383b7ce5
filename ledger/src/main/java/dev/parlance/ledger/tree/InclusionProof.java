package dev.parlance.ledger.tree;

import dev.parlance.ledger.tree.CompactRange.NodeSource;
import dev.parlance.ledger.tree.CompactRange.Subtree;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * Proof that an entry is at an index of a tree (RFC 6962 section 2.1.1; checked as RFC 9162 section
 * 2.1.3.2 says).
 *
 * @param index place of the entry, from 0
 * @param treeSize number of entries of the tree, above the index
 * @param path hashes of the siblings from the leaf up
 */
public record InclusionProof(long index, long treeSize, List<Hash> path) {
  public InclusionProof {
    if (index < 0 || index >= treeSize) {
      throw new IllegalArgumentException("index " + index + " is not in a tree of " + treeSize);
    }
    path = List.copyOf(path);
  }

  /** Builds the proof; asks the source for at most two nodes per level. */
  public static InclusionProof build(long index, long treeSize, NodeSource source)
      throws IOException {
    if (index < 0 || index >= treeSize) {
      throw new IllegalArgumentException("index " + index + " is not in a tree of " + treeSize);
    }
    List<Hash> path = new ArrayList<>();
    long begin = 0;
    long end = treeSize;
    // From the root down to the leaf, taking the sibling at each fork; the path runs the other way.
    while (end - begin > 1) {
      long split = begin + Subtree.leftWidth(end - begin);
      if (index < split) {
        path.addFirst(Subtree.root(split, end, source));
        end = split;
      } else {
        path.addFirst(Subtree.root(begin, split, source));
        begin = split;
      }
    }
    return new InclusionProof(index, treeSize, path);
  }

  /** The root to which the leaf leads, or empty where the path is too long or too short. */
  public Optional<Hash> rootFrom(Hash leaf) {
    long node = index;
    long last = treeSize - 1;
    Hash root = leaf;
    Iterator<Hash> siblings = path.iterator();
    while (siblings.hasNext()) {
      if (last == 0) {
        return Optional.empty();
      }
      Hash sibling = siblings.next();
      if ((node & 1) == 1 || node == last) {
        root = Hashing.node(sibling, root);
        // A node without a right sibling moves up unhashed until it is a right child.
        while ((node & 1) == 0 && node != 0) {
          node >>>= 1;
          last >>>= 1;
        }
      } else {
        root = Hashing.node(root, sibling);
      }
      node >>>= 1;
      last >>>= 1;
    }
    return last == 0 ? Optional.of(root) : Optional.empty();
  }

  /** Whether the leaf is at the index of the tree with this root. */
  public boolean verifies(Hash leaf, Hash root) {
    return rootFrom(leaf).filter(root::equals).isPresent();
  }
}
