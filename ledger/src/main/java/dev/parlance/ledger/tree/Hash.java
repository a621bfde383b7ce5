package dev.parlance.ledger.tree;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;

/** A SHA-256 value: 32 bytes, immutable, equal by content. */
public final class Hash {
  /** Length of every hash in bytes. */
  public static final int BYTES = 32;

  private final byte[] bytes;

  private Hash(byte[] owned) {
    this.bytes = owned;
  }

  /** A copy of exactly 32 bytes. */
  public static Hash of(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException("a hash has 32 bytes, not " + bytes.length);
    }
    return new Hash(bytes.clone());
  }

  /** A copy of the 32 bytes that start at {@code offset}. */
  public static Hash at(byte[] source, int offset) {
    if (offset < 0 || offset > source.length - BYTES) {
      throw new IllegalArgumentException("no 32 bytes at " + offset + " of " + source.length);
    }
    return new Hash(Arrays.copyOfRange(source, offset, offset + BYTES));
  }

  /** The hash whose canonical base64 this is, if it is one. */
  public static Optional<Hash> parseBase64(String text) {
    return StrictBase64.decode(text).filter(bytes -> bytes.length == BYTES).map(Hash::new);
  }

  /** The hash whose 64 lower-case hex digits these are, if they are. */
  public static Optional<Hash> parseHex(String text) {
    if (text.length() != 2 * BYTES) {
      return Optional.empty();
    }
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if ((c < '0' || c > '9') && (c < 'a' || c > 'f')) {
        return Optional.empty();
      }
    }
    return Optional.of(new Hash(HexFormat.of().parseHex(text)));
  }

  /** A copy of the 32 bytes. */
  public byte[] bytes() {
    return bytes.clone();
  }

  /** Copies the 32 bytes to {@code target} from {@code offset} on. */
  public void writeTo(byte[] target, int offset) {
    System.arraycopy(bytes, 0, target, offset, BYTES);
  }

  /** 64 lower-case hex digits. */
  public String hex() {
    return HexFormat.of().formatHex(bytes);
  }

  /** Canonical base64, 44 characters. */
  public String base64() {
    return StrictBase64.encode(bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Hash that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return hex();
  }
}
