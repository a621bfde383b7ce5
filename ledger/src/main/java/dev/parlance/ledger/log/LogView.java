package dev.parlance.ledger.log;

import dev.parlance.ledger.log.LedgerFault.LedgerUnavailable;
import dev.parlance.ledger.note.SignedCheckpoint;
import dev.parlance.ledger.tile.EntryBundles;
import dev.parlance.ledger.tile.Tiles;
import dev.parlance.ledger.tile.TlogPath;
import dev.parlance.ledger.tree.CompactRange.NodeSource;
import dev.parlance.ledger.tree.ConsistencyProof;
import dev.parlance.ledger.tree.Hash;
import dev.parlance.ledger.tree.Hashing;
import dev.parlance.ledger.tree.InclusionProof;
import java.io.IOException;
import java.util.List;

/**
 * A log as one checkpoint has it; what is appended later is not seen. Reading compares each entry
 * with its leaf hash, which finds damage; whether the hashes lead to the signed root is for proofs
 * and the verifier.
 */
public final class LogView {
  /** Takes entries in order. */
  @FunctionalInterface
  public interface EntryVisitor {
    /** One entry; the array is the visitor's to keep. */
    void entry(long index, byte[] entry) throws IOException;
  }

  private final LogSource source;
  private final TileCache tiles;
  private final SignedCheckpoint checkpoint;

  LogView(LogSource source, TileCache tiles, SignedCheckpoint checkpoint) {
    this.source = source;
    this.tiles = tiles;
    this.checkpoint = checkpoint;
  }

  /** The checkpoint of this view. */
  public SignedCheckpoint checkpoint() {
    return checkpoint;
  }

  /** Number of entries. */
  public long size() {
    return checkpoint.size();
  }

  /**
   * Visits the entries {@code [from, to)}; one bundle of at most 256 is in memory at a time.
   *
   * @throws LedgerUnavailable {@link LedgerFault#CHAIN_BROKEN} where a bundle is missing or damaged
   */
  public void forEach(long from, long to, EntryVisitor visitor) throws IOException {
    if (from < 0 || to < from || to > size()) {
      throw new IllegalArgumentException("entries " + from + " to " + to + " of " + size());
    }
    long index = from;
    while (index < to) {
      List<byte[]> entries = bundle(index / Tiles.WIDTH, (int) (index % Tiles.WIDTH));
      long first = index;
      long end = Math.min(to, first + entries.size());
      for (; index < end; index++) {
        visitor.entry(index, entries.get((int) (index - first)));
      }
    }
  }

  /** One entry. */
  public byte[] entry(long index) throws IOException {
    if (index < 0 || index >= size()) {
      throw new IllegalArgumentException("entry " + index + " of " + size());
    }
    return bundle(index / Tiles.WIDTH, (int) (index % Tiles.WIDTH)).getFirst();
  }

  /** Proof that the entry of this index is under the checkpoint's root. */
  public InclusionProof inclusion(long index) throws IOException {
    return InclusionProof.build(index, size(), nodes());
  }

  /** The same as the log was when it had {@code treeSize} entries, at most as many as now. */
  public InclusionProof inclusion(long index, long treeSize) throws IOException {
    return InclusionProof.build(index, within(treeSize), nodes());
  }

  /** Proof that the log of {@code oldSize} entries is the beginning of that of {@code newSize}. */
  public ConsistencyProof consistency(long oldSize, long newSize) throws IOException {
    return ConsistencyProof.build(oldSize, within(newSize), nodes());
  }

  private long within(long treeSize) {
    if (treeSize < 0 || treeSize > size()) {
      throw new IllegalArgumentException("size " + treeSize + " of " + size());
    }
    return treeSize;
  }

  NodeSource nodes() {
    return tiles.nodes(size());
  }

  List<Hash> tile(int level, long index) throws IOException {
    return tiles.tile(level, index, size());
  }

  /** The entries of a bundle as this view has it, each the one that its leaf hash names. */
  List<byte[]> bundle(long index) throws IOException {
    return bundle(index, 0);
  }

  /** The same without those before one of them, which are not looked at. */
  private List<byte[]> bundle(long index, int first) throws IOException {
    int width = Tiles.width(0, index, size());
    TlogPath path = new TlogPath.EntryBundle(index, width);
    byte[] bytes =
        TileCache.readWithFallback(source, path, new TlogPath.EntryBundle(index, Tiles.WIDTH));
    List<byte[]> entries =
        switch (EntryBundles.decode(bytes, first)) {
          case EntryBundles.Decoded.Entries(List<byte[]> all) -> all;
          case EntryBundles.Decoded.Malformed(List<byte[]> before, int offset) ->
              throw broken(path, "is malformed at byte " + offset);
        };
    if (entries.size() < width - first) {
      throw broken(path, "has no entry " + (first + entries.size()));
    }
    List<Hash> leaves = tile(0, index);
    for (int i = first; i < width; i++) {
      if (!Hashing.leaf(entries.get(i - first)).equals(leaves.get(i))) {
        throw broken(path, "entry " + (index * Tiles.WIDTH + i) + " is not the one logged");
      }
    }
    return entries.subList(0, width - first);
  }

  private static LedgerUnavailable broken(TlogPath path, String what) {
    return new LedgerUnavailable(LedgerFault.CHAIN_BROKEN, path.path() + " " + what);
  }
}
