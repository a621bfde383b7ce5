package dev.parlance.ledger.log;

import dev.parlance.ledger.log.LedgerFault.LedgerUnavailable;
import dev.parlance.ledger.tile.EntryBundles;
import dev.parlance.ledger.tile.Tiles;
import dev.parlance.ledger.tile.TlogPath;
import dev.parlance.ledger.tree.CompactRange;
import dev.parlance.ledger.tree.Hash;
import dev.parlance.ledger.tree.Hashing;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeSet;

/** The right edge of a log: what must be known to append. Immutable; growing makes another. */
final class Edge {
  private final CompactRange range;

  /** Per tile level the hashes of its last tile while that is not full. */
  private final List<List<Hash>> partialTiles;

  /** Entries of the last bundle while it is not full. */
  private final List<byte[]> partialBundle;

  private Edge(CompactRange range, List<List<Hash>> partialTiles, List<byte[]> partialBundle) {
    this.range = range;
    this.partialTiles = partialTiles;
    this.partialBundle = partialBundle;
  }

  /** A grown edge and the resources that the growth needs stored, bundles before tiles. */
  record Growth(Edge edge, SequencedMap<String, byte[]> writes) {}

  /**
   * Reads the edge of a log and recomputes the root from it.
   *
   * @throws LedgerUnavailable {@link LedgerFault#CHAIN_BROKEN} where it is not the signed one
   */
  static Edge load(LogView view) throws IOException {
    long size = view.size();
    CompactRange range = CompactRange.load(size, view.nodes());
    if (!range.root().equals(view.checkpoint().checkpoint().root())) {
      throw new LedgerUnavailable(
          LedgerFault.CHAIN_BROKEN,
          "the tiles lead to root "
              + range.root()
              + ", the checkpoint of "
              + size
              + " entries says "
              + view.checkpoint().checkpoint().root());
    }
    List<List<Hash>> partialTiles = new ArrayList<>();
    for (int level = 0; level <= Tiles.MAX_LEVEL; level++) {
      long last = Tiles.slots(level, size) / Tiles.WIDTH;
      boolean partial = Tiles.width(level, last, size) > 0;
      partialTiles.add(partial ? view.tile(level, last) : List.of());
    }
    boolean partial = size % Tiles.WIDTH > 0;
    return new Edge(range, partialTiles, partial ? view.bundle(size / Tiles.WIDTH) : List.of());
  }

  /** Root of the tree. */
  Hash root() {
    return range.root();
  }

  /** Number of entries. */
  long size() {
    return range.size();
  }

  /** The edge after these entries, of at most 65,535 bytes each. */
  Growth grow(List<byte[]> entries) {
    CompactRange grown = range.copy();
    List<List<Hash>> tiles = new ArrayList<>();
    partialTiles.forEach(tile -> tiles.add(new ArrayList<>(tile)));
    List<byte[]> bundle = new ArrayList<>(partialBundle);
    SequencedMap<String, byte[]> tileWrites = new LinkedHashMap<>();
    SequencedMap<String, byte[]> writes = new LinkedHashMap<>();
    TreeSet<Integer> touched = new TreeSet<>();
    for (byte[] entry : entries) {
      grown.append(
          Hashing.leaf(entry),
          (level, index, hash) -> {
            if (level % Tiles.HEIGHT == 0) {
              int tileLevel = level / Tiles.HEIGHT;
              touched.add(tileLevel);
              addHash(tiles.get(tileLevel), tileLevel, index, hash, tileWrites);
            }
          });
      bundle.add(entry);
      if (bundle.size() == Tiles.WIDTH) {
        long index = (grown.size() - 1) / Tiles.WIDTH;
        writes.put(
            new TlogPath.EntryBundle(index, Tiles.WIDTH).path(), EntryBundles.encode(bundle));
        bundle.clear();
      }
    }
    if (!bundle.isEmpty()) {
      long index = grown.size() / Tiles.WIDTH;
      writes.put(
          new TlogPath.EntryBundle(index, bundle.size()).path(), EntryBundles.encode(bundle));
    }
    for (int level : touched) {
      List<Hash> tile = tiles.get(level);
      if (!tile.isEmpty()) {
        long index = Tiles.slots(level, grown.size()) / Tiles.WIDTH;
        tileWrites.put(new TlogPath.HashTile(level, index, tile.size()).path(), Tiles.encode(tile));
      }
    }
    writes.putAll(tileWrites);
    return new Growth(new Edge(grown, tiles, bundle), writes);
  }

  private static void addHash(
      List<Hash> tile, int level, long slot, Hash hash, SequencedMap<String, byte[]> writes) {
    tile.add(hash);
    if (tile.size() == Tiles.WIDTH) {
      writes.put(
          new TlogPath.HashTile(level, slot / Tiles.WIDTH, Tiles.WIDTH).path(), Tiles.encode(tile));
      tile.clear();
    }
  }
}
