package dev.parlance.ledger.tile;

import dev.parlance.ledger.tree.Hash;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A resource of a tiled log by its path, as C2SP tlog-tiles names it.
 *
 * <pre>
 * checkpoint
 * tile/{level}/{index}[.p/{width}]     hashes of perfect subtrees of 256^level entries
 * tile/entries/{index}[.p/{width}]     entries
 * index 1234067 is x001/x234/067; width 1 to 255 only where the tile is not full
 * </pre>
 */
public sealed interface TlogPath {
  /** The path, without a slash before it. */
  String path();

  /** The signed checkpoint, the only resource that changes. */
  record Head() implements TlogPath {
    @Override
    public String path() {
      return "checkpoint";
    }
  }

  /** A tile or bundle, which has a width and begins with every narrower one of its place. */
  sealed interface Part extends TlogPath {
    /** Hashes or entries, 1 to 256. */
    int width();

    /** The one of the same place with another width. */
    Part ofWidth(int width);

    /** Its width in a tree of this size, 0 to 256. */
    int widthAt(long size);

    /** Its bytes, from those of a wider one; empty where these are too few. */
    Optional<byte[]> beginningOf(byte[] wider);
  }

  /**
   * A tile of hashes.
   *
   * @param level 0 to 63, above {@link Tiles#MAX_LEVEL} there is none
   * @param index place among the tiles of the level, from 0
   * @param width number of hashes, 1 to 256
   */
  record HashTile(int level, long index, int width) implements Part {
    public HashTile {
      if (level < 0 || level > 63 || !Tiles.inRange(index, width)) {
        throw new IllegalArgumentException("tile " + level + " " + index + " " + width);
      }
    }

    @Override
    public String path() {
      return "tile/" + level + "/" + place(index, width);
    }

    @Override
    public HashTile ofWidth(int other) {
      return new HashTile(level, index, other);
    }

    @Override
    public int widthAt(long size) {
      return Tiles.width(level, index, size);
    }

    @Override
    public Optional<byte[]> beginningOf(byte[] wider) {
      int bytes = width * Hash.BYTES;
      return bytes <= wider.length ? Optional.of(Arrays.copyOf(wider, bytes)) : Optional.empty();
    }
  }

  /**
   * A bundle of entries; the leaves of the level 0 tile of the same index and width.
   *
   * @param index place among the bundles, from 0
   * @param width number of entries, 1 to 256
   */
  record EntryBundle(long index, int width) implements Part {
    public EntryBundle {
      if (!Tiles.inRange(index, width)) {
        throw new IllegalArgumentException("bundle " + index + " " + width);
      }
    }

    @Override
    public String path() {
      return "tile/entries/" + place(index, width);
    }

    @Override
    public EntryBundle ofWidth(int other) {
      return new EntryBundle(index, other);
    }

    @Override
    public int widthAt(long size) {
      return Tiles.width(0, index, size);
    }

    @Override
    public Optional<byte[]> beginningOf(byte[] wider) {
      return EntryBundles.beginning(wider, width);
    }
  }

  /** The resource of a path; empty for every other text, also for one that merely leads there. */
  static Optional<TlogPath> parse(String path) {
    if (path.equals("checkpoint")) {
      return Optional.of(new Head());
    }
    Matcher parts = Grammar.PATH.matcher(path);
    if (!parts.matches()) {
      return Optional.empty();
    }
    long index = Long.parseLong(parts.group(2).replaceAll("[x/]", ""));
    int width = parts.group(3) == null ? Tiles.WIDTH : Integer.parseInt(parts.group(3));
    if (!Tiles.inRange(index, width)) {
      return Optional.empty();
    }
    TlogPath found =
        parts.group(1).equals("entries")
            ? new EntryBundle(index, width)
            : new HashTile(Integer.parseInt(parts.group(1)), index, width);
    // One resource has one path: leading zero elements and a width of 256 written out fall here.
    return Optional.of(found).filter(canonical -> canonical.path().equals(path));
  }

  private static String place(long index, int width) {
    StringBuilder path = new StringBuilder(String.format(Locale.ROOT, "%03d", index % 1000));
    for (long rest = index / 1000; rest > 0; rest /= 1000) {
      path.insert(0, String.format(Locale.ROOT, "x%03d/", rest % 1000));
    }
    return width == Tiles.WIDTH ? path.toString() : path + ".p/" + width;
  }

  /** The form of a path; at most six elements, which a long can hold. */
  final class Grammar {
    private static final Pattern PATH =
        Pattern.compile(
            "tile/(entries|[0-9]|[1-5][0-9]|6[0-3])/((?:x[0-9]{3}/){0,5}[0-9]{3})"
                + "(?:\\.p/([1-9][0-9]{0,2}))?");

    private Grammar() {}
  }
}
