package dev.parlance.ledger.tile;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The bytes of an entry bundle: per entry its length as uint16 big-endian, then its bytes. */
public final class EntryBundles {
  /** Longest entry, in bytes: what the length field can say. */
  public static final int MAX_ENTRY_BYTES = 0xffff;

  /** Longest bundle, in bytes. */
  public static final int MAX_BUNDLE_BYTES = Tiles.WIDTH * (2 + MAX_ENTRY_BYTES);

  private EntryBundles() {}

  /** What came of reading a bundle. */
  public sealed interface Decoded {
    /** All entries, in order. */
    record Entries(List<byte[]> entries) implements Decoded {
      public Entries {
        entries = List.copyOf(entries);
      }
    }

    /**
     * The bytes end in the middle of an entry, or there are more than 256.
     *
     * @param before the entries that could be read before it
     * @param offset byte at which the entry starts that cannot be read
     */
    record Malformed(List<byte[]> before, int offset) implements Decoded {
      public Malformed {
        before = List.copyOf(before);
      }
    }
  }

  /** The bytes of 1 to 256 entries of at most 65,535 bytes. */
  public static byte[] encode(List<byte[]> entries) {
    if (entries.isEmpty() || entries.size() > Tiles.WIDTH) {
      throw new IllegalArgumentException(entries.size() + " entries in a bundle");
    }
    int length = 0;
    for (byte[] entry : entries) {
      if (entry.length > MAX_ENTRY_BYTES) {
        throw new IllegalArgumentException("an entry of " + entry.length + " bytes");
      }
      length += 2 + entry.length;
    }
    byte[] bytes = new byte[length];
    int at = 0;
    for (byte[] entry : entries) {
      bytes[at] = (byte) (entry.length >>> 8);
      bytes[at + 1] = (byte) entry.length;
      System.arraycopy(entry, 0, bytes, at + 2, entry.length);
      at += 2 + entry.length;
    }
    return bytes;
  }

  /** The bytes of the first entries of a bundle; empty where it has fewer. */
  static Optional<byte[]> beginning(byte[] bytes, int entries) {
    int end = 0;
    for (int i = 0; i < entries; i++) {
      if (bytes.length - end < 2) {
        return Optional.empty();
      }
      end += 2 + lengthAt(bytes, end);
    }
    return end <= bytes.length ? Optional.of(Arrays.copyOf(bytes, end)) : Optional.empty();
  }

  private static int lengthAt(byte[] bytes, int at) {
    return ((bytes[at] & 0xff) << 8) | (bytes[at + 1] & 0xff);
  }

  /** Reads a bundle whole. */
  public static Decoded decode(byte[] bytes) {
    return decode(bytes, 0);
  }

  /** Reads a bundle from one of its entries on; what is before that is only passed over. */
  public static Decoded decode(byte[] bytes, int first) {
    List<byte[]> entries = new ArrayList<>();
    int at = 0;
    int count = 0;
    while (at < bytes.length) {
      int length = bytes.length - at < 2 ? -1 : lengthAt(bytes, at);
      if (length < 0 || bytes.length - at - 2 < length || count == Tiles.WIDTH) {
        return new Decoded.Malformed(entries, at);
      }
      if (count >= first) {
        entries.add(Arrays.copyOfRange(bytes, at + 2, at + 2 + length));
      }
      count++;
      at += 2 + length;
    }
    return new Decoded.Entries(entries);
  }
}
