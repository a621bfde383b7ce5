package dev.parlance.policy.text;

/** Code points to and from UTF-8 bytes that are known to be valid. */
final class Utf8Bytes {
  static final int MAX_BYTES = 4;

  private Utf8Bytes() {}

  /** Writes {@code codePoint} (no surrogate) at {@code at}; the index after it. */
  static int put(int codePoint, byte[] to, int at) {
    if (codePoint < 0x80) {
      to[at] = (byte) codePoint;
      return at + 1;
    }
    if (codePoint < 0x800) {
      to[at] = (byte) (0xC0 | codePoint >> 6);
      to[at + 1] = (byte) (0x80 | (codePoint & 0x3F));
      return at + 2;
    }
    if (codePoint < 0x10000) {
      to[at] = (byte) (0xE0 | codePoint >> 12);
      to[at + 1] = (byte) (0x80 | (codePoint >> 6 & 0x3F));
      to[at + 2] = (byte) (0x80 | (codePoint & 0x3F));
      return at + 3;
    }
    to[at] = (byte) (0xF0 | codePoint >> 18);
    to[at + 1] = (byte) (0x80 | (codePoint >> 12 & 0x3F));
    to[at + 2] = (byte) (0x80 | (codePoint >> 6 & 0x3F));
    to[at + 3] = (byte) (0x80 | (codePoint & 0x3F));
    return at + 4;
  }

  /** Number of bytes of the code point whose first byte is {@code lead}. */
  static int width(byte lead) {
    if (lead >= 0) {
      return 1;
    }
    return (lead & 0xE0) == 0xC0 ? 2 : (lead & 0xF0) == 0xE0 ? 3 : 4;
  }

  /** The code point of {@code width} bytes at {@code at}. */
  static int get(byte[] from, int at, int width) {
    return switch (width) {
      case 1 -> from[at];
      case 2 -> (from[at] & 0x1F) << 6 | (from[at + 1] & 0x3F);
      case 3 -> (from[at] & 0x0F) << 12 | (from[at + 1] & 0x3F) << 6 | (from[at + 2] & 0x3F);
      default ->
          (from[at] & 0x07) << 18
              | (from[at + 1] & 0x3F) << 12
              | (from[at + 2] & 0x3F) << 6
              | (from[at + 3] & 0x3F);
    };
  }
}
