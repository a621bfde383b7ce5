package dev.parlance.console.login;

import dev.parlance.policy.text.Sha256;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;

/** Random texts that nobody can guess, and their digests, which may be kept. */
final class Secrets {
  private static final int BYTES = 32;
  private static final SecureRandom RANDOM = new SecureRandom();

  private Secrets() {}

  /** 256 random bits in base64url. */
  static String draw() {
    byte[] bytes = new byte[BYTES];
    RANDOM.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** SHA-256 of a text. */
  static byte[] sha256(String text) {
    return Sha256.of(text);
  }

  /**
   * The digest as a key of a map, so that looking it up tells nothing of the secret by its time.
   */
  static String key(String secret) {
    return HexFormat.of().formatHex(sha256(secret));
  }
}
