package dev.parlance.ledger.tree;

import java.io.IOException;

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
