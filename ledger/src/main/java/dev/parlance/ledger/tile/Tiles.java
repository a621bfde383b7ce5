package dev.parlance.ledger.tile;

import dev.parlance.ledger.tree.Hash;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Geometry of tiles and the bytes of a hash tile: its hashes one after the other, 32 bytes each.
 *
 * <p>Slot {@code k} of level {@code l} is the root over the entries {@code [k * 256^l, (k + 1) *
 * 256^l)}; tile {@code n} of the level holds the slots {@code [n * 256, (n + 1) * 256)} that are
 * complete.
 */
public final class Tiles {
  /** Hashes of a full tile, entries of a full bundle. */
  public static final int WIDTH = 256;

  /** Binary levels of the tree that one tile level stands for. */
  public static final int HEIGHT = 8;

  /** Highest tile level that a tree of at most 2^63 - 1 entries has. */
  public static final int MAX_LEVEL = 7;

  private static final long MAX_INDEX = Long.MAX_VALUE / WIDTH;

  private Tiles() {}

  /** Number of complete slots of a level in a tree of this size. */
  public static long slots(int level, long size) {
    return level > MAX_LEVEL ? 0 : size >>> (HEIGHT * level);
  }

  /** Hashes in the tile of this index in a tree of this size: 0 to 256. */
  public static int width(int level, long index, long size) {
    long left = slots(level, size) - (index * WIDTH);
    return Math.clamp(left, 0, WIDTH);
  }

  /**
   * Entries that a tree must have for this resource to be of it; the largest long if it overflows.
   */
  public static long sizeNeeded(TlogPath path) {
    return switch (path) {
      case TlogPath.Head head -> 0;
      case TlogPath.EntryBundle bundle -> bundle.index() * WIDTH + bundle.width();
      case TlogPath.HashTile tile -> {
        long slots = tile.index() * WIDTH + tile.width();
        boolean fits =
            tile.level() <= MAX_LEVEL && slots <= (Long.MAX_VALUE >>> (HEIGHT * tile.level()));
        yield fits ? slots << (HEIGHT * tile.level()) : Long.MAX_VALUE;
      }
    };
  }

  static boolean inRange(long index, int width) {
    return index >= 0 && index < MAX_INDEX && width >= 1 && width <= WIDTH;
  }

  /** The bytes of a tile of 1 to 256 hashes. */
  public static byte[] encode(List<Hash> hashes) {
    if (hashes.isEmpty() || hashes.size() > WIDTH) {
      throw new IllegalArgumentException(hashes.size() + " hashes in a tile");
    }
    byte[] bytes = new byte[hashes.size() * Hash.BYTES];
    for (int i = 0; i < hashes.size(); i++) {
      hashes.get(i).writeTo(bytes, i * Hash.BYTES);
    }
    return bytes;
  }

  /** The first {@code width} hashes of a tile, or empty where it has fewer or broken ones. */
  public static Optional<List<Hash>> decode(byte[] bytes, int width) {
    if (bytes.length % Hash.BYTES != 0
        || bytes.length > WIDTH * Hash.BYTES
        || bytes.length < width * Hash.BYTES) {
      return Optional.empty();
    }
    List<Hash> hashes = new ArrayList<>(width);
    for (int i = 0; i < width; i++) {
      hashes.add(Hash.at(bytes, i * Hash.BYTES));
    }
    return Optional.of(hashes);
  }
}
