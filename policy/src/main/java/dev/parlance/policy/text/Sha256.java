package dev.parlance.policy.text;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 of bytes, and of texts in UTF-8. */
public final class Sha256 {
  private Sha256() {}

  /** A new one, for what comes in pieces. */
  public static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** The 32 bytes of a text. */
  public static byte[] of(String text) {
    return digest().digest(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Of bytes in lower-case hex. */
  public static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(digest().digest(bytes));
  }

  /** Of a text in lower-case hex. */
  public static String hex(String text) {
    return HexFormat.of().formatHex(of(text));
  }
}
