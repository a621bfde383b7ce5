package dev.parlance.ledger.log;

import dev.parlance.ledger.log.LedgerFault.LedgerUnavailable;
import dev.parlance.ledger.tile.Tiles;
import dev.parlance.ledger.tile.TlogPath;
import dev.parlance.ledger.tree.CompactRange.NodeSource;
import dev.parlance.ledger.tree.Hash;
import dev.parlance.ledger.tree.Hashing;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Hash tiles of a source; keeps the full ones last used, since they never change. At most {@value
 * #MAX_TILES} tiles of 8 KiB.
 */
final class TileCache {
  private static final int MAX_TILES = 1024;

  private record Key(int level, long index) {}

  private final LogSource source;
  private final Map<Key, List<Hash>> full = new LinkedHashMap<>(16, 0.75f, true);

  TileCache(LogSource source) {
    this.source = source;
  }

  /** The nodes of the tree of this size; for one proof by one thread, reads each tile once. */
  NodeSource nodes(long size) {
    Map<Key, List<Hash>> read = new HashMap<>();
    return (level, index) -> {
      int inner = level % Tiles.HEIGHT;
      long firstSlot = index << inner;
      Key key = new Key(level / Tiles.HEIGHT, firstSlot / Tiles.WIDTH);
      List<Hash> hashes = read.get(key);
      if (hashes == null) {
        hashes = tile(key.level(), key.index(), size);
        read.put(key, hashes);
      }
      int from = (int) (firstSlot % Tiles.WIDTH);
      int to = from + (1 << inner);
      if (to > hashes.size()) {
        throw new IllegalArgumentException("node " + level + " " + index + " of size " + size);
      }
      return root(hashes.subList(from, to));
    };
  }

  /** Hashes of a tile as a tree of this size has it. */
  List<Hash> tile(int level, long index, long size) throws IOException {
    Key key = new Key(level, index);
    int width = Tiles.width(level, index, size);
    synchronized (full) {
      List<Hash> known = full.get(key);
      if (known != null) {
        return known.subList(0, width);
      }
    }
    TlogPath path = new TlogPath.HashTile(level, index, width);
    byte[] bytes = readWithFallback(source, path, new TlogPath.HashTile(level, index, Tiles.WIDTH));
    List<Hash> hashes =
        Tiles.decode(bytes, width)
            .orElseThrow(
                () -> new LedgerUnavailable(LedgerFault.CHAIN_BROKEN, path.path() + " is cut"));
    if (width == Tiles.WIDTH) {
      synchronized (full) {
        full.put(key, hashes);
        if (full.size() > MAX_TILES) {
          full.remove(full.keySet().iterator().next());
        }
      }
    }
    return hashes;
  }

  /** A partial resource may be gone once the full one is there; that begins with it. */
  static byte[] readWithFallback(LogSource source, TlogPath path, TlogPath fullPath)
      throws IOException {
    Optional<byte[]> bytes = source.read(path.path());
    if (bytes.isEmpty()) {
      bytes = source.read(fullPath.path());
    }
    return bytes.orElseThrow(
        () -> new LedgerUnavailable(LedgerFault.CHAIN_BROKEN, path.path() + " is missing"));
  }

  private static Hash root(List<Hash> hashes) {
    if (hashes.size() == 1) {
      return hashes.getFirst();
    }
    int half = hashes.size() / 2;
    return Hashing.node(root(hashes.subList(0, half)), root(hashes.subList(half, hashes.size())));
  }
}
