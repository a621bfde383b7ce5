package dev.parlance.ledger.tree;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;

/**
 * Base64 of RFC 4648 section 4 in its one canonical form: padded, nothing but the alphabet, zero
 * bits at the end. The decoder of the JDK lets missing padding and stray end bits pass, so two
 * texts could mean the same bytes; here the text must be what encoding gives back.
 */
public final class StrictBase64 {
  private StrictBase64() {}

  /** The canonical text of some bytes. */
  public static String encode(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  /** The bytes, or empty where the text is not the canonical form of any. */
  public static Optional<byte[]> decode(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) > 0x7e) {
        return Optional.empty();
      }
    }
    byte[] ascii = text.getBytes(StandardCharsets.US_ASCII);
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(ascii);
    } catch (IllegalArgumentException notBase64) {
      return Optional.empty();
    }
    return Arrays.equals(Base64.getEncoder().encode(bytes), ascii)
        ? Optional.of(bytes)
        : Optional.empty();
  }
}
