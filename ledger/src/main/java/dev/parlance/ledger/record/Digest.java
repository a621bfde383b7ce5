package dev.parlance.ledger.record;

import dev.parlance.policy.text.Sha256;
import java.security.MessageDigest;

/** SHA-256 in lower-case hex. */
public final class Digest {
  private static final int HEX_LENGTH = 64;

  private Digest() {}

  /** Digest of bytes. */
  public static String of(byte[] bytes) {
    return Sha256.hex(bytes);
  }

  /** Digest of a text's UTF-8 bytes. */
  public static String of(String text) {
    return Sha256.hex(text);
  }

  /** Refuses what is not 64 lower-case hex digits. */
  public static String checked(String hex) {
    if (hex.length() != HEX_LENGTH
        || !hex.chars().allMatch(c -> (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) {
      throw new IllegalArgumentException("expected 64 lower-case hex digits, got \"" + hex + "\"");
    }
    return hex;
  }

  /** A digest that has taken in what this one has. */
  static MessageDigest copyOf(MessageDigest digest) {
    try {
      return (MessageDigest) digest.clone();
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException("the JDK's SHA-256 can be cloned", e);
    }
  }
}
