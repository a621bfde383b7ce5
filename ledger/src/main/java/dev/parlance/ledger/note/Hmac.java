package dev.parlance.ledger.note;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;

/** HMAC-SHA-256 (RFC 2104) under one key, for any thread; makes codes of 128 bits. */
public final class Hmac {
  /** Length of a code, in bytes. */
  public static final int TAG_BYTES = 16;

  private static final int BLOCK = 64;
  private static final byte INNER = 0x36;
  private static final byte OUTER = 0x5c;
  private static final ThreadLocal<MessageDigest> SHA_256 =
      ThreadLocal.withInitial(Hmac::newSha256);

  private final byte[] inner;
  private final byte[] outer;

  private Hmac(byte[] key) {
    this.inner = pad(key, INNER);
    this.outer = pad(key, OUTER);
  }

  /**
   * Under a key that the owners of two key pairs find, and nobody else: HMAC of what it is for,
   * under their X25519 secret.
   *
   * @param purpose keeps keys for different uses apart
   * @return empty if the other key is none that anybody may agree with
   */
  public static Optional<Hmac> between(SignerKey own, VerifierKey peer, String purpose) {
    return own.agree(peer)
        .map(secret ->
            new Hmac(
                new Hmac(secret).all(new byte[0], purpose.getBytes(StandardCharsets.US_ASCII))));
  }

  /** The code of some bytes and others behind them, as hex digits. */
  public String tag(byte[] first, byte[] second) {
    return HexFormat.of().formatHex(all(first, second), 0, TAG_BYTES);
  }

  private byte[] all(byte[] first, byte[] second) {
    MessageDigest sha256 = SHA_256.get();
    sha256.update(inner);
    sha256.update(first);
    byte[] inside = sha256.digest(second);
    sha256.update(outer);
    return sha256.digest(inside);
  }

  /** True if two codes are the same; takes as long wherever they differ. */
  public static boolean same(String code, String expected) {
    int different = code.length() ^ expected.length();
    for (int i = 0; i < expected.length() && i < code.length(); i++) {
      different |= code.charAt(i) ^ expected.charAt(i);
    }
    return different == 0;
  }

  private static MessageDigest newSha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private static byte[] pad(byte[] key, byte with) {
    byte[] block = Arrays.copyOf(key, BLOCK);
    for (int i = 0; i < BLOCK; i++) {
      block[i] ^= with;
    }
    return block;
  }
}
