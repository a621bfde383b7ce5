package dev.parlance.ledger.verify;

import dev.parlance.ledger.tree.Hash;
import dev.parlance.ledger.tree.Hashing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Hashing over lists of hashes some of which may not be known. */
final class Slots {
  private Slots() {}

  /** Root of the perfect tree over the hashes, whose number is a power of two; if all are known. */
  static Optional<Hash> perfectRoot(List<Optional<Hash>> hashes) {
    List<Hash> row = new ArrayList<>(hashes.size());
    for (Optional<Hash> hash : hashes) {
      if (hash.isEmpty()) {
        return Optional.empty();
      }
      row.add(hash.get());
    }
    while (row.size() > 1) {
      List<Hash> above = new ArrayList<>(row.size() / 2);
      for (int i = 0; i < row.size(); i += 2) {
        above.add(Hashing.node(row.get(i), row.get(i + 1)));
      }
      row = above;
    }
    return Optional.of(row.getFirst());
  }

  /**
   * Root of the tree whose right edge these are: per tile level the hashes of its last, partial
   * tile; if all are known.
   */
  static Optional<Hash> edgeRoot(List<List<Optional<Hash>>> edges) {
    Optional<Hash> root = Optional.empty();
    for (List<Optional<Hash>> edge : edges) {
      // The perfect subtrees of the edge from right to left are the size's digits from the lowest.
      int end = edge.size();
      while (end > 0) {
        int begin = end - Integer.lowestOneBit(end);
        Optional<Hash> subtree = perfectRoot(edge.subList(begin, end));
        if (subtree.isEmpty()) {
          return Optional.empty();
        }
        Hash left = subtree.get();
        root = Optional.of(root.map(right -> Hashing.node(left, right)).orElse(left));
        end = begin;
      }
    }
    return Optional.of(root.orElse(Hashing.EMPTY_ROOT));
  }

  /** Where all that is known says the same; empty where it disagrees or nothing is known. */
  static List<Optional<Hash>> agreed(List<List<Optional<Hash>>> candidates) {
    List<Optional<Hash>> agreed = new ArrayList<>();
    for (int i = 0; i < candidates.getFirst().size(); i++) {
      Optional<Hash> only = Optional.empty();
      boolean differs = false;
      for (List<Optional<Hash>> candidate : candidates) {
        Optional<Hash> next = candidate.get(i);
        differs |= only.isPresent() && next.isPresent() && !only.equals(next);
        only = only.isPresent() ? only : next;
      }
      agreed.add(differs ? Optional.empty() : only);
    }
    return agreed;
  }
}
