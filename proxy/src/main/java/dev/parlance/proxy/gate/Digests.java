package dev.parlance.proxy.gate;

import dev.parlance.policy.text.Utf8Span;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 over length-prefixed parts, so that no two lists of parts share a digest by accident. */
public final class Digests {
  private final MessageDigest digest;

  private Digests() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** A digest under a purpose, which keeps digests for different uses apart. */
  public static Digests of(String purpose) {
    return new Digests().add(purpose);
  }

  /** Hex SHA-256 of plain bytes. */
  public static String sha256(byte[] bytes) {
    return HexFormat.of().formatHex(new Digests().digest.digest(bytes));
  }

  /** Adds a text. */
  public Digests add(String part) {
    byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
    return add(bytes, 0, bytes.length);
  }

  /** Adds a view. */
  public Digests add(Utf8Span part) {
    return add(part.array(), part.arrayOffset(), part.length());
  }

  private Digests add(byte[] bytes, int offset, int length) {
    digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(length).array());
    digest.update(bytes, offset, length);
    return this;
  }

  /** The first 32 hex digits (128 bits). */
  public String hex() {
    return HexFormat.of().formatHex(digest.digest(), 0, 16);
  }
}
